/// There is no complete response.
public struct TransportError: Error, Sendable, FailureReasonConvertible, CustomStringConvertible {
    /// What went wrong on the way.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The device has no connection to a network.
        case offline
        /// The host's name could not be resolved.
        case dns
        /// The host is there, but nothing listens on the port.
        case refused
        /// The host cannot be reached.
        case unreachable
        /// The connection was lost before the response was complete.
        case lost
        /// The response ended before the length that it had announced.
        case truncated
        /// The secure connection failed for a technical reason: handshake, protocol version.
        case tls
        /// The server's certificate is not trusted: expired, wrong name, unknown issuer.
        case certificate
        /// The server wants a certificate of the client's.
        case clientCertificate
        /// The answer is not HTTP, or its head or encoding is broken.
        case badResponse
        /// More redirects than accepted, or a loop.
        case redirects
        /// A redirect that must not be followed: another scheme, or a body that cannot be sent again.
        case redirectRefused
        /// The response is larger than accepted; reading stopped at the limit.
        case tooLarge
        /// The system does not allow it: mobile data is off, a call is going on, App Transport Security.
        case notAllowed
        /// The system could not start the transfer: no background session, no file.
        case system
        /// Something that the transport has no word for; see ``TransportError/detail``.
        case unknown

        /// Whether the cause may pass by itself.
        public var isTransient: Bool {
            switch self {
            case .offline: true  // the connection may come back
            case .dns: true  // resolvers fail for moments; a wrong name costs a few attempts
            case .refused: true  // a server that restarts refuses for a moment
            case .unreachable: true  // routes change
            case .lost: true  // the next connection may hold
            case .truncated: true  // the same
            case .tls: false  // the same versions and settings meet again
            case .certificate: false  // trust does not come by asking again
            case .clientCertificate: false  // it has to be chosen first
            case .badResponse: false  // whoever answered does not speak HTTP
            case .redirects: false  // the loop is still there
            case .redirectRefused: false  // the rule is still there
            case .tooLarge: false  // it will be as large
            case .notAllowed: false  // a person has to change a setting
            case .system: false  // the app has to change something
            case .unknown: false  // what is not known is not repeated
            }
        }
    }

    /// How far the exchange had come.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Before the attempt had a connection to itself: others to the same host were in use.
        case queued
        /// Before there was a connection: name, route, handshake.
        case connecting
        /// While the request went out.
        case sending
        /// The request was out, and no response had begun.
        case waiting
        /// The response had begun.
        case receiving
        /// It is not known.
        case unknown
    }

    /// What went wrong.
    public let code: Code
    /// How far the exchange had come.
    public let phase: Phase
    /// The system's own text, or more about the cause. May be empty.
    public let detail: String
    /// How many bytes of the body had arrived; nil when none was begun or it is not known.
    public let bytesReceived: Int64?
    /// The error behind it; nil when there is none.
    public let underlying: (any Error)?

    /// Makes the error.
    public init(
        _ code: Code, phase: Phase = .unknown, detail: String = "", bytesReceived: Int64? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.phase = phase
        self.detail = detail
        self.bytesReceived = bytesReceived
        self.underlying = underlying
    }

    /// `.transport` with this error.
    public var failureReason: Failure.Reason { .transport(self) }

    /// Code, phase and detail, secrets redacted.
    public var description: String {
        "transport.\(code.rawValue) (\(phase.rawValue))" + (detail.isEmpty ? "" : ": \(Redaction.shown(detail))")
    }
}
