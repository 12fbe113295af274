/// The request could not be built, encoded or sent whole; no server has it.
public struct RequestError: Error, Sendable, FailureReasonConvertible, CustomStringConvertible {
    /// What about the request is wrong.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The URL cannot be read, or is not one that can be sent to.
        case invalidURL
        /// A header's name or value has characters that would break the message (RFC 9110, 5.5).
        case invalidHeader
        /// The method is not a token (RFC 9110, 9.1).
        case invalidMethod
        /// The content could not be encoded.
        case encoding
        /// The body, a file or a stream, could not be read.
        case bodyUnreadable
        /// The body, a file or a stream, has another length than was announced; the request was broken off.
        case bodyLength
        /// Anything else the endpoint threw while it made the request.
        case invalid
    }

    /// What is wrong.
    public let code: Code
    /// What is wrong in words, with what was given.
    public let detail: String
    /// The error behind it; nil when there is none.
    public let underlying: (any Error)?

    /// Makes the error.
    public init(_ code: Code, _ detail: String, underlying: (any Error)? = nil) {
        self.code = code
        self.detail = detail
        self.underlying = underlying
    }

    /// `.request` with this error.
    public var failureReason: Failure.Reason { .request(self) }

    /// The detail, secrets redacted.
    public var description: String { Redaction.shown(detail) }
}

extension RequestError.Code {
    /// Whether it is found before anything was sent.
    package var isBeforeSending: Bool {
        switch self {
        case .invalidURL, .invalidHeader, .invalidMethod, .encoding, .invalid: true
        default: false
        }
    }
}
