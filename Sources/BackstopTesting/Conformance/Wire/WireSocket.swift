#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The few calls of the system that a server of exact bytes needs.
///
/// They block, so only threads of their own make them. No child process inherits a socket: whoever holds one keeps its
/// connection open.
enum WireSocket {
    /// The system did not give a socket.
    struct SocketError: Error, CustomStringConvertible {
        let call: String
        let number = errno

        var description: String { "The conformance suite's server could not start: \(call) failed with \(number)." }
    }

    /// A socket that listens on a free port.
    ///
    /// - Parameter backlog: How many connections the port takes before anyone accepts one; nil when it refuses them.
    static func listener(on host: WireServer.Host, backlog: Int32?) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = try make(host)
        do {
            try withAddress(of: host, port: 0) { address, length in
                try check("bind", bind(descriptor, address, length))
            }
            if let backlog {
                try check("listen", listen(descriptor, backlog))
            }
            return (descriptor, try port(of: descriptor, host))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// A connection to a port of this machine; the connection may still be under way.
    static func connection(to port: UInt16, on host: WireServer.Host) throws -> Int32 {
        let descriptor = try make(host)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        withAddress(of: host, port: port) { address, length in
            _ = connect(descriptor, address, length)
        }
        return descriptor
    }

    /// The next connection; nil when there will be none.
    static func accepted(by listener: Int32) -> Int32? {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor < 0 else {
                prepare(descriptor)
                return descriptor
            }
            guard errno == EINTR || errno == ECONNABORTED else {
                return nil
            }
        }
    }

    /// Sends all bytes; false when the connection has ended.
    static func send(_ bytes: ArraySlice<UInt8>, on descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                #if canImport(Darwin)
                    Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
                #elseif canImport(Musl)
                    Musl.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                #else
                    Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                #endif
            }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The bytes that come next; empty at the end of the connection.
    static func receive(from descriptor: Int32) -> [UInt8] {
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
                count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                initialized = max(0, count)
            }
            guard count < 0, errno == EINTR else {
                return bytes
            }
        }
    }

    /// Sends the end (FIN); what the client sends still arrives.
    static func endSending(on descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends both directions, and wakes whoever waits for bytes.
    static func end(_ descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Closes the socket, with a reset (RST) instead of an end (FIN) if that is wanted.
    static func closeSocket(_ descriptor: Int32, resetting: Bool) {
        if resetting {
            #if !canImport(Darwin)
                // To no address: it resets the connection at once (tcp(7)), whoever else holds the socket.
                var nowhere = sockaddr()
                nowhere.sa_family = sa_family_t(AF_UNSPEC)
                _ = connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
            #endif
            var option = linger(l_onoff: 1, l_linger: 0)
            _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
        _ = close(descriptor)
    }

    private static func make(_ host: WireServer.Host) throws -> Int32 {
        let family = host == .ipv4 ? AF_INET : AF_INET6
        #if canImport(Glibc)
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #elseif canImport(Musl)
            let descriptor = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)
        #else
            let descriptor = socket(family, SOCK_STREAM, 0)
        #endif
        try check("socket", descriptor)
        prepare(descriptor)
        return descriptor
    }

    private static func prepare(_ descriptor: Int32) {
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
        #if canImport(Darwin)
            _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, size)
        #endif
    }

    private static func check(_ call: String, _ result: Int32) throws {
        guard result >= 0 else {
            throw SocketError(call: call)
        }
    }

    private static func port(of descriptor: Int32, _ host: WireServer.Host) throws -> UInt16 {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try check("getsockname", getsockname(descriptor, pointer, &length))
            }
        }
        // The port is at the same place for both families.
        return UInt16(bigEndian: address.sin6_port)
    }

    private static func withAddress(
        of host: WireServer.Host, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) rethrows {
        switch host {
        case .ipv4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            try pass(address, to: body)
        case .ipv6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            _ = inet_pton(AF_INET6, "::1", &address.sin6_addr)
            try pass(address, to: body)
        }
    }

    private static func pass<Address>(
        _ address: Address, to body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) rethrows {
        try withUnsafePointer(to: address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try body(pointer, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
