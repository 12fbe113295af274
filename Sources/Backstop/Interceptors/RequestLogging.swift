public import BackstopCore
internal import Foundation

/// Logs one line per call, or per attempt: number and name, request, result.
///
/// `RequestLogging(.call)` belongs outside all other interceptors, `RequestLogging(.attempt)` just inside retry.
/// Secrets are redacted. A text is built only if the sink wants its level.
///
/// ```swift
/// let quiet = RequestLogging(.call)
/// let chatty = RequestLogging(.attempt, bodyLimit: 200, curl: .onFailure, to: SystemLog(minimum: .debug))
/// ```
public struct RequestLogging: HTTP.Interceptor {
    /// The subject of each line.
    public enum Subject: String, Sendable, Hashable {
        /// The whole call.
        case call
        /// Each attempt.
        case attempt
    }

    /// When to log a curl command that repeats the request.
    public enum Curl: Sendable, Hashable {
        /// Never.
        case never
        /// After a failure.
        case onFailure
        /// Always.
        case always
    }

    /// The subject of each line.
    public let subject: Subject
    /// The level of successes. Default: debug.
    public let successLevel: LogLevel
    /// The level of failures. Default: warning. Cancelled calls are logged at ``successLevel``.
    public let failureLevel: LogLevel
    /// How many characters of the bodies are written, 0 or more. Default: 0, because bodies contain what people wrote,
    /// and logs get copied.
    public let bodyLimit: Int
    /// When to add a curl command. Default: never.
    public let curl: Curl
    /// The log.
    public let sink: any LogSink

    /// `.logging`, or `.attemptLogging`
    public var role: Role {
        subject == .call ? .logging : .attemptLogging
    }

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - subject: The whole call, or each attempt.
    ///   - successLevel: The level for successful and cancelled calls.
    ///   - failureLevel: The level for failed calls.
    ///   - bodyLimit: How many characters of the bodies are written, clamped to 0 to 10,000.
    ///   - curl: When to add a curl command that repeats the request.
    ///   - sink: Where the lines go. Default: the system log, or standard error where there is none.
    public init(
        _ subject: Subject = .call, successLevel: LogLevel = .debug, failureLevel: LogLevel = .warning,
        bodyLimit: Int = 0, curl: Curl = .never, to sink: any LogSink = SystemLog.shared
    ) {
        self.subject = subject
        self.successLevel = successLevel
        self.failureLevel = failureLevel
        self.bodyLimit = min(max(bodyLimit, 0), 10_000)
        self.curl = curl
        self.sink = sink
    }

    /// Writes the line after the response or the error.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        guard sink.isEnabled(failureLevel) || sink.isEnabled(successLevel) else {
            return try await next(request)
        }
        let start = context.clock.now
        do {
            let response = try await next(request)
            if sink.isEnabled(successLevel) {
                write(successLevel, request, response, nil, context, since: start)
            }
            return response
        } catch {
            write(error, of: request, context, since: start)
            throw error
        }
    }

    // Apart, because what a failure needs would stay in memory for as long as the call waits.
    @inline(never)
    private func write(_ error: any Error, of request: HTTP.Request, _ context: CallContext, since start: Duration) {
        let reason = subject.reason(of: error)
        let level = reason.kind == "cancelled" ? successLevel : failureLevel
        if sink.isEnabled(level) {
            // The response that was judged, which an interceptor may have changed.
            let judged = context.response(to: error, reason) as? HTTP.Response
            write(level, request, judged, reason, context, since: start)
        }
    }

    /// - Parameter reason: Why the call failed; nil for a success.
    @inline(never)
    private func write(
        _ level: LogLevel, _ request: HTTP.Request, _ response: HTTP.Response?, _ reason: Failure.Reason?,
        _ context: CallContext, since start: Duration
    ) {
        // Of a call that succeeds without its bodies, nothing is shown that would be worth the search for its secrets.
        let quotes = reason != nil || bodyLimit > 0 || curl == .always
        let own = quotes ? context.redaction : context.redaction.ofNames
        let redaction = own.messages(to: sink)
        let took = context.clock.now - start
        let attempts = context.attemptCount
        let name = context.name.isEmpty ? "" : "\(BodyText.line(redaction.text(context.name), limit: 100)): "
        var line = "#\(context.id) \(name)\(request.summary(redaction))"
        switch subject {
        case .call: line += attempts > 1 ? " (\(attempts) attempts)" : ""
        case .attempt: line += " (attempt \(context.attempt))"
        }
        let answer = response?.summary(redaction, answering: request)
        line += " -> \(reason.map { redaction.withoutValues($0.code) } ?? answer ?? "") in \(took.text)"
        if reason != nil {
            line += answer.map { ", response \($0)" } ?? ""
        } else if let note = (response?.decodedContent(for: context) as? any LogNoting)?.logNote {
            line += ", \(BodyText.line(note, limit: 200))"
        }
        line += context.callIntake?.report?.count.map { ", \($0)" } ?? ""
        if let response {
            line += text(of: response.body, response.mediaType, redaction)
        }
        if let data = request.body.data, !data.isEmpty, bodyLimit > 0 {
            line += ", sent" + text(of: data, request.headers[.contentType], redaction)
        }
        if curl == .always || curl == .onFailure && reason != nil {
            // As it was sent, with what inner interceptors added: the first request, because curl should repeat the
            // call, not start at the target of a redirect.
            let sent = context.sentRequests.first as? HTTP.Request ?? request
            line += "\n  \(sent.curlCommand(redaction: redaction))"
        }
        let fields =
            sink.keepsFields ? fields(request, response, reason, context, own.forOthers, attempts, took) : []
        sink.write(LogEntry(level, line, callID: context.id, fields: fields))
    }

    /// What the line says, as named values. They leave the process, so they are redacted in any case.
    private func fields(
        _ request: HTTP.Request, _ response: HTTP.Response?, _ reason: Failure.Reason?, _ context: CallContext,
        _ redaction: Redaction, _ attempts: Int, _ took: Duration
    ) -> [LogField] {
        let name = BodyText.line(redaction.text(context.name), limit: 200)
        let count =
            subject == .call
            ? LogField(FieldName.callAttempts, "\(attempts)") : LogField(FieldName.attempt, "\(context.attempt)")
        let status = response?.status
        let all: [LogField?] =
            [
                LogField(FieldName.callID, "\(context.id)"),
                context.name.isEmpty ? nil : LogField(FieldName.callName, name), count,
            ] + request.logFields(redaction) + [
                status.map { LogField(FieldName.status, "\($0)") },
                reason.map { LogField(FieldName.errorType, redaction.shown(code: $0.errorType(status: status))) },
                reason.map { LogField(FieldName.failureCode, redaction.shown(code: $0.code)) },
                LogField(FieldName.duration, "\(took.seconds)"),
            ]
        return all.compactMap { $0 }
    }

    private func text(of body: Data, _ contentType: String?, _ redaction: Redaction) -> String {
        bodyLimit > 0 ? BodyText.suffix(body, contentType: contentType, limit: bodyLimit, redaction: redaction) : ""
    }
}

extension RequestLogging.Subject {
    /// Why it failed.
    func reason(of error: any Error) -> Failure.Reason {
        self == .call ? Failure.Reason(ofCall: error) : Failure.Reason(classifying: error)
    }
}

extension Role {
    /// Writes a line about the whole call.
    public static let logging: Role = Role(builtIn: "logging") {
        OrderRule.rules(
            .logging,
            outside: [
                .retry: "one line is written per attempt, as if each were a call",
                .deadline: "a call that runs out of time is cancelled before its line is written",
                .decoding: "a decoding failure never reaches the log",
                .statusValidation: "a status failure is logged as a success",
            ])
    }

    /// Writes a line about each attempt.
    public static let attemptLogging: Role = Role(builtIn: "attemptLogging") {
        OrderRule.rules(
            .attemptLogging, inside: [.retry: "the line of an attempt is written once for the whole call"])
    }
}

/// Content that adds a remark to a call's log line, such as a result with errors.
package protocol LogNoting {
    /// The remark; nil for none.
    var logNote: String? { get }
}
