#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import BackstopSubscriptions
    internal import Foundation

    extension Scenario {
        /// Subscriptions, and a query whose parts arrive later.
        static let live: [Scenario] = [
            subscription(
                "live-multipart", "A subscription by multipart.", "count=3", .multipart, [1, 2, 3], expect: "ok"),
            subscription("live-events", "The same by events.", "count=3", .events, [1, 2, 3], expect: "ok"),
            subscription(
                "live-cut", "Cut three times, each result again after a cut: none is shown twice.",
                "count=9&again=2&cut=260&times=3&id=demo-live", .events, Array(1...9), expect: "ok"),
            subscription(
                "live-stream", "By a stream of events that subscriptions share.", "count=3", .sharedEvents, [1, 2, 3],
                expect: "ok"),
            subscription(
                "live-stream-cut", "Cut three times: opened again, and none is shown twice.",
                "count=9&again=2&cut=200&times=3&id=demo-stream", .sharedEvents, Array(1...9), expect: "ok"),
            subscription(
                "live-unfinished", "An end without a word about it is a failure.", "count=2&fault=unfinished",
                .multipart,
                [1, 2], retry: .never, expect: "transport.truncated"),
            subscription(
                "live-refused", "Refused before the first result.", "fault=refused", .multipart, [],
                expect: "service.graphQL.errors"),
            subscription(
                "live-fatal", "Ended by the server, with errors.", "fault=fatal", .multipart, [1, 2],
                expect: "service.graphQL.errors"),
            deferred("live-2022", "Deferred parts in the format of 2022.", "format=2022", errors: 0, expect: "ok"),
            deferred("live-2023", "The same in that of 2023.", "format=2023", errors: 0, expect: "ok"),
            deferred("live-first", "The same in Apollo's first one.", "format=first", errors: 0, expect: "ok"),
            deferred(
                "live-failed", "A part that failed: an error beside the rest.", "format=2023&fault=failed", errors: 1,
                expect: "ok"),
            deferred(
                "live-cut-part", "Cut before the last part.", "format=2022&cut=300", errors: 0,
                expect: "transport.truncated"),
        ]

        /// The same over WebSockets, where there are any.
        static let liveSockets: [Scenario] =
            ResultCarrier.hasSockets
            ? [
                subscription(
                    "live-socket", "A subscription over a WebSocket.", "count=3", .websocket, [1, 2, 3], expect: "ok"),
                subscription(
                    "live-socket-cut", "Cut three times: opened again, and none is shown twice.",
                    "count=9&again=2&cut=260&times=3&id=demo-socket", .websocket, Array(1...9), expect: "ok"),
                subscription(
                    "live-socket-forbidden", "Closed with 4403 before anything was sent, which is like a 403.",
                    "close=4403", .websocket, [], expect: "status.403"),
                subscription(
                    "live-socket-unfinished", "Closed with 1000 and no word about the end: a failure too.",
                    "count=2&fault=unfinished", .websocket, [1, 2], retry: .never, expect: "transport.lost"),
            ] : []

        private static func subscription(
            _ name: String, _ title: String, _ switches: String, _ carrier: ResultCarrier, _ numbers: [Int],
            retry: RetryPolicy? = nil, expect expected: String
        ) -> Scenario {
            Scenario(name, title, expect: expected) { stage, calls in
                let path = (carrier == .sharedEvents ? "graphql/stream?" : "graphql/live?") + switches
                let client = try stage.client(observer: calls).withOptions { options in
                    options.values.graphQL.path = path
                    options.retry = retry
                }
                let delivery = try carrier.delivery(to: "\(stage.server.url.absoluteString)/\(path)")
                let seen = Lock<[Int]>([])
                let outcome = await client.perform(
                    Counter(), by: delivery, sameAs: { "\($0.counter)" }
                ) { result in
                    seen.withLock { $0.append(result.data.counter) }
                }
                guard seen.withLock({ $0 }) == numbers else {
                    throw WrongResults(seen: seen.withLock { $0 })
                }
                return CallReport(outcome, calls: calls.all)
            }
        }

        private static func deferred(
            _ name: String, _ title: String, _ switches: String, errors: Int, expect expected: String
        ) -> Scenario {
            Scenario(name, title, expect: expected) { stage, calls in
                let client = try stage.client(observer: calls).withOptions { options in
                    options.values.graphQL.path = "graphql/live?" + switches
                }
                let last = Lock<GraphQL.Increment<Hero.Data>?>(nil)
                let outcome = await client.performIncrementally(Hero()) { part in
                    last.withLock { $0 = part }
                }
                let part = last.withLock { $0 }
                guard outcome.value == nil || part?.result.data.hero.friends?.count == 2,
                    part?.result.errors.count == errors
                else {
                    throw WrongResults(seen: [])
                }
                return CallReport(outcome, calls: calls.all)
            }
        }

        private struct WrongResults: Error {
            let seen: [Int]
        }

        private struct Counter: GraphQL.Operation {
            struct Data: Decodable, Sendable { let counter: Int }
            var document: GraphQL.Document { GraphQL.Document(text: "subscription Counter { counter }") }
        }

        private struct Hero: GraphQL.Operation {
            struct Data: Decodable, Sendable {
                struct Hero: Decodable, Sendable {
                    struct Friend: Decodable, Sendable { let name: String }
                    let name: String
                    let biography: String?
                    let friends: [Friend]?
                }
                let hero: Hero
            }
            var document: GraphQL.Document {
                GraphQL.Document(
                    text: """
                        query Hero { hero { name ... @defer(label: "more") { biography } \
                        friends @stream(label: "friends") { name } } }
                        """)
            }
        }
    }
#endif
