#if Demo
    import Foundation
    import Synchronization
    import Testing

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// A server that sends the same bytes to whoever connects, whatever was asked, for answers that are no HTTP.
    ///
    /// It serves one connection after the other, on a thread of its own, until it goes away.
    final class RawServer: Sendable {
        /// The origin of the server.
        let origin: String
        private let listener: Int32
        private let isStopped = Mutex(false)

        /// Listens from now on.
        ///
        /// - Parameters:
        ///   - bytes: What is sent after the first bytes of a request have come.
        ///   - times: How often they are sent; less often when the client leaves before.
        static func start(sending bytes: String, times: Int = 1) throws -> RawServer {
            let server = try RawServer()
            let listener = server.listener
            Thread.detachNewThread { [weak server] in
                while server?.isStopped.withLock({ $0 }) == false {
                    let client = accept(listener, nil, nil)
                    guard client >= 0 else {
                        return
                    }
                    serve(client, Array(bytes.utf8), times: times)
                }
            }
            return server
        }

        private init() throws {
            #if canImport(Glibc)
                listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #else
                listener = socket(AF_INET, SOCK_STREAM, 0)
            #endif
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let listener = listener
            let port = try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    try #require(bind(listener, pointer, length) == 0)
                    try #require(listen(listener, 16) == 0)
                    try #require(getsockname(listener, pointer, &length) == 0)
                }
                return UInt16(bigEndian: pointer.pointee.sin_port)
            }
            origin = "http://127.0.0.1:\(port)"
        }

        deinit {
            isStopped.withLock { $0 = true }
            shutdown(listener, Int32(SHUT_RDWR))
            close(listener)
        }

        private static func serve(_ client: Int32, _ bytes: [UInt8], times: Int) {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            _ = recv(client, &buffer, buffer.count, 0)
            for _ in 0..<times {
                var sent = 0
                while sent < bytes.count {
                    #if canImport(Darwin)
                        let count = bytes[sent...].withUnsafeBytes { send(client, $0.baseAddress, $0.count, 0) }
                    #else
                        let count = bytes[sent...].withUnsafeBytes {
                            send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                        }
                    #endif
                    guard count > 0 else {
                        close(client)
                        return
                    }
                    sent += count
                }
            }
            // The client reads what is there before it sees the end.
            shutdown(client, Int32(SHUT_WR))
            while recv(client, &buffer, buffer.count, 0) > 0 {}
            close(client)
        }
    }
#endif
