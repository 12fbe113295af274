#if canImport(Combine) || OpenCombine
    internal import Backstop
    internal import BackstopCore

    /// What follows when the upstream of a subscription fails.
    enum NextStep<Output: Sendable, End: Error>: Sendable {
        /// Subscribe to the upstream again, after this wait.
        case again(after: Duration, because: String)
        /// Subscribe to the upstream again, because a handler said so: a person asked for it, or it continues a call.
        case repeated(continuing: CallValues?)
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
        /// Whether a policy repeats, within the time of the first call, and nobody decides that.
        var isAutomatic = false
        let ask: @Sendable (FailedCall) async -> NextStep<Output, Failure>

        func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let subscription = Resubscription(
                AnySubscriber(subscriber), upstream: upstream, isAutomatic: isAutomatic, ask: ask)
            subscriber.receive(subscription: subscription)
            subscription.subscribe()
        }
    }

    /// A failure, with the context for the question.
    struct FailedCall: Sendable {
        let failure: BackstopCore.Failure
        /// How many have failed, including this one.
        let count: Int
        /// How often it was repeated without success: the same request, or whatever failed since the last value.
        let repetitions: Int
        /// All attempts of the calls that failed.
        let attempts: [Attempt]
        /// When the first call had to be over; nil for no limit.
        let deadline: Duration?
        /// Its client; nil for a failure without one.
        let origin: CallOrigin?
        /// Whether to report it to the observers here.
        let isClaimed: Bool
        let keys: KeptKeys
    }

    /// One subscriber's subscription, across any number of upstream subscriptions.
    final class Resubscription<Output: Sendable, End: Error>: Subscription, @unchecked Sendable {
        // Unchecked, because subscribers and subscriptions need not be Sendable: they are accessed through `state`. An
        // upstream sends its events one by one, and the question between two upstreams waits for no event.

        private struct State {
            /// Nil once the end was delivered, or the subscriber has cancelled.
            var downstream: AnySubscriber<Output, End>?
            var upstream: (any Subscription)?
            /// What the current upstream sends to; events of an earlier one are dropped.
            var intake: Intake<Output, End>?
            /// How many values the subscriber still wants.
            var demand = Subscribers.Demand.none
            /// A last value without demand yet.
            var last: Output?
            /// The repetition that a handler asked for, while the upstream of it runs; nil for none.
            var repetition: TaskScope<Void>?
            /// The task that asks about a failure.
            var question: Task<Void, Never>?
            var failures = Failures()
            /// How often accounts had changed when somebody last decided to subscribe.
            var accountChanges = 0
            /// The call that the last upstream continues; nil for none.
            var continued: ContinuedCall?
        }

        /// What has failed so far.
        private struct Failures {
            var count = 0
            /// Since the last value.
            var inARow = 0
            /// By what was asked for, since it last succeeded.
            var repetitions: [RequestIdentity: Int] = [:]
            var attempts: [Attempt] = []
            /// The wait that the next attempts follow.
            var wait: (Duration, because: String) = (.zero, "")
            var deadline: Duration?
            /// What they may have done.
            var doubt = Doubt.nothing
        }

        /// How many requests are told apart when repetitions are counted.
        private static var countedRequests: Int { 1000 }

        /// Guarded by its lock. No subscriber, subscription or publisher is called under it.
        private let state: Lock<State>
        private let publisher: AnyPublisher<Output, BackstopCore.Failure>
        private let isAutomatic: Bool
        private let ask: @Sendable (FailedCall) async -> NextStep<Output, End>
        private let keys: KeptKeys
        /// The operator downstream that subscribed to this one; nil for none.
        private let outer = Subscribing.current
        /// The call that the subscriber continues; nil for none.
        private let continued = Subscribing.current?.continued ?? ContinuedCall.current

        init(
            _ downstream: AnySubscriber<Output, End>, upstream: AnyPublisher<Output, BackstopCore.Failure>,
            isAutomatic: Bool, ask: @escaping @Sendable (FailedCall) async -> NextStep<Output, End>
        ) {
            state = Lock(State(downstream: downstream))
            publisher = upstream
            self.isAutomatic = isAutomatic
            self.ask = ask
            keys = outer?.keys.repeater(isAutomatic: isAutomatic) ?? KeptKeys(isAutomatic: isAutomatic)
        }

        deinit {
            state.withLock { $0.upstream }?.cancel()
        }

        /// - Parameter values: Those of the call that is continued, because nobody decided to make it again.
        func subscribe(continuing values: CallValues? = nil) {
            let intake = Intake(self)
            let step = state.withLock { state -> (Duration?, ContinuedCall?)? in
                guard state.downstream != nil else {
                    return nil
                }
                // The first time, or because somebody decided it.
                if values == nil {
                    state.accountChanges = self.continued?.accountChanges ?? AccountChanges.count
                }
                state.intake = intake
                if state.demand > .none {
                    intake.hold()
                }
                let continued = values.map { ContinuedCall(values: $0, accountChanges: state.accountChanges) }
                state.continued = continued ?? self.continued
                return (isAutomatic ? state.failures.deadline : nil, state.continued)
            }
            guard let (deadline, continued) = step else {
                return
            }
            keys.begin()
            let limits = [deadline, outer?.deadline].compactMap { $0 }
            let subscribing = Subscribing(
                keys: keys, deadline: limits.min(), continued: continued)
            Subscribing.$current.withValue(subscribing) { publisher.subscribe(intake) }
        }

        // MARK: From the subscriber

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else {
                return
            }
            let (upstream, last) = state.withLock { state in
                state.demand += demand
                state.intake?.hold()
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
            let before = clear()
            before.question?.cancel()
            before.upstream?.cancel()
        }

        /// The old state, which is released outside the lock: it may be the last reference to the caller's code.
        private func clear() -> State {
            let before = state.withLock { state in
                let before = state
                state = State()
                return before
            }
            before.intake?.release()
            before.repetition?.end()
            return before
        }

        // MARK: From the upstream

        func receive(subscription: any Subscription, from intake: Intake<Output, End>) {
            let demand = state.withLock { state -> Subscribers.Demand? in
                guard state.intake === intake, state.upstream == nil else {
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

        func receive(_ input: Output, from intake: Intake<Output, End>) -> Subscribers.Demand {
            let downstream = state.withLock { state -> AnySubscriber<Output, End>? in
                guard state.intake === intake else {
                    return nil
                }
                if state.demand > .none {
                    state.demand -= 1
                }
                state.failures.inARow = 0
                if let call = DeliveredCall.current {
                    state.failures.repetitions[call] = nil
                }
                return state.downstream
            }
            guard let more = downstream?.receive(input), more > .none else {
                return .none
            }
            state.withLock { $0.demand += more }
            return more
        }

        func receive(completion: Subscribers.Completion<BackstopCore.Failure>, from intake: Intake<Output, End>) {
            guard case .failure(let thrown) = completion else {
                return state.withLock({ $0.intake === intake }) ? end(.finished) : ()
            }
            let doubt = (before: state.withLock { $0.failures.doubt }, own: thrown.doubt)
            let failure = thrown.after(doubt.before)
            let before = state.withLock { state -> (upstream: (any Subscription)?, repetition: TaskScope<Void>?) in
                guard state.intake === intake else {
                    return (nil, nil)
                }
                defer {
                    state.upstream = nil
                    state.intake = nil
                    state.repetition = nil
                }
                state.failures.doubt = doubt.before.and(doubt.own)
                let call = note(failure, in: &state.failures)
                // Started under the lock, so that a cancellation finds the task, which keeps this alive from here on. What
                // handlers do is no part of the call.
                state.question = Subscribing.$current.withValue(nil) {
                    Task { await ContinuedCall.leaving { await self.settle(call) } }
                }
                return (state.upstream, state.repetition)
            }
            before.repetition?.end()
            // Released outside the lock: it may be the last reference to the caller's code.
            withExtendedLifetime(before) {}
            intake.release()
        }

        private func note(_ failure: BackstopCore.Failure, in failures: inout Failures) -> FailedCall {
            let origin = failure.values[CallOrigin.Key.self]
            failures.count += 1
            failures.attempts = failures.attempts.followed(
                by: failure.attempts, after: failures.wait.0, because: failures.wait.because)
            failures.deadline = failures.deadline ?? origin?.deadline
            let asked = origin?.call.identity
            return FailedCall(
                failure: failure, count: failures.count,
                repetitions: max(failures.inARow, asked.flatMap { failures.repetitions[$0] } ?? 0),
                attempts: failures.attempts, deadline: failures.deadline, origin: origin,
                isClaimed: origin?.claim() ?? false, keys: keys)
        }

        private func settle(_ call: FailedCall) async {
            let step = await ask(call)
            state.withLock { $0.question = nil }
            switch step {
            case .again(let wait, let reason):
                subscribe(again: call, after: wait, because: reason, continuing: call.failure.values)
            case .repeated(let values):
                let repetition = TaskScope(())
                state.withLock { $0.repetition = repetition }
                Repetition.$current.withValue(repetition) {
                    subscribe(again: call, after: .zero, because: "", continuing: values)
                }
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
                if call.isClaimed, let origin = call.origin {
                    let last = failure as? BackstopCore.Failure ?? call.failure
                    await origin.report(last, isAwaited: outer != nil)
                }
            }
        }

        private func subscribe(
            again call: FailedCall, after wait: Duration, because reason: String, continuing values: CallValues?
        ) {
            state.withLock { state in
                state.failures.wait = (wait, reason)
                state.failures.inARow += 1
                if let asked = call.origin?.call.identity, state.failures.repetitions.count < Self.countedRequests {
                    state.failures.repetitions[asked, default: 0] += 1
                }
            }
            subscribe(continuing: values)
        }

        /// Sends the subscriber a last value and the end.
        private func deliver(_ value: Output) {
            let (downstream, continued) = state.withLock { ($0.downstream, $0.continued) }
            ContinuedCall.delivering(as: continued) { _ = downstream?.receive(value) }
            end(.finished)
        }

        private func end(_ completion: Subscribers.Completion<End>) {
            let before = clear()
            ContinuedCall.delivering(as: before.continued) { before.downstream?.receive(completion: completion) }
        }
    }
#endif
