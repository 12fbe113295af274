/// A named value of a log entry, for logs that search by value: `error.type`, `http.response.status_code`.
///
/// ```swift
/// struct Structured: LogSink {
///     var keepsFields: Bool { true }
///     func write(_ entry: LogEntry) {
///         print(entry.message, entry.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " "))
///     }
/// }
/// ```
public struct LogField: Sendable, Hashable {
    /// The name. Those of OpenTelemetry's semantic conventions are used where there is one.
    public let name: String
    /// The value, redacted.
    public let value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
