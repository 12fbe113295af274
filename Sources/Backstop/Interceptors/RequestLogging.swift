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
                write(successLevel, request, .success(response), context, since: start)
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
        let reason =
            subject == .call
            ? Failure.Reason(ofCall: error) : Failure.Reason(classifying: error, isCancelled: Task.isCancelled)
        let level = reason.kind == "cancelled" ? successLevel : failureLevel
        if sink.isEnabled(level) {
            write(level, request, .failure(reason, error), context, since: start)
        }
    }

    private enum Result {
        case success(HTTP.Response)
        case failure(Failure.Reason, any Error)
    }

    @inline(never)
    private func write(
        _ level: LogLevel, _ request: HTTP.Request, _ result: Result, _ context: CallContext, since start: Duration
    ) {
        // Of a call that succeeds without its bodies, nothing is shown that would be worth the search for its secrets.
        let quotes: Bool
        if case .success = result { quotes = bodyLimit > 0 || curl == .always } else { quotes = true }
        let own = quotes ? context.redaction : context.redaction.ofNames
        let redaction = own.messages(to: sink)
        let took = (context.clock.now - start).text
        let attempts = context.attemptCount
        let name = context.name.isEmpty ? "" : "\(BodyText.line(redaction.text(context.name), limit: 100)): "
        var line = "#\(context.id) \(name)\(request.summary(redaction))"
        switch subject {
        case .call: line += attempts > 1 ? " (\(attempts) attempts)" : ""
        case .attempt: line += " (attempt \(context.attempt))"
        }
        var failed = false
        switch result {
        case .success(let response):
            line += " -> \(response.summary(redaction, answering: request)) in \(took)"
            if let note = (response.decodedContent(for: context) as? any LogNoting)?.logNote {
                line += ", \(BodyText.line(note, limit: 200))"
            }
            line += text(of: response, redaction)
        case .failure(let reason, let error):
            failed = true
            line += " -> \(reason.code) in \(took)"
            // The response that was judged, which an interceptor may have changed.
            let received = context.response(to: error, reason)
            if let response = received as? HTTP.Response {
                line += ", response \(response.summary(redaction, answering: request))\(text(of: response, redaction))"
            }
        }
        if bodyLimit > 0, let data = request.body.data, !data.isEmpty {
            let sent = BodyText.suffix(
                data, contentType: request.headers[.contentType], limit: bodyLimit, redaction: redaction)
            line += ", sent\(sent)"
        }
        if curl == .always || curl == .onFailure && failed {
            // As it was sent, with what inner interceptors added: the first request, because curl should repeat the
            // call, not start at the target of a redirect.
            let sent = context.sentRequests.first as? HTTP.Request ?? request
            line += "\n  \(sent.curlCommand(redaction: redaction))"
        }
        let fields =
            sink.keepsFields
            ? fields(request, result, context, own.forOthers, attempts: attempts, since: start) : []
        sink.write(LogEntry(level, line, callID: context.id, fields: fields))
    }

    /// What the line says, as named values. They leave the process, so they are redacted in any case.
    private func fields(
        _ request: HTTP.Request, _ result: Result, _ context: CallContext, _ redaction: Redaction, attempts: Int,
        since start: Duration
    ) -> [LogField] {
        var fields = [LogField(FieldName.callID, "\(context.id)")]
        if !context.name.isEmpty {
            fields.append(LogField(FieldName.callName, BodyText.line(redaction.text(context.name), limit: 200)))
        }
        fields.append(
            subject == .call
                ? LogField(FieldName.callAttempts, "\(attempts)") : LogField(FieldName.attempt, "\(context.attempt)"))
        fields += request.logFields(redaction)
        switch result {
        case .success(let response):
            fields.append(LogField(FieldName.status, "\(response.status)"))
        case .failure(let reason, let error):
            let received = context.response(to: error, reason)
            if let status = received?.statusCode {
                fields.append(LogField(FieldName.status, "\(status)"))
            }
            fields.append(LogField(FieldName.errorType, reason.errorType(status: received?.statusCode)))
            fields.append(LogField(FieldName.failureCode, reason.code))
        }
        fields.append(LogField(FieldName.duration, "\((context.clock.now - start).seconds)"))
        return fields
    }

    /// The same interceptor with another log.
    package func writing(to sink: any LogSink) -> RequestLogging {
        RequestLogging(
            subject, successLevel: successLevel, failureLevel: failureLevel, bodyLimit: bodyLimit, curl: curl, to: sink)
    }

    private func text(of response: HTTP.Response, _ redaction: Redaction) -> String {
        guard bodyLimit > 0 else {
            return ""
        }
        return BodyText.suffix(response.body, contentType: response.mediaType, limit: bodyLimit, redaction: redaction)
    }
}

extension Role {
    /// Writes a line about the whole call.
    public static let logging: Role = Role(builtIn: "logging") {
        [
            OrderRule(
                outer: .logging, inner: .retry, severity: .warning,
                reason: "one line is written per attempt, as if each were a call"),
            OrderRule(
                outer: .logging, inner: .deadline, severity: .warning,
                reason: "a call that runs out of time is cancelled before its line is written"),
            OrderRule(
                outer: .logging, inner: .decoding, severity: .warning,
                reason: "a decoding failure never reaches the log"),
            OrderRule(
                outer: .logging, inner: .statusValidation, severity: .warning,
                reason: "a status failure is logged as a success"),
        ]
    }

    /// Writes a line about each attempt.
    public static let attemptLogging: Role = Role(builtIn: "attemptLogging") {
        [
            OrderRule(
                outer: .retry, inner: .attemptLogging, severity: .warning,
                reason: "the line of an attempt is written once for the whole call")
        ]
    }
}

/// Content that adds a remark to a call's log line, such as a result with errors.
package protocol LogNoting {
    /// The remark; nil for none.
    var logNote: String? { get }
}
