#if canImport(Combine) || OpenCombine
    internal import Backstop
    internal import BackstopCore

    /// Where a failure comes from: it travels in the values of the call, so that operators downstream find the client's
    /// handlers, clock and observers.
    final class CallOrigin: Sendable {
        enum Key: CallKey {
            static var defaultValue: CallOrigin? { nil }
        }

        private struct State {
            /// Whether an operator reports the failure to the observers, or has done so.
            var isClaimed = false
            /// The failure, for the observers, unless an operator claims it.
            var left: BackstopCore.Failure?
        }

        let clock: any CallClock
        let random: any RandomSource
        /// When the call has to be over; nil for no limit.
        let deadline: Duration?
        /// The default handlers of the test that made the call; nil for the registered ones.
        let defaults: DefaultHandlers.Registration?
        /// What the call asks for, made again or not.
        let call: RepeatedCall
        /// Those of the client, without its scopes.
        private let rest: FailureHandling
        private let home: Weak<Shared<FailureHandling>>
        /// Guarded by its lock.
        private let state = Lock(State())

        init(_ client: Client, call: RepeatedCall, defaults: DefaultHandlers.Registration?) {
            clock = client.options.clock
            random = client.options.random
            let limits = client.chain.interceptors.compactMap { ($0 as? HTTP.Deadline)?.limit }
            deadline = (limits + [client.options.deadline].compactMap { $0 }).min().map {
                client.options.clock.now.adding($0)
            }
            var rest = client.handling
            rest.scopes = []
            self.rest = rest
            home = Weak(client.sharedHandling)
            self.call = call
            self.defaults = defaults
        }

        deinit {
            // Nobody has the failure any more who could handle it.
            let state = state.withLock { $0 }
            if let failure = state.left, !state.isClaimed {
                Task { [rest] in await rest.observeThrown(failure) }
            }
        }

        /// The handling of the client, without its scopes when neither client nor publisher exist any more: a failure
        /// that an app keeps must not keep them alive, because they may refer to what keeps the failure.
        var handling: FailureHandling {
            home.value?.value ?? rest
        }

        /// The failure with this origin. Only subscribers get it: whoever observes calls may keep their failures.
        func marking(_ failure: BackstopCore.Failure) -> BackstopCore.Failure {
            var values = failure.values
            values[Key.self] = self
            return failure.replacing(values)
        }

        /// Claims the report to the observers; false when another already has.
        func claim() -> Bool {
            state.withLock { state in
                defer { state = State(isClaimed: true) }
                return !state.isClaimed
            }
        }

        /// Leaves the report to the next that receives the failure, which may be on its way to another thread.
        func release() {
            state.withLock { $0.isClaimed = false }
        }

        /// Reports the failure as thrown, unless an operator has claimed it.
        ///
        /// - Parameter isAwaited: Whether an operator is downstream, which may still claim it: then the report is made
        ///   when nobody has the failure any more.
        func report(_ failure: BackstopCore.Failure, isAwaited: Bool) async {
            guard isAwaited else {
                if claim() {
                    await observeThrown(failure)
                }
                return
            }
            // Without this object, which would otherwise keep itself alive.
            var values = failure.values
            values[Key.self] = nil
            let left = failure.replacing(values)
            state.withLock { state in
                state.left = state.isClaimed ? nil : left
            }
        }

        /// Tells the observers, for whoever has claimed it.
        func observeThrown(_ failure: BackstopCore.Failure) async {
            await rest.observeThrown(failure)
        }
    }

    /// A reference that keeps nothing alive.
    private struct Weak<Object: AnyObject & Sendable>: @unchecked Sendable {
        // Unchecked, because a weak variable counts as changing; nobody but the runtime changes it.
        private(set) weak var value: Object?

        init(_ value: Object) {
            self.value = value
        }
    }
#endif
