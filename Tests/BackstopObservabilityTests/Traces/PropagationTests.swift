#if Observability
    import BackstopCore
    import BackstopObservability
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import InMemoryTracing
    import Instrumentation
    import Testing
    import Tracing

    @Suite("The context in the headers of a request", .limited)
    struct PropagationTests {
        /// An instrument that passes on what it is told to.
        private struct Fixed: Tracer {
            let headers: [(String, String)]

            func startSpan<Instant: TracerInstant>(
                _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
                at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
            ) -> NoOpTracer.NoOpSpan {
                NoOpTracer.NoOpSpan(context: context())
            }

            func inject<Carrier, Inject: Injector>(
                _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
            ) where Inject.Carrier == Carrier {
                headers.forEach { injector.inject($0.1, forKey: $0.0, into: &carrier) }
            }

            func extract<Carrier, Extract: Extractor>(
                _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
            ) where Extract.Carrier == Carrier {}

            func forceFlush() {}
        }

        private struct WithHeader: Endpoint {
            let name: String
            let value: String
            func makeRequest() throws -> HTTP.Request {
                var request = try HTTP.Request(.get, "books")
                try request.headers.set(value, for: HTTP.Headers.Name(name))
                return request
            }
            func content(from response: HTTP.Response) throws -> Int { response.status }
        }

        @Test("is that of each attempt's own span")
        func eachAttempt() async throws {
            // given
            let rig = Rig(.status(503), .status(200))
            let client = try rig.plain().traced()
            // when
            _ = try await rig.tracing { try await client.send(Books()) }
            // then
            let attempts = rig.tracer.finishedSpans.filter { $0.kind == .client }
            #expect(attempts.count == 2)
            #expect(rig.transport.requests.map { $0.headers["in-memory-span-id"] } == attempts.map(\.spanID))
            #expect(rig.transport.requests.map { $0.headers["in-memory-trace-id"] } == attempts.map(\.traceID))
        }

        @Test("belongs to the span in which the call is made")
        func caller() async throws {
            // given
            let rig = Rig(.status(200))
            let client = try rig.plain().withChain { try $0.inserting(RequestTracing(.attempt), inside: .retry) }
            // when
            let parent = try await rig.tracing {
                try await withSpan("page") { span in
                    _ = try await client.send(Books())
                    return rig.tracer.activeSpan(identifiedBy: span.context)?.spanContext.spanID
                }
            }
            // then: of a chain without a span for calls too
            #expect(rig.tracer.finishedSpans.first?.parentSpanID == parent)
            #expect(parent != nil)
        }

        @Test("does not replace a header of the app's: nothing is added, and the span says so")
        func ownHeader() async throws {
            // given
            let rig = Rig(.status(200))
            let client = try rig.plain().traced().withOptions { $0.observers = [] }
            // when
            _ = try await rig.tracing {
                try await client.send(WithHeader(name: "In-Memory-Span-ID", value: "mine"))
            }
            // then
            let request = try #require(rig.transport.requests.first)
            #expect(request.headers[values: "in-memory-span-id"] == ["mine"])
            #expect(request.headers["in-memory-trace-id"] == nil)
            let event = try #require(rig.tracer.finishedSpans.first?.events.first)
            #expect(event.name == "backstop.headers.kept")
            #expect(event.attributes.get("backstop.headers") == .string("in-memory-span-id"))
        }

        struct Hostile: Sendable, CustomTestStringConvertible {
            let name: String
            let value: String
            let testDescription: String
        }

        @Test(
            "cannot add other headers or make a request too large",
            arguments: [
                Hostile(name: "baggage", value: "a=1\r\nX-Admin: yes", testDescription: "a line break in a value"),
                Hostile(name: "baggage: a=1\r\nX-Admin", value: "yes", testDescription: "a line break in a name"),
                Hostile(name: "baggage", value: "a=\u{0}", testDescription: "a zero byte"),
                Hostile(name: "bag gage", value: "a=1", testDescription: "a space in a name"),
                Hostile(name: "", value: "a=1", testDescription: "no name"),
                Hostile(
                    name: "baggage", value: String(repeating: "a", count: 8193), testDescription: "a value too long"),
            ])
        func hostile(header: Hostile) async throws {
            // given
            let rig = Rig(.status(200), .status(200))
            let client = try rig.plain().traced()
            _ = try await client.send(Books())
            // when
            _ = try await withTracer(Fixed(headers: [("traceparent", "00-a-b-01"), (header.name, header.value)])) {
                try await client.send(Books())
            }
            // then: what the request had without tracing, and the good one
            let names = rig.transport.requests.map { $0.headers.fields.map(\.name.text) }
            #expect(names[1] == names[0] + ["traceparent"])
        }

        @Test("has at most 16 headers")
        func many() async throws {
            // given
            let rig = Rig(.status(200), .status(200))
            let client = try rig.plain().traced()
            _ = try await client.send(Books())
            // when
            _ = try await withTracer(Fixed(headers: (0..<100).map { ("x-\($0)", "1") })) {
                try await client.send(Books())
            }
            // then
            let counts = rig.transport.requests.map(\.headers.fields.count)
            #expect(counts[1] - counts[0] == 16)
        }
    }
#endif
