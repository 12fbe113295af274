#if AsyncHTTPClient && Demo
    import AsyncHTTPClient
    import BackstopAsyncHTTPClient
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import NIOCore
    import NIOHTTP1
    import Testing

    @Suite("An exchange by async-http-client", .sockets)
    struct ExchangeSocketTests {
        struct Echo: Decodable, Sendable {
            let method: String
            let path: String
            let query: String
            let headers: [String: [String]]
            let body: String
        }

        @Test("reads as naturally as the default where a client is made")
        func callSite() async throws {
            try await withServer { server in
                let client = try Client.standard(
                    baseURL: server.url.absoluteString, transport: .asyncHTTPClient, logging: nil)
                #expect(try await client.get("/echo", as: Echo.self).method == "GET")
            }
        }

        @Test("sends method, target, headers and content as they are", arguments: ["POST", "PUT", "PATCH", "PURGE"])
        func request(method: String) async throws {
            try await withServer { server in
                let response = try await fetch(
                    server.target("/echo?a=1&b=%20"), method: HTTP.Method(method),
                    headers: ["X-Color": "blue", "Content-Type": "text/plain"], body: .text("täglich"))
                let echo = try JSONDecoder().decode(Echo.self, from: response.body)
                #expect(echo.method == method)
                #expect(echo.query == "a=1&b=%20")
                #expect(echo.headers["x-color"] ?? echo.headers["X-Color"] == ["blue"])
                #expect(echo.body == "täglich")
                #expect(response.httpVersion == "1.1")
                #expect(response.url?.absoluteString == server.target("/echo?a=1&b=%20"))
            }
        }

        @Test("tells in the trace the protocol, and the times until the connection and the first byte")
        func timing() async throws {
            let server = try RawServer.start(sending: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            let context = CallContext()
            _ = try await fetch(server.origin, context: context)
            #expect(context.networkNotes.count == 1)
            #expect(
                context.networkNotes.first?.wholeMatch(of: /http\/1\.1, connection \d+ ms, first byte \d+ ms/) != nil)
        }

        @Test("tells in the trace how far an exchange came that failed")
        func failedTiming() async throws {
            let silent = try WireServer { _ = try $0.readSome() }
            defer { silent.stop() }
            let lost = CallContext()
            _ = try? await fetch(silent.origin, context: lost)
            #expect(lost.networkNotes.first?.wholeMatch(of: /no response, connection \d+ ms/) != nil)
            let port = try ClosedPort.refusing()
            let refused = CallContext()
            _ = try? await fetch(port.origin, context: refused)
            #expect(refused.networkNotes == ["no connection"])
        }

        @Test("keeps the order and the repetition of the fields of a response, whatever the case of their names")
        func fieldOrder() async throws {
            let server = try RawServer.start(
                sending: "HTTP/1.1 200 OK\r\nZ: 1\r\nSet-Cookie: a=1\r\nA: 2\r\nset-cookie: b=2\r\nZ: 3\r\n"
                    + "Content-Length: 2\r\n\r\nok")
            let fields = try await fetch(server.origin).headers.fields.map { "\($0.name): \($0.value)" }
            #expect(fields == ["Z: 1", "Set-Cookie: a=1", "A: 2", "set-cookie: b=2", "Z: 3", "Content-Length: 2"])
        }

        @Test("sends several fields of a name in their order, but one Cookie (RFC 6265, 5.4)")
        func requestFields() async throws {
            try await withServer { server in
                var headers: HTTP.Headers = ["X-A": "1", "Cookie": "a=1"]
                try headers.add("2", for: "X-A")
                try headers.add("b=2", for: .cookie)
                _ = try await fetch(server.target("/echo"), headers: headers)
                let sent = try await server.onlyRequest(to: "/echo")
                #expect(sent.values(of: "X-A") == ["1", "2"])
                #expect(sent.values(of: "Cookie") == ["a=1; b=2"])
            }
        }

        @Test("reads the trailers behind chunked content, which are no part of it")
        func trailers() async throws {
            let server = try RawServer.start(
                sending: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
                    + "2\r\nok\r\n0\r\nX-Sum: 7\r\nX-Note: a\r\nx-note: b\r\n\r\n")
            let response = try await fetch(server.origin)
            #expect(response.body == Data("ok".utf8))
            #expect(response.trailers["X-Sum"] == "7")
            #expect(response.trailers[values: "X-Note"] == ["a", "b"])
            #expect(response.headers["X-Sum"] == nil)
        }

        @Test(
            "reads what ends the process, or is refused, with URLSession on Linux",
            arguments: [
                ("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", "ok"),
                ("HTTP/1.0 200 OK\r\n\r\nok", "ok"),
                (
                    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n"
                        + "Content-Length: 2\r\n\r\nok", "ok"
                ),
                ("HTTP/1.1 204 No Content\r\n\r\n", ""),
                ("HTTP/1.1 304 Not Modified\r\nContent-Length: 70000\r\nContent-Encoding: gzip\r\n\r\n", ""),
            ])
        func unusual(bytes: String, content: String) async throws {
            let server = try RawServer.start(sending: bytes)
            #expect(try await fetch(server.origin).body == Data(content.utf8))
        }

        @Test("takes the length in the response to a HEAD for what it is, however large and encoded")
        func head() async throws {
            let server = try RawServer.start(
                sending: "HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\nContent-Encoding: gzip\r\n\r\n")
            let response = try await fetch(server.origin, method: .head)
            #expect(response.headers[.contentLength] == "900000000")
            #expect(response.body.isEmpty)
        }

        @Test("decodes compressed content, and asks for none where a part of it is asked for")
        func gzip() async throws {
            try await withServer { server in
                let whole = try await fetch(server.target("/gzip"))
                #expect(whole.body.count == 5011)
                let asked = try await server.onlyRequest(to: "/gzip").values(of: "Accept-Encoding")
                #expect(asked == ["deflate, gzip"])
                _ = try await fetch(server.target("/echo"), headers: ["Range": "bytes=0-3"])
                let part = try await server.onlyRequest(to: "/echo").values(of: "Accept-Encoding")
                #expect(part == ["identity"])
            }
        }

        @Test("takes compressed content that ends too early for a response that was cut, which may be asked for again")
        func cutCompressed() async throws {
            let bytes = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: deflate\r\n\r\nx\u{1}"
            let server = try RawServer.start(sending: bytes)
            let error = await #expect(throws: TransportError.self) { _ = try await fetch(server.origin) }
            #expect(error?.code == .truncated)
            #expect(error?.code.isTransient == true)
        }

        @Test("refuses content in an encoding that was not asked for, and hands over one that the caller asked for")
        func otherEncoding() async throws {
            let bytes = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Encoding: br\r\n\r\nok"
            let server = try RawServer.start(sending: bytes)
            let error = await #expect(throws: TransportError.self) { _ = try await fetch(server.origin) }
            #expect(error?.code == .badResponse)
            let response = try await fetch(server.origin, headers: ["Accept-Encoding": "br"])
            #expect(response.body == Data("ok".utf8))
        }

        @Test("goes to an IPv6 address, whose Host has its brackets")
        func ipv6() async throws {
            let server = try RawServer.start(
                sending: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", address: .ipv6)
            #expect(server.origin.hasPrefix("http://[::1]:"))
            #expect(try await fetch(server.origin).body == Data("ok".utf8))
            #expect(server.requests.first?.contains("\r\nhost: \(server.origin.dropFirst(7))\r\n") == true)
        }

        @Test("uses a client of the app, which stays the app's, and whose own redirects do not happen")
        func borrowedClient() async throws {
            try await withServer { server in
                let client = HTTPClient(
                    configuration: .init(redirectConfiguration: .follow(max: 5, allowCycles: true)))
                do {
                    let transport = AsyncHTTPClientTransport(client)
                    let response = try await fetch(
                        server.target("/redirect-other"), headers: ["X-Api-Key": "hunter2"], by: transport)
                    #expect(response.status == 200)
                    let second = try await server.onlyRequest(to: "/echo")
                    #expect(second.isOtherOrigin)
                    #expect(second.values(of: "X-Api-Key").isEmpty)
                    let direct = try await client.execute(
                        HTTPClientRequest(url: server.target("/books")), timeout: .seconds(60))
                    #expect(direct.status == .ok)
                }
                try await client.shutdown()
                let error = await #expect(throws: TransportError.self) {
                    _ = try await fetch(server.target("/echo"), by: AsyncHTTPClientTransport(client))
                }
                #expect(error?.code == .system)
            }
        }

        @Test("has options that are checked when the transport is made")
        func options() throws {
            for (setting, make) in [
                ("responseLimit", { try AsyncHTTPClientTransport(responseLimit: -1) }),
                ("maximumRedirects", { try AsyncHTTPClientTransport(maximumRedirects: -1) }),
                ("idleTimeout", { try AsyncHTTPClientTransport(idleTimeout: .zero) }),
                ("idleTimeout", { try AsyncHTTPClientTransport(idleTimeout: .seconds(604_801)) }),
                ("connectionsPerHost", { try AsyncHTTPClientTransport(connectionsPerHost: 0) }),
            ] as [(String, () throws -> AsyncHTTPClientTransport)] {
                let error = #expect(throws: ConfigurationError.self) { _ = try make() }
                #expect(error?.setting == "AsyncHTTPClientTransport.\(setting)")
            }
        }

        @Test("is over, and its connections are closed, when the transport is gone")
        func lifetime() async throws {
            try await withServer { server in
                weak var gone: AsyncHTTPClientTransport?
                do {
                    let transport = AsyncHTTPClientTransport()
                    gone = transport
                    _ = try await fetch(server.target("/echo"), by: transport)
                }
                #expect(gone == nil)
            }
        }
    }
#endif
