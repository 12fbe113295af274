/// No complete response arrived.
public struct TransportError: Error, Sendable, FailureReasonConvertible, DescribedInDumps {
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
        /// Unknown. `URLSession` reports no progress of a request without a body before its response begins.
        case unknown
    }

    /// What went wrong.
    public var code: Code { parts.value.code }
    /// The phase of the exchange.
    public var phase: Phase { parts.value.phase }
    /// The system's message, or more about the cause. May be empty.
    public var detail: String { parts.value.detail }
    /// How many bytes of the body had arrived; nil when none had begun or the number is unknown.
    public var bytesReceived: Int64? { parts.value.bytesReceived }
    /// The underlying error; nil when there is none.
    public var underlying: (any Error)? { parts.value.underlying }

    private typealias Parts = (
        code: Code, phase: Phase, detail: String, bytesReceived: Int64?, underlying: (any Error)?
    )
    private let parts: Shared<Parts>

    /// Makes the error.
    public init(
        _ code: Code, phase: Phase = .unknown, detail: String = "", bytesReceived: Int64? = nil,
        underlying: (any Error)? = nil
    ) {
        parts = Shared((code, phase, detail, bytesReceived, underlying))
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
