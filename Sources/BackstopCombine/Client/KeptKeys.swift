#if canImport(Combine) || OpenCombine
    internal import Backstop
    internal import BackstopCore

    /// The idempotency keys of the calls above an operator that may subscribe to them again: an endpoint may make another
    /// key in each request, and that would be a second order.
    ///
    /// A tree: a call is a leaf, and an operator has what it subscribes to below it, in that order, each time anew.
    final class KeptKeys: Sendable {
        /// Those of the operator that is subscribing; nil when none is.
        @TaskLocal static var current: KeptKeys?

        private struct State {
            var children: [KeptKeys] = []
            /// Whose turn it is in this round of subscribing.
            var next = 0
        }

        /// What a call keeps.
        let key = KeptKey()
        /// Guarded by its lock.
        private let state = Lock(State())

        /// Begins to subscribe, for the first time or again.
        func begin() {
            state.withLock { $0.next = 0 }
        }

        /// What the next call or operator keeps that is subscribed to.
        func next() -> KeptKeys {
            state.withLock { state in
                if state.next == state.children.count {
                    state.children.append(KeptKeys())
                }
                defer { state.next += 1 }
                return state.children[state.next]
            }
        }

        /// Whether the one call above has this key, and has it again when it is made anew. Of several it is not known
        /// which is which.
        func holds(_ key: String) -> Bool {
            let calls = calls
            return calls.count == 1 && calls.first?.key.value == key
        }

        private var calls: [KeptKeys] {
            let children = state.withLock { $0.children }
            return children.isEmpty ? [self] : children.flatMap(\.calls)
        }
    }
#endif
