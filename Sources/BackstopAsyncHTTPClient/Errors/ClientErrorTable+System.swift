#if AsyncHTTPClient
    internal import BackstopCore

    #if canImport(Darwin)
        internal import Darwin
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Android)
        internal import Android
    #else
        internal import Glibc
    #endif

    extension ClientErrorTable {
        /// What the system's calls report.
        static let systemErrors: [(code: CInt, meaning: Meaning)] = [
            (ECONNREFUSED, .transport(.refused, .connecting)),  // nothing listens there
            (ECONNRESET, .transport(.lost)),  // the other side gave up
            (ECONNABORTED, .transport(.lost)),  // this side gave up
            (EPIPE, .transport(.lost)),  // closed while the request went out
            (ENOTCONN, .transport(.lost)),  // closed before
            (ESHUTDOWN, .transport(.lost)),  // closed before
            (ETIMEDOUT, .timeout(.attempt)),  // the system has given up asking
            (EHOSTUNREACH, .transport(.unreachable)),  // no route to the host
            (EHOSTDOWN, .transport(.unreachable)),  // the next hop does not answer
            (ENETUNREACH, .transport(.unreachable)),  // no route to the network
            (ENETRESET, .transport(.lost)),  // the route was lost
            (ENETDOWN, .transport(.offline)),  // the interface is down
            (EADDRNOTAVAIL, .transport(.unreachable, .connecting)),  // no address, or no free port, to connect from
            (EAFNOSUPPORT, .transport(.unreachable, .connecting)),  // no IPv6 on this machine
            (EINVAL, .transport(.unreachable, .connecting)),  // no address that one can connect to
            (EACCES, .transport(.notAllowed, .connecting)),  // a firewall of this machine
            (EPERM, .transport(.notAllowed, .connecting)),  // a firewall of this machine
            (EMFILE, .transport(.system, .connecting)),  // this process has too many files and sockets open
            (ENFILE, .transport(.system, .connecting)),  // this machine has
            (ENOBUFS, .transport(.system)),  // the system has no memory for sockets
            (ENOMEM, .transport(.system)),  // the system has no memory
        ]
    }
#endif
