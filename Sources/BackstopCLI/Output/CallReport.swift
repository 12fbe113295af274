#if Demo
    internal import Backstop
    internal import BackstopCore

    /// What came of one call, as `get` and `demo` print it.
    struct CallReport: Sendable {
        enum Kind: String, Sendable {
            case value, handled, unhandled, cancelled
        }

        let kind: Kind
        let handledBy: String?
        let failure: Failure?
        let call: FinishedCall?

        init(_ outcome: Outcome<some Sendable>, call: FinishedCall?) {
            switch outcome {
            case .value: kind = .value
            case .handled: kind = .handled
            case .unhandled: kind = .unhandled
            case .cancelled: kind = .cancelled
            }
            handledBy = outcome.handledBy
            failure = outcome.failure ?? (kind == .value ? nil : call?.failure)
            self.call = call
        }

        /// A failure that was thrown to its caller.
        init(thrown failure: Failure, call: FinishedCall?) {
            kind = failure.isCancelled ? .cancelled : .unhandled
            handledBy = nil
            self.failure = failure
            self.call = call
        }

        var response: HTTP.Response? {
            failure?.response ?? call?.response as? HTTP.Response
        }

        var attempts: [Attempt] {
            failure?.attempts ?? call?.trace.attempts ?? []
        }

        /// The members of the JSON object, in the order of the documentation.
        var members: [(String, String)] {
            let attempts = attempts.map { attempt in
                JSONWriter.object([
                    ("number", "\(attempt.number)"),
                    ("waitMs", JSONWriter.number(attempt.wait.milliseconds)),
                    ("durationMs", JSONWriter.number(attempt.duration.milliseconds)),
                    ("result", JSONWriter.quoted(attempt.result.description)),
                ])
            }
            let failure = failure.map { failure in
                JSONWriter.object([
                    ("code", JSONWriter.quoted(failure.code)),
                    ("reason", JSONWriter.quoted(failure.reason.kind)),
                    ("message", JSONWriter.quoted(failure.message.text)),
                    ("stopped", JSONWriter.quoted(failure.stopped.description)),
                ])
            }
            return [
                ("outcome", JSONWriter.quoted(kind.rawValue)),
                ("handledBy", JSONWriter.quoted(handledBy)),
                ("status", response.map { "\($0.status)" } ?? "null"),
                ("bytes", "\(response?.bodySize ?? 0)"),
                ("attempts", "[" + attempts.joined(separator: ",") + "]"),
                ("failure", failure ?? "null"),
            ]
        }
    }

    /// Keeps the last call that finished.
    final class LastCall: CallObserver {
        /// The call, guarded by the lock.
        private let call = Lock<FinishedCall?>(nil)

        func callFinished(_ call: FinishedCall) {
            self.call.withLock { $0 = call }
        }

        var value: FinishedCall? {
            call.withLock { $0 }
        }
    }
#endif
