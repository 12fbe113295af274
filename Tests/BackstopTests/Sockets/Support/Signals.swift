#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation

    /// The real clock, which tells when somebody begins to wait between two attempts. That wait only ends when it is
    /// cancelled.
    struct TellingClock: CallClock {
        private let clock = SystemClock()
        private let source: AsyncStream<Duration>.Continuation
        /// The waits, as they begin.
        let waits: AsyncStream<Duration>

        init() {
            (waits, source) = AsyncStream.makeStream()
        }

        var now: Duration { clock.now }
        var date: Duration { clock.date }

        func sleep(for duration: Duration) async throws {
            source.yield(duration)
            try await clock.sleep(for: .seconds(3600))
        }

        func waitForLimit(_ duration: Duration) async throws {
            try await clock.sleep(for: duration)
        }
    }

    /// The real clock, whose limits are reached when so many requests have arrived at a server: the first limit with
    /// the first request, the second one with the second. A busy machine then reaches no limit too early. Those that are
    /// longer than all that count are never reached.
    struct RequestClock: CallClock {
        private let clock = SystemClock()
        private let limits = Counter()
        let server: FaultServer
        let path: String
        var longest = Duration.seconds(3600)

        var now: Duration { clock.now }
        var date: Duration { clock.date }

        func sleep(for duration: Duration) async throws {
            try await clock.sleep(for: duration)
        }

        func waitForLimit(_ duration: Duration) async throws {
            guard duration <= longest else {
                return try await clock.sleep(for: .seconds(1_000_000))
            }
            guard await server.waitForRequest(to: path, count: limits.increment()) else {
                throw CancellationError()
            }
        }
    }

    /// The real clock, whose limits are reached when a request has arrived at a server, and what the server then sends
    /// as well. A busy machine then reaches no limit too early.
    struct ArrivalClock: CallClock {
        private let clock = SystemClock()
        let server: FaultServer
        let path: String

        var now: Duration { clock.now }
        var date: Duration { clock.date }

        func sleep(for duration: Duration) async throws {
            try await clock.sleep(for: duration)
        }

        func waitForLimit(_ duration: Duration) async throws {
            guard await server.waitForRequest(to: path) else {
                throw CancellationError()
            }
            // One call there and back, so that what the server has sent until now has arrived.
            _ = try await server.client().get("/delay?ms=100")
        }
    }

    /// The real clock, on which limits up to a length are reached at once, and longer ones not at all.
    struct ShortLimitsClock: CallClock {
        private let clock = SystemClock()
        let limit: Duration

        init(limit: Duration) {
            self.limit = limit
        }

        var now: Duration { clock.now }
        var date: Duration { clock.date }

        func sleep(for duration: Duration) async throws {
            try await clock.sleep(for: duration)
        }

        func waitForLimit(_ duration: Duration) async throws {
            if duration > limit {
                try await clock.sleep(for: .seconds(1_000_000))
            }
        }
    }

    /// The real clock, which cancels the task that reads it once a request has arrived at a server.
    struct HopCancellingClock: CallClock {
        private let clock = SystemClock()
        let server: FaultServer
        let path: String

        var now: Duration {
            if server.requestCount(of: path) > 0 {
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return clock.now
        }

        var date: Duration { clock.date }

        func sleep(for duration: Duration) async throws {
            try await clock.sleep(for: duration)
        }
    }

    /// An interceptor that tells when a request is handed to the transport.
    struct TellingInterceptor: HTTP.Interceptor {
        private let source: AsyncStream<Void>.Continuation
        /// The requests, as they are handed over.
        let requests: AsyncStream<Void>

        init() {
            (requests, source) = AsyncStream.makeStream()
        }

        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            source.yield()
            return try await next(request)
        }
    }

    extension AsyncStream where Element: Sendable {
        /// The next element; nil when there is none.
        func next() async -> Element? {
            await first { _ in true }
        }
    }

    /// A list that several tasks write to.
    actor Tally<Element: Hashable & Sendable> {
        private(set) var counts: [Element: Int] = [:]

        /// How many elements there are in all.
        var total: Int {
            counts.values.reduce(0, +)
        }

        func add(_ element: Element) {
            counts[element, default: 0] += 1
        }
    }
#endif
