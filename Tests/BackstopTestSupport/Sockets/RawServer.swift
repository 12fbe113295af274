#if Demo
    internal import BackstopCore
    internal import BackstopTesting

    /// A server that sends the same bytes to whoever connects, whatever was asked, for answers that are no HTTP.
    package final class RawServer: Sendable {
        /// Where a server listens.
        package enum Address: Sendable {
            case ipv4, ipv6
        }

        private let server: WireServer
        private let received: Notes<String>

        /// The origin of the server.
        package var origin: String { server.origin }

        /// The first bytes of each request.
        package var requests: [String] { received.all }

        /// Listens from now on, until it goes away.
        ///
        /// - Parameters:
        ///   - bytes: What is sent after the first bytes of a request have come.
        ///   - times: How often they are sent; less often when the client leaves before.
        ///   - address: 127.0.0.1, or ::1.
        package static func start(
            sending bytes: String, times: Int = 1, address: Address = .ipv4
        ) throws -> RawServer {
            try RawServer(sending: Array(bytes.utf8), times: times, on: address == .ipv4 ? .ipv4 : .ipv6)
        }

        private init(sending bytes: [UInt8], times: Int, on host: WireServer.Host) throws {
            let received = Notes<String>()
            self.received = received
            server = try WireServer(on: host) { connection in
                received.add(String(decoding: try connection.readSome(), as: UTF8.self))
                for _ in 0..<times {
                    try connection.send(bytes)
                }
            }
        }

        deinit {
            server.stop()
        }
    }
#endif
