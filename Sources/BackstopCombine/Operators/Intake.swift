#if canImport(Combine) || OpenCombine
    internal import BackstopCore

    /// What an upstream sees of a `Resubscription`.
    ///
    /// Once there is demand, it keeps the subscription alive, so that events arrive even if the subscriber keeps nothing.
    /// Before, it does not: a subscriber that drops its subscription unused leaves nothing behind.
    final class Intake<Output: Sendable, End: Error>: Subscriber, @unchecked Sendable {
        // Unchecked, because subscriptions need not be Sendable: they are passed on to `Resubscription`.
        typealias Input = Output
        typealias Failure = BackstopCore.Failure

        private struct State {
            weak var subscription: Resubscription<Output, End>?
            var held: Resubscription<Output, End>?
        }

        /// Guarded by its lock.
        private let state: Lock<State>

        init(_ subscription: Resubscription<Output, End>) {
            state = Lock(State(subscription: subscription))
        }

        /// Keeps the subscription alive.
        func hold() {
            state.withLock { $0.held = $0.subscription }
        }

        /// Ends that.
        func release() {
            // Released outside the lock: it may be the last reference.
            let held = state.withLock { state in
                defer { state.held = nil }
                return state.held
            }
            withExtendedLifetime(held) {}
        }

        private var subscription: Resubscription<Output, End>? {
            state.withLock { $0.subscription }
        }

        func receive(subscription upstream: any Subscription) {
            guard let subscription else {
                return upstream.cancel()
            }
            subscription.receive(subscription: upstream, from: self)
        }

        func receive(_ input: Output) -> Subscribers.Demand {
            subscription?.receive(input, from: self) ?? .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            subscription?.receive(completion: completion, from: self)
        }
    }
#endif
