extension Failure {
    /// Everything about the failure, for developers; secrets are redacted.
    public var report: String {
        report(redaction: redaction)
    }

    /// The full text, secrets included. Only for a place that nobody else reads.
    public var unredactedReport: String {
        report(redaction: .off)
    }

    /// Everything about the failure, for developers.
    ///
    /// - Parameter redaction: What is hidden.
    public func report(redaction: Redaction) -> String {
        var lines: [String] = []
        lines.append("\(code): \(Self.shown(fullExplanation, redaction))")
        if !name.isEmpty {
            lines.append("  call:     \(Excerpt.cut(redaction.text(Excerpt.printable(name)), to: 200))")
        }
        lines += askedLines(redaction)
        if let response = receivedResponse {
            lines.append("  came:     \(response.summary(redaction))")
            lines += response.details(redaction).map { "            \($0)" }
        } else {
            lines.append("  came:     no response")
        }
        lines += whereLines(redaction)
        lines += attemptLines
        lines.append("  stopped:  \(Self.shown(stopped.description, redaction))")
        if let next = nextStep {
            lines.append("  next:     \(next)")
        }
        return lines.joined(separator: "\n")
    }

    /// A text that may be a server's: bounded, without control characters, and its further lines indented, so that none
    /// of them can pass for a line of the report.
    private static func shown(_ text: String, _ redaction: Redaction) -> String {
        let lines = Excerpt.cut(text, to: 8000).split(whereSeparator: \.isNewline).map { Excerpt.printable(String($0)) }
        let shown = redaction.body(lines.joined(separator: "\n            "), contentType: nil)
        return Excerpt.cut(shown, to: 4000)
    }

    /// What went wrong, in one or two sentences for developers; secrets are redacted.
    public var explanation: String {
        Self.shown(fullExplanation, redaction)
    }

    private var fullExplanation: String {
        switch reason {
        case .cancelled:
            "The call was cancelled."
        case .request(let error):
            "The request could not be made: \(error.detail)"
        case .transport(let error):
            error.code.explanation + (error.detail.isEmpty ? "" : " The system says: \(error.detail)")
        case .timeout(let error):
            error.explanation
        case .status(let error):
            if let detail = error.detail {
                "The server answered \(error.code): \(detail)"
            } else {
                "The server answered \(error.code)\(StatusError.name(of: error.code).map { " \($0)" } ?? "")."
            }
        case .service(let error):
            if let message = error.failureMessage {
                "The server says: \(message)"
            } else if let described = error as? any CustomStringConvertible {
                described.description
            } else {
                "The service refused: \(error.failureCode)"
            }
        case .decoding(let error):
            error.explanation
        case .rejected(let error):
            "The request was not sent: \(error.detail)"
        case .other(let error):
            "A link of the chain threw \(Role.name(of: type(of: error))): \(String(describing: error))"
        }
    }

    /// What the caller asked; what was sent, where that is something else; and the hops after it, a line each.
    private func askedLines(_ redaction: Redaction) -> [String] {
        guard let asked = askedRequest ?? sentRequests.first else {
            return ["  asked:    nothing was sent"]
        }
        let summary = asked.summary(redaction)
        var lines = ["  asked:    \(summary)"]
        guard let first = sentRequests.first else {
            let which = attempts.count > 1 ? " in attempt \(attempts.count)" : ""
            return lines + asked.details(redaction).map { "            \($0)" } + ["  sent:     nothing\(which)"]
        }
        if first.summary(redaction) != summary {
            lines.append("  sent:     \(first.summary(redaction))")
        }
        // As it went out, with what the links added.
        lines += first.details(redaction).map { "            \($0)" }
        for (position, hop) in sentRequests.dropFirst().prefix(Self.shownHops).enumerated() {
            lines.append("\(position == 0 ? "  then:     " : "            ")\(hop.summary(redaction))")
        }
        if sentRequests.count - 1 > Self.shownHops {
            lines.append("            (\(sentRequests.count - 1 - Self.shownHops) more)")
        }
        return lines
    }

    /// How many further hops a report shows.
    private static let shownHops = 20

    private func whereLines(_ redaction: Redaction) -> [String] {
        switch reason {
        case .transport(let error):
            // The error knows best; where it does not, what the transport told of the exchange does.
            let phase = error.phase == .unknown ? progress?.phase ?? .unknown : error.phase
            let bytes = error.bytesReceived ?? progress?.bytesReceived
            return ["  where:    while \(phase.explanation)\(Self.received(bytes))"]
        case .timeout:
            if endedInWait {
                return ["  where:    in the wait before attempt \(attempts.count + 1)"]
            }
            if let progress {
                return ["  where:    while \(progress.phase.explanation)\(Self.received(progress.bytesReceived))"]
            }
            guard receivedResponse == nil else {
                return ["  where:    after the response had arrived, while a link of the chain was at work on it"]
            }
            return [
                sentRequests.isEmpty
                    ? "  where:    before anything was sent"
                    : "  where:    after the request had gone to the transport, which does not tell how far it came"
            ]
        case .status:
            return ["  where:    in the head of the response"]
        case .decoding(let error):
            var lines = ["  where:    \(error.path)" + (error.byteOffset.map { ", at byte \($0)" } ?? "")]
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
        bytes.map { ", after \($0) bytes of the body" } ?? ""
    }

    private var attemptLines: [String] {
        attempts.map { attempt in
            let wait =
                attempt.number == 1
                ? "" : " after a wait of \(attempt.wait.text)\(attempt.waitReason.map { " (\($0))" } ?? "")"
            let label = attempt.number == attempts.first?.number ? "  attempts: " : "            "
            return "\(label)\(attempt.number). \(attempt.result) in \(attempt.duration.text)\(wait)"
        }
    }

    /// What a developer can do next; nil when there is nothing to say.
    private var nextStep: String? {
        switch reason {
        case .cancelled:
            nil
        case .request:
            "Mend the endpoint that makes the request."
        case .transport(let error):
            error.code.nextStep
        case .timeout(let error):
            switch error.limit {
            case .attempt: "Raise the limit of AttemptTimeout if the server is known to be slow."
            case .connection: "Make fewer calls to the host at once, or raise connectionsPerHost of the transport."
            case .deadline: "Raise the deadline, or lower the number of attempts."
            }
        case .status(let error):
            Self.nextStep(status: error.code)
        case .service:
            "Read the error's fields with failure.error(as:)."
        case .decoding(let error):
            switch error.kind {
            case .html: "Check the session and whether a proxy or a sign-in page stands in between."
            case .empty: "Use an endpoint without content for answers that may be empty."
            case .truncated, .notJSON, .tooDeep: "Look at what the server sends; it is not the JSON it should be."
            case .missingKey, .missingValue: "Make the property optional, or ask the server for the value."
            case .typeMismatch, .corrupted: "Compare the type of the property with what the server sends."
            }
        case .rejected:
            nil
        case .other:
            "Throw an error that is FailureReasonConvertible, so that handlers see what kind it is."
        }
    }

    private static func nextStep(status: Int) -> String {
        switch status {
        case 401: "Check the credentials, and whether they have to be renewed."
        case 403: "The credentials are known, but not allowed to do this."
        case 404, 405, 410: "Check method and path of the endpoint."
        case 400, 415, 422: "The server does not accept the request; its body says why."
        case 429: "Send fewer requests, or wait as long as Retry-After says."
        case 500...: "The server failed; its log, and the body above, say more."
        case 300..<400: "The redirect was not followed; ask the final address."
        default: "Look at the body above, or accept this status in StatusValidation."
        }
    }
}

extension TimeoutError {
    /// The sentence for developers.
    var explanation: String {
        let length = duration.map { " of \($0.text)" } ?? ""
        return switch limit {
        case .attempt: "There was no complete response within the limit\(length) of one attempt."
        case .deadline: "The call was not done within its deadline\(length)."
        case .connection:
            "There was no free connection to the host within\(duration.map { " \($0.text)" } ?? " the time allowed"): "
                + "other calls were using all of them."
        }
    }
}

extension TransportError.Code {
    /// The sentence for developers.
    var explanation: String {
        switch self {
        case .offline: "There is no connection to a network."
        case .dns: "The name of the host could not be resolved."
        case .refused: "Nothing listens on that port of the host."
        case .unreachable: "The host could not be reached."
        case .lost: "The connection was lost before the response was complete."
        case .truncated: "The response ended before it was complete."
        case .tls: "The secure connection could not be made."
        case .certificate: "The server's certificate is not trusted."
        case .clientCertificate: "The server wants a certificate of the client's, or refused the one it got."
        case .badResponse: "What came back is not an HTTP response that can be read."
        case .redirects: "There were more redirects than are followed."
        case .redirectRefused: "The server redirects to where the request must not go."
        case .tooLarge: "The response is larger than is accepted; reading stopped at the limit."
        case .notAllowed: "The system does not allow this connection."
        case .system: "The system could not start the transfer."
        case .unknown: "The transfer failed."
        }
    }

    /// What to do next.
    var nextStep: String {
        switch self {
        case .offline: "Wait for a connection."
        case .dns: "Check the host's name for a typing error, and the resolver."
        case .refused: "Check port and address, and whether the server runs."
        case .unreachable: "Check the network, VPN and firewall between here and the host."
        case .lost, .truncated: "Look at the server and what stands before it: something closes connections early."
        case .tls: "Check which versions of TLS both sides accept."
        case .certificate: "Check the certificate's dates, names and issuer."
        case .clientCertificate: "Give the session a client certificate that the server accepts."
        case .badResponse: "Check that the port speaks HTTP, and with TLS or without."
        case .redirects: "Ask the final address, or raise the limit."
        case .redirectRefused: "Ask the final address, or send a body that can be sent again."
        case .tooLarge: "Raise responseLimit, or ask for less."
        case .notAllowed: "Check the app's permissions and App Transport Security."
        case .system: "Check the session's configuration."
        case .unknown: "See the system's own text above."
        }
    }
}

extension TransportError.Phase {
    /// What was going on.
    var explanation: String {
        switch self {
        case .queued: "waiting for a connection that other calls were using"
        case .connecting: "connecting"
        case .sending: "sending the request"
        case .waiting: "waiting for the response to begin"
        case .receiving: "receiving the response"
        case .unknown: "talking to the server (the phase is not known)"
        }
    }
}
