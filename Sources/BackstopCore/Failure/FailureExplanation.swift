extension Failure {
    /// What went wrong, in one or two sentences for developers; secrets are redacted.
    ///
    /// It has everything that the server said, so it is never for people: they read ``message``.
    public var explanation: String {
        Self.shown(fullExplanation, redaction)
    }

    /// The same with secrets, not yet bounded.
    var fullExplanation: String {
        switch reason {
        case .cancelled:
            "The call was cancelled."
        case .request(let error):
            "The request could not be made: \(error.detail)"
        case .transport(let error):
            error.explanation
        case .timeout(let error):
            error.explanation
        case .status(let error):
            "The server answered \(error.code)\(StatusError.reasonPhrase(of: error.code).map { " \($0)" } ?? "")"
                + (error.detail.map { ": \($0)" } ?? ".")
        case .service(let error):
            error.failureExplanation
        case .decoding(let error):
            error.explanation
        case .rejected(let error):
            "The request was not sent: \(error.detail)"
        case .other(let error) where error.saysCancelled:
            "\(TypeName.text(type(of: error))) was thrown, but nobody cancelled this call: something that it waited for was "
                + "cancelled by others, such as a task that several calls share."
        case .other(let error):
            "An interceptor of the chain threw \(TypeName.text(type(of: error))): \(String(describing: error))"
        }
    }
}

extension Error {
    /// Whether the error says that a task was cancelled. As the reason `.other` it means a task that is not the call's
    /// own.
    var saysCancelled: Bool {
        if case .cancelled = Failure.Reason(classifying: self, isCancelled: true) {
            return true
        }
        return false
    }
}

extension TimeoutError {
    /// The sentence for developers.
    var explanation: String {
        let length = duration.map { " of \($0.text)" } ?? ""
        return switch kind {
        case .attempt: "There was no complete response within the limit\(length) of one attempt."
        case .connection:
            "There was no free connection to the host within\(duration.map { " \($0.text)" } ?? " the time allowed"): "
                + "other calls were using all of them."
        case .deadline: "The call was not done within its deadline\(length)."
        }
    }
}

extension TransportError {
    /// The sentence for developers, and what is known of the cause: the system's own words where they are the system's.
    var explanation: String {
        guard !detail.isEmpty else {
            return code.explanation
        }
        return underlying == nil
            ? "\(code.explanation) \(detail)\(detail.last.map { ".!?".contains($0) } == true ? "" : ".")"
            : "\(code.explanation) The system says: \(detail)"
    }
}

extension TransportError.Code {
    /// The sentence for developers.
    var explanation: String {
        switch self {
        case .offline: "There is no connection to a network."
        case .dns: "The name of the host could not be resolved."
        case .refused: "The host refused the connection."
        case .unreachable: "The host could not be reached."
        case .lost: "The connection was lost before the response was complete."
        case .truncated: "The response ended before it was complete."
        case .tls: "The secure connection could not be made."
        case .certificate: "The server's certificate is not trusted."
        case .clientCertificate: "The server wants a certificate of the client's, or refused the one it got."
        case .badResponse: "What came back is not an HTTP response that can be read."
        case .redirects: "The redirects did not come to an end."
        case .redirectRefused: "A redirect could not be followed."
        case .tooLarge: "The response is larger than is accepted."
        case .notAllowed: "The system does not allow this connection."
        case .system: "The system could not carry out the transfer."
        case .unknown: "The transfer failed."
        }
    }
}
