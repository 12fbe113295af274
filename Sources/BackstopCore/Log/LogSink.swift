/// The importance of a log entry.
public enum LogLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Details for debugging.
    case debug
    /// Normal operation.
    case info
    /// Rare but notable events.
    case notice
    /// Possible problems.
    case warning
    /// Failures.
    case error

    /// Less important levels come first.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A log entry.
public struct LogEntry: Sendable, Hashable {
    /// The importance.
    public let level: LogLevel
    /// The text, redacted; it may have several lines.
    public let message: String
    /// The call's number; nil when the entry is not about a call.
    public let callID: UInt64?
    /// The values that the message is about, redacted; empty unless the sink keeps them (``LogSink/keepsFields``).
    public let fields: [LogField]

    /// Makes an entry.
    public init(_ level: LogLevel, _ message: String, callID: UInt64? = nil, fields: [LogField] = []) {
        self.level = level
        self.message = message
        self.callID = callID
        self.fields = fields
    }
}

/// A destination for log entries.
///
/// ```swift
/// struct Prefixed: LogSink {
///     func write(_ entry: LogEntry) { print("http:", entry.message) }
/// }
/// ```
public protocol LogSink: Sendable {
    /// Whether entries of a level are written; texts of other levels are not even built. Default: all.
    func isEnabled(_ level: LogLevel) -> Bool

    /// Whether entries should have their ``LogEntry/fields``, which are built only then. Default: false.
    var keepsFields: Bool { get }

    /// Whether messages may show secrets where the client's redaction is ``Redaction/off``; otherwise
    /// ``Redaction/standard`` then applies to them. Default: true, because the client decides.
    ///
    /// A sink for a log that others read returns false. Fields are always redacted.
    var allowsSecrets: Bool { get }

    /// Writes an entry. Must not block.
    func write(_ entry: LogEntry)
}

extension LogSink {
    /// All levels are written.
    public func isEnabled(_ level: LogLevel) -> Bool {
        true
    }

    /// Entries have no fields.
    public var keepsFields: Bool {
        false
    }

    /// The client decides.
    public var allowsSecrets: Bool {
        true
    }
}

extension Redaction {
    /// The redaction for messages to a log: itself, or the standard one if it is off and the log must not have secrets.
    package func messages(to sink: any LogSink) -> Redaction {
        sink.allowsSecrets ? self : forOthers
    }
}
