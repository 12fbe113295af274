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

        private enum State {
            /// No demand yet.
            case idle(Downstream)
            case running(Downstream, Task<Void, Never>)
            /// The value is being delivered, but not yet the end.
            case delivering(Downstream)
            /// The end was delivered, or the subscriber has cancelled.
            case over

            /// The subscriber, while the call runs.
            var running: Downstream? {
                if case .running(let downstream, _) = self {
                    return downstream
                }
                return nil
            }

            /// The subscriber, between the value and the end.
            var delivering: Downstream? {
                if case .delivering(let downstream) = self {
                    return downstream
                }
                return nil
            }
        }

        /// Guarded by its lock. No subscriber is called under it.
        private let state: Lock<State>
        /// Whether an operator is downstream that may handle the failure.
        private let isAwaited: Bool
        /// The call that it continues; nil for none.
        private let continued: ContinuedCall?
        private let makeOrigin: @Sendable () -> CallOrigin
        private let call: @Sendable (CallOrigin) async throws(Failure) -> Output

        init(
            _ downstream: AnySubscriber<Output, Failure>, isAwaited: Bool, continued: ContinuedCall?,
            origin: @escaping @Sendable () -> CallOrigin,
            call: @escaping @Sendable (CallOrigin) async throws(Failure) -> Output
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
            state.withLock { state in
                guard case .idle(let downstream) = state else {
                    return
                }
                // Started under the lock, so that a cancellation finds the task: nothing is sent after that. Calls that
                // others start when they receive the value are not upstream of an operator that is subscribing now.
                let task = Subscribing.$current.withValue(nil) { Task { await self.run() } }
                state = .running(downstream, task)
            }
        }

        func cancel() {
            // The old state is released outside the lock: it may be the last reference to the caller's code.
            let before = state.withLock { state in
                let before = state
                state = .over
                return before
            }
            if case .running(_, let task) = before {
                task.cancel()
            }
        }

        private func run() async {
            let origin = makeOrigin()
            do throws(Failure) {
                let value = try await call(origin)
                DeliveredCall.$current.withValue(origin.call.identity) {
                    ContinuedCall.delivering(as: continued) { deliver(value) }
                }
            } catch {
                let downstream = take(from: \.running)
                ContinuedCall.delivering(as: continued) {
                    downstream?.receive(completion: .failure(origin.marking(error)))
                }
                // An operator that handles the failure has claimed it by now and reports its outcome, unless the failure
                // is on its way to another thread.
                await origin.report(error, isAwaited: isAwaited && downstream != nil)
            }
        }

        private func deliver(_ value: Output) {
            let downstream = state.withLock { state -> Downstream? in
                guard let downstream = state.running else {
                    return nil
                }
                state = .delivering(downstream)
                return downstream
            }
            guard let downstream else {
                return
            }
            // There is demand for one value, and no second one comes.
            _ = downstream.receive(value)
            take(from: \.delivering)?.receive(completion: .finished)
        }

        /// The subscriber, to receive the end; nil when it has cancelled.
        private func take(from phase: KeyPath<State, Downstream?>) -> Downstream? {
            state.withLock { state in
                let downstream = state[keyPath: phase]
                if downstream != nil {
                    state = .over
                }
                return downstream
            }
        }
    }
#endif
