// `GraphQL.Socket` is not everywhere.
#if Demo && (AsyncHTTPClient || canImport(Darwin))
    import Backstop
    import BackstopGraphQLSocket
    import BackstopSubscriptions
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    @Suite("A subscription over a WebSocket of the fault server", .sockets)
    struct LiveSubscriptionTests {
        struct Counter: GraphQL.Operation {
            struct Data: Decodable, Sendable { var counter: Int }
            var document = GraphQL.Document(text: "subscription Counter { counter }")
        }

        struct Hero: GraphQL.Operation {
            struct Data: Decodable, Sendable {
                struct Hero: Decodable, Sendable { var biography: String? }
                var hero: Hero
            }
            var document = GraphQL.Document(text: "query Hero { hero { ... @defer(label: \"more\") { biography } } }")
        }

        private static func client(_ server: FaultServer, attempts: Int = 1) throws -> Client {
            // Its own transport is not used.
            try Client(baseURL: server.url.absoluteString, transport: ScriptedTransport()) {
                Retry(try RetryPolicy(attempts: attempts, backoff: .none))
                Decoding()
                StatusValidation()
                AttemptTimeout(.seconds(600))
            }
        }

        private static func socket(
            _ server: FaultServer, _ switches: String, ping: Duration? = nil, acknowledge: Duration = .seconds(600)
        ) throws -> GraphQL.Socket {
            try GraphQL.Socket(
                "ws" + server.url.absoluteString.dropFirst(4) + "/graphql/live?" + switches, ping: ping,
                acknowledge: acknowledge)
        }

        /// What a client sees: the numbers, and the code of the failure.
        private static func subscribe(
            _ server: FaultServer, _ socket: GraphQL.Socket, attempts: Int = 1,
            sameAs: (@Sendable (Counter.Data) -> String?)? = nil
        ) async throws -> (numbers: [Int], code: String?) {
            var numbers: [Int] = []
            let client = try client(server, attempts: attempts)
            do throws(Failure) {
                let results = try await client.subscribe(Counter(), by: .webSocket(socket), sameAs: sameAs)
                for try await result in results { numbers.append(result.data.counter) }
            } catch {
                return (numbers, error.code)
            }
            return (numbers, nil)
        }

        @Test("gets its text after its hash is missed, if the socket persists queries")
        func missedHash() async throws {
            try await withServer { server in
                let socket = try GraphQL.Socket(
                    "ws" + server.url.absoluteString.dropFirst(4) + "/graphql/live?count=2", ping: nil,
                    acknowledge: .seconds(600), persistsQueries: true)
                let observer = RecordingObserver()
                let client = try Self.client(server).withOptions { options in
                    options.observers = [observer]
                    options.values.graphQL.isAPQClientEnabled = true
                }
                var numbers: [Int] = []
                for try await result in try await client.subscribe(Counter(), by: .webSocket(socket)) {
                    numbers.append(result.data.counter)
                }
                #expect(numbers == [1, 2])
                #expect(observer.calls.map(\.values.persistedQuery) == [.registered])
            }
        }

        @Test(
            "gives its results, and then the failure that belongs to the fault",
            arguments: [
                ("count=3", [1, 2, 3], nil), ("count=0", [], nil), ("count=2&fault=heartbeats", [], nil),
                ("count=2&fault=late", [1, 2], nil), ("count=2&fault=twice", [1, 1, 2, 2], nil),
                ("count=2&fault=unfinished", [1, 2], "transport.lost"),
                ("fault=type", [], "transport.badResponse"), ("fault=fatal", [1, 2], "service.graphQL.errors"),
                ("fault=null", [1], "service.graphQL.errors"), ("fault=refused", [], "service.graphQL.errors"),
                ("close=4403", [], "status.403"), ("close=4401", [], "status.401"),
                ("close=1012&after=2", [1, 2], "transport.lost"), ("close=4400&after=1", [1], "transport.badResponse"),
                ("close=1005&after=1", [1], "transport.lost"),
                ("cut=150", [1, 2], "transport.lost"), ("cut=150&how=reset", nil, "transport.lost"),
                ("cut=10", [], "transport.lost"),
            ] as [(String, [Int]?, String?)])
        func faults(switches: String, numbers: [Int]?, code: String?) async throws {
            try await withServer { server in
                let socket = try Self.socket(server, switches)
                let seen = try await Self.subscribe(server, socket)
                // A reset may overtake the results.
                #expect(seen.numbers == numbers ?? seen.numbers)
                #expect(seen.code == code)
            }
        }

        @Test("goes on after each cut, with each result once")
        func cuts() async throws {
            try await withServer { server in
                let socket = try Self.socket(server, "count=9&again=2&cut=260&times=3&id=a")
                let seen = try await Self.subscribe(server, socket, attempts: 3) { "\($0.counter)" }
                #expect(seen.numbers == Array(1...9))
                #expect(seen.code == nil)
                #expect(server.requestCount(of: "/graphql/live") == 4)
            }
        }

        @Test("is not acknowledged, which has a limit")
        func acknowledgement() async throws {
            try await withServer { server in
                let socket = try Self.socket(server, "ack=never", acknowledge: .milliseconds(50))
                #expect(try await Self.subscribe(server, socket).code == "timeout.acknowledgement")
            }
        }

        @Test("is lost with a server that answers no ping")
        func silence() async throws {
            try await withServer { server in
                let socket = try Self.socket(server, "ms=600000&silent=1", ping: .seconds(1))
                #expect(try await Self.subscribe(server, socket).code == "transport.lost")
            }
        }

        @Test("carries a query with deferred parts as well", arguments: ["2022", "2023", "first"])
        func deferred(format: String) async throws {
            try await withServer { server in
                let socket = try Self.socket(server, "format=\(format)")
                var biography: String?
                for try await part in try await Self.client(server).fetchIncrementally(Hero(), by: .webSocket(socket)) {
                    biography = part.result.data.hero.biography
                }
                #expect(biography == "Found on Jakku.")
            }
        }
    }
#endif
