#if canImport(Combine) || OpenCombine
    internal import Backstop
    internal import BackstopCore

    /// Which publisher a subscription is of.
    final class CallIdentity: Sendable {}

    /// The idempotency keys of the calls above an operator that may subscribe to them again: the endpoint may make
    /// another key in each request, and that would be a second order.
    final class KeptKeys: Sendable {
        /// Those of the operator that is subscribing; nil when none is.
        @TaskLocal static var current: KeptKeys?

        /// A publisher, and what its calls keep.
        private struct Entry {
            let identity: CallIdentity
            let key: KeptKey
        }

        /// By the publisher, which is kept so that no other takes its place; guarded by the lock.
        private let entries = Lock<[ObjectIdentifier: Entry]>([:])

        func key(for identity: CallIdentity) -> KeptKey {
            entries.withLock { entries in
                let entry = entries[ObjectIdentifier(identity)] ?? Entry(identity: identity, key: KeptKey())
                entries[ObjectIdentifier(identity)] = entry
                return entry.key
            }
        }

        /// Whether a call that is made anew has this key.
        func holds(_ key: String) -> Bool {
            entries.withLock { Array($0.values) }.contains { $0.key.value == key }
        }
    }
#endif
