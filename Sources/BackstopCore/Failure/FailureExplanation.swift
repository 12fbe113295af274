extension Failure {
    /// What went wrong, in one or two sentences for developers; secrets are redacted.
    ///
    /// It has everything the server said, so never show it to people: show ``message``.
    public var explanation: String {
        explanation(redaction: redaction)
    }

    /// The same with another redaction.
    package func explanation(redaction: Redaction) -> String {
        Self.shown(fullExplanation(redaction), redaction)
    }

    /// The same, not yet bounded, with all secrets but those that only a system error's names tell.
    func fullExplanation(_ redaction: Redaction) -> String {
        switch reason {
        case .cancelled:
            "The call was cancelled."
        case .request(let error):
            "The request could not be \(error.code.isBeforeSending ? "created" : "sent"): "
                + (error.detail.isEmpty ? error.code.explanation : error.detail)
        case .transport(let error):
            error.explanation
        case .timeout(let error):
            // Of a request that the operation made for itself.
            isOfOperation && error.kind.isOfTransport
                ? "The operation reached a time limit of its own." : error.kind.sentence(error.duration)
        case .status(let error):
            "The server answered \(error.code)\(StatusError.reasonPhrase(of: error.code).map { " \($0)" } ?? "")"
                + (error.detail.map { ": \($0)" } ?? ".")
        case .service(let error):
            error.failureExplanation
        case .decoding(let error):
            error.explanation
        case .rejected(let error):
            refusal
                + (error.detail.isEmpty ? error.code.explanation : error.detail)
        case .storage(let error):
            error.explanation
        case .other(let error) where error.saysCancelled:
            "\(TypeName.text(type(of: error))) was thrown, but this call was not cancelled: something it waited for "
                + "was, such as a task shared with other calls."
        case .other(let error):
            "\(TypeName.text(type(of: error))) was thrown: \(redaction.description(of: error))"
        }
    }
}

extension Failure {
    /// Whether the call is the run of an operation, which has no server.
    var isOfOperation: Bool {
        sentRequest is any OperationRequest
    }

    /// Whether an operation was run only once because the run does not say that it is idempotent, whatever it sent.
    var lacksIdempotence: Bool {
        sentRequests.contains { $0 is any OperationRequest && !$0.isIdempotent }
    }

    /// Whether the failure was created outside a call, or within an operation, so that nothing is known but what it was
    /// created with. What was not built or was refused was not sent, whoever says so.
    var isOfUnknownCall: Bool {
        (end.attempt == nil || end.isUnseen) && !["request", "rejected"].contains(reason.kind)
    }

    /// Whether no attempt of the call sent anything.
    var sentNothing: Bool {
        end.attempt != nil && sentRequests.isEmpty && repeatSafety.isEmpty
    }

    /// What an interceptor refused: the call, or one of its attempts.
    private var refusal: String {
        guard end.sender != nil || sentRequests.isEmpty else {
            return isOfOperation
                ? "The call was rejected after the operation had begun: "
                : "The call was rejected after a request was sent: "
        }
        guard let attempt = end.attempt, attempts.count > 1, !repeatSafety.isEmpty else {
            return isOfOperation ? "The operation did not begin: " : "The request was not sent: "
        }
        return isOfOperation ? "Attempt \(attempt) did not begin: " : "Attempt \(attempt) was not sent: "
    }
}

extension Error {
    /// Whether the error means a cancelled task. With the reason `.other`, that is not the call's own task.
    package var saysCancelled: Bool {
        if case .cancelled = Failure.Reason(classifying: self, isCancelled: true) { true } else { false }
    }
}
