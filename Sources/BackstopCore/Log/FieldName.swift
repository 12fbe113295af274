/// The names of the fields of log entries, and of the labels and attributes with the same meaning in metrics and spans.
///
/// Where OpenTelemetry's semantic conventions for HTTP clients have a name, it is theirs.
package enum FieldName {
    package static let method = "http.request.method"
    package static let url = "url.full"
    package static let status = "http.response.status_code"
    package static let errorType = "error.type"
    package static let failureCode = "backstop.failure.code"
    package static let callID = "backstop.call.id"
    package static let callName = "backstop.call.name"
    package static let callAttempts = "backstop.call.attempts"
    package static let attempt = "backstop.attempt.number"
    package static let duration = "backstop.duration"
    package static let outcome = "backstop.outcome"
    package static let handler = "backstop.handler"
    package static let stopReason = "backstop.retry.stop_reason"
}
