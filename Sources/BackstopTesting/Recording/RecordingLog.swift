public import BackstopCore

/// A log that records its entries.
///
/// ```swift
/// let log = RecordingLog(minimum: .info)
/// log.write(LogEntry(.error, "No handler handled this failure."))
/// let texts = log.messages  // ["No handler handled this failure."]
/// ```
public final class RecordingLog: LogSink {
    private let minimum: LogLevel
    /// The entries so far, guarded by the lock.
    private let kept = Lock<[LogEntry]>([])

    /// Makes an empty log.
    ///
    /// - Parameter minimum: The lowest level recorded. Default: `.debug`, so everything.
    public init(minimum: LogLevel = .debug) {
        self.minimum = minimum
    }

    /// The entries in the order they were written.
    public var entries: [LogEntry] {
        kept.withLock { $0 }
    }

    /// The texts of the entries.
    public var messages: [String] {
        entries.map(\.message)
    }

    /// Whether the level is at least the minimum.
    public func isEnabled(_ level: LogLevel) -> Bool {
        level >= minimum
    }

    /// Records the entry when its level is enabled.
    public func write(_ entry: LogEntry) {
        guard isEnabled(entry.level) else {
            return
        }
        kept.withLock { $0.append(entry) }
    }

    /// Removes the entries.
    public func removeAll() {
        kept.withLock { $0 = [] }
    }
}
