extension Failure {
    /// What a log keeps of the failure, redacted: the call, the request, the status, the code, and why it was not
    /// retried.
    package var logFields: [LogField] {
        let redaction = redaction.forOthers
        var fields = [LogField(FieldName.callID, "\(id)")]
        if !name.isEmpty {
            fields.append(LogField(FieldName.callName, redaction.shown(name: name)))
        }
        fields.append(LogField(FieldName.callAttempts, "\(attempts.count)"))
        fields += sentRequest?.logFields(redaction) ?? []
        if let statusCode {
            fields.append(LogField(FieldName.status, "\(statusCode)"))
        }
        fields.append(LogField(FieldName.errorType, redaction.shown(code: reason.errorType(status: statusCode))))
        fields.append(LogField(FieldName.failureCode, redaction.shown(code: code)))
        fields.append(LogField(FieldName.stopReason, stopReason.code))
        return fields
    }

    /// The call's number and name, and the code, redacted, on one line.
    package var logLine: String {
        let shown = name.isEmpty ? "" : "\(redaction.shown(name: name)): "
        return "#\(id) \(shown)\(redaction.shown(code: code))"
    }
}
