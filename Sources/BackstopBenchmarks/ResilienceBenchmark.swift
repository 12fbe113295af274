#if Benchmarks
    internal import Backstop
    internal import BackstopCore
    internal import BackstopResilience
    internal import Foundation

    /// What each resilience interceptor adds to a call that succeeds, against an interceptor that only calls `next`.
    ///
    /// Bounded are those that need neither a lock nor a race on the good path. Calls share what a breaker, a bulkhead, a
    /// limiter and a retry budget know; a time limit and a second copy need a task beside the call.
    enum ResilienceBenchmark {
        private static let links = 20

        /// An interceptor, and why it is not bounded; nil when it is.
        private struct Case: Sendable {
            let name: String
            let exemption: String?
            let repetitions: Int
            let make: @Sendable () throws -> any HTTP.Interceptor

            init(
                _ name: String, _ exemption: String? = nil, repetitions: Int = 5000,
                _ make: @escaping @Sendable () throws -> any HTTP.Interceptor
            ) {
                self.name = name
                self.exemption = exemption
                self.repetitions = repetitions
                self.make = make
            }
        }

        private static let cases: [Case] = [
            Case("Pass for HTTP alone") { Pass() },
            Case("Retry", "a lock for the budget, and the attempt's context") { Retry<Request, Response>() },
            Case("Deadline of the call, none given") { Deadline<Request, Response>() },
            Case("Fallback") { Fallback<Request, Response>(value: HTTP.Response(status: 200), log: nil) },
            Case("ConnectivityCheck", "a lock for the state") {
                ConnectivityCheck<Request, Response>(ManualConnectivity(.online))
            },
            Case("CircuitBreaker", "a lock for the window") { CircuitBreaker<Request, Response>(log: nil) },
            Case("Bulkhead", "a lock for the places") { Bulkhead<Request, Response>(limit: 100) },
            Case("RateLimiter", "a lock for the tokens") {
                RateLimiter<Request, Response>(1_000_000, per: .milliseconds(1))
            },
            Case("AttemptTimeout", "a task and a timer", repetitions: 200) {
                AttemptTimeout<Request, Response>(.seconds(30))
            },
            Case("Deadline", "a task and a timer", repetitions: 200) { Deadline<Request, Response>(.seconds(30)) },
            Case("Hedging", "a task and a timer", repetitions: 200) {
                Hedging<Request, Response>(after: .seconds(30))
            },
        ]

        private typealias Request = HTTP.Request
        private typealias Response = HTTP.Response

        @concurrent
        static func run() async throws -> [Figure] {
            let request = try HTTP.Request(.get, "https://api.example.com/books")
            let context = CallContext()
            let bare = try HTTP.Chain(transport: Instant(), interceptors: [])
            let passes = try HTTP.Chain(
                transport: Instant(), interceptors: (0..<links).map { _ in GenericPass<Request, Response>() })
            var figures: [Figure] = []
            for one in cases {
                let chain = try HTTP.Chain(
                    transport: Instant(), interceptors: try (0..<links).map { _ in try one.make() })
                var times: [(Double, Double)] = []
                for _ in 0..<15 {
                    let end = try await time(one.repetitions, bare, request, context)
                    let own = (try await time(one.repetitions, chain, request, context) - end) / Double(links)
                    let pass = (try await time(one.repetitions, passes, request, context) - end) / Double(links)
                    times.append((own, pass))
                }
                let (own, pass, ratio) = Measure.pair(times)
                figures.append(
                    Figure(
                        name: "\(one.name) / an interceptor that only calls next", value: ratio,
                        bound: one.exemption == nil ? 1.5 : nil,
                        detail: "\(rounded(own)) ns against \(rounded(pass)) ns a link, in chains of \(links)"
                            + (one.exemption.map { "; \($0)" } ?? "")))
            }
            return figures
        }

        private static func time(
            _ repetitions: Int, _ chain: HTTP.Chain, _ request: HTTP.Request, _ context: CallContext
        ) async throws -> Double {
            try await Measure.time(repetitions) {
                _ = try await chain.send(request, context: context)
            }
        }

        /// An interceptor that only calls `next`, for requests of any kind, as those that are measured are.
        private struct GenericPass<Request: CallRequest, Response: Sendable>: BackstopCore.Interceptor {
            func intercept(
                _ request: Request, context: CallContext, next: Next<Request, Response>
            ) async throws -> Response {
                try await next(request)
            }
        }
    }
#endif
