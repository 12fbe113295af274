#if AsyncHTTPClient && !canImport(Darwin)
    import Backstop
    import BackstopSubscriptions
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @testable import BackstopGraphQLSocket

    @Suite("A subscription over a socket", .sockets)
    struct SubscribeTests {
        struct Counter: GraphQL.Operation {
            struct Data: Decodable, Sendable { var number: Int }
            var document = GraphQL.Document(text: "subscription Counter { number }")
        }

        struct Change: GraphQL.Operation {
            typealias Data = Counter.Data
            var document = GraphQL.Document(text: "mutation Change { number }")
        }

        private static func client(_ server: SocketServer, attempts: Int = 3) throws -> Client {
            var handling = FailureHandling()
            handling.log = RecordingLog()
            let policy = try RetryPolicy(attempts: attempts, backoff: .none)
            // Its own transport is not used.
            return try Client(baseURL: server.origin, transport: ScriptedTransport(), handling: handling) {
                Retry(policy)
                Decoding()
                StatusValidation()
                AttemptTimeout(.seconds(600))
            }
        }

        private static func result(_ number: Int) -> String {
            "{\"data\":{\"number\":\(number)}}"
        }

        @Test("gives each result once, and tells of each loss, however often the connection is cut")
        func cuts() async throws {
            let (count, cuts) = (10_000, 30)
            let sent = Lock(0)
            try await SocketServer.with(
                subscribed: { peer, message in
                    let id = id(in: message)
                    // The last five again, as a server does that does not know what has arrived.
                    let first = sent.withLock { max(1, $0 - 4) }
                    for number in first...count {
                        peer.next(id, Self.result(number))
                        let isCut = sent.withLock { sent in
                            sent = max(sent, number)
                            return number == sent && number < count && number.isMultiple(of: count / (cuts + 1))
                        }
                        if isCut, number > first + 5 {
                            return peer.end()
                        }
                    }
                    peer.complete(id)
                }
            ) { server in
                let losses = Lock(0)
                let socket = try GraphQL.Socket(server.url)
                var numbers: [Int] = []
                for try await result in try await Self.client(server).subscribe(
                    Counter(), by: .webSocket(socket), sameAs: { "\($0.number)" },
                    resubscribed: { _ in losses.withLock { $0 += 1 } })
                {
                    numbers.append(result.data.number)
                }
                #expect(numbers == Array(1...count))
                #expect(losses.withLock { $0 } >= cuts)
            }
        }

        @Test("ends with the errors that come in the place of results, and sends nothing again")
        func refused() async throws {
            let asked = Lock(0)
            try await SocketServer.with(
                subscribed: { peer, message in
                    asked.withLock { $0 += 1 }
                    peer.say(#"{"type":"error","id":"\#(id(in: message))","payload":[{"message":"no such field"}]}"#)
                }
            ) { server in
                let socket = try GraphQL.Socket(server.url)
                let client = try Self.client(server)
                let failure = await #expect(throws: Failure.self) {
                    for try await _ in try await client.subscribe(Counter(), by: .webSocket(socket)) {}
                }
                #expect(failure?.graphQLErrors.map(\.message) == ["no such field"])
                #expect(asked.withLock { $0 } == 1)
            }
        }

        @Test("that is a mutation is not sent again after a loss, and after a result it fails")
        func mutation() async throws {
            let asked = Lock(0)
            try await SocketServer.with(
                subscribed: { peer, message in
                    asked.withLock { $0 += 1 }
                    peer.next(id(in: message), Self.result(1))
                    peer.end()
                }
            ) { server in
                let socket = try GraphQL.Socket(server.url)
                let client = try Self.client(server)
                var numbers: [Int] = []
                let outcome = await client.perform(Change(), by: .webSocket(socket)) { numbers.append($0.data.number) }
                #expect(numbers == [1])
                #expect(outcome.failure?.code == "transport.lost")
                #expect(asked.withLock { $0 } == 1)
            }
        }

        @Test("that is a mutation fails when it is complete without a result")
        func mutationWithoutResult() async throws {
            try await SocketServer.with(
                subscribed: { peer, message in
                    peer.complete(id(in: message))
                }
            ) { server in
                let socket = try GraphQL.Socket(server.url)
                let outcome = try await Self.client(server).perform(Change(), by: .webSocket(socket)) { _ in }
                #expect(outcome.failure?.code == "transport.truncated")
                #expect(outcome.failure?.mayHaveWorked == true)
            }
        }

        @Test(
            "that is a mutation has not begun when it is refused in the place of its result", arguments: [true, false])
        func mutationRefused(asError: Bool) async throws {
            let errors = #"[{"message":"no such field","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]"#
            try await SocketServer.with(
                subscribed: { peer, message in
                    let id = id(in: message)
                    if asError {
                        return peer.say(#"{"type":"error","id":"\#(id)","payload":\#(errors)}"#)
                    }
                    peer.next(id, #"{"errors":\#(errors)}"#)
                    peer.complete(id)
                }
            ) { server in
                let socket = try GraphQL.Socket(server.url)
                let outcome = try await Self.client(server).perform(Change(), by: .webSocket(socket)) { _ in }
                #expect(outcome.failure?.graphQLErrors.map(\.message) == ["no such field"])
                #expect(outcome.failure?.mayHaveWorked == false)
            }
        }

        @Test("of a query with deferred parts gives all that has arrived, each time")
        func deferred() async throws {
            struct Hero: GraphQL.Operation {
                struct Data: Decodable, Sendable {
                    struct Hero: Decodable, Sendable { var name: String; var biography: String? }
                    var hero: Hero
                }
                var document = GraphQL.Document(text: "query Hero { hero { name ... @defer { biography } } }")
            }
            try await SocketServer.with(
                subscribed: { peer, message in
                    peer.next(id(in: message), #"{"data":{"hero":{"name":"Rey"}},"hasNext":true}"#)
                    peer.next(
                        id(in: message),
                        #"{"incremental":[{"path":["hero"],"data":{"biography":"Jakku"}}],"hasNext":false}"#)
                    peer.complete(id(in: message))
                }
            ) { server in
                let socket = try GraphQL.Socket(server.url)
                var last: Hero.Data?
                for try await part in try await Self.client(server).fetchIncrementally(Hero(), by: .webSocket(socket)) {
                    last = part.result.data
                }
                #expect(last?.hero.biography == "Jakku")
            }
        }
    }
#endif
