#if Demo
    internal import Foundation
    internal import Synchronization
    internal import Testing

    #if canImport(Darwin)
        internal import Darwin
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Glibc
    #endif

    /// A server that sends the same bytes to whoever connects, whatever was asked, for answers that are no HTTP.
    ///
    /// It serves one connection after the other, on a thread of its own, until it goes away.
    package final class RawServer: Sendable {
        /// The origin of the server.
        package let origin: String
        private let listener: Int32
        private let isStopped = Mutex(false)
        private let received = Mutex<[String]>([])

        /// Where a server listens.
        package enum Address {
            case ipv4, ipv6
        }

        /// The first bytes of each request.
        package var requests: [String] {
            received.withLock { $0 }
        }

        /// Listens from now on.
        ///
        /// - Parameters:
        ///   - bytes: What is sent after the first bytes of a request have come.
        ///   - times: How often they are sent; less often when the client leaves before.
        ///   - address: 127.0.0.1, or ::1.
        package static func start(
            sending bytes: String, times: Int = 1, address: Address = .ipv4
        ) throws -> RawServer {
            let server = try RawServer(address)
            let listener = server.listener
            Thread.detachNewThread { [weak server] in
                while server?.isStopped.withLock({ $0 }) == false {
                    let client = accept(listener, nil, nil)
                    guard client >= 0 else {
                        return
                    }
                    serve(client, Array(bytes.utf8), times: times) { request in
                        server?.received.withLock { $0.append(request) }
                    }
                }
            }
            return server
        }

        private init(_ address: Address) throws {
            let family = address == .ipv4 ? AF_INET : AF_INET6
            #if canImport(Glibc)
                listener = socket(family, Int32(SOCK_STREAM.rawValue), 0)
            #else
                listener = socket(family, SOCK_STREAM, 0)
            #endif
            switch address {
            case .ipv4:
                var own = sockaddr_in()
                own.sin_family = sa_family_t(AF_INET)
                own.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                try Self.listen(listener, at: &own)
                origin = "http://127.0.0.1:\(UInt16(bigEndian: own.sin_port))"
            case .ipv6:
                var own = sockaddr_in6()
                own.sin6_family = sa_family_t(AF_INET6)
                own.sin6_addr = in6addr_loopback
                try Self.listen(listener, at: &own)
                origin = "http://[::1]:\(UInt16(bigEndian: own.sin6_port))"
            }
        }

        /// Listens at an address, whose port is set.
        private static func listen<Own>(_ listener: Int32, at address: inout Own) throws {
            var length = socklen_t(MemoryLayout<Own>.size)
            try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    try #require(bind(listener, pointer, length) == 0)
                    #if canImport(Darwin)
                        try #require(Darwin.listen(listener, 16) == 0)
                    #elseif canImport(Musl)
                        try #require(Musl.listen(listener, 16) == 0)
                    #else
                        try #require(Glibc.listen(listener, 16) == 0)
                    #endif
                    try #require(getsockname(listener, pointer, &length) == 0)
                }
            }
        }

        deinit {
            isStopped.withLock { $0 = true }
            shutdown(listener, Int32(SHUT_RDWR))
            close(listener)
        }

        /// - Parameter note: Gets the first bytes of the request before the answer is sent.
        private static func serve(_ client: Int32, _ bytes: [UInt8], times: Int, note: (String) -> Void) {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(client, &buffer, buffer.count, 0)
            note(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
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
