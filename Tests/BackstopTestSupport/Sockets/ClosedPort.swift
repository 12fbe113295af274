#if Demo
    internal import Foundation
    internal import Testing

    #if canImport(Darwin)
        internal import Darwin
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Glibc
    #endif

    /// A port of 127.0.0.1 that is taken, so that nobody else can listen there, and that answers nothing.
    package final class ClosedPort: Sendable {
        /// The origin of the port.
        package let origin: String
        private let descriptors: [Int32]

        /// A port where nothing listens: connections to it are refused.
        package static func refusing() throws -> ClosedPort {
            try ClosedPort(backlog: nil, fillers: 0)
        }

        /// A port whose queue of connections is full: connections to it are never made, and not refused either.
        package static func silent() throws -> ClosedPort {
            try ClosedPort(backlog: 0, fillers: 8)
        }

        /// A port where connections are made, and nothing is ever read.
        package static func deaf() throws -> ClosedPort {
            try ClosedPort(backlog: 16, fillers: 0)
        }

        /// - Parameter backlog: How many connections are made; nil to refuse all of them.
        private init(backlog: Int32?, fillers: Int) throws {
            let listener = try Self.makeSocket()
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            try Self.withAddress(&address) { pointer in
                try #require(bind(listener, pointer, length) == 0)
                try #require(getsockname(listener, pointer, &length) == 0)
            }
            var descriptors = [listener]
            if let backlog {
                try #require(listen(listener, backlog) == 0)
                for _ in 0..<fillers {
                    let filler = try Self.makeSocket()
                    _ = fcntl(filler, F_SETFL, O_NONBLOCK)
                    try Self.withAddress(&address) { _ = connect(filler, $0, length) }
                    descriptors.append(filler)
                }
            }
            self.descriptors = descriptors
            origin = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        }

        deinit {
            for descriptor in descriptors {
                close(descriptor)
            }
        }

        private static func makeSocket() throws -> Int32 {
            #if canImport(Glibc)
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #else
                let descriptor = socket(AF_INET, SOCK_STREAM, 0)
            #endif
            try #require(descriptor >= 0)
            return descriptor
        }

        private static func withAddress(
            _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) throws -> Void
        ) throws {
            try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
            }
        }
    }
#endif
