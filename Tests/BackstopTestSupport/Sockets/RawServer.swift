#if Demo
    internal import BackstopCore
    internal import BackstopTesting
    internal import Dispatch

    /// A server that sends the same bytes to whoever connects, whatever was asked, for answers that are no HTTP.
    package final class RawServer: Sendable {
        /// Where a server listens.
        package enum Address: Sendable {
            case ipv4, ipv6
        }

        private let server: WireServer
        private let received: Notes<String>
        /// Holds the connections of a server that reads no further.
        private let end: DispatchSemaphore

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

        /// Listens until it goes away, reads the first bytes of what is sent, and then neither reads nor answers.
        package static func stalled() throws -> RawServer {
            try RawServer(sending: [], times: 0, on: .ipv4, isStalled: true)
        }

        private init(sending bytes: [UInt8], times: Int, on host: WireServer.Host, isStalled: Bool = false) throws {
            let received = Notes<String>()
            let end = DispatchSemaphore(value: 0)
            self.received = received
            self.end = end
            server = try WireServer(on: host) { connection in
                received.add(String(decoding: try connection.readSome(), as: UTF8.self))
                if isStalled {
                    end.wait()
                    end.signal()
                }
                for _ in 0..<times {
                    try connection.send(bytes)
                }
            }
        }

        deinit {
            end.signal()
            server.stop()
        }
    }
#endif
