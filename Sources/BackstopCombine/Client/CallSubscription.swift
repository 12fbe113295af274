#if canImport(Combine) || OpenCombine
    internal import Backstop
    internal import BackstopCore

    /// One call for one subscriber.
    final class CallSubscription<Output: Sendable>: Subscription, @unchecked Sendable {
        // Unchecked, because a subscriber need not be Sendable: it is reached through `state`, and gets its events one
        // after the other, from the task of the call.

        private typealias Downstream = AnySubscriber<Output, Failure>

        private enum State {
            /// There was no demand yet.
            case idle(Downstream)
            case running(Downstream, Task<Void, Never>)
            /// The value is being delivered; the end has not been.
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
        private let client: Client
        private let call: @Sendable (CallOrigin) async throws(Failure) -> Output

        init(
            _ downstream: AnySubscriber<Output, Failure>, client: Client,
            call: @escaping @Sendable (CallOrigin) async throws(Failure) -> Output
        ) {
            state = Lock(.idle(downstream))
            self.client = client
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
                // Begun under the lock, so that whoever cancels finds the task: nothing is sent after that. Calls that
                // others begin when they get the value are not those above an operator that is subscribing now.
                let task = KeptKeys.$current.withValue(nil) { Task { await self.run() } }
                state = .running(downstream, task)
            }
        }

        func cancel() {
            // What was there is released outside the lock: it may be the last reference to code of the caller.
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
            let origin = CallOrigin(client)
            do throws(Failure) {
                deliver(try await call(origin))
            } catch {
                take(from: \.running)?.receive(completion: .failure(error))
                // An operator that deals with the failure has claimed it by now, and tells what came of it.
                if origin.claim() {
                    await client.handling.observeThrown(error)
                }
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
            // There is demand for one, and no second value.
            _ = downstream.receive(value)
            take(from: \.delivering)?.receive(completion: .finished)
        }

        /// The subscriber, which gets the end; nil when it has cancelled.
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
