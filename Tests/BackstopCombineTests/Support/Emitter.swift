#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopCore

    /// A publisher that does what a test says, to the one that subscribed last.
    final class Emitter: Publisher, Sendable {
        typealias Output = Int
        typealias Failure = BackstopCore.Failure

        private struct State {
            var subscriptions = 0
            /// How many of them were taken by their subscriber.
            var taken = 0
            /// Nil before the first, after the end, and once it was cancelled.
            var subscriber: AnySubscriber<Int, Failure>?
            var demand = Subscribers.Demand.none
        }

        /// Guarded by the lock.
        private let state = Lock(State())

        /// How many subscriptions there were, each with its first demand.
        var subscriptions: Int { state.withLock { $0.taken } }
        var isSubscribed: Bool { state.withLock { $0.subscriber != nil } }
        /// How many values are still wanted.
        var demand: Subscribers.Demand { state.withLock { $0.demand } }

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
            let number = state.withLock { state in
                state.subscriptions += 1
                state.subscriber = AnySubscriber(subscriber)
                state.demand = .none
                return state.subscriptions
            }
            subscriber.receive(subscription: Wish(emitter: self, number: number))
            state.withLock { $0.taken += 1 }
        }

        func send(_ value: Int) {
            let subscriber = state.withLock { state in
                state.demand -= 1
                return state.subscriber
            }
            let more = subscriber?.receive(value) ?? .none
            state.withLock { $0.demand += more }
        }

        func end(_ completion: Subscribers.Completion<Failure>) {
            let subscriber = state.withLock { state in
                defer { state.subscriber = nil }
                return state.subscriber
            }
            subscriber?.receive(completion: completion)
        }

        private struct Wish: Subscription {
            let emitter: Emitter
            let number: Int
            var combineIdentifier: CombineIdentifier { CombineIdentifier(emitter) }

            func request(_ demand: Subscribers.Demand) {
                emitter.state.withLock { $0.demand += number == $0.subscriptions ? demand : .none }
            }

            func cancel() {
                emitter.state.withLock { $0.subscriber = number == $0.subscriptions ? nil : $0.subscriber }
            }
        }
    }
#endif
