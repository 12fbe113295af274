#if Demo
    internal import Backstop
    internal import BackstopCombine
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import BackstopGraphQL
    internal import BackstopTesting
    internal import Foundation

    extension Scenario {
        /// The patterns of `Docs/Cookbook.md`.
        static let patterns: [Scenario] = [
            Scenario(
                "patterns/1-service-errors", "Errors beside the data, where the call wants all or nothing.",
                expect: "service.graphQL.partialData"
            ) { stage, calls in
                let client = try stage.client(base: "\(stage.server.url.absoluteString)/graphql", observer: calls)
                let options = client.graphQLOptions.changing { $0.failsOnPartialData = true }
                return CallReport(await client.result(of: HeroStory(), options: options), calls)
            },
            Scenario(
                "patterns/2-network-or-service",
                "No response of the GraphQL service's: a status, and no GraphQL errors.",
                expect: "status.503"
            ) { stage, calls in
                let base = "\(stage.server.url.absoluteString)/status/503"
                let client = try stage.client(base: base, attempts: 1, observer: calls)
                return CallReport(await client.result(of: HeroStory()), calls)
            },
            Scenario(
                "patterns/3-strategies", "A publisher that makes its call anew after Retry-After, and gives results.",
                expect: "ok"
            ) { stage, calls in
                let client = try stage.client(attempts: 1, observer: calls)
                let check: HTTP.Call<Availability> = .get("isUserNameAvailable", query: ["userName": "maintenance"])
                let policy = try RetryPolicy { $0.receivedResponse?.retryAfter(now: .zero) != nil }
                let results = client.publisher(for: check).retry(policy).asResult()
                return CallReport(await first(of: results) ?? .failure(Failure(CancellationError())), calls)
            },
            Scenario(
                "patterns/4-endpoint", "An endpoint that reads an envelope, once error body and status were looked at.",
                expect: "ok"
            ) { stage, calls in
                let client = try stage.client(observer: calls)
                return CallReport(await client.result(of: Shelf()), calls)
            },
            Scenario(
                "patterns/5-default-handler",
                "A call whose onFailure does not handle the failure, and the default that does.",
                expect: "status.410"
            ) { stage, calls in
                let observer = RecordingObserver()
                var client = try stage.client(observer: calls)
                client.handling.observers = [observer]
                await client.perform(
                    .get("status/410"), onSuccess: { _ in },
                    onFailure: { failure in failure.statusCode == 404 }
                ).value
                return CallReport(outcome(of: observer.failures.last), calls: calls.all)
            },
        ]

        /// What became of a failure.
        private static func outcome(of observed: RecordingObserver.ObservedFailure?) -> Outcome<Int> {
            guard let observed else {
                return .cancelled
            }
            return switch observed.outcome {
            case .handled(let name): .handled(observed.failure, by: name)
            case .cancelled: .cancelled
            case .thrown, .replaced, .retried, .unhandled: .unhandled(observed.failure)
            }
        }

        /// The first value of a publisher; nil when it ends without.
        private static func first<Value: Sendable>(of publisher: AnyPublisher<Value, Never>) async -> Value? {
            let (values, continuation) = AsyncStream<Value>.makeStream()
            let subscription = publisher.sink(
                receiveCompletion: { _ in continuation.finish() }, receiveValue: { continuation.yield($0) })
            defer { subscription.cancel() }
            return await values.first { _ in true }
        }
    }

    extension CallReport {
        /// What came of a call whose result was kept.
        init(_ result: Result<some Sendable, Failure>, _ calls: Calls) {
            switch result {
            case .success(let value): self.init(Outcome.value(value), calls: calls.all)
            case .failure(let failure): self.init(thrown: failure, calls: calls.all)
            }
        }
    }

    /// A hero, with a field that fails on the server.
    private struct HeroStory: GraphQL.Operation {
        struct Data: Decodable, Sendable {
            struct Hero: Decodable, Sendable {
                let name: String
                let secretBackstory: String?
            }

            let hero: Hero
        }

        var document: GraphQL.Document {
            .init(text: "query HeroStory { hero { name secretBackstory } }")
        }
    }

    /// The books of the shop, in their envelope.
    private struct Shelf: JSONEndpoint {
        struct Envelope: Decodable {
            let data: [Book]
        }

        func makeRequest() throws -> HTTP.Request {
            try HTTP.Request(.get, "books")
        }

        func content(from envelope: Envelope) throws -> [Book] {
            envelope.data
        }
    }
#endif
