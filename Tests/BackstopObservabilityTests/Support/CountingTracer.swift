#if Observability
    import BackstopCore
    import Foundation
    import Instrumentation
    import Tracing

    /// A tracer that passes `traceparent` on (W3C Trace Context) and counts how often each span ends.
    struct CountingTracer: Tracer {
        /// The spans in the order of their start, guarded by the lock.
        private let started = Lock<[CountingSpan]>([])

        var spans: [CountingSpan] {
            started.withLock { $0 }
        }

        func startSpan<Instant: TracerInstant>(
            _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
            at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
        ) -> CountingSpan {
            let parent = context()
            let span = CountingSpan(operationName, parent: parent)
            started.withLock { $0.append(span) }
            return span
        }

        func inject<Carrier, Inject: Injector>(
            _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
        ) where Inject.Carrier == Carrier {
            if let own = context[TraceParent.self] {
                injector.inject(own.text, forKey: "traceparent", into: &carrier)
            }
        }

        func extract<Carrier, Extract: Extractor>(
            _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
        ) where Extract.Carrier == Carrier {}

        func forceFlush() {}
    }

    /// The identifiers that W3C Trace Context passes on.
    struct TraceParent: ServiceContextKey, Hashable {
        typealias Value = TraceParent
        let trace: String
        let span: String

        var text: String { "00-\(trace)-\(span)-01" }

        /// A span of a new trace, or of a parent's.
        init(parent: TraceParent?) {
            func hexadecimal(_ count: Int) -> String {
                let digits = Array("0123456789abcdef")
                return String((0..<count).map { _ in digits[.random(in: 0..<16)] })
            }
            trace = parent?.trace ?? hexadecimal(32)
            span = hexadecimal(16)
        }
    }

    final class CountingSpan: Span {
        private struct State {
            var name: String
            var attributes: SpanAttributes = [:]
            var ends = 0
            var changesAfterEnd = 0
        }

        let context: ServiceContext
        let parent: TraceParent?
        /// What was set, and how often it ended, guarded by the lock.
        private let state: Lock<State>

        init(_ name: String, parent: ServiceContext) {
            self.parent = parent[TraceParent.self]
            var context = parent
            context[TraceParent.self] = TraceParent(parent: self.parent)
            self.context = context
            state = Lock(State(name: name))
        }

        var ends: Int { state.withLock { $0.ends } }
        var changesAfterEnd: Int { state.withLock { $0.changesAfterEnd } }
        var isRecording: Bool {
            // Takes a while, so that what is asked and what is done about it are not one step.
            usleep(30)
            return true
        }

        private func change(_ change: (inout State) -> Void) {
            state.withLock { state in
                state.changesAfterEnd += state.ends > 0 ? 1 : 0
                change(&state)
            }
        }

        var operationName: String {
            get { state.withLock { $0.name } }
            set { change { $0.name = newValue } }
        }

        var attributes: SpanAttributes {
            get { state.withLock { $0.attributes } }
            set { change { $0.attributes = newValue } }
        }

        func setStatus(_ status: SpanStatus) { change { _ in } }
        func addEvent(_ event: SpanEvent) { change { _ in } }
        func addLink(_ link: SpanLink) { change { _ in } }

        func recordError<Instant: TracerInstant>(
            _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
        ) { change { _ in } }

        func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
            state.withLock { $0.ends += 1 }
        }
    }
#endif
