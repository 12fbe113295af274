/// An error of the package's own outside the kinds of ``Failure/Reason``, which knows what helps.
package protocol AdvisingError: Error {
    /// One step that helps a developer.
    var nextStep: String { get }
}

extension ConfigurationError: AdvisingError {
    package var nextStep: String { fix.hasSuffix(".") ? fix : fix + "." }
}

extension Failure {
    /// One step that helps a developer in this case; nil when there is none.
    package var nextStep: String? {
        switch reason {
        case .cancelled: nil
        case .request(let error): error.nextStep
        case .transport(let error): nextStep(after: error)
        case .timeout(let error):
            (underlying as? any AdvisingError)?.nextStep
                ?? (mayHaveWorked ? mayHaveWorkedStep : nextStep(after: error))
        case .status(let error): mayHaveWorked ? mayHaveWorkedStep : nextStep(after: meantStatus ?? error.code)
        case .service(let error): mayHaveWorked ? mayHaveWorkedStep : nextStep(after: error)
        case .decoding(let error): besideDoubt(nextStep(after: error))
        case .rejected(let error): nextStep(after: error)
        case .storage(let error): besideDoubt(error.code.nextStep)
        case .other(let error): besideDoubt(nextStep(afterOther: error))
        }
    }

    /// The same, after what an earlier attempt may have done.
    private func besideDoubt(_ step: String?) -> String? {
        mayHaveWorkedBefore ? [mayHaveWorkedStep, step].compactMap { $0 }.joined(separator: " ") : step
    }

    private func nextStep(afterOther error: any Error) -> String {
        switch error {
        case _ where error.saysCancelled:
            error is CancellationError
                ? "Protect work that calls share, such as a token refresh, from cancellation: give it an unstructured "
                    + "Task of its own, and start a new one after a cancellation."
                : "Find out what cancelled the transfer: code that invalidated the session during the call, or that "
                    + "cancelled the session's tasks."
        case let error as any AdvisingError:
            error.nextStep
        case let error as any FailureReasonConvertible:
            "Let \(TypeName.text(type(of: error))).classifiedReason return another reason than .other for this case, so that "
                + "handlers see its kind."
        default:
            "Conform \(TypeName.text(type(of: error))) to FailureReasonConvertible, or throw an error of your own that does, "
                + "so that handlers see its kind."
        }
    }

    private var mayHaveWorkedStep: String {
        if mayHaveWorkedBefore, end.sender == nil {
            return "The work may have been done already: check before sending it again."
        }
        if isOfOperation || lacksIdempotence {
            let step = "The operation may have done its work: check before running it again"
            // To say so of the run would not be enough beside a request that it has sent.
            let isRefused = sentRequests.contains { !($0 is any OperationRequest) && $0.isOrder }
            return isRefused ? "\(step)." : "\(step), or say that it is isIdempotent if it may be repeated."
        }
        if end.isUnseen {
            return "The server may have done its work: check before running the operation again, or throw the Failure "
                + "with request: nil if it may be repeated."
        }
        let step = "The server may have done its work: check before sending it again"
        // A key in an operation, or on a connection with others, makes none safe.
        guard !(originalRequest is any OperationRequest), end.connection == nil else {
            return "\(step)."
        }
        guard repeatSafety.isIdempotent || repeatSafety.key != nil else {
            return "\(step), or add an Idempotency-Key, which makes a retry safe."
        }
        return repeatSafety.key == nil ? "\(step)." : "\(step) with another Idempotency-Key."
    }

    private func nextStep(after error: TransportError) -> String {
        if transfer != nil, error.code == .badResponse, error.nextStep == error.code.nextStep {
            // The head was good HTTP.
            return "Check the server and any proxy in front of it: the body of the response is not framed as its head "
                + "says."
        }
        guard mayHaveWorked else {
            return error.nextStep
        }
        // What will not pass by itself also has to be fixed before the next order.
        return error.code.isTransient ? mayHaveWorkedStep : "\(mayHaveWorkedStep) \(error.nextStep)"
    }

    private func nextStep(after error: TimeoutError) -> String {
        if let hold = end.hold {
            return hold.nextStep(error.kind.limit)
        }
        if error.kind == .deadline, transfer != nil {
            return "Raise the deadline of this call, or set none: it counts until all has arrived and been read."
        }
        if error.kind == .deadline, end.isInWait || attempts.count > 1 && !isTimeElsewhere(error) {
            return "Allow fewer attempts, or raise the deadline: the attempts and waits used it up."
        }
        if progress == nil, receivedResponse != nil, error.kind.nextStep == nil,
            !(isOfUnknownCall && error.kind.isOfTransport)
        {
            return
                "Check the chain's interceptors: the response had arrived, but one of them was still processing it."
        }
        if error.kind == .deadline, let limit = error.duration, limit <= .zero {
            return "Give the call more time: its deadline had passed before it began."
        }
        if end.attempt != nil, sentRequests.isEmpty, progress == nil, error.kind.nextStep == nil {
            return "Find out which interceptor held the call back, or raise \(error.kind.limit) for this call."
        }
        if isOfOperation, progress == nil, error.kind.nextStep == nil {
            let limit = error.kind.isOfTransport ? "its own limit" : error.kind.limit
            return "Find out why the operation is slow, or raise \(limit) for this call."
        }
        return error.kind.nextStep(in: progress?.phase)
    }

    /// Whether most of a time limit passed after the last attempt, in an interceptor outside retry.
    private func isTimeElsewhere(_ error: TimeoutError) -> Bool {
        guard let limit = error.duration, let end = attempts.map({ $0.start + $0.duration }).max() else {
            return false
        }
        return end < limit.scaled(by: 0.5, limit: .century)
    }

    private func nextStep(after error: any ServiceError) -> String {
        if let own = error.failureNextStep, !own.isEmpty {
            return own
        }
        let status = meantStatus ?? statusCode ?? 0
        if retryAfter != nil || [401, 403, 404, 410].contains(status) || status >= 500 {
            return nextStep(after: status)
        }
        return "Read the error's fields with failure.error(as: \(TypeName.text(type(of: error))).self)."
    }

    private func nextStep(after error: DecodingFailure) -> String? {
        if let fallback = values.fallback {
            return "Let the fallback \"\(fallback.name)\" answer with what the call reads: the content is its own, not "
                + "that of the server that was asked."
        }
        // That of a protocol above HTTP is inside an error of its own: an error status may come with content there.
        guard let statusCode, statusCode >= 400, underlying is DecodingFailure else {
            return error.nextStep
        }
        return "Have StatusValidation refuse the status \(statusCode): this is the body of an error, not the content."
    }

    private func nextStep(after error: RejectionError) -> String? {
        let step = (underlying as? any AdvisingError)?.nextStep ?? error.code.nextStep
        if mayHaveWorked {
            return [mayHaveWorkedStep, step].compactMap { $0 }.joined(separator: " ")
        }
        if let step {
            return step
        }
        guard end.sender != nil || sentRequests.isEmpty, error.isTransient else {
            return nil
        }
        let time = error.retryAfter.map { $0 > .zero ? "in \($0.text)" : "at once" } ?? "later"
        guard sentNothing || end.attempt == nil || repeatSafety.isEmpty else {
            return isSafeToRepeat ? "The call can be repeated \(time)." : nil
        }
        return "Nothing was \(isOfOperation ? "run" : "sent"), so the call can be repeated \(time)."
    }

    private func nextStep(after code: Int) -> String {
        if let wait = retryAfter, wait > .zero {
            return code == 429
                ? "Send fewer requests: the server asks for a wait of \(wait.text) before the next one."
                : "Wait \(wait.text) before the next call, as the server asks with Retry-After."
        }
        if code == 401, attempts.last?.waitReason == Attempt.tokenRefused {
            return
                "Check the new token, which was refused like the old one: its audience, its scopes, the server's clock."
        }
        if code == 401, end.remarks.contains(where: { $0.label == "renewal" }) {
            return "Let the person sign in again: no new token was issued."
        }
        return StatusError.Facts.of(code).nextStep
    }
}
