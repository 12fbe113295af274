#if Observability
    import BackstopObservability
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import InMemoryLogging
    import InMemoryTracing
    import Logging
    import MetricsTestKit
    import Tracing

    /// A client whose responses are scripted, with backends that keep what they get.
    struct Rig {
        static let base = "https://shop.example.com/v1"

        let transport: ScriptedTransport
        let clock = RecordingClock(date: .seconds(1_760_000_000))
        let log = InMemoryLogHandler()
        let backend = TestMetrics()
        let tracer = InMemoryTracer()

        init(_ steps: Stub<HTTP.Request, HTTP.Response>...) {
            transport = ScriptedTransport(steps)
        }

        var options: CallOptions {
            var options = CallOptions()
            options.clock = clock
            options.random = FixedRandom(units: 1)
            return options
        }

        var metrics: ClientMetrics {
            ClientMetrics(factory: backend)
        }

        func logger(_ level: Logger.Level = .trace) -> Logger {
            var handler = log
            handler.logLevel = level
            return Logger(label: "test") { _ in handler }
        }

        /// The standard client, silent and without observability.
        func plain(
            retry: RetryPolicy = .standard, deadline: Duration? = nil, interceptors: [any HTTP.Interceptor] = []
        ) throws -> Client {
            try Client.standard(
                baseURL: Self.base, transport: transport, retry: retry, interceptors: interceptors,
                deadline: deadline, logging: nil, options: options,
                handling: FailureHandling.silent)
        }

        /// Runs an operation in which the rig's tracer is the instrument of the process.
        func tracing<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
            do {
                return try await withTracer(tracer) { try await operation() }
            } catch {
                throw error
            }
        }
    }

    /// An endpoint with a name of its own, as apps have them.
    struct Books: Endpoint {
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books") }
        func content(from response: HTTP.Response) throws -> Int { response.status }
    }

    struct Order: Endpoint {
        var method: HTTP.Method? = .post
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(method ?? .post, "orders") }
        func content(from response: HTTP.Response) throws -> Int { response.status }
    }

    extension InMemoryLogHandler.Entry {
        /// The metadata as plain texts.
        var texts: [String: String] {
            metadata.mapValues { "\($0)" }
        }
    }
#endif
