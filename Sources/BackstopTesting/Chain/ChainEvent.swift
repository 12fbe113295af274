public import BackstopCore

/// An event seen by an interceptor of a chain, or by its transport.
public struct ChainEvent: Sendable, Hashable, CustomStringConvertible {
    /// The direction.
    public enum Direction: String, Sendable, Hashable {
        /// A request came in.
        case request = ">"
        /// A response went out.
        case response = "<"
        /// An error went out.
        case error = "!"
    }

    /// The interceptor's role; nil for the transport, and for a probe.
    public let role: Role?
    /// The name of the role, `transport`, or the probe's name.
    public let name: String
    /// The direction.
    public let direction: Direction
    /// The number of the attempt, from 1.
    public let attempt: Int
    /// The number of the call in this process.
    public let callID: UInt64
    /// A summary without secrets: `GET /books` for a request, `503` for a response, `transport.lost` for an error.
    public let text: String

    /// Name, direction and text: `retry > GET /books`, `transport < 503`, `retry ! status.503`.
    public var description: String {
        "\(name) \(direction.rawValue) \(text)"
    }
}
