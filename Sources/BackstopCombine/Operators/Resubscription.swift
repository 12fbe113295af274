#if canImport(Combine) || OpenCombine
    internal import BackstopCore

    /// What follows when the upstream of a subscription fails.
    enum NextStep<Output: Sendable, End: Error>: Sendable {
        /// Subscribe to the upstream again.
        case again
        /// A last value.
        case value(Output)
        /// The end.
        case finished
        /// The failure, for downstream.
        case failure(End)
    }

    /// Publishes an upstream's values, and asks what to do about its failures.
    ///
    /// `retry` and `handleFailures` share it; only the question differs.
    struct Resubscribing<Output: Sendable, Failure: Error>: Publisher {
        let upstream: AnyPublisher<Output, BackstopCore.Failure>
        let ask: @Sendable (FailedCall) async -> NextStep<Output, Failure>

        func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let subscription = Resubscription(AnySubscriber(subscriber), upstream: upstream, ask: ask)
            subscriber.receive(subscription: subscription)
            subscription.subscribe()
        }
    }

    /// A failure, with the context for the question.
    struct FailedCall: Sendable {
        let failure: BackstopCore.Failure
        /// How many have failed, including this one.
        let count: Int
        /// Its client; nil for a failure without one.
        let origin: CallOrigin?
        /// Whether to report it to the observers here.
        let isClaimed: Bool
        let keys: KeptKeys
    }

    /// One subscriber's subscription, across any number of upstream subscriptions.
    final class Resubscription<Output: Sendable, End: Error>: Subscription, Subscriber, @unchecked Sendable {
        // Unchecked, because subscribers and subscriptions need not be Sendable: they are accessed through `state`. An
        // upstream sends its events one by one, and the question between two upstreams waits for no event.
        typealias Input = Output
        typealias Failure = BackstopCore.Failure

        private struct State {
            /// Nil once the end was delivered, or the subscriber has cancelled.
            var downstream: AnySubscriber<Output, End>?
            var upstream: (any Subscription)?
            /// How many values the subscriber still wants.
            var demand = Subscribers.Demand.none
            /// A last value without demand yet.
            var last: Output?
            /// The task that asks about a failure.
            var question: Task<Void, Never>?
            var failed = 0
        }

        /// Guarded by its lock. No subscriber, subscription or publisher is called under it.
        private let state: Lock<State>
        private let publisher: AnyPublisher<Output, BackstopCore.Failure>
        private let ask: @Sendable (FailedCall) async -> NextStep<Output, End>
        private let keys = KeptKeys.current?.next() ?? KeptKeys()

        init(
            _ downstream: AnySubscriber<Output, End>, upstream: AnyPublisher<Output, BackstopCore.Failure>,
            ask: @escaping @Sendable (FailedCall) async -> NextStep<Output, End>
        ) {
            state = Lock(State(downstream: downstream))
            publisher = upstream
            self.ask = ask
        }

        func subscribe() {
            guard state.withLock({ $0.downstream != nil }) else {
                return
            }
            keys.begin()
            KeptKeys.$current.withValue(keys) { publisher.subscribe(self) }
        }

        // MARK: From the subscriber

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else {
                return
            }
            let (upstream, last) = state.withLock { state in
                state.demand += demand
                defer { state.last = nil }
                return (state.upstream, state.last)
            }
            if let last {
                deliver(last)
            } else {
                upstream?.request(demand)
            }
        }

        func cancel() {
            // The old state is released outside the lock: it may be the last reference to the caller's code.
            let before = state.withLock { state in
                let before = state
                state = State()
                return before
            }
            before.question?.cancel()
            before.upstream?.cancel()
        }

        // MARK: From the upstream

        func receive(subscription: any Subscription) {
            let demand = state.withLock { state -> Subscribers.Demand? in
                guard state.downstream != nil, state.upstream == nil else {
                    return nil
                }
                state.upstream = subscription
                return state.demand
            }
            guard let demand else {
                return subscription.cancel()
            }
            if demand > .none {
                subscription.request(demand)
            }
        }

        func receive(_ input: Output) -> Subscribers.Demand {
            let downstream = state.withLock { state in
                if state.demand > .none {
                    state.demand -= 1
                }
                return state.downstream
            }
            guard let more = downstream?.receive(input), more > .none else {
                return .none
            }
            state.withLock { $0.demand += more }
            return more
        }

        func receive(completion: Subscribers.Completion<BackstopCore.Failure>) {
            guard case .failure(let failure) = completion else {
                return end(.finished)
            }
            let origin = failure.values[CallOrigin.Key.self]
            state.withLock { state in
                guard state.downstream != nil else {
                    return
                }
                state.upstream = nil
                state.failed += 1
                let call = FailedCall(
                    failure: failure, count: state.failed, origin: origin, isClaimed: origin?.claim() ?? false,
                    keys: keys)
                // Started under the lock, so that a cancellation finds the task.
                state.question = KeptKeys.$current.withValue(nil) { Task { await self.settle(call) } }
            }
        }

        private func settle(_ call: FailedCall) async {
            let step = await ask(call)
            state.withLock { $0.question = nil }
            switch step {
            case .again:
                subscribe()
            case .value(let value):
                let isWanted = state.withLock { state in
                    state.last = state.demand > .none ? nil : value
                    return state.last == nil
                }
                if isWanted {
                    deliver(value)
                }
            case .finished:
                end(.finished)
            case .failure(let failure):
                if call.isClaimed {
                    call.origin?.release()
                }
                end(.failure(failure))
                if call.isClaimed, let origin = call.origin, origin.claim() {
                    await origin.handling.observeThrown(call.failure)
                }
            }
        }

        /// Sends the subscriber a last value and the end.
        private func deliver(_ value: Output) {
            let downstream = state.withLock { $0.downstream }
            _ = downstream?.receive(value)
            end(.finished)
        }

        private func end(_ completion: Subscribers.Completion<End>) {
            let before = state.withLock { state in
                let before = state
                state = State()
                return before
            }
            before.downstream?.receive(completion: completion)
        }
    }
#endif
