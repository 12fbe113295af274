#if Demo && AsyncHTTPClient
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("backstop proxy, as a way in", .sockets)
    struct ProxyRefusalTests {
        private func withProxy(test: (ProxyProcess, FaultServer) async throws -> Void) async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString + "/v1") { try await test($0, server) }
            }
        }

        @Test(
            "reaches nothing but the service, and nothing above its base URL",
            arguments: [
                "http://127.0.0.1:1/": 400, "https://other.example/": 400, "//other.example/": 400, "*": 400,
                "@other.example/": 400, "/../books": 400, "/%2e%2e/books": 400, "/..%2fbooks": 400,
                "/a/..%2f..%2fbooks": 400, "/..;/books": 400, "/a%0d%0aX-Own: 1": 400,
                "/a/./books": 400, "/a%zz": 400, "/[a]": 400, "/a?b=%zz": 400, "/\u{E9}": 400, "/books#a": 400,
            ])
        func targets(target: String, expected: Int) async throws {
            try await withProxy { proxy, server in
                let answer = try await proxy.answer("GET", target)
                #expect(answer.status == expected)
                #expect(server.requestCount(of: "/books") == 0)
            }
        }

        @Test("opens no tunnel")
        func connect() async throws {
            try await withProxy { proxy, _ in
                for target in ["other.example:443", "/books"] {
                    let status = try await proxy.answer("CONNECT", target).status
                    #expect(status == 400)
                }
            }
        }

        @Test(
            "refuses a request whose end two readers would see in two places",
            arguments: [
                "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "Content-Length: 3\r\nContent-Length: 4\r\n",
                "Content-Length: 3\r\nContent-Length: 3\r\n", "Content-Length: +3\r\n",
                "Transfer-Encoding: chunked, identity\r\n", "Transfer-Encoding: xchunked\r\n",
                "Transfer-Encoding : chunked\r\n",
            ])
        func smuggling(fields: String) async throws {
            try await withProxy { proxy, server in
                let answer = try await proxy.raw(
                    "POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\n\(fields)\r\n0\r\n\r\nGET /books HTTP/1.1\r\n\r\n")
                #expect(answer.status == 400)
                #expect(server.requestCount(of: "/v1/echo") == 0)
                #expect(server.requestCount(of: "/v1/books") == 0)
            }
        }

        @Test(
            "answers to no name that a stranger could have resolve to this machine",
            arguments: ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", ""],
            ["/books", "/__backstop/log", "/__backstop/"])
        func names(host: String, path: String) async throws {
            try await withProxy { proxy, server in
                let answer = try await proxy.raw("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                #expect(answer.status == 421)
                #expect(server.requestCount(of: "/v1/books") == 0)
            }
        }

        @Test("answers to the address by which an emulator reaches this machine")
        func emulator() async throws {
            try await withProxy { proxy, _ in
                for host in ["10.0.2.2:8080", "LOCALHOST:8080"] {
                    let request = "GET /__backstop/log HTTP/1.1\r\nHost: \(host)\r\n\r\n"
                    let status = try await proxy.raw(request).status
                    #expect(status == 200)
                }
            }
        }

        @Test(
            "takes orders from no page of another origin",
            arguments: [
                "Origin: http://evil.example\r\n", "Origin: null\r\n", "Origin: http://localhost:3000\r\n",
                "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n",
            ])
        func origins(field: String) async throws {
            try await withProxy { proxy, _ in
                for (method, path) in [
                    ("PUT", "faults/next"), ("PUT", "faults"), ("DELETE", "faults"), ("GET", "log"), ("GET", ""),
                ] {
                    let answer = try await proxy.answer(method, "/__backstop/\(path)", field, body: "503")
                    #expect(answer.status == 403, "\(method) \(path)")
                    #expect(!answer.contains("Access-Control"))
                }
                #expect(try await proxy.log().faults.isEmpty)
            }
        }

        @Test("takes orders by no method that a page may send without asking", arguments: ["POST", "GET"])
        func simple(method: String) async throws {
            try await withProxy { proxy, server in
                for path in ["faults", "faults/next"] {
                    let status = try await proxy.answer(method, "/__backstop/\(path)", body: "503").status
                    #expect(status == 404)
                }
                #expect(server.requestCount(of: "/v1/__backstop/faults") == 0)
            }
        }

        @Test("takes no fault that it does not know, nor too many")
        func orders() async throws {
            try await withProxy { proxy, _ in
                let many = String(repeating: "503\n", count: 51)
                for (path, body) in [
                    ("faults/next", "gone"), ("faults/next", ""), ("faults", many), ("faults", "503 a=b"),
                ] {
                    let status = try await proxy.answer("PUT", "/__backstop/\(path)", body: body).status
                    #expect(status == 400)
                }
                #expect(try await proxy.log().faults.isEmpty)
            }
        }

        @Test("takes no order that is too long or does not come to its end, and leaves what there is")
        func longOrders() async throws {
            try await withProxy { proxy, _ in
                _ = try await proxy.answer("PUT", "/__backstop/faults", body: "503")
                let head = "PUT /__backstop/faults HTTP/1.1\r\nHost: localhost\r\n"
                let long = try await proxy.raw(
                    "\(head)Content-Length: 2000000\r\n\r\n\(String(repeating: "503\n", count: 8000))")
                let broken = try await proxy.raw("\(head)Transfer-Encoding: chunked\r\n\r\n3\r\n404x\r\n0\r\n\r\n")
                #expect([long.status, broken.status] == [413, 400])
                #expect(try await proxy.log().faults == ["503"])
                let chunked = try await proxy.raw("\(head)Transfer-Encoding: chunked\r\n\r\n3\r\n404\r\n0\r\n\r\n")
                #expect(chunked.status == 200)
                #expect(try await proxy.log().faults == ["404"])
            }
        }

        @Test("shows no secret of a call, in its log or on its page")
        func secrets() async throws {
            try await withProxy { proxy, _ in
                let target = "/books?token=s3cr3t&api_key=s3cr3t"
                _ = try await proxy.answer("GET", target, "Authorization: Bearer s3cr3t\r\nCookie: a=s3cr3t\r\n")
                let log = try await proxy.answer("GET", "/__backstop/log")
                #expect(log.contains("/books?token="))
                let (output, _) = try await proxy.stop()
                #expect(output.contains("/books?token="))
                #expect(!(log + output).contains("s3cr3t"))
            }
        }

        @Test("writes nothing that could rewrite the terminal")
        func terminal() async throws {
            try await withProxy { proxy, _ in
                _ = try await proxy.answer("GET", "/\u{1B}[2J")
                _ = try await proxy.answer("G\u{1B}T\u{202E}", "/books")
                _ = try await proxy.answer("GET", "/..\u{9B}2J\u{202E}")
                let log = try await proxy.answer("GET", "/__backstop/log")
                let (output, _) = try await proxy.stop()
                #expect(output.contains("refused"))
                #expect(!(output + log).unicodeScalars.contains { ["\u{1B}", "\u{9B}", "\u{202E}"].contains($0) })
            }
        }

        @Test("says that WebSockets do not go through, and what to do")
        func webSockets() async throws {
            try await withProxy { proxy, _ in
                let answer = try await proxy.answer("GET", "/live", "Connection: Upgrade\r\nUpgrade: websocket\r\n")
                #expect(answer.status == 501)
                #expect(answer.contains("connect to the service itself"))
            }
        }
    }

    extension String {
        /// That of an answer.
        fileprivate var status: Int? {
            split(separator: " ").dropFirst().first.flatMap { Int($0) }
        }
    }
#endif
