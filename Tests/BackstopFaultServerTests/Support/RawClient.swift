#if Demo
    import FlyingSocks
    import Foundation
    import Testing

    @testable import BackstopFaultServer

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// A client that sends bytes as they are and sees how the connection really ends.
    struct RawClient: Sendable {
        /// How the server ended the connection.
        enum End: Equatable {
            case closed, reset
        }

        let connection: Connection

        init(_ url: URL) async throws {
            let port = try UInt16(#require(url.port))
            let socket = try Socket(domain: Int32(sockaddr_in.family), type: .stream)
            // Over loopback, connecting is done by the kernel alone.
            try socket.connect(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
            connection = try Connection(socket: socket, pool: await EventLoop.shared.runningPool())
        }

        func send(_ text: String) async throws {
            try await connection.write(Data(text.utf8))
        }

        /// Sends a request without a body.
        func request(_ target: String, method: String = "GET", headers: String = "") async throws {
            try await send("\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(headers)\r\n")
        }

        /// Everything until the server ends the connection, and how it did.
        func readToEnd() async throws -> (text: String, end: End) {
            var bytes: [UInt8] = []
            do {
                while let more = try await connection.read() { bytes += more }
                return (String(decoding: bytes, as: UTF8.self), .closed)
            } catch SocketError.failed(_, let errno, _) where errno == ECONNRESET {
                return (String(decoding: bytes, as: UTF8.self), .reset)
            }
        }

        /// Everything until the text has come.
        func read(until ending: String) async throws -> String {
            var text = ""
            while !text.contains(ending), let more = try await connection.read() {
                text += String(decoding: more, as: UTF8.self)
            }
            return text
        }

        func close() async {
            await connection.close()
        }
    }
#endif
