extension Failure {
    /// The report for developers, secrets redacted.
    public var report: String {
        report(redaction: redaction)
    }

    /// The report with secrets, for output that only you can read.
    public var unredactedReport: String {
        report(redaction: .off)
    }

    /// The report for developers.
    ///
    /// - Parameter redaction: What to hide.
    public func report(redaction: Redaction) -> String {
        let redaction = redaction.knowing(secrets)
        var lines: [String] = []
        lines.append("\(redaction.withoutValues(code)): \(explanation(redaction: redaction))")
        if !name.isEmpty {
            lines.append("  call:     \(Excerpt.cut(redaction.text(Excerpt.printable(name)), to: 200))")
        }
        lines += askedLines(redaction)
        if let response = receivedResponse {
            lines.append("  response: \(response.summary(redaction, answering: sentRequest))")
            lines += response.details(redaction).map { "            \($0)" }
        } else if !isOfOperation {
            lines.append("  response: \(isOfUnknownCall ? "unknown" : "no response")")
        }
        lines += whereLines(redaction)
        if let transfer {
            lines.append("  stream:   \(transfer.sentence)")
        }
        lines += attemptLines.map(redaction.withoutValues)
        lines += end.remarks.map { label, text in
            "  \(label):\(String(repeating: " ", count: max(1, 9 - label.count)))\(Self.shown(text, redaction))"
        }
        lines.append("  stopped:  \(Self.shown(stopLine, redaction))")
        if let next = nextStep {
            lines.append("  next:     \(Self.shown(next, redaction))")
        }
        return lines.joined(separator: "\n")
    }

    /// A text that may come from a server: bounded, without control characters, and with further lines indented, so
    /// that none can pass for a line of the report.
    static func shown(_ text: String, _ redaction: Redaction) -> String {
        let lines = Excerpt.cut(text, to: 8000).split(whereSeparator: \.isNewline).map { Excerpt.printable(String($0)) }
        let shown = redaction.body(lines.joined(separator: "\n            "), contentType: nil)
        return Excerpt.cut(shown, to: 4000)
    }

    /// The caller's request; the request as sent, if that differs; and further hops, one per line.
    private func askedLines(_ redaction: Redaction) -> [String] {
        guard let asked = originalRequest ?? sentRequests.first else {
            return ["  request:  \(isOfUnknownCall ? "unknown" : "nothing was sent")"]
        }
        let summary = asked.summary(redaction)
        var lines = ["  request:  \(summary)"]
        guard let first = sentRequests.first else {
            let isOnlyHere = attempts.count > 1 && !repeatSafety.isEmpty
            let which = isOnlyHere ? " in attempt \(end.attempt ?? attempts.count)" : ""
            return lines + asked.details(redaction).map { "            \($0)" }
                + [isOfOperation ? "  run:      never\(which)" : "  sent:     nothing\(which)"]
        }
        if let sender = end.sender, let attempt = end.attempt {
            lines.append(
                "  \(isOfOperation ? "run: " : "sent:")     nothing in attempt \(attempt); in attempt \(sender): "
                    + first.summary(redaction))
        } else if ![summary, ""].contains(first.summary(redaction)) {
            lines.append("  sent:     \(first.summary(redaction))")
        }
        // As it was sent, with what the interceptors added.
        lines += first.details(redaction).map { "            \($0)" }
        // What only says that a call must not be repeated has no words.
        let hops = sentRequests.dropFirst().map { $0.summary(redaction) }.filter { !$0.isEmpty }
        for (position, hop) in hops.prefix(Self.shownHops).enumerated() {
            lines.append("\(position == 0 ? "  then:     " : "            ")\(hop)")
        }
        if hops.count > Self.shownHops {
            lines.append("            (\(hops.count - Self.shownHops) more)")
        }
        return lines
    }

    /// How many further hops a report shows.
    private static let shownHops = 20

    private func whereLines(_ redaction: Redaction) -> [String] {
        switch reason {
        case .transport(let error):
            // The error knows best; otherwise the progress that the transport reported.
            let phase = error.phase == .unknown ? progress?.phase ?? .unknown : error.phase
            let bytes = error.bytesReceived ?? progress?.bytesReceived
            if phase == .unknown && sentNothing || phase == .connecting && error.code == .lost {
                return ["  where:    before anything was sent"]
            }
            // The phase that a system's error is given is only the usual one of its code.
            if isOfUnknownCall, progress == nil, bytes == nil, error.underlying != nil, phase == error.code.usualPhase,
                receivedResponse != nil || error.code.row.leavesDoubt
            {
                return []
            }
            return ["  where:    while \(phase.explanation)\(Self.received(bytes))"]
        case .timeout:
            if let hold = end.hold {
                return ["  where:    \(Self.shown(hold.place, redaction))"]
            }
            if end.isInWait {
                return ["  where:    during the wait before attempt \(attempts.count + 1)"]
            }
            if let progress {
                return ["  where:    while \(progress.phase.explanation)\(Self.received(progress.bytesReceived))"]
            }
            guard !isOfUnknownCall || isOfOperation else {
                return []
            }
            guard receivedResponse == nil else {
                return [
                    "  where:    after the response arrived, while an interceptor was processing it"
                ]
            }
            return [
                sentRequests.isEmpty
                    ? "  where:    before \(isOfOperation ? "the operation began" : "anything was sent")"
                    : isOfOperation
                        ? "  where:    in the operation"
                        : "  where:    in the transport, which does not report its progress"
            ]
        case .status:
            return ["  where:    in the head of the response"]
        case .decoding(let error) where error.isOfApp:
            return [
                "  where:    \(error.path) of what the app decoded",
                "  expected: \(redaction.text(error.expected))",
            ]
        case .decoding(let error):
            let place = error.path + (error.byteOffset.map { ", at byte \($0)" } ?? "")
            let line = error.line.map { " of line \($0) of the stream" } ?? ""
            var lines = ["  where:    \(place)\(line)"]
            lines.append("  expected: \(redaction.text(error.expected))")
            lines.append("  found:    \(redaction.body(error.found, contentType: nil))")
            if let excerpt = error.excerpt {
                lines.append("  excerpt:  \(redaction.body(excerpt, contentType: nil))")
            }
            return lines
        default:
            return []
        }
    }

    private static func received(_ bytes: Int64?) -> String {
        bytes.map { ", after \(ByteCount.text($0)) of the body" } ?? ""
    }

    private var attemptLines: [String] {
        attempts.map { attempt in
            let reason = attempt.waitReason.map { " (\(Redaction.shown($0, upTo: 100)))" } ?? ""
            let wait =
                if let other = attempts.running(beside: attempt) {
                    " beside attempt \(other.number), after \((attempt.start - other.start).text)\(reason)"
                } else {
                    attempt.number == 1 ? "" : " after a wait of \(attempt.wait.text)\(reason)"
                }
            let label = attempt.number == attempts.first?.number ? "  attempts: " : "            "
            return "\(label)\(attempt.number). \(attempt.result) in \(attempt.duration.text)\(wait)"
        }
    }

    /// The reason for stopping; copies of a request are not among the attempts that a policy counts.
    private var stopLine: String {
        if stopReason == .notIdempotent, originalRequest is any OperationRequest {
            // Both decide: the run, and what the operation reports it has sent.
            return if lacksIdempotence || isOfOperation {
                "it is not said to be isIdempotent, and a retry could repeat its effect"
            } else if repeatSafety.isIdempotent {
                "the operation sent an Idempotency-Key, and a retry could send another, which would be a second order"
            } else {
                "the operation sent a request that is not idempotent, and a retry could repeat its effect"
            }
        }
        if stopReason == .notIdempotent, sentNothing, case .timeout = reason {
            return "the request is not idempotent, and could still have been sent beside a retry"
        }
        let copies = attempts.count { $0.waitReason == "hedging" }
        guard copies > 0, stopReason.code == StopReason.attemptsUsed(1).code else {
            return stopReason.description
        }
        return "\(stopReason), with \(copies == 1 ? "1 copy" : "\(copies) copies")"
    }
}

extension [Attempt] {
    /// The last attempt that was still running when another began; nil when the other followed them all.
    func running(beside attempt: Attempt) -> Attempt? {
        last { $0.number < attempt.number && $0.start + $0.duration > attempt.start }
    }
}
