#if canImport(Combine) || OpenCombine
    internal import Backstop
    internal import BackstopCore

    /// The call whose value is being delivered, for operators that count its failures.
    enum DeliveredCall {
        @TaskLocal static var current: RequestIdentity?
    }

    /// One call for one subscriber.
    final class CallSubscription<Output: Sendable>: Subscription, @unchecked Sendable {
        // Unchecked, because a subscriber need not be Sendable: it is accessed through `state`, and receives its events
        // one by one, from the task of the call.

        private typealias Downstream = AnySubscriber<Output, Failure>

        private struct State {
            /// Nil once the end was delivered, or the subscriber has cancelled.
            var downstream: Downstream?
            /// Whether there was demand.
            var hasBegun = false
            /// Nil before the call, and once it is over, while its last value is being delivered.
            var task: Task<Void, Never>?
            /// How many values may be delivered.
            var demand = Subscribers.Demand.none
            /// The call, while it waits until one may be.
            var waiting: CheckedContinuation<Bool, Never>?
        }

        /// Guarded by its lock. No subscriber is called under it.
        private let state: Lock<State>
        /// Whether an operator is downstream that may handle the failure.
        private let isAwaited: Bool
        /// The call that it continues; nil for none.
        private let continued: ContinuedCall?
        private let makeOrigin: @Sendable () -> CallOrigin
        private let call: @Sendable (CallOrigin, CallSubscription) async throws(Failure) -> Void

        /// - Parameter call: Makes the call, and delivers its values.
        init(
            _ downstream: AnySubscriber<Output, Failure>, isAwaited: Bool, continued: ContinuedCall?,
            origin: @escaping @Sendable () -> CallOrigin,
            call: @escaping @Sendable (CallOrigin, CallSubscription) async throws(Failure) -> Void
        ) {
            state = Lock(State(downstream: downstream))
            self.isAwaited = isAwaited
            self.continued = continued
            makeOrigin = origin
            self.call = call
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else {
                return
            }
            let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard state.downstream != nil else {
                    return nil
                }
                state.demand += demand
                if !state.hasBegun {
                    state.hasBegun = true
                    // Started under the lock, so that a cancellation finds the task: nothing is sent after that. Calls
                    // that others start when they receive a value are not upstream of an operator that is subscribing
                    // now.
                    state.task = Subscribing.$current.withValue(nil) { Task { await self.run() } }
                }
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume(returning: true)
        }

        func cancel() {
            let before = clear()
            before.waiting?.resume(returning: false)
            before.task?.cancel()
        }

        /// The old state, which is released outside the lock: it may be the last reference to the caller's code.
        private func clear() -> State {
            state.withLock { state in
                let before = state
                state = State()
                return before
            }
        }

        private func run() async {
            let origin = makeOrigin()
            do throws(Failure) {
                try await call(origin, self)
                clear().downstream?.receive(completion: .finished)
            } catch {
                let downstream = clear().downstream
                ContinuedCall.delivering(as: continued) {
                    downstream?.receive(completion: .failure(origin.marking(error)))
                }
                // An operator that handles the failure has claimed it by now and reports its outcome, unless the failure
                // is on its way to another thread.
                await origin.report(error, isAwaited: isAwaited && downstream != nil)
            }
        }

        /// Waits until another value may be delivered; false when the subscriber has cancelled.
        func waitForDemand() async -> Bool {
            await withCheckedContinuation { continuation in
                let isDemanded = state.withLock { state -> Bool? in
                    guard state.downstream != nil else {
                        return false
                    }
                    guard state.demand == .none else {
                        return true
                    }
                    state.waiting = continuation
                    return nil
                }
                if let isDemanded {
                    continuation.resume(returning: isDemanded)
                }
            }
        }

        /// Delivers a value, for which there is demand.
        ///
        /// - Parameter isLast: Whether the call is over, so that nobody can cancel it any more.
        func deliver(_ value: Output, of origin: CallOrigin, isLast: Bool) {
            let downstream = state.withLock { state in
                if isLast {
                    state.task = nil
                }
                if state.demand > .none {
                    state.demand -= 1
                }
                return state.downstream
            }
            guard let downstream else {
                return
            }
            var more = Subscribers.Demand.none
            DeliveredCall.$current.withValue(origin.call.identity) {
                ContinuedCall.delivering(as: continued) { more = downstream.receive(value) }
            }
            request(more)
        }
    }
#endif
