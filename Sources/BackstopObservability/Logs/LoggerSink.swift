#if Observability
    public import BackstopCore
    public import Logging

    /// Writes entries to a `Logger` of swift-log, with metadata.
    ///
    /// `client.logged(to:)` uses it for everything that a client writes. By itself it is a log for `RequestLogging` and
    /// `FailureHandling`, and an observer that writes what became of each failure and which handler decided:
    ///
    /// ```swift
    /// let sink = LoggerSink(Logger(label: "shop"))
    /// var handling = FailureHandling()
    /// handling.log = sink
    /// handling.observers = [sink]
    /// let client = try Client.standard(
    ///     baseURL: "https://shop.example.com", logging: RequestLogging(.call, to: sink), handling: handling)
    /// ```
    /// Nothing is built for a level that the logger does not write. `Docs/Interceptors.md` lists the metadata.
    ///
    /// Operators' logs are copied and kept, so messages are redacted even if the client's `Redaction` is off. A sink
    /// with `allowsSecrets` leaves that to the client; metadata is redacted there, too.
    public struct LoggerSink: LogSink, FailureObserver {
        /// The logger.
        public let logger: Logger

        /// Whether messages show secrets where the client's `Redaction` is off. Default: false.
        public let allowsSecrets: Bool

        /// Makes a sink.
        ///
        /// - Parameters:
        ///   - logger: Where entries go; its level decides which.
        ///   - allowsSecrets: Whether messages show secrets where the client's `Redaction` is off. Default: false,
        ///     because others read such logs.
        public init(_ logger: Logger, allowsSecrets: Bool = false) {
            self.logger = logger
            self.allowsSecrets = allowsSecrets
        }

        /// Whether the logger writes the level.
        public func isEnabled(_ level: LogLevel) -> Bool {
            logger.logLevel <= Logger.Level(level)
        }

        /// True: fields become metadata.
        public var keepsFields: Bool { true }

        /// Writes the entry with its fields as metadata.
        public func write(_ entry: LogEntry) {
            logger.log(
                level: Logger.Level(entry.level), "\(entry.message)", metadata: Self.metadata(entry.fields),
                source: "Backstop")
        }

        /// Writes what became of a failure: a decision of a handler as info, anything else as debug.
        ///
        /// An unhandled failure is not written here, because `FailureHandling` writes its report.
        public func observe(_ failure: Failure, outcome: ObservedOutcome) {
            let level: LogLevel
            switch outcome {
            case .unhandled: return
            case .handled, .replaced, .retried: level = .info
            case .thrown, .cancelled: level = .debug
            }
            guard isEnabled(level) else {
                return
            }
            let decision = outcome.handler.map { "\(outcome.label) by \($0)" } ?? outcome.label
            write(
                LogEntry(
                    level, "\(failure.logLine), \(decision)", callID: failure.id,
                    fields: failure.logFields + outcome.logFields))
        }

        private static func metadata(_ fields: [LogField]) -> Logger.Metadata {
            Logger.Metadata(fields.map { ($0.name, .string($0.value)) }, uniquingKeysWith: { _, last in last })
        }
    }

    extension Logger.Level {
        /// The level of the same name.
        init(_ level: LogLevel) {
            switch level {
            case .debug: self = .debug
            case .info: self = .info
            case .notice: self = .notice
            case .warning: self = .warning
            case .error: self = .error
            }
        }
    }
#endif
