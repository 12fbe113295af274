#if Observability
    internal import BackstopCore
    internal import Tracing

    /// The spans of a call's attempts that have not ended. Whoever takes a span ends it, so each ends once: with its
    /// attempt, or with its call, which does not wait for an attempt that ignores its end.
    final class OpenAttempts: Sendable {
        /// The list of the call whose chain is running.
        @TaskLocal static var current: OpenAttempts?

        private struct State {
            var spans: [Int: any Span] = [:]
            var last = 0
            var isOver = false
        }

        private let call: UInt64
        /// The spans by number, guarded by the lock. The backend never runs under it.
        private let state = Lock(State())

        init(call: UInt64) {
            self.call = call
        }

        /// The list of a call; nil when no span is made of the whole call.
        static func of(call: UInt64) -> OpenAttempts? {
            current.flatMap { $0.call == call ? $0 : nil }
        }

        /// Adds a span; nil when the call has ended.
        func add(_ span: any Span) -> Int? {
            state.withLock { state in
                guard !state.isOver else {
                    return nil
                }
                state.last += 1
                state.spans[state.last] = span
                return state.last
            }
        }

        /// Takes a span; nil when the end of the call has taken it.
        func take(_ number: Int) -> (any Span)? {
            state.withLock { $0.spans.removeValue(forKey: number) }
        }

        /// Takes all spans; none can be added any more.
        func takeAll() -> [any Span] {
            state.withLock { state in
                state.isOver = true
                defer { state.spans = [:] }
                return Array(state.spans.values)
            }
        }
    }
#endif
