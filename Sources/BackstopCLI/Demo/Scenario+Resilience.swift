#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopFaultServer
    internal import BackstopResilience
    internal import Foundation

    extension Scenario {
        /// What `Docs/Resilience.md` is about, in its order.
        static let resilience: [Scenario] = [
            Scenario(
                "resilience/budget", "A service that is down: the retries that a client affords are used up.",
                expect: "status.500"
            ) { stage, calls in
                // Two calls take the two retries of the bucket; the third is sent once.
                try await repeated(3, "status/500", stage.client(attempts: 2, observer: calls), calls)
            },
            Scenario(
                "resilience/breaker", "A circuit breaker that has opened: the next call fails at once.",
                expect: "rejected.breakerOpen"
            ) { stage, calls in
                let breaker = HTTP.CircuitBreaker(
                    try CircuitBreakerPolicy(window: .calls(3), minimumThroughput: 3), log: nil)
                let client = try stage.client(attempts: 1, observer: calls).withChain {
                    try $0.inserting(breaker, inside: .retry)
                }
                return try await repeated(4, "status/500", client, calls)
            },
            Scenario(
                "resilience/hedging", "A slow answer: a second copy is faster, and the first is cancelled.",
                expect: "ok"
            ) { stage, calls in
                let client = try stage.client(observer: calls).withChain {
                    try $0.inserting(Hedging(after: .milliseconds(100)), inside: .retry)
                }
                return await call("delay?ms=3000&times=1&id=hedging", client, calls)
            },
            Scenario(
                "resilience/fallback", "A service that is down, and what answers in its place.", expect: "ok"
            ) { stage, calls in
                let books = try HTTP.Request(.get, stage.server.url.appendingPathComponent("books").absoluteString)
                let client = try stage.client(attempts: 1, observer: calls).withChain {
                    try $0.inserting(Fallback("books", log: nil, sending: { _ in books }), outside: .retry)
                }
                return await call("status/503", client, calls)
            },
            Scenario(
                "resilience/bulkhead", "One call at a time, and no queue: the second is refused.",
                expect: "rejected.limit"
            ) { stage, calls in
                let client = try stage.client(attempts: 1, observer: calls).withChain {
                    try $0.inserting(Bulkhead(limit: 1, queue: .none, log: nil), inside: .retry)
                }
                let first = Task { await client.result(of: HTTP.Call(.get, "slow?chunks=100&ms=100")) }
                await stage.server.waitForRequest(to: "/slow")
                defer { first.cancel() }
                return await call("books", client, calls)
            },
            Scenario(
                "resilience/rate-limiter", "Two calls in a minute: the third is refused, and says until when.",
                expect: "rejected.rateLimit"
            ) { stage, calls in
                let client = try stage.client(attempts: 1, observer: calls).withChain {
                    try $0.inserting(RateLimiter(2, per: .seconds(60), maximumWait: .zero, log: nil), inside: .retry)
                }
                return try await repeated(3, "books", client, calls)
            },
            Scenario(
                "resilience/offline", "A device that is known to be offline: nothing is sent.",
                expect: "transport.offline"
            ) { stage, calls in
                let client = try stage.client(observer: calls).withChain {
                    try $0.inserting(ConnectivityCheck(ManualConnectivity(.offline)), outside: .retry)
                }
                // To another host, as requests to this machine need no network.
                return await call("https://shop.example.com/books", client, calls)
            },
            Scenario(
                "resilience/operation", "Work that is not a request, with attempts of its own.", expect: "ok"
            ) { _, calls in
                var options = CallOptions()
                options.observers = [calls]
                let policy = try Policy(options: options) {
                    Retry(try RetryPolicy(backoff: Backoff(baseDelay: .milliseconds(50))))
                    AttemptTimeout(.seconds(1))
                }
                do throws(Failure) {
                    let attempt = try await policy.run("query", isIdempotent: true) { context in
                        guard context.attempt == 3 else {
                            throw DatabaseBusy()
                        }
                        return context.attempt
                    }
                    return CallReport(Outcome.value(attempt), calls: calls.all)
                } catch {
                    return CallReport(thrown: error, calls: calls.all)
                }
            },
        ]

        private struct DatabaseBusy: Error {}

        private static func call(_ target: String, _ client: Client, _ calls: Calls) async -> CallReport {
            CallReport(await client.result(of: HTTP.Call(.get, target)), calls)
        }

        /// Makes the same call several times, one after the other, and reports the last.
        private static func repeated(
            _ times: Int, _ target: String, _ client: Client, _ calls: Calls
        ) async throws -> CallReport {
            for _ in 1..<times {
                _ = await client.result(of: HTTP.Call(.get, target))
            }
            return await call(target, client, calls)
        }
    }
#endif
