extension Failure {
    /// What went wrong, in one or two sentences for developers; secrets are redacted.
    ///
    /// It has everything the server said, so never show it to people: show ``message``.
    public var explanation: String {
        Self.shown(fullExplanation, redaction)
    }

    /// The same with secrets, not yet bounded.
    var fullExplanation: String {
        switch reason {
        case .cancelled:
            "The call was cancelled."
        case .request(let error):
            "The request could not be created: \(error.detail.isEmpty ? error.code.explanation : error.detail)"
        case .transport(let error):
            error.explanation
        case .timeout(let error):
            error.kind.sentence(error.duration)
        case .status(let error):
            "The server answered \(error.code)\(StatusError.reasonPhrase(of: error.code).map { " \($0)" } ?? "")"
                + (error.detail.map { ": \($0)" } ?? ".")
        case .service(let error):
            error.failureExplanation
        case .decoding(let error):
            error.explanation
        case .rejected(let error):
            (sentRequests.isEmpty ? "The request was not sent: " : "The call was rejected after a request was sent: ")
                + (error.detail.isEmpty ? error.code.explanation : error.detail)
        case .other(let error) where error.saysCancelled:
            "\(TypeName.text(type(of: error))) was thrown, but this call was not cancelled: something it waited for "
                + "was, such as a task shared with other calls."
        case .other(let error):
            "\(TypeName.text(type(of: error))) was thrown: \(String(describing: error))"
        }
    }
}

extension Error {
    /// Whether the error means a cancelled task. With the reason `.other`, that is not the call's own task.
    var saysCancelled: Bool {
        if case .cancelled = Failure.Reason(classifying: self, isCancelled: true) {
            return true
        }
        return false
    }
}
