/// No complete response arrived.
public struct TransportError: Error, Sendable, FailureReasonConvertible, CustomStringConvertible {
    /// The phase of the exchange.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Before the attempt had a connection: all connections to the host were in use.
        case queued
        /// Before the connection was established: name resolution, route, handshake.
        case connecting
        /// While the request was being sent.
        case sending
        /// After the request was sent, before a response began.
        case waiting
        /// After the response began.
        case receiving
        /// Unknown.
        case unknown
    }

    /// What went wrong.
    public let code: Code
    /// The phase of the exchange.
    public let phase: Phase
    /// The system's message, or more about the cause. May be empty.
    public let detail: String
    /// How many bytes of the body had arrived; nil when none had begun or the number is unknown.
    public let bytesReceived: Int64?
    /// The underlying error; nil when there is none.
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
    public var classifiedReason: Failure.Reason { .transport(self) }

    /// Code, phase and detail, secrets redacted.
    public var description: String {
        "\(classifiedReason.code) (\(phase.rawValue))" + (detail.isEmpty ? "" : ": \(Redaction.shown(detail))")
    }
}

extension TransportError.Phase {
    /// What was happening.
    var explanation: String {
        switch self {
        case .queued: "waiting for a connection that other calls were using"
        case .connecting: "connecting"
        case .sending: "sending the request"
        case .waiting: "waiting for the response to begin"
        case .receiving: "receiving the response"
        case .unknown: "talking to the server (phase unknown)"
        }
    }
}
