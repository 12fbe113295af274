#if Demo
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopCLI
    @testable import BackstopCore

    @Suite("A fault of the proxy")
    struct ProxyFaultTests {
        @Test(
            "is the text that it was made of",
            arguments: [
                "503", "GET /orders/* 503 retry-after=30 times=2", "/** timeout", "POST drop share=0.2", "cut", "html",
                "M-SEARCH 503",
                "slow seconds=1.5 times=1", "offline", "/a%2Ab/**/* 503",
            ])
        func line(text: String) throws {
            #expect(try ProxyFault(text).line == text)
        }

        @Test(
            "is refused with what can be written",
            arguments: [
                "", "GET", "200", "600", "GET /a", "503 times=0", "503 times", "503 share=1.1", "503 share=nan", "gone",
                "503 often", "503 seconds=601", "503\u{1B}[2J", "GET /a?x=1 503", "/a#x 503", "503 seconds=9",
                "slow retry-after=9", "/ord* 503", "/orders/*.json 503", "/*** 503",
                String(repeating: "/a", count: 300) + " 503",
            ])
        func refused(text: String) {
            #expect(throws: WebRefusal.self) { try ProxyFault(text) }
        }

        @Test("is told which part of a path a star cannot be in")
        func star() {
            let refusal = #expect(throws: WebRefusal.self) { try ProxyFault("GET /shop/ord*/1 503") }
            let reason = #""ord*" is no segment of a path: * is a whole one, ** any number, and %2A the sign itself"#
            #expect(refusal?.reason == reason)
        }

        @Test("is for its method and its path")
        func isFor() throws {
            let fault = try ProxyFault("GET /orders/* 503")
            #expect(fault.isFor("GET", "/orders/1"))
            #expect(!fault.isFor("POST", "/orders/1"))
            #expect(!fault.isFor("GET", "/orders/1/lines"))
            #expect(try ProxyFault("503").isFor("PATCH", "/any/where"))
        }

        @Test("is used up, that of the next call first")
        func used() throws {
            let faults = ProxyFaults([try ProxyFault("503 times=2"), try ProxyFault("/b 404")], random: SystemRandom())
            faults.setNext(try ProxyFault("500", times: 1))
            #expect(faults.lines == ["500 times=1", "503 times=2", "/b 404"])
            let taken = (1...4).map { _ in faults.take("GET", "/a")?.name }
            #expect(taken == ["status 500", "status 503", "status 503", nil])
            #expect(faults.take("GET", "/b")?.name == "status 404")
            #expect(faults.lines == ["/b 404"])
        }

        @Test("is for the same calls in each run with the same seed")
        func share() throws {
            func run() throws -> [Bool] {
                let faults = ProxyFaults([try ProxyFault("503", share: 0.5)], random: SeededRandom(seed: 7))
                return (1...20).map { _ in faults.take("GET", "/") != nil }
            }
            #expect(try run() == run())
            #expect(Set(try run()) == [true, false])
        }
    }
#endif

#if Demo && AsyncHTTPClient
    @Suite("backstop proxy, told to break calls", .sockets)
    struct ProxyBreakingTests {
        private func withProxy(
            _ arguments: String..., test: (ProxyProcess, FaultServer) async throws -> Void
        ) async throws {
            try await withServer { server in
                try await ProxyProcess.with(server.url.absoluteString, arguments) { try await test($0, server) }
            }
        }

        @Test("answers with a status and marks it, for the calls that are meant, and sends nothing")
        func status() async throws {
            try await withProxy("--fault", "GET /books 503 retry-after=30") { proxy, server in
                let answer = try await proxy.answer("GET", "/books")
                #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
                #expect(answer.contains("\r\nBackstop-Injected: status 503\r\n"))
                #expect(answer.contains("\r\nRetry-After: 30\r\n"))
                #expect(server.requestCount(of: "/books") == 0)
                #expect(try await proxy.answer("GET", "/status/204").hasPrefix("HTTP/1.1 204 "))
                let (output, _) = try await proxy.stop()
                #expect(output.contains(" injected: status 503\n"))
            }
        }

        @Test("breaks the next call of a script's choice, and no further one")
        func next() async throws {
            try await withProxy { proxy, _ in
                let told = try await proxy.answer("PUT", "/__backstop/faults/next", body: "/books 401")
                #expect(told.contains(#""faults":["/books 401 times=1"]"#))
                #expect(try await proxy.answer("GET", "/books").hasPrefix("HTTP/1.1 401 "))
                #expect(try await proxy.answer("GET", "/books").hasPrefix("HTTP/1.1 200 "))
                #expect(try await proxy.log().exchanges.map(\.result) == ["passed", "injected: status 401"])
            }
        }

        @Test("stops when it is told to")
        func clear() async throws {
            try await withProxy("--fault", "503", "--latency", "0") { proxy, _ in
                #expect(try await proxy.log().faults == ["503", "slow seconds=0"])
                _ = try await proxy.answer("DELETE", "/__backstop/faults")
                #expect(try await proxy.answer("GET", "/books").hasPrefix("HTTP/1.1 200 "))
                _ = try await proxy.answer("PUT", "/__backstop/faults", body: "/books 404\nPOST 500\n")
                #expect(try await proxy.log().faults == ["/books 404", "POST 500"])
            }
        }

        @Test("resets the connection when the service has the call, or before", arguments: ["drop": 1, "offline": 0])
        func reset(fault: String, sent: Int) async throws {
            try await withProxy("--fault", fault) { proxy, server in
                #expect(try await proxy.answer("POST", "/echo", body: "order").isEmpty)
                #expect(server.requestCount(of: "/echo") == sent)
                let exchange = try #require(try await proxy.log().exchanges.first)
                #expect(exchange.status == nil)
                #expect(exchange.result == "injected: \(fault)")
            }
        }

        @Test("cuts a body, with a length or in chunks", arguments: ["/books", "/stream/lines?count=50&ms=0"])
        func cut(target: String) async throws {
            try await withProxy("--fault", "cut times=1") { proxy, _ in
                let part = try await proxy.answer("GET", target).components(separatedBy: "\r\n\r\n")
                let whole = try await proxy.answer("GET", target).components(separatedBy: "\r\n\r\n")
                #expect(part[0].contains("\r\nBackstop-Injected: cut"))
                #expect(part.dropFirst().joined().utf8.count < whole.dropFirst().joined().utf8.count)
                #expect(!part.dropFirst().joined().isEmpty)
            }
        }

        @Test("answers with a page in the place of content")
        func page() async throws {
            try await withProxy("--fault", "html") { proxy, _ in
                let answer = try await proxy.answer("GET", "/books")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nDate"))
                #expect(answer.contains("\r\nContent-Type: text/html"))
                #expect(answer.contains("\r\nBackstop-Injected: html\r\n"))
            }
        }

        @Test("passes a call on later, and marks it")
        func slow() async throws {
            try await withProxy("--fault", "slow seconds=0.2") { proxy, _ in
                let answer = try await proxy.answer("GET", "/books")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(answer.contains("\r\nBackstop-Injected: slow 0.2 s\r\n"))
            }
        }

        @Test("logs a call that it holds up although the app leaves meanwhile")
        func slowAndLeft() async throws {
            try await withProxy("--fault", "slow seconds=600 times=1") { proxy, server in
                var reply: RawReply? = try proxy.open("GET /books HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                // The fault is used up when the call has it.
                while try await !proxy.log().faults.isEmpty {}
                withExtendedLifetime(reply) {}
                reply = nil
                var exchanges: [ProxyState.Exchange] = []
                while exchanges.isEmpty {
                    exchanges = try await proxy.log().exchanges
                }
                #expect(exchanges.map(\.result) == ["injected: slow 600 s"])
                #expect(exchanges.map(\.status) == [nil])
                #expect(server.requestCount(of: "/books") == 0)
            }
        }

        @Test("does not answer, until the app gives up")
        func timeout() async throws {
            try await withProxy("--fault", "timeout") { proxy, server in
                let reply = try proxy.open("GET /books HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                var results: [String] = []
                while results.isEmpty {
                    results = try await proxy.log().exchanges.map(\.result)
                }
                withExtendedLifetime(reply) {}
                #expect(results == ["injected: timeout"])
                #expect(server.requestCount(of: "/books") == 0)
            }
        }

        @Test("shows a page of another origin what it answers itself", arguments: ["/books", "/reset"])
        func crossOrigin(target: String) async throws {
            try await withProxy("--fault", "/books 503") { proxy, _ in
                let answer = try await proxy.answer("GET", target, "Origin: http://localhost:3000\r\n")
                #expect(answer.contains("\r\nAccess-Control-Allow-Origin: http://localhost:3000\r\n"))
            }
        }

        @Test(
            "lets a page of another origin read its mark, also that of an answer of the service",
            arguments: ["503", "html", "cut", "slow seconds=0"])
        func exposedMark(fault: String) async throws {
            try await withProxy("--fault", fault) { proxy, _ in
                let exposed = "\r\nAccess-Control-Expose-Headers: Backstop-Injected, Retry-After\r\n"
                let answer = try await proxy.answer("GET", "/books", "Origin: http://localhost:3000\r\n")
                #expect(answer.contains(exposed))
                let unasked = try await proxy.answer("GET", "/books")
                #expect(unasked.contains("\r\nBackstop-Injected: "))
                #expect(!unasked.contains("Access-Control-"))
            }
        }

        @Test("breaks the call that a browser asks for, and not its question")
        func preflight() async throws {
            try await withProxy("--fault", "503 times=1") { proxy, _ in
                let fields = "Origin: http://localhost:3000\r\nAccess-Control-Request-Method: PUT\r\n"
                let question = try await proxy.answer("OPTIONS", "/echo", fields)
                #expect(!question.contains("Backstop-Injected"))
                let answer = try await proxy.answer("PUT", "/echo", body: "a")
                #expect(answer.hasPrefix("HTTP/1.1 503 "))
            }
        }

        @Test(
            "resets the connection in the place of an answer that has nothing to cut",
            arguments: [
                "200 OK\r\nContent-Length: 0\r\n\r\n", "204 No Content\r\n\r\n",
                "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            ])
        func cutNothing(answer: String) async throws {
            let service = try RawServer.start(sending: "HTTP/1.1 \(answer)")
            try await ProxyProcess.with(service.origin, ["--fault", "cut"]) { proxy in
                let reply = try proxy.open("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await reply.isReset())
            }
        }

        @Test("resets a connection whose end would complete a body")
        func cutVersion10() async throws {
            try await withProxy("--fault", "cut") { proxy, _ in
                let reply = try proxy.open("GET /stream/lines?count=50&ms=0 HTTP/1.0\r\nHost: localhost\r\n\r\n")
                #expect(try await reply.isReset())
            }
        }
    }
#endif
