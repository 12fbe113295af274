#if Demo
    internal import Foundation
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// Output that could not be written where it was to go: a full disk, or a standard output that is closed.
    struct Unwritten: Error {
        /// The exit status that says so, whatever came of the call.
        static let status: Int32 = 3

        /// The system's number for the reason.
        let code: Int32

        /// The reason in the system's words.
        var reason: String {
            String(cString: strerror(code))
        }
    }

    /// Writes all bytes, however many the system takes at a time.
    func writeAll(_ data: Data, to descriptor: Int32) throws(Unwritten) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            let problem = errno
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if problem == EAGAIN {
                // Whoever shares the descriptor has made it one that does not wait.
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wanted, 1, -1)
            } else if problem != EINTR {
                throw Unwritten(code: problem)
            }
        }
    }
#endif
