#if Demo
    internal import Backstop
    internal import BackstopCore
    internal import BackstopGraphQL

    /// The trace of a call that still runs; of several calls, one after the other, that of the latest.
    final class LiveTrace: Sendable {
        private struct State {
            /// The context of the call that runs, nil before anything is sent. It leads to the chain, and so back to here:
            /// it is kept no longer than the call.
            var context: CallContext?
            /// The trace of the call that was over last.
            var finished: Trace?
            /// Whether nobody follows any more.
            var hasEnded = false
        }

        /// Guarded by its lock.
        private let state = Lock(State())

        /// What has happened so far; nil before anything is sent.
        var trace: Trace? {
            let state = state.withLock { $0 }
            guard let context = state.context, context.id != state.finished?.id else {
                return state.finished
            }
            return context.trace
        }

        fileprivate func watch(_ context: CallContext) {
            state.withLock { state in
                // An attempt that was abandoned may begin when its call is over.
                guard !state.hasEnded, context.id != state.finished?.id else {
                    return
                }
                state.context = context
            }
        }

        /// Forgets the call that runs, and watches no other.
        func end() {
            // What it leads to is released behind the lock.
            _ = state.withLock { state in
                state.hasEnded = true
                return exchange(&state.context, with: nil)
            }
        }

        /// Gives the trace whenever something has happened, until the task is cancelled.
        ///
        /// - Parameter change: Called for each trace that has more than the one before.
        func follow(_ change: @Sendable (Trace) -> Void) async {
            var seen: [String] = []
            while !Task.isCancelled {
                if let trace {
                    let results = trace.attempts.map { "\($0.number) \($0.result)" }
                    let now = ["\(trace.id)", trace.outcome ?? "", "\(trace.events.count)"] + results
                    if now != seen {
                        seen = now
                        change(trace)
                    }
                }
                // A trace tells nobody that it has grown; this is as often as an eye can follow.
                try? await Task.sleep(for: .milliseconds(40))
            }
        }
    }

    extension LiveTrace: CallObserver {
        func callFinished(_ call: FinishedCall) {
            _ = state.withLock { state in
                if state.finished.map({ $0.id < call.trace.id }) ?? true {
                    state.finished = call.trace
                }
                return state.context?.id == call.trace.id ? exchange(&state.context, with: nil) : nil
            }
        }
    }

    /// A transport whose calls can be followed while they run.
    struct WatchedTransport: HTTP.Transport {
        let transport: any HTTP.Transport
        let live: LiveTrace

        var endsAttemptsInTime: Bool { transport.endsAttemptsInTime }

        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            live.watch(context)
            return try await transport.send(request, context: context)
        }
    }

    extension WatchedTransport: OperationTransport {
        var persistsQueries: Bool { (transport as? any OperationTransport)?.persistsQueries ?? true }
    }
#endif
