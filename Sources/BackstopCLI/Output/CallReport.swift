#if Demo
    internal import Backstop
    internal import BackstopCore

    /// The result of one call, as printed by `get` and `demo`.
    struct CallReport: Sendable {
        enum Kind: String, Sendable {
            case value, handled, unhandled, cancelled
        }

        let kind: Kind
        let handledBy: String?
        let failure: Failure?
        /// The calls, in order; more than one when a handler repeated the call.
        let calls: [FinishedCall]
        /// Additional members of a kind of call, as JSON.
        var further: [(String, String)] = []

        init(_ outcome: Outcome<some Sendable>, calls: [FinishedCall]) {
            switch outcome {
            case .value: kind = .value
            case .handled: kind = .handled
            case .unhandled: kind = .unhandled
            case .cancelled: kind = .cancelled
            }
            handledBy = outcome.handledBy
            failure = outcome.failure ?? (kind == .value ? nil : calls.last?.failure)
            self.calls = calls
        }

        /// A failure that was thrown to its caller.
        init(thrown failure: Failure, calls: [FinishedCall]) {
            kind = failure.isCancelled ? .cancelled : .unhandled
            handledBy = nil
            self.failure = failure
            self.calls = calls
        }

        /// The last call; nil when there was none.
        var call: FinishedCall? {
            calls.last
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
                    ("explanation", JSONWriter.quoted(failure.explanation)),
                    ("stopped", JSONWriter.quoted(failure.stopReason.description)),
                ])
            }
            return [
                ("outcome", JSONWriter.quoted(kind.rawValue)),
                ("handledBy", JSONWriter.quoted(handledBy)),
                ("status", response.map { "\($0.status)" } ?? "null"),
                ("bytes", "\(response?.bodySize ?? 0)"),
                ("attempts", "[" + attempts.joined(separator: ",") + "]"),
                ("failure", failure ?? "null"),
            ] + further
        }
    }

    extension CallReport {
        /// Makes a call with a default handler named "default", which takes what no other handler is for.
        static func withDefaultHandler(_ call: () async -> CallReport) async -> CallReport {
            await DefaultHandlers.withHandlers {
                Otherwise(name: "default") { _ in }
            } operation: {
                await call()
            }
        }

        /// A handler for each code, named after it.
        static func handlers(for codes: [String]) -> [any FailureHandler] {
            codes.map { code in
                On(.code(code), name: code) { _ in }
            }
        }
    }

    /// Records the finished calls; a handler may repeat a call.
    final class Calls: CallObserver {
        /// The calls, in order, guarded by the lock.
        private let calls = Lock<[FinishedCall]>([])

        func callFinished(_ call: FinishedCall) {
            calls.withLock { $0.append(call) }
        }

        var all: [FinishedCall] {
            calls.withLock { $0 }
        }
    }
#endif
