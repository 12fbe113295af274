/// A port of 127.0.0.1 that is taken, so that no other process can listen on it, and that never answers.
package final class ClosedPort: Sendable {
    /// The origin of the port.
    package let origin: String
    private let descriptors: [Int32]

    /// Connections are refused.
    package static func refusing() throws -> ClosedPort {
        try ClosedPort(backlog: nil, fillers: 0)
    }

    /// The queue of connections is full: they are never made, and not refused either.
    package static func silent() throws -> ClosedPort {
        try ClosedPort(backlog: 0, fillers: 8)
    }

    /// Connections are made, and nothing is ever read.
    package static func deaf() throws -> ClosedPort {
        try ClosedPort(backlog: 16, fillers: 0)
    }

    private init(backlog: Int32?, fillers: Int) throws {
        let (listener, port) = try WireSocket.listener(on: .ipv4, backlog: backlog)
        descriptors = [listener] + (0..<fillers).compactMap { _ in try? WireSocket.connection(to: port, on: .ipv4) }
        origin = "http://127.0.0.1:\(port)"
    }

    deinit {
        for descriptor in descriptors {
            WireSocket.closeSocket(descriptor, resetting: false)
        }
    }
}
