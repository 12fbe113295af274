#if Observability
    import BackstopObservability
    import BackstopTestSupport
    import Foundation
    import Testing
    import Tracing

    /// Run by `.ci/check-observability`, which starts the server.
    @Suite(
        "A server with OpenTelemetry", .sockets,
        .enabled(if: ProcessInfo.processInfo.environment["BACKSTOP_OPENTELEMETRY_SERVER"] != nil))
    struct OpenTelemetryServerTests {
        private struct Seen: Decodable {
            let trace: String
            let parent: String?
        }

        @Test("sees each attempt of a call as a span of its own, in the trace of the call")
        func attempts() async throws {
            // given
            let address = try #require(ProcessInfo.processInfo.environment["BACKSTOP_OPENTELEMETRY_SERVER"])
            let retry = try RetryPolicy(backoff: Backoff(baseDelay: .milliseconds(1)))
            let client = try Client.standard(baseURL: address, retry: retry, handling: .silent).traced()
            let tracer = CountingTracer()
            // when
            let seen = try await withTracer(tracer) {
                try await client.get("seen", as: [Seen].self)
            }
            // then: the call's span comes first
            let own = tracer.spans.map { $0.context[TraceParent.self] }
            #expect(own.count == 3)
            #expect(seen.map(\.parent) == own.dropFirst().map { $0?.span })
            #expect(Set(seen.map(\.trace)) == Set(own.map { $0?.trace ?? "" }))
            #expect(Set(seen.map(\.trace)).count == 1)
            #expect(Set(seen.map(\.parent)).count == 2)
        }
    }
#endif
