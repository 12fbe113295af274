#if Demo && AsyncHTTPClient
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("backstop proxy", .sockets)
    struct ProxyCommandTests {
        @Test("passes calls and answers as they are, and stops in good order when it is told to")
        func passes() async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    let answer = try await proxy.answer("POST", "/echo?a=%2f&b=+", "X-Own: 1\r\n", body: "content")
                    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                    #expect(!answer.contains("Backstop-Injected"))
                    let sent = try #require(await server.requests(to: "/echo").first)
                    #expect(sent.method == "POST")
                    #expect(sent.target == "/echo?a=%2f&b=+")
                    #expect(sent.body == Data("content".utf8))
                    #expect(sent.values(of: "X-Own") == ["1"])
                    #expect(sent.values(of: "Host") == ["127.0.0.1:\(server.url.port ?? 0)"])
                    let (output, status) = try await proxy.stop()
                    #expect(status == 0)
                    #expect(output.contains("POST /echo?a=%2f&b=+ 200 "))
                    #expect(output.contains(" passed"))
                }
            }
        }

        @Test("leaves a compressed body compressed, and a HEAD without one")
        func bytes() async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    let answer = try await proxy.answer("GET", "/gzip", "Accept-Encoding: gzip\r\n")
                    #expect(answer.contains("\r\nContent-Encoding: gzip\r\n"))
                    #expect(answer.contains("\r\nContent-Length: 56\r\n"))
                    let head = try await proxy.answer("HEAD", "/books")
                    #expect(head.contains("\r\nContent-Length: 83\r\n"))
                    #expect(head.hasSuffix("\r\n\r\n"))
                }
            }
        }

        @Test("passes each part of a stream on before the next is there")
        func stream() async throws {
            let (pieces, piece) = AsyncStream.makeStream(of: Data.self)
            let mount = FaultServer.Mount("/stream") { _ in
                .init(headers: [("Content-Type", "text/event-stream")], body: .stream(pieces))
            }
            try await withServer(mounting: [mount]) { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    let reply = try proxy.open("GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    piece.yield(Data("first".utf8))
                    let start = try await reply.read(until: "first")
                    #expect(start.contains("\r\nTransfer-Encoding: chunked\r\n"))
                    piece.yield(Data("second".utf8))
                    piece.finish()
                    #expect(try await reply.rest().hasSuffix("second\r\n0\r\n\r\n"))
                }
            }
        }

        @Test("passes a long body on, in chunks or with a length", arguments: [true, false])
        func upload(isChunked: Bool) async throws {
            let part = String(repeating: "x", count: 100_000)
            let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(30 * part.utf8.count)"
            let framed = isChunked ? "\(String(part.utf8.count, radix: 16))\r\n\(part)\r\n" : part
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    let upload = try proxy.open("POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\n\(framing)\r\n\r\n")
                    for _ in 1...30 {
                        try await upload.send(framed)
                    }
                    if isChunked {
                        try await upload.send("0\r\n\r\n")
                    }
                    #expect(try await upload.rest().hasPrefix("HTTP/1.1 200 OK\r\n"))
                    let sent = try #require(await server.requests(to: "/echo").first)
                    #expect(sent.body == Data(String(repeating: part, count: 30).utf8))
                    #expect(sent.values(of: "Transfer-Encoding") == (isChunked ? ["chunked"] : []))
                }
            }
        }

        @Test("passes the beginning of a body on, and an early answer back, before the rest is there")
        func earlyAnswer() async throws {
            let service = try RawServer.start(sending: "HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno")
            try await ProxyProcess.with(service.origin) { proxy in
                let upload = try proxy.open(
                    "POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99000000\r\n\r\nfirst")
                #expect(try await upload.rest().hasPrefix("HTTP/1.1 413 "))
            }
        }

        @Test("sends nothing on that the app has not sent to its end")
        func brokenUpload() async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    let answer = try await proxy.raw(
                        "POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n"
                    )
                    #expect(answer.hasPrefix("HTTP/1.1 400 "))
                    #expect(server.requestCount(of: "/echo") == 0)
                }
            }
        }

        @Test("answers in the place of the service before a long body has come")
        func refusedUpload() async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString, ["--fault", "503"]) { proxy in
                    let upload = try proxy.open(
                        "POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99000000\r\n\r\nfirst")
                    #expect(try await upload.rest().hasPrefix("HTTP/1.1 503 "))
                }
            }
        }

        @Test("ends the call to the service when the app leaves")
        func leaves() async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    var reply: RawReply? = try proxy.open("GET /hang HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    await server.waitForRequest(to: "/hang")
                    withExtendedLifetime(reply) {}
                    reply = nil
                    #expect(await server.waitForDisconnection(of: "/hang"))
                }
            }
        }

        @Test("says of a stream that the app has left that it was cancelled")
        func leftStream() async throws {
            let (pieces, piece) = AsyncStream.makeStream(of: Data.self)
            let mount = FaultServer.Mount("/stream") { _ in .init(headers: [], body: .stream(pieces)) }
            try await withServer(mounting: [mount]) { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    var reply: RawReply? = try proxy.open("GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    piece.yield(Data("first".utf8))
                    _ = try await reply?.read(until: "first")
                    reply = nil
                    var exchanges: [ProxyState.Exchange] = []
                    while exchanges.isEmpty {
                        exchanges = try await proxy.log().exchanges
                    }
                    #expect(exchanges.map(\.result) == ["cancelled"])
                    #expect(exchanges.map(\.status) == [200])
                }
            }
        }

        @Test("says of a call that it passed, where the app leaves as soon as it has all", arguments: ["GET", "HEAD"])
        func leftWithAll(method: String) async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    for _ in 0..<40 {
                        let reply = try proxy.open("\(method) /books HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                        _ = try await reply.read(until: method == "GET" ? "]}" : "\r\n\r\n")
                    }
                    let output = try await proxy.stop().output
                    #expect(output.components(separatedBy: " passed").count == 41)
                }
            }
        }

        @Test("sends a client that knows no chunks the bytes, and ends them with the connection")
        func version10() async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    let request = "GET /stream/lines?count=2&ms=0 HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n"
                    let answer = try await proxy.raw(request)
                    #expect(!answer.contains("Transfer-Encoding"))
                    #expect(answer.hasSuffix("\r\n\r\nline 1\nline 2\n"))
                }
            }
        }

        @Test("keeps what belongs to one connection, in both ways")
        func hopByHop() async throws {
            let service = try RawServer.start(
                sending: "HTTP/1.1 200 OK\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\n"
                    + "Proxy-Authenticate: Basic\r\nAlt-Svc: h3=\":443\"\r\nX-Stay: 1\r\nContent-Length: 2\r\n\r\nok")
            try await ProxyProcess.with(service.origin) { proxy in
                let answer = try await proxy.answer(
                    "GET", "/",
                    "Connection: X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\nProxy-Authorization: Basic x\r\nX-Stay: 1\r\n")
                let request = try #require(service.requests.first).lowercased()
                for text in [request, answer.lowercased()] {
                    #expect(text.contains("\r\nx-stay: 1\r\n"))
                    for field in ["x-hop", "keep-alive", "te:", "proxy-auth", "alt-svc"] {
                        #expect(!text.contains("\r\n\(field)"), "\(field)")
                    }
                }
            }
        }

        @Test("rewrites what would lead the app past it: redirects below the base URL, and what ties cookies to it")
        func rewrites() async throws {
            let cookie = "Set-Cookie: a=b; Domain=example.com; Path=/v1/orders; Secure; HttpOnly\r\n"
            let service = try RawServer.start(
                sending: "HTTP/1.1 302 Found\r\nLocation: /v1/books?page=2\r\n\(cookie)Content-Length: 0\r\n\r\n")
            try await ProxyProcess.with(service.origin + "/v1/") { proxy in
                let answer = try await proxy.answer("GET", "/orders")
                #expect(service.requests.first?.hasPrefix("GET /v1/orders HTTP/1.1\r\n") == true)
                #expect(answer.contains("\r\nLocation: http://localhost:\(proxy.port)/books?page=2\r\n"))
                #expect(answer.contains("\r\nSet-Cookie: a=b; Path=/orders; HttpOnly\r\n"))
            }
        }

        @Test("keeps a cookie for all of the service for all calls through it, and another for its own paths")
        func cookiePaths() async throws {
            let paths = [
                "": "", "/": "/", "/v1": "/", "/v1/": "/", "/v1/api": "/", "/v1/api/": "/", "/v1/api/orders": "/orders",
                "/v1/ap": "/v1/ap", "/v1/api2": "/v1/api2", "/other": "/other",
            ]
            let cookies = paths.keys.map { "Set-Cookie: a=b; Path=\($0)\r\n" }.joined()
            let service = try RawServer.start(sending: "HTTP/1.1 200 OK\r\n\(cookies)Content-Length: 0\r\n\r\n")
            try await ProxyProcess.with(service.origin + "/v1/api") { proxy in
                let lines = try await proxy.answer("GET", "/orders").components(separatedBy: "\r\n")
                #expect(
                    lines.filter { $0.hasPrefix("Set-Cookie") }.sorted()
                        == paths.values.map { "Set-Cookie: a=b; Path=\($0)" }.sorted())
            }
        }

        @Test("leaves a redirect to elsewhere to the app")
        func elsewhere() async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    let answer = try await proxy.answer("GET", "/redirect-other?status=307")
                    #expect(answer.contains("\r\nLocation: \(server.otherOrigin)/echo\r\n"))
                    #expect(server.requestCount(of: "/echo") == 0)
                }
            }
        }

        @Test("says of a service that fails why, and that nobody asked for it")
        func badGateway() async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    let answer = try await proxy.answer("GET", "/reset?token=abc")
                    #expect(answer.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
                    #expect(answer.contains("\r\nContent-Type: application/problem+json\r\n"))
                    #expect(answer.contains(#""injected":false,"code":"transport.lost""#))
                    let exchange = try #require(try await proxy.log().exchanges.first)
                    #expect(exchange.result == "failed: transport.lost")
                    #expect(exchange.target == "/reset?token=<redacted>")
                }
            }
        }

        @Test("passes on that a body was cut, and says so")
        func truncated() async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    let answer = try await proxy.answer("GET", "/cut")
                    #expect(answer.contains("\r\nContent-Length: 1000\r\n"))
                    #expect(answer.utf8.count < 1000)
                    #expect(try await proxy.log().exchanges.map(\.result) == ["failed: transport.truncated"])
                }
            }
        }

        @Test("stops although nobody reads what it prints")
        func unreadOutput() async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    let target = "/books?\(String(repeating: "a", count: 4000))"
                    for _ in 1...40 {
                        let answer = try await proxy.answer("GET", target)
                        #expect(answer.hasPrefix("HTTP/1.1 200 "))
                    }
                    let (_, status) = try await proxy.stop()
                    #expect(status == 0)
                }
            }
        }

        @Test(
            "leaves the rest of a redirect below the base URL as it came, and a redirect to elsewhere whole",
            arguments: [
                "/v1/a...b//[c]": "http://PROXY/a...b//[c]",
                "/v1/a//b?x=[1]#y": "http://PROXY/a//b?x=[1]#y", "SERVICE/v1?a": "http://PROXY/?a",
                "SERVICE/v1//x": "http://PROXY//x", "//HOST/v1/x": "http://PROXY/x", "books?page=2": "books?page=2",
                "?page=2": "?page=2", "/v10/x": "SERVICE/v10/x", "../../x": "SERVICE/x",
                "/v1/%2e./x": "SERVICE/v1/%2e./x", "/v1/../v1/x?a=..": "http://PROXY/x?a=..",
                "/a/../v1/x": "http://PROXY/x", "../../v1/x": "http://PROXY/x", "../x/..": "http://PROXY/",
                "SERVICE/v1/../x": "SERVICE/x",
                "https://other.example/%zz": "https://other.example/%zz", "app://done": "app://done",
            ])
        func redirects(location: String, expected: String) async throws {
            // The service must be there before its answer, which has its address.
            let (addresses, address) = AsyncStream.makeStream(of: String.self)
            let mount = FaultServer.Mount("/v1/") { _ in
                let service = await addresses.first { _ in true } ?? ""
                let host = service.replacingOccurrences(of: "http://", with: "")
                let value = location.replacingOccurrences(of: "SERVICE", with: service)
                    .replacingOccurrences(of: "HOST", with: host)
                return .init(status: 302, headers: [("Location", value)], body: .data(Data()))
            }
            try await withServer(mounting: [mount]) { server in
                let service = "http://127.0.0.1:\(server.url.port ?? 0)"
                address.yield(service)
                try await ProxyProcess.with(service + "/v1") { proxy in
                    let value = expected.replacingOccurrences(of: "SERVICE", with: service)
                        .replacingOccurrences(of: "PROXY", with: "localhost:\(proxy.port)")
                    let answer = try await proxy.answer("GET", "/orders/1")
                    #expect(answer.contains("\r\nLocation: \(value)\r\n"))
                }
            }
        }

        @Test("leaves what comes and goes as it is: fields are neither invented nor changed")
        func untouched() async throws {
            let service = try RawServer.start(
                sending: "HTTP/1.1 200 OK\r\nX-Tab: a\tb\r\nBackstop-Injected: x\r\nContent-Length: 2\r\n\r\nok")
            try await ProxyProcess.with(service.origin) { proxy in
                let answer = try await proxy.answer("POST", "/", "Range: bytes=0-1\r\n", body: "content")
                #expect(answer.contains("\r\nX-Tab: a\tb\r\n"))
                #expect(!answer.contains("Backstop-Injected"))
                let request = try #require(service.requests.first).lowercased()
                #expect(request.contains("\r\nrange: bytes=0-1\r\n"))
                #expect(!request.contains("content-type"))
                #expect(!request.contains("accept-encoding"))
            }
        }

        @Test(
            "passes a query on that a browser has not encoded as a whole",
            arguments: [
                "/echo?filter[a]={1|2}&b=%2f": "/echo?filter%5Ba%5D=%7B1%7C2%7D&b=%2f",
                #"/echo?path=C:\a\b"#: "/echo?path=C:%5Ca%5Cb",
            ])
        func query(target: String, expected: String) async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    let answer = try await proxy.answer("GET", target)
                    #expect(answer.hasPrefix("HTTP/1.1 200 "))
                    #expect(await server.requests(to: "/echo").first?.target == expected)
                }
            }
        }

        @Test("passes a GET on that announces a body and has none")
        func emptyChunks() async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    let head = "GET /books HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                    let passed = try await proxy.raw("\(head)0\r\n\r\n")
                    #expect(passed.hasPrefix("HTTP/1.1 200 "))
                    let refused = try await proxy.raw("\(head)1\r\na\r\n0\r\n\r\n")
                    #expect(refused.hasPrefix("HTTP/1.1 400 "))
                }
            }
        }

        @Test("passes no change of protocol on")
        func switching() async throws {
            let service = try RawServer.start(
                sending: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nxxxx")
            try await ProxyProcess.with(service.origin) { proxy in
                let answer = try await proxy.answer("GET", "/")
                #expect(answer.hasPrefix("HTTP/1.1 502 "))
                #expect(answer.contains(#""injected":false,"code":"status.101""#))
            }
        }

        @Test("ends when its base URL leads back to it")
        func loop() async throws {
            let mount = FaultServer.Mount("/loop") { call in
                .text(call.request.values(of: "Backstop-Proxy").joined(separator: ", "))
            }
            try await withServer(mounting: [mount]) { server in
                try await ProxyProcess.with(server.url.absoluteString) { proxy in
                    let name = try #require(
                        try await proxy.answer("GET", "/loop").components(separatedBy: "\r\n\r\n").last)
                    let answer = try await proxy.answer(
                        "GET", "/loop", "Backstop-Proxy: other\r\nBackstop-Proxy: \(name)\r\n")
                    #expect(answer.hasPrefix("HTTP/1.1 508 "))
                    #expect(server.requestCount(of: "/loop") == 1)
                }
            }
        }

        @Test("says how long calls may take longer", arguments: ["-1", "600.1", "nan"])
        func latency(seconds: String) async throws {
            let command = try await Command.run("proxy", "http://api.example.com", "--latency=\(seconds)")
            #expect(command.status == 2)
            #expect(command.errors.contains("--latency takes a number of seconds from 0 to 600."))
        }

        @Test(
            "says what is wrong with its arguments",
            arguments: [
                ["ftp://api.example.com"], ["https://user:secret@api.example.com"],
                ["https://api.example.com?secret=1"],
                ["http://api.example.com", "--fault", "GET /orders 200"], ["http://api.example.com", "--share", "2"],
                ["http://api.example.com", "--host", "::1"], ["http://api.example.com", "--latency", "-1"],
                ["http://api.example.com"] + Array(repeating: ["--fault", "503"], count: 51).flatMap(\.self),
            ])
        func arguments(arguments: [String]) async throws {
            let command = try await Command.run(["proxy"] + arguments)
            #expect(command.status == 2)
            #expect(!command.errors.contains("secret"))
        }
    }
#endif
