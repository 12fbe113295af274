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
        /// Unknown. `URLSession` reports no progress of a request without a body before its response begins.
        case unknown
    }

    /// What went wrong.
    public var code: Code { parts.code }
    /// The phase of the exchange.
    public var phase: Phase { parts.phase }
    /// The system's message, or more about the cause. May be empty.
    public var detail: String { parts.detail }
    /// How many bytes of the body had arrived; nil when none had begun or the number is unknown.
    public var bytesReceived: Int64? { parts.bytesReceived }
    /// The underlying error; nil when there is none.
    public var underlying: (any Error)? { parts.underlying }

    private let parts: Parts

    /// Makes the error.
    public init(
        _ code: Code, phase: Phase = .unknown, detail: String = "", bytesReceived: Int64? = nil,
        underlying: (any Error)? = nil
    ) {
        parts = Parts(code, phase, detail, bytesReceived, underlying)
    }

    private final class Parts: Sendable {
        let code: Code
        let phase: Phase
        let detail: String
        let bytesReceived: Int64?
        let underlying: (any Error)?

        init(_ code: Code, _ phase: Phase, _ detail: String, _ bytesReceived: Int64?, _ underlying: (any Error)?) {
            self.code = code
            self.phase = phase
            self.detail = detail
            self.bytesReceived = bytesReceived
            self.underlying = underlying
        }
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
