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

        private struct Running {
            let downstream: Downstream
            /// Nil once the call is over, while its last value is being delivered.
            var task: Task<Void, Never>?
            /// How many values may be delivered.
            var demand: Subscribers.Demand
            /// The call, while it waits until one may be.
            var waiting: CheckedContinuation<Bool, Never>?
        }

        private enum State {
            /// No demand yet.
            case idle(Downstream)
            case running(Running)
            /// The end was delivered, or the subscriber has cancelled.
            case over

            /// What runs, to change it; nil when nothing does.
            var running: Running? {
                get {
                    if case .running(let running) = self {
                        return running
                    }
                    return nil
                }
                set {
                    self = newValue.map { .running($0) } ?? .over
                }
            }
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
            state = Lock(.idle(downstream))
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
                switch state {
                case .idle(let downstream):
                    // Started under the lock, so that a cancellation finds the task: nothing is sent after that. Calls
                    // that others start when they receive a value are not upstream of an operator that is subscribing
                    // now.
                    let task = Subscribing.$current.withValue(nil) { Task { await self.run() } }
                    state = .running(Running(downstream: downstream, task: task, demand: demand))
                    return nil
                case .running(var running):
                    let waiting = running.waiting
                    running.demand += demand
                    running.waiting = nil
                    state = .running(running)
                    return waiting
                case .over:
                    return nil
                }
            }
            waiting?.resume(returning: true)
        }

        func cancel() {
            // The old state is released outside the lock: it may be the last reference to the caller's code.
            let before = state.withLock { state in
                let before = state
                state = .over
                return before
            }
            before.running?.waiting?.resume(returning: false)
            before.running?.task?.cancel()
        }

        private func run() async {
            let origin = makeOrigin()
            do throws(Failure) {
                try await call(origin, self)
                takeDownstream()?.receive(completion: .finished)
            } catch {
                let downstream = takeDownstream()
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
                    guard let running = state.running else {
                        return false
                    }
                    guard running.demand == .none else {
                        return true
                    }
                    state.running?.waiting = continuation
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
                    state.running?.task = nil
                }
                if let demand = state.running?.demand, demand > .none {
                    state.running?.demand = demand - 1
                }
                return state.running?.downstream
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

        /// The subscriber, to receive the end; nil when it has cancelled.
        private func takeDownstream() -> Downstream? {
            let running = state.withLock { state in
                defer { state = .over }
                return state.running
            }
            return running?.downstream
        }
    }
#endif
