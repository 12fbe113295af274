#if AsyncHTTPClient
    import BackstopAsyncHTTPClient
    import Foundation
    import HTTPTypes
    import BackstopTestSupport
    import Testing

    @Suite("The types of swift-http-types", .limited)
    struct HTTPTypesTests {
        @Test("hold a request of Backstop, and give it back as it was")
        func request() throws {
            var headers: HTTP.Headers = ["X-B": "2", "Accept": "text/plain", "X-b": "täglich"]
            try headers.add("", for: "X-Empty")
            let request = try HTTP.Request(
                HTTP.Method("PURGE"), "https://api.example.com:8443/a%2Fb/c?d=e%20f", headers: headers)
            let other = try HTTPRequest(request)
            #expect(other.method.rawValue == "PURGE")
            #expect(other.scheme == "https")
            #expect(other.authority == "api.example.com:8443")
            #expect(other.path == "/a%2Fb/c?d=e%20f")
            #expect(
                other.headerFields.map { "\($0.name.rawName): \($0.value)" }
                    == ["X-B: 2", "Accept: text/plain", "X-b: täglich", "X-Empty: "])
            let back = try HTTP.Request(other, body: .text("x"))
            #expect(back.url == request.url)
            #expect(back.method == request.method)
            #expect(back.headers == request.headers)
            #expect(back.body.data == Data("x".utf8))
        }

        @Test(
            "name the same target",
            arguments: [
                ("http://[::1]:8080/", "[::1]:8080", "/"), ("http://example.com", "example.com", "/"),
                ("http://example.com?a=1", "example.com", "/?a=1"), ("books/1?a", nil, "books/1?a"),
            ] as [(String, String?, String)])
        func targets(text: String, authority: String?, path: String) throws {
            let other = try HTTPRequest(HTTP.Request(.get, text))
            #expect(other.authority == authority)
            #expect(other.path == path)
        }

        @Test(
            "are refused where they are no request",
            arguments: [
                HTTPRequest(method: .get, scheme: "ftp", authority: "a", path: "/"),
                HTTPRequest(method: .get, scheme: "https", authority: nil, path: "/"),
                HTTPRequest(method: .get, scheme: nil, authority: "a", path: "/"),
                HTTPRequest(method: .get, scheme: "https", authority: "a", path: "b"),
                HTTPRequest(method: .options, scheme: nil, authority: nil, path: "*"),
                HTTPRequest(method: .options, scheme: "https", authority: "a", path: "*"),
                HTTPRequest(method: .get, scheme: "https", authority: "a/../b", path: "/"),
                HTTPRequest(method: .get, scheme: "https", authority: "a?x", path: "/"),
                HTTPRequest(method: .get, scheme: "https", authority: "a#", path: "/secret"),
                HTTPRequest(method: .get, scheme: "https", authority: "u:p@a", path: "/"),
                HTTPRequest(method: .get, scheme: "https", authority: "a\\b", path: "/"),
                HTTPRequest(method: .get, scheme: "https", authority: "a b", path: "/"),
                HTTPRequest(method: .get, scheme: "https", authority: "a:99999999999999999999", path: "/"),
                HTTPRequest(method: .get, scheme: "https", authority: "", path: "/"),
                HTTPRequest(method: .get, scheme: "https", authority: "a", path: "/b#c"),
                HTTPRequest(
                    method: .get, scheme: "https", authority: "a", path: "/",
                    headerFields: Self.bytes),
            ])
        func refused(request: HTTPRequest) {
            #expect(throws: RequestError.self) { try HTTP.Request(request) }
        }

        @Test("say that CONNECT is the work of a proxy")
        func tunnel() {
            let error = #expect(throws: RequestError.self) {
                try HTTP.Request(HTTPRequest(method: .connect, scheme: nil, authority: "a.example:443", path: nil))
            }
            #expect(error?.code == .invalidMethod)
            #expect(error?.detail.contains("give the transport a proxy") == true)
        }

        @Test(
            "refuse a URL with a user or a password, which no authority may have",
            arguments: ["ann:hunter2", "hunter2"])
        func password(user: String) throws {
            let request = try HTTP.Request(.get, "https://\(user)@a.example/")
            let error = #expect(throws: RequestError.self) { try HTTPRequest(request) }
            #expect(error?.code == .invalidURL)
            #expect(error?.detail.contains("hunter2") == false)
        }

        /// A field whose value is not UTF-8.
        private static let bytes = HTTPFields([HTTPField(name: .accept, value: [0x61, 0xFF])])

        @Test("refuse a field that was refused before, and a value that they would change")
        func fields() {
            var headers = HTTP.Headers()
            headers["X-A"] = "a\r\nb"
            let refused = headers
            #expect(throws: RequestError.self) { try HTTPFields(refused) }
        }

        @Test("hold a response of Backstop, with the trailers in fields of their own")
        func response() throws {
            var response = HTTP.Response(status: 207, headers: ["Set-Cookie": "a=1", "set-cookie": "b=2"])
            response.trailers = ["X-Sum": "7"]
            let other = try HTTPResponse(response)
            #expect(other.status.code == 207)
            #expect(other.headerFields[values: .setCookie] == ["a=1", "b=2"])
            let back = try HTTP.Response(other, body: Data("x".utf8), trailers: HTTPFields(response.trailers))
            #expect(back.status == 207)
            #expect(back.headers == response.headers)
            #expect(back.trailers == response.trailers)
            #expect(back.body == Data("x".utf8))
            #expect(throws: TransportError.self) { try HTTPResponse(HTTP.Response(status: 1000)) }
        }
    }
#endif
