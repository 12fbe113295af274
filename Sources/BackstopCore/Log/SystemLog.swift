#if canImport(os)
    internal import os
#else
    internal import Dispatch
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif
#endif

/// The system log where it exists (Apple's unified log), standard error elsewhere.
///
/// A separate queue writes to standard error, so that a full pipe does not block the tasks that log; the output is
/// complete if the process exits normally.
public final class SystemLog: LogSink {
    /// The default log: everything from ``LogLevel/info`` up.
    public static let shared = SystemLog()

    /// Whether the logs of this process write nothing; for test runs, whose results would drown in the warnings of what
    /// they make. Guarded by the lock.
    private static let isSilent = Lock(false)

    private let minimum: LogLevel

    #if canImport(os)
        private let logger: Logger
    #endif

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - minimum: The lowest level written. Default: ``LogLevel/info``.
    ///   - subsystem: The subsystem of Apple's unified log, by which Console filters: the app's bundle identifier, say. Its
    ///     category is `calls`. Elsewhere it is not used. Default: `dev.backstop`.
    public init(minimum: LogLevel = .info, subsystem: String = "dev.backstop") {
        self.minimum = minimum
        #if canImport(os)
            logger = Logger(subsystem: subsystem, category: "calls")
        #endif
    }

    /// Whether the level is at least the minimum.
    public func isEnabled(_ level: LogLevel) -> Bool {
        level >= minimum
    }

    /// Writes nothing from now on, in the whole process. Entries are still made, so that tests run the code for them.
    package static func silence() {
        isSilent.withLock { $0 = true }
    }

    /// Writes one entry; in the system's log a long one, such as a report, in numbered parts, because it would truncate
    /// it.
    public func write(_ entry: LogEntry) {
        guard isEnabled(entry.level), !Self.isSilent.withLock({ $0 }) else {
            return
        }
        #if canImport(os)
            let type: OSLogType =
                switch entry.level {
                case .debug: .debug
                case .info: .info
                case .notice, .warning: .default
                case .error: .error
                }
            for part in LogParts.split(entry.message) {
                logger.log(level: type, "\(part, privacy: .public)")
            }
        #else
            let line = "backstop \(entry.level): \(entry.message)\n"
            Self.queue.async {
                var line = line
                line.withUTF8 { bytes in
                    var rest = UnsafeRawBufferPointer(bytes)
                    while !rest.isEmpty {
                        let written = writeToStandardError(rest)
                        guard written > 0 else {
                            return
                        }
                        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
                    }
                }
            }
        #endif
    }

    #if !canImport(os)
        private static let queue: DispatchQueue = {
            // Drains the queue before the process ends.
            atexit { SystemLog.queue.sync {} }
            return DispatchQueue(label: "dev.backstop.log")
        }()
    #endif
}

#if !canImport(os)
    /// Outside of the class, whose own `write` would hide that of the C library.
    private func writeToStandardError(_ bytes: UnsafeRawBufferPointer) -> Int {
        repeat {
            let written = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
            guard written < 0, errno == EINTR || errno == EAGAIN else {
                return written
            }
            // A signal came, or who shares the terminal made it not wait: wait until it takes more.
            var place = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            _ = poll(&place, 1, -1)
        } while true
    }
#endif
