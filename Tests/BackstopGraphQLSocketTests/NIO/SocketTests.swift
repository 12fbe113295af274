#if AsyncHTTPClient && !canImport(Darwin)
    import Backstop
    import BackstopAuthentication
    import BackstopCore
    import BackstopStreams
    import BackstopTestSupport
    import Foundation
    import NIOHTTP1
    import NIOSSL
    import Testing

    @testable import BackstopGraphQLSocket
    @testable import BackstopTesting

    @Suite("A socket over a network", .sockets)
    struct SocketTests {
        @Test(
            "fails a running operation by the code of the close, and never ends it as if it were complete",
            arguments: [
                (1000, "transport.lost"), (1001, "transport.lost"), (1011, "status.500"),
                (1012, "transport.lost"), (1009, "transport.badResponse"), (4400, "transport.badResponse"),
                (4401, "transport.badResponse"), (4403, "transport.lost"), (4408, "transport.lost"),
                (4409, "transport.badResponse"), (4429, "transport.badResponse"), (4499, "transport.lost"),
                (4500, "status.500"), (4999, "transport.unknown"), (nil, "transport.lost"),
            ] as [(UInt16?, String)])
        func closes(code: UInt16?, failure: String) async throws {
            try await SocketServer.with { server in
                let client = try GraphQL.Socket(server.url).client(at: server.origin)
                async let opened = client.stream(Ask(), as: .lines)
                let peer = try await server.peer()
                await peer.waitFor("subscribe")
                let stream = try await opened
                peer.next("1", "{}")
                peer.close(code, "the reason")
                var count = 0
                let error = await #expect(throws: Failure.self) {
                    for try await _ in stream { count += 1 }
                }
                #expect(count == 1 && error?.code == failure, "\(String(describing: error))")
                #expect(error?.attempts.count == 1)
                if code != nil {
                    #expect(error?.report.contains(#"its reason was "the reason""#) == true)
                }
                await peer.state.wait { $0.hasEnded }
                #expect(peer.state.withLock { $0.close } == code ?? 0)
            }
        }

        @Test("repeats a query after a loss, and a mutation not", arguments: [true, false], [true, false])
        func repeats(isQuery: Bool, isReset: Bool) async throws {
            let asked = Counter()
            try await SocketServer.with(
                subscribed: { peer, message in
                    guard asked.increment() > 1 else {
                        return isReset ? peer.reset() : peer.end()
                    }
                    peer.next(id(in: message), #"{"data":1}"#)
                    peer.complete(id(in: message))
                }
            ) { server in
                let client = try GraphQL.Socket(server.url).client(at: server.origin, attempts: 3)
                let ask = Ask(query: isQuery ? "{ a }" : "mutation { a }", isRepeatable: isQuery ? true : nil)
                if isQuery {
                    try await client.send(ask)
                } else {
                    let failure = await #expect(throws: Failure.self) { try await client.send(ask) }
                    #expect(failure?.code == "transport.lost")
                }
                #expect(asked.value == (isQuery ? 2 : 1))
            }
        }

        @Test("has sent nothing of a mutation that ran out of time before the server was ready")
        func unready() async throws {
            var options = SocketServer.Options()
            options.acknowledges = false
            try await SocketServer.with(options) { server in
                let clock = ManualClock()
                var callOptions = CallOptions()
                callOptions.clock = clock
                let client = try Client(
                    baseURL: server.origin, transport: GraphQL.Socket(server.url, acknowledge: .seconds(60)),
                    options: callOptions
                ) {
                    Decoding()
                    StatusValidation()
                    AttemptTimeout(.seconds(1))
                }
                let call = Task { try await client.send(Ask(query: "mutation { a }", isRepeatable: nil)) }
                let peer = try await server.peer()
                await peer.waitFor("connection_init")
                await clock.advance(by: .seconds(1))
                let failure = await #expect(throws: Failure.self) { try await call.value }
                #expect(failure?.code == "timeout.attempt")
                #expect(failure?.report.contains("sent:     nothing") == true)
                #expect(failure?.report.contains("check before sending it again") == false)
            }
        }

        @Test("renews what 4403 refused, on a new connection")
        func forbidden() async throws {
            var options = SocketServer.Options()
            options.acknowledges = false
            try await SocketServer.with(
                options,
                subscribed: { peer, message in
                    peer.next(id(in: message), #"{"data":1}"#)
                    peer.complete(id(in: message))
                }
            ) { server in
                let socket = try GraphQL.Socket(server.url)
                @Sendable func send(_ token: String) async throws -> HTTP.Response {
                    try await socket.send(
                        Ask.request(headers: ["Authorization": token], at: server.origin), context: CallContext())
                }
                let refused = Task { try await send("old") }
                let peer = try await server.peer()
                await peer.waitFor("connection_init")
                peer.close(4403, "Forbidden")
                let error = await #expect(throws: StatusError.self) { _ = try await refused.value }
                #expect(error?.code == 403 && error?.detail?.contains("Forbidden") == true)
                async let accepted = send("new")
                let other = try await server.peer(1)
                await other.waitFor(#""Authorization":"new""#)
                other.say(#"{"type":"connection_ack"}"#)
                #expect(try await accepted.status == 200)
            }
        }

        @Test("renews a token that 4401 refused before anything was sent, and sends no mutation twice after that")
        func refusedCodes() async throws {
            var options = SocketServer.Options()
            options.acknowledges = false
            try await SocketServer.with(options) { server in
                let credentials = try Credentials(TokenSet(access: "old", refresh: "r", account: "ann")) { _ in
                    TokenSet(access: "new", refresh: "r", account: "ann")
                }
                let forbidden = TokenRefusal { result in
                    guard case .failure(let error as StatusError) = result, error.code == 403 else { return nil }
                    return .notApplied
                }
                let client = try Client(baseURL: server.origin, transport: GraphQL.Socket(server.url)) {
                    BearerAuthentication(credentials, refusedBy: [.unauthorized, forbidden])
                    Decoding()
                    StatusValidation()
                }
                let outcome = Task { try await client.send(Ask(query: "mutation { a }", isRepeatable: nil)) }
                let first = try await server.peer()
                await first.waitFor("Bearer old")
                first.close(4401, "expired")
                let second = try await server.peer(1)
                await second.waitFor("Bearer new")
                second.say(#"{"type":"connection_ack"}"#)
                await second.waitFor("subscribe")
                second.close(4403, "forbidden")
                let failure = await #expect(throws: Failure.self) { try await outcome.value }
                #expect(failure?.code == "transport.lost")
                #expect(failure?.report.contains("may have done its work") == true)
                #expect(failure?.report.contains("Idempotency-Key") == false)
                #expect(server.state.withLock { $0.peers.count } == 2)
            }
        }

        @Test("renews a token that 401 refused, on a new connection, once")
        func unauthorized() async throws {
            var options = SocketServer.Options()
            options.refusal = { head in
                head.headers["Authorization"] == ["Bearer new"] ? nil : SocketServer.Refusal(status: .unauthorized)
            }
            try await SocketServer.with(
                options,
                { peer, message in
                    if message.contains("subscribe") {
                        peer.next(id(in: message), #"{"data":1}"#)
                        peer.complete(id(in: message))
                    }
                }
            ) { server in
                let credentials = try Credentials(TokenSet(access: "old", refresh: "r", account: "ann")) { _ in
                    TokenSet(access: "new", refresh: "r", account: "ann")
                }
                let socket = try GraphQL.Socket(server.url)
                let client = try Client(baseURL: server.origin, transport: socket) {
                    BearerAuthentication(credentials)
                    Decoding()
                    StatusValidation()
                }
                var lines: [String] = []
                for try await line in try await client.stream(Ask(), as: .lines) { lines.append(line) }
                #expect(lines == [#"{"data":1}"#])
                let requests = server.state.withLock { $0.requests }
                #expect(requests.map { $0.headers["Authorization"] } == [["Bearer old"], ["Bearer new"]])
                let first = try await server.peer().state.withLock { $0.messages.first }
                #expect(first?.contains(#""Authorization":"Bearer new""#) == true)
            }
        }

        @Test("shows what asked for a refused connection, and whether it had a token", arguments: [true, false])
        func refusedToken(isSignedIn: Bool) async throws {
            var options = SocketServer.Options()
            options.refusal = { _ in SocketServer.Refusal(status: .unauthorized) }
            try await SocketServer.with(options) { server in
                let client = try Client(baseURL: server.origin, transport: try GraphQL.Socket(server.url)) {
                    ClosureInterceptor { request, _, next in
                        var request = request
                        request.headers[.authorization] = isSignedIn ? "Bearer planted-token" : nil
                        return try await next(request)
                    }
                    StatusValidation()
                }
                let failure = await #expect(throws: Failure.self) { try await client.stream(Ask(), as: .lines) }
                let text = isSignedIn ? "Your session has expired." : "You are not signed in."
                #expect(failure?.message.text == text)
                let sent = try #require(failure?.sentRequest as? HTTP.Request)
                #expect(sent.url.scheme == "ws" && (sent.headers[.authorization] != nil) == isSignedIn)
                #expect(failure?.report.contains("nothing was sent") == false)
                #expect(failure?.report.contains("planted-token") == false)
            }
        }

        @Test("is the same over TLS, and trusts no stranger")
        func tls() async throws {
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: [.certificate(try SocketCertificates.certificate())],
                privateKey: .privateKey(try SocketCertificates.key()))
            tls.applicationProtocols = ["h2", "http/1.1"]
            var options = SocketServer.Options()
            options.tls = tls
            try await SocketServer.with(
                options,
                subscribed: { peer, message in
                    peer.next(id(in: message), #"{"data":1}"#)
                    peer.complete(id(in: message))
                }
            ) { server in
                let url = "wss://127.0.0.1:\(server.port)/graphql"
                var trust = TLSConfiguration.makeClientConfiguration()
                trust.trustRoots = .certificates([try SocketCertificates.certificate()])
                #expect(try await GraphQL.Socket(url, tls: trust).ask() == #"{"data":1}"#)
                let error = await #expect(throws: TransportError.self) { try await GraphQL.Socket(url).ask() }
                #expect(error?.code == .certificate && error?.phase == .connecting)
                let plain = await #expect(throws: TransportError.self) { try await GraphQL.Socket(server.url).ask() }
                #expect(plain?.phase == .connecting)
            }
        }

        @Test("loses no operation and keeps none, when they are opened and dropped at random", arguments: Seed.ofRun)
        func random(seed: Seed) async throws {
            let random = Lock(seed.numbers)
            @Sendable func pick(_ range: ClosedRange<Int>) -> Int {
                random.withLock { Int.random(in: range, using: &$0) }
            }
            try await SocketServer.with(
                SocketServer.Options(),
                { peer, message in
                    // How many results it wants, and whether it is to be complete then.
                    let words = message.split(separator: " ")
                    guard message.contains("subscribe"), words.count == 4, let count = Int(words[1]) else {
                        return
                    }
                    for number in 0..<count {
                        peer.next(id(in: message), #"{"data":\#(number)}"#)
                    }
                    if words[2] == "complete" {
                        peer.complete(id(in: message))
                    }
                }
            ) { server in
                // Closed by chance in the middle.
                let socket = try GraphQL.Socket(server.url, idle: .zero)
                let client = try socket.client(at: server.origin)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for round in 0..<500 {
                        if round >= 16 {
                            try await group.next()
                        }
                        group.addTask {
                            let (count, isComplete) = (pick(0...20), pick(0...2) > 0)
                            let wanted = isComplete ? pick(0...25) : pick(0...count)
                            let ask = Ask(query: "{ \(count) \(isComplete ? "complete" : "open") }")
                            let reading = Task {
                                var got = 0
                                let stream = try await client.stream(ask, as: .lines)
                                guard wanted > 0 else {
                                    return
                                }
                                for try await line in stream {
                                    #expect(line == #"{"data":\#(got)}"#)
                                    got += 1
                                    if got == wanted {
                                        return
                                    }
                                }
                                #expect(got == count, "The stream ended too early")
                            }
                            if pick(0...2) == 0 {
                                for _ in 0..<pick(0...20) { await Task.yield() }
                                reading.cancel()
                            }
                            do {
                                try await reading.value
                            } catch let failure as Failure {
                                #expect(failure.code == "cancelled", "\(failure)")
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                while socket.pool.operations > 0 { await Task.yield() }
                await server.state.wait { $0.ended == $0.peers.count }
                for peer in server.state.withLock({ $0.peers }) {
                    #expect(peer.state.withLock { $0.close } == 1000)
                }
            }
        }
    }
#endif
