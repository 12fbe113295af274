/// How much a log line matters.
public enum LogLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// For finding a fault.
    case debug
    /// What happens in good order.
    case info
    /// What happens seldom and is worth knowing.
    case notice
    /// What may become a fault.
    case warning
    /// What failed.
    case error

    /// Less important levels come first.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// One log line.
public struct LogEntry: Sendable, Hashable {
    /// How much it matters.
    public let level: LogLevel
    /// The text, redacted already; it may have several lines.
    public let message: String
    /// The number of the call it is about; nil when it is about none.
    public let callID: UInt64?

    /// Makes an entry.
    public init(_ level: LogLevel, _ message: String, callID: UInt64? = nil) {
        self.level = level
        self.message = message
        self.callID = callID
    }
}

/// Where log lines go.
///
/// ```swift
/// struct Prefixed: LogSink {
///     func write(_ entry: LogEntry) { print("http:", entry.message) }
/// }
/// ```
public protocol LogSink: Sendable {
    /// Whether lines of a level are wanted; texts of other levels are not even made. Default: all.
    func isEnabled(_ level: LogLevel) -> Bool

    /// Writes one line. Must not block.
    func write(_ entry: LogEntry)
}

extension LogSink {
    /// All levels are wanted.
    public func isEnabled(_ level: LogLevel) -> Bool {
        true
    }
}
