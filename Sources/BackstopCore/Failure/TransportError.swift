/// There is no complete response.
public struct TransportError: Error, Sendable, FailureReasonConvertible, CustomStringConvertible {
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
        "\(failureReason.code) (\(phase.rawValue))" + (detail.isEmpty ? "" : ": \(Redaction.shown(detail))")
    }
}

extension TransportError.Phase {
    /// What was going on.
    var explanation: String {
        switch self {
        case .queued: "waiting for a connection that other calls were using"
        case .connecting: "connecting"
        case .sending: "sending the request"
        case .waiting: "waiting for the response to begin"
        case .receiving: "receiving the response"
        case .unknown: "talking to the server (the phase is not known)"
        }
    }
}
