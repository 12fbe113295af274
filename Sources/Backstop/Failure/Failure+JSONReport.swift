public import BackstopCore

extension Failure {
    /// The report as one line of JSON, for webhooks and error trackers, without headers and bodies.
    ///
    /// ```swift
    /// let failure = Failure(TransportError(.offline), name: "BookDetails")
    /// print(failure.jsonReport)  // {"version":1,"code":"transport.offline","fingerprint":"transport.offline Book...
    /// ```
    /// It leaves the device, so secrets are redacted as in the `report`, and even if the client's `Redaction` is off.
    /// It has at most 64 KiB, whatever a server sent. `Docs/Failures.md` has its keys; they stay, and new ones may come,
    /// as long as `version` is 1.
    public var jsonReport: String {
        jsonReport(details: false)
    }

    /// The same with headers and the beginning of bodies, as the report shows them.
    ///
    /// - Parameter details: Whether to add them; the report has at most 512 KiB then.
    public func jsonReport(details: Bool) -> String {
        let answer = receivedResponse.map { Self.line($0.summary(shownRedaction, answering: sentRequest), to: 2000) }
        var members = [
            ("version", "1"),
            ("code", JSONWriter.quoted(shownLine(code, to: 120))),
            ("fingerprint", JSONWriter.quoted(fingerprint)),
            ("name", JSONWriter.quoted(shownRedaction.shown(name: name))),
            ("id", "\(id)"),
            ("dateMs", JSONWriter.number(date.milliseconds.rounded(.down))),
            ("explanation", JSONWriter.quoted(shownLine(explanation(redaction: shownRedaction), to: 4000))),
            ("next", JSONWriter.quoted(nextStep.map { shownLine($0, to: 1000) })),
            ("request", JSONWriter.quoted(shownRequest)),
            ("response", JSONWriter.quoted(answer)),
            ("status", statusCode.map { "\($0)" } ?? "null"),
            ("phase", JSONWriter.quoted(phase?.rawValue)),
            ("isTransient", "\(isTransient)"),
            ("isRetryable", "\(isRetryable)"),
            ("durationMs", JSONWriter.number(trace.duration.milliseconds)),
            ("attemptCount", "\(attempts.count)"),
            ("attempts", "[\(attempts.suffix(20).map { shown($0).json }.joined(separator: ","))]"),
            ("stopReason", JSONWriter.quoted(stopReason.code)),
            ("stopped", JSONWriter.quoted(shownLine("\(stopReason)", to: 1000))),
        ]
        if details {
            members.append(("requestDetails", shown(sentRequest?.details(shownRedaction) ?? [])))
            members.append(("responseDetails", shown(receivedResponse?.details(shownRedaction) ?? [])))
        }
        return JSONWriter.object(members)
    }

    /// The request as last sent, in one line; nil when it could not be created.
    var shownRequest: String? {
        sentRequest.map { Self.line($0.summary(shownRedaction), to: 2000) }
    }

    /// A text that leaves the device: redacted, on one line, with a limited number of scalars.
    func shownLine(_ text: String, to limit: Int) -> String {
        Excerpt.cut(shownRedaction.body(Self.line(text, to: 2 * limit), contentType: nil), to: limit)
    }

    /// The same for a text that is redacted already.
    private static func line(_ text: String, to limit: Int) -> String {
        Excerpt.cut(Excerpt.printable(Excerpt.cut(text, to: limit)), to: limit)
    }

    private var phase: TransportError.Phase? {
        if case .transport(let error) = reason, error.phase != .unknown { error.phase } else { progress?.phase }
    }

    private func shown(_ attempt: Attempt) -> Attempt {
        var result = attempt.result
        if case .failed(let code) = result {
            result = .failed(code: shownLine(code, to: 120))
        }
        return Attempt(
            number: attempt.number, start: attempt.start, duration: attempt.duration, wait: attempt.wait,
            waitReason: attempt.waitReason.map { shownLine($0, to: 100) }, result: result)
    }

    private func shown(_ lines: [String]) -> String {
        "[\(lines.prefix(50).map { JSONWriter.quoted(Self.line($0, to: 600)) }.joined(separator: ","))]"
    }
}
