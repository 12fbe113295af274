#if AsyncHTTPClient && Demo
    import AsyncHTTPClient
    import Backstop
    import BackstopAsyncHTTPClient
    import BackstopCore
    import BackstopTestSupport
    import Foundation
    import NIOSSL
    import NIOPosix
    import Testing

    @Suite("HTTP/2 by async-http-client", .sockets)
    struct HTTP2SocketTests {
        @Test(
            "refuses a status that is none, and uses the connection for the next request",
            arguments: ["099", "000", "", "-1", "+200", "1000", "20", "2", "abc", "99999999999999999999", "101", "２００"])
        func status(_ status: String) async throws {
            try await refuses([.head([(":status", status)]), .data("ok", ends: true)], phase: .receiving)
        }

        @Test("refuses a length that is none", arguments: ["+2", "2a", "0x2", "2, 3"])
        func length(_ length: String) async throws {
            try await refuses([.head([(":status", "200"), ("content-length", length)]), .data("ok", ends: true)])
        }

        @Test("refuses other responses that break the rules of HTTP/2", arguments: [0, 1, 2, 3])
        func malformed(number: Int) async throws {
            let answers: [[HTTP2Server.Frame]] = [
                [.head([(":status", "103")], ends: true)],
                [.head([("x", "1")]), .data("ok", ends: true)],
                [.head([(":status", "200")]), .data("ok"), .head([(":status", "200")], ends: true)],
                [.head([(":status", "200"), ("content-length", "3")]), .data("ok", ends: true)],
            ]
            try await refuses(answers[number])
        }

        @Test("passes over interim responses")
        func interim() async throws {
            let early: HTTP2Server.Frame = .head([(":status", "103"), ("link", "</a>")])
            try await HTTP2Server.run(["/a": [early, early, .head([(":status", "204")], ends: true)]]) { server in
                let response = try await fetch(server.origin + "/a", by: .trusting())
                #expect(response.status == 204)
            }
        }

        @Test("ends a response whose head is too large at once, and its connection with it")
        func largeHead() async throws {
            try await HTTP2Server.run(["/large": [.largeHead(stream: 1)]]) { server in
                let transport = try AsyncHTTPClientTransport.trusting()
                let error = await #expect(throws: TransportError.self) {
                    _ = try await fetch(server.origin + "/large", by: transport)
                }
                #expect(error?.code == .tooLarge)
                #expect(try await fetch(server.origin + "/", by: transport).status == 200)
                #expect(server.connections.value == 2)
            }
        }

        @Test("reports a lost connection to requests whose response was not the one that ended it")
        func largeHeadOfAnother() async throws {
            let answers: [String: [HTTP2Server.Frame]] = [
                "/begun": [.head([(":status", "200")])], "/large": [.largeHead(stream: 3)],
            ]
            try await HTTP2Server.run(answers) { server in
                let transport = try AsyncHTTPClientTransport.trusting()
                let begun = Task { try await fetch(server.origin + "/begun", by: transport) }
                await server.requests.begun.pass()
                // The head of its response is on its way before that of the other one.
                await #expect(throws: TransportError.self) {
                    _ = try await fetch(server.origin + "/large", by: transport)
                }
                let error = await #expect(throws: TransportError.self) {
                    _ = try await begun.value
                }
                #expect(error?.code == .lost)
            }
        }

        @Test(
            "ends all requests at once when the server breaks a rule of the connection, and says what it was",
            arguments: [
                ("window", [0, 0, 4, 8, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF]),
                ("window of nothing", [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
                ("stream", [0, 0, 1, 1, 5, 0, 0, 0, 2, 0x88]),
                ("stream of the future", [0, 0, 1, 1, 5, 0, 0, 0, 99, 0x88]),
                ("priority", [0, 0, 5, 2, 0, 0, 0, 0, 1, 0, 0, 0, 1, 16]),
                ("settings", [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0xFF, 0xFF, 0xFF, 0xFF]),
                ("promise", [0, 0, 5, 5, 4, 0, 0, 0, 1, 0, 0, 0, 2, 0x88]),
                ("ping", [0, 0, 1, 6, 0, 0, 0, 0, 0, 1]),
                ("data", [0, 0, 1, 0, 0, 0, 0, 0, 0, 1]),
            ] as [(String, [UInt8])], [false, true])
        func brokenConnection(rule: (name: String, frame: [UInt8]), hasHead: Bool) async throws {
            let head: [HTTP2Server.Frame] = hasHead ? [.head([(":status", "200")])] : []
            try await HTTP2Server.run(["/bad": head + [.bytes(rule.frame)]]) { server in
                let transport = try AsyncHTTPClientTransport.trusting()
                let error = await #expect(throws: TransportError.self) {
                    _ = try await fetch(server.origin + "/bad", by: transport)
                }
                #expect([.badResponse, .lost].contains(error?.code), "\(String(describing: error))")
                let detail = error?.detail ?? ""
                #expect(!["another request", ".swift", "NIO", "("].contains { detail.contains($0) }, "\(detail)")
                #expect(try await fetch(server.origin + "/", by: transport).status == 200)
                #expect(server.connections.value == 2)
            }
        }

        @Test("sends a request elsewhere that is given to a connection as that is retired")
        func retired() async throws {
            // Late loops, so that the library has chosen the connection before it hears of the end.
            let disturbance = Disturbance(of: MultiThreadedEventLoopGroup.singleton)
            defer { disturbance.stop() }
            try await HTTP2Server.run(["/never": []]) { server in
                let transport = try AsyncHTTPClientTransport.trusting()
                for _ in 0..<10 {
                    try await giveUp("/never", at: server, by: transport)
                    #expect(try await fetch(server.origin + "/", by: transport).status == 200)
                }
            }
        }

        @Test("keeps a connection on which a byte comes between two requests that are given up")
        func bytesBetween() async throws {
            try await HTTP2Server.run(["/never": []]) { server in
                let transport = try AsyncHTTPClientTransport.trusting()
                let clock = ContinuousClock()
                var longest = Duration.zero
                for _ in 0..<2 {
                    let start = clock.now
                    let call = Task { try await fetch(server.origin + "/never", by: transport) }
                    try await Task.sleep(for: .milliseconds(350))
                    try await cancel(call)
                    try await settle()
                    longest = max(longest, start.duration(to: clock.now))
                    #expect(try await fetch(server.origin + "/", by: transport).status == 200)
                }
                // On a machine that is too slow, one of them alone took as long as a dead connection gets.
                #expect(server.connections.value == 1 || longest >= .milliseconds(500))
            }
        }

        @Test("uses another connection when one has fallen silent")
        func silentConnection() async throws {
            try await HTTP2Server.run(["/last": [.silence]]) { server in
                let transport = try AsyncHTTPClientTransport.trusting()
                #expect(try await fetch(server.origin + "/", by: transport).status == 200)
                try await giveUp("/last", at: server, by: transport)
                try await settle()
                #expect(try await fetch(server.origin + "/", by: transport).status == 200)
                #expect(server.connections.value == 2)
            }
        }

        @Test("keeps a connection on which others are answered while one request waits")
        func busyConnection() async throws {
            try await HTTP2Server.run(["/never": []]) { server in
                let transport = try AsyncHTTPClientTransport.trusting()
                let waiting = try await begin("/never", at: server, by: transport)
                let start = ContinuousClock.now
                var asked = start
                while start.duration(to: .now) < .milliseconds(700) {
                    try await Task.sleep(for: .milliseconds(20))
                    asked = .now
                    #expect(try await fetch(server.origin + "/", by: transport).status == 200)
                }
                // Directly after an answer, however long the machine took for the last ones.
                try await cancel(waiting)
                let silence = asked.duration(to: .now)
                try await settle()
                #expect(try await fetch(server.origin + "/", by: transport).status == 200)
                // On a machine that is too slow, this took as long as a dead connection gets.
                #expect(server.connections.value == 1 || silence >= .milliseconds(500))
            }
        }

        @Test(
            "ends the stream of a request that was answered before it was sent", arguments: [200, 204, 413],
            [false, true])
        func earlyAnswer(status: Int, isOfApp: Bool) async throws {
            let head: HTTP2Server.Frame = .head([(":status", "\(status)")], ends: status == 204)
            let frames = status == 204 ? [head] : [head, .data("ok", ends: true)]
            try await HTTP2Server.run(["/early": frames]) { server in
                var configuration = AsyncHTTPClientTransport.standardConfiguration
                configuration.tlsConfiguration = .makeClientConfiguration()
                configuration.tlsConfiguration?.trustRoots = try .tests
                configuration = AsyncHTTPClientTransport.hardened(configuration)
                let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
                let transport = try isOfApp ? AsyncHTTPClientTransport(client) : .trusting()
                // More than the server allows at once.
                for _ in 0..<120 {
                    let answer = try await fetch(
                        server.origin + "/early", method: .put, body: .endless, by: transport)
                    #expect(answer.status == status)
                }
                #expect(server.connections.value == 1)
                try await client.shutdown()
            }
        }

        @Test("drops a TE that HTTP/2 forbids, and sends the one that it allows")
        func forbiddenFields() async throws {
            try await HTTP2Server.run([:]) { server in
                let transport = try AsyncHTTPClientTransport.trusting()
                for value in ["gzip", "trailers"] {
                    #expect(try await fetch(server.origin + "/", headers: ["TE": value], by: transport).status == 200)
                }
                #expect(server.requests.all.map { $0["te"] } == [nil, "trailers"])
            }
        }

        @Test("refuses a request whose head does not fit into a frame, and uses the connection for the next one")
        func largeRequest() async throws {
            try await HTTP2Server.run([:]) { server in
                let transport = try AsyncHTTPClientTransport.trusting()
                var headers = HTTP.Headers()
                try headers.add(String(repeating: "é", count: 12_000), for: "X-Large")
                for body in [HTTP.Body.none, .text("a"), .data(Data(count: 100_000))] {
                    let error = await #expect(throws: RequestError.self) {
                        _ = try await fetch(
                            server.origin + "/", method: .put, headers: headers, body: body, by: transport)
                    }
                    #expect(error?.code == .invalidHeader)
                }
                #expect(try await fetch(server.origin + "/", by: transport).status == 200)
                #expect(server.requests.all.count == 1)
                #expect(server.connections.value == 1)
            }
        }

        /// Expects that a response is refused, and that its connection serves the next request.
        private func refuses(_ answer: [HTTP2Server.Frame], phase: TransportError.Phase? = nil) async throws {
            try await HTTP2Server.run(["/bad": answer]) { server in
                let transport = try AsyncHTTPClientTransport.trusting()
                let error = await #expect(throws: TransportError.self) {
                    _ = try await fetch(server.origin + "/bad", by: transport)
                }
                #expect(error?.code == .badResponse, "\(error?.detail ?? "")")
                if let phase {
                    #expect(error?.phase == phase)
                }
                #expect(try await fetch(server.origin + "/", by: transport).status == 200)
                #expect(server.connections.value == 1)
            }
        }

        /// Sends a request that is not answered, and gives up 0.7 s after it has arrived.
        private func giveUp(_ path: String, at server: HTTP2Server, by transport: AsyncHTTPClientTransport) async throws
        {
            let call = try await begin(path, at: server, by: transport)
            try await Task.sleep(for: .milliseconds(700))
            try await cancel(call)
        }

        /// Sends a request that is not answered; returns when it has arrived.
        private func begin(
            _ path: String, at server: HTTP2Server, by transport: AsyncHTTPClientTransport
        ) async throws -> Task<HTTP.Response, any Error> {
            let call = Task { try await fetch(server.origin + path, by: transport) }
            while !server.requests.all.contains(where: { $0[":path"] == path }) {
                try await Task.sleep(for: .milliseconds(5))
            }
            return call
        }

        private func cancel(_ call: Task<HTTP.Response, any Error>) async throws {
            call.cancel()
            await #expect(throws: CancellationError.self) {
                _ = try await call.value
            }
        }

        /// The event loop hears of a cancelled call a moment after its caller.
        private func settle() async throws {
            try await Task.sleep(for: .milliseconds(200))
        }
    }
#endif
