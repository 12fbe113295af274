#if Benchmarks
    internal import Backstop
    internal import BackstopCore
    internal import Foundation

    /// What a link costs that only calls `next`, against a link of a plain chain of closures.
    enum LinkBenchmark {
        static let links = 20

        @concurrent
        static func run() async throws -> [Figure] {
            let chain = HTTP.Chain(transport: Instant(), links: (0..<links).map { _ in Pass() })
            let bare = HTTP.Chain(transport: Instant(), links: [])
            let closures = closureChain(count: links)
            let bareClosure = closureChain(count: 0)
            let request = try HTTP.Request(.get, "https://api.example.com/books")
            let context = CallContext()

            // Both chains pay for their ends; what is compared is what the links add.
            var linkTimes: [Double] = []
            var closureTimes: [Double] = []
            var ratios: [Double] = []
            for _ in 0..<15 {
                let repetitions = 20_000
                let end = try await Measure.time(repetitions) { _ = try await bare.send(request, context: context) }
                let all = try await Measure.time(repetitions) { _ = try await chain.send(request, context: context) }
                let closureEnd = try await Measure.time(repetitions) { _ = try await bareClosure(request, context) }
                let closureAll = try await Measure.time(repetitions) { _ = try await closures(request, context) }
                let link = (all - end) / Double(links)
                let closure = (closureAll - closureEnd) / Double(links)
                linkTimes.append(link)
                closureTimes.append(closure)
                ratios.append(link / closure)
            }
            return [
                Figure(
                    name: "link / closure", value: Measure.median(ratios), bound: 0.6,
                    detail: "\(rounded(Measure.median(linkTimes))) ns against "
                        + "\(rounded(Measure.median(closureTimes))) ns a link, in chains of \(links)")
            ]
        }

        typealias Handler = @Sendable (HTTP.Request, CallContext) async throws -> HTTP.Response
        typealias Middleware = @Sendable (HTTP.Request, CallContext, Handler) async throws -> HTTP.Response

        /// The plain way: each link is a closure that gets the rest as a closure.
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

    /// A link that only calls `next`.
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

        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            response
        }
    }
#endif
