#if Benchmarks
    internal import Backstop
    internal import BackstopCore
    internal import Foundation

    /// What an interceptor costs that only calls `next`, against an interceptor of a plain chain of closures.
    enum InterceptorBenchmark {
        static let interceptors = 20

        @concurrent
        static func run() async throws -> [Figure] {
            let chain = try HTTP.Chain(transport: Instant(), interceptors: (0..<interceptors).map { _ in Pass() })
            let bare = try HTTP.Chain(transport: Instant(), interceptors: [])
            let closures = closureChain(count: interceptors)
            let bareClosure = closureChain(count: 0)
            let request = try HTTP.Request(.get, "https://api.example.com/books")
            let context = CallContext()

            // Both chains pay for their ends; what is compared is what the interceptors add.
            var times: [(Double, Double)] = []
            for _ in 0..<15 {
                let repetitions = 20_000
                let end = try await Measure.time(repetitions) { _ = try await bare.send(request, context: context) }
                let all = try await Measure.time(repetitions) { _ = try await chain.send(request, context: context) }
                let closureEnd = try await Measure.time(repetitions) { _ = try await bareClosure(request, context) }
                let closureAll = try await Measure.time(repetitions) { _ = try await closures(request, context) }
                times.append(
                    ((all - end) / Double(interceptors), (closureAll - closureEnd) / Double(interceptors)))
            }
            let (interceptor, closure, ratio) = Measure.pair(times)
            return [
                Figure(
                    name: "interceptor / closure", value: ratio, bound: 0.6,
                    detail: "\(rounded(interceptor)) ns against \(rounded(closure)) ns an interceptor, in chains of "
                        + "\(interceptors)")
            ]
        }

        typealias Handler = @Sendable (HTTP.Request, CallContext) async throws -> HTTP.Response
        typealias Middleware = @Sendable (HTTP.Request, CallContext, Handler) async throws -> HTTP.Response

        /// The plain way: each interceptor is a closure that gets the rest as a closure.
        @inline(never)
        static func closureChain(count: Int) -> Handler {
            let pass: Middleware = { request, context, next in try await next(request, context) }
            let end: Handler = { _, _ in HTTP.Response(status: 200) }
            // Written out, and not with `reduce`, which would add a thunk to every call.
            var chain = end
            for _ in 0..<count {
                let next = chain
                chain = { request, context in try await pass(request, context, next) }
            }
            return chain
        }
    }

    /// An interceptor that only calls `next`.
    struct Pass: HTTP.Interceptor {
        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            try await next(request)
        }
    }

    /// A transport that answers at once.
    struct Instant: HTTP.Transport {
        var response = HTTP.Response(status: 200)
        /// Whether it says that it ends attempts in time, as those with a network do.
        var endsAttemptsInTime = false

        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            response
        }
    }
#endif
