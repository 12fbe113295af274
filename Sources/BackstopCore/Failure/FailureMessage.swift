/// The text for people: what happened, and what to do. No blame, no jargon, and nothing that a server wrote for
/// developers.
///
/// Each text has a key; translate them with ``Failure/message(localizedBy:)`` or, with the module Backstop, in the
/// app's strings table `Backstop`. `Docs/Backstop.xcstrings` has all of them.
public struct FailureMessage: Sendable, Hashable {
    /// A few words, without a full stop: "You are offline".
    public let title: String
    /// One sentence: what happened.
    public let text: String
    /// One sentence: what the person can do; nil when there is nothing to do.
    public let suggestion: String?

    /// Makes a message.
    public init(title: String, text: String, suggestion: String?) {
        self.title = title
        self.text = text
        self.suggestion = suggestion
    }
}

extension Failure {
    /// The text for people, in English.
    ///
    /// ```swift
    /// func line(_ failure: Failure) -> String {
    ///     let message = failure.message  // 503 with Retry-After: 60
    ///     return "\(message.text) \(message.suggestion ?? "")"  // ... Please try again in a minute.
    /// }
    /// ```
    public var message: FailureMessage {
        message { _, english in english }
    }

    /// The text for people, translated.
    ///
    /// ```swift
    /// func swedish(_ failure: Failure, table: [String: String]) -> FailureMessage {
    ///     failure.message { key, english in table[key] ?? english }
    /// }
    /// ```
    /// - Parameter translate: Receives a key, such as `offline.title`, and the English text.
    public func message(localizedBy translate: (_ key: String, _ english: String) -> String) -> FailureMessage {
        message(MessageTemplate.of(self), localizedBy: translate)
    }

    private func message(
        _ template: MessageTemplate, localizedBy translate: (_ key: String, _ english: String) -> String
    ) -> FailureMessage {
        let advice = advice(otherwise: template)
        return FailureMessage(
            title: translate("\(template.key).title", template.title),
            // What the app shows of an error is closest to the cause; nothing of ours is.
            text: ownText ?? translate("\(template.key).text", template.text),
            suggestion: advice.map { translate($0.key, $0.english) })
    }

    /// What to do, with the key of its translation; nil when there is nothing.
    private func advice(otherwise template: MessageTemplate) -> (key: String, english: String)? {
        if mayHaveWorked {
            return ("mayHaveWorked.suggestion", MessageTemplate.mayHaveWorked)
        }
        if template.isAboutWaiting, let wait = isRefusedForLong ? .century : retryAfter {
            let phrase = WaitPhrase.of(wait)
            return ("wait.\(phrase.key).suggestion", phrase.english)
        }
        return template.suggestion.map { ("\(template.key).suggestion", $0) }
    }

    /// Whether what else refuses for a moment says that this time it is not one, as for more tokens than a bucket holds.
    private var isRefusedForLong: Bool {
        if case .rejected(let error) = reason { error.code.isTransient && !error.isTransient } else { false }
    }

    /// The text for people of the error itself, or of the app; nil for the neutral text.
    package var ownText: String? {
        guard case .service(let error) = reason, let own = values.textForPeople(of: error) else {
            return nil
        }
        let line = textForPeople(own, upTo: 500)
        return line.isEmpty ? nil : line
    }

    /// A text that may come from a server, fit for people: redacted, on one line, and bounded.
    ///
    /// - Parameter limit: The most characters shown.
    package func textForPeople(_ text: String, upTo limit: Int) -> String {
        // More than is shown, so that a secret is recognized before it is cut.
        let redacted = shownRedaction.body(Excerpt.cut(text, to: 4000), contentType: "text/plain")
        // Without spaces at its ends.
        let line = Excerpt.printable(redacted).split(separator: " ").joined(separator: " ")
        return String(String.UnicodeScalarView(line.unicodeScalars.prefix(limit)))
    }
}

extension MessageTemplate {
    /// An app's texts for a code of its own.
    init(_ key: String, _ message: FailureMessage) {
        self.init(key, message.title, message.text, message.suggestion)
    }

    /// The texts for a failure.
    fileprivate static func of(_ failure: Failure) -> MessageTemplate {
        switch failure.reason {
        case .cancelled: cancelled
        case .request: request
        case .transport(let error): error.code.row.message
        case .timeout(let error): error.kind.row.message
        case .status(let error): ofStatus(error.code, of: failure)
        case .service:
            failure.meantStatus.map { ofStatus($0, of: failure) } ?? (failure.isTransient ? unavailable : service)
        case .decoding(let error): error.isOfApp ? other : error.kind.message
        case .rejected(let error): error.code.row.message
        case .storage(let error): error.code.row.message
        case .other: other
        }
    }

    /// The texts of a status, as the request makes them true.
    private static func ofStatus(_ status: Int, of failure: Failure) -> MessageTemplate {
        switch status {
        // Nothing was entered: the app asked in a way that the service does not know.
        case 400 where failure.onlyRead && failure.statusCode == 400: request
        case 401 where (failure.sentRequest as? any SessionRequest)?.carriesSession == false: signIn
        default: StatusError.Facts.of(status).message
        }
    }
}

/// A wait in everyday words.
package struct WaitPhrase: Sendable {
    /// The end of the key: `minute` of `wait.minute.suggestion`.
    package let key: String
    /// The longest wait that the sentence covers; nil for any.
    package let upTo: Duration?
    /// The full sentence.
    package let english: String

    /// From short to long; each wait is rounded up, so that nobody comes back too early.
    package static let all: [WaitPhrase] = [
        WaitPhrase(key: "moment", upTo: .seconds(20), english: "Please try again in a moment."),
        WaitPhrase(key: "minute", upTo: .seconds(75), english: "Please try again in a minute."),
        WaitPhrase(key: "minutes", upTo: .seconds(300), english: "Please try again in a few minutes."),
        WaitPhrase(key: "quarter", upTo: .seconds(960), english: "Please try again in a quarter of an hour."),
        WaitPhrase(key: "half", upTo: .seconds(1860), english: "Please try again in half an hour."),
        WaitPhrase(key: "hour", upTo: .seconds(3900), english: "Please try again in an hour."),
        WaitPhrase(key: "hours", upTo: .seconds(6 * 3600), english: "Please try again in a few hours."),
        WaitPhrase(key: "day", upTo: .seconds(26 * 3600), english: "Please try again tomorrow."),
        WaitPhrase(key: "days", upTo: .seconds(6 * 86_400), english: "Please try again in a few days."),
        WaitPhrase(key: "later", upTo: nil, english: "Please try again later."),
    ]

    static func of(_ wait: Duration) -> WaitPhrase {
        all.first { phrase in phrase.upTo.map { wait <= $0 } ?? true } ?? all[all.count - 1]
    }
}

/// A request that knows whether a session of the person came with it.
package protocol SessionRequest: CallRequest {
    /// Whether it carries what a sign-in gave; false for one without credentials, and for a sign-in.
    var carriesSession: Bool { get }
}

extension Failure {
    /// Whether the call sent only requests that read.
    package var onlyRead: Bool {
        sentRequest != nil && isReadOnly
    }

    /// The status, from 400 on, that a service's response means: that of the error if it has one, else that of the
    /// response. Nil when there is none, or the call failed in another way.
    package var meantStatus: Int? {
        switch reason {
        case .status(let error): return error.code >= 400 ? error.code : nil
        case .service(let error):
            let own = error as? any StatusMeaning
            let candidates = own?.meansMore == false ? [statusCode, own?.meantStatus] : [own?.meantStatus, statusCode]
            return candidates.compactMap { $0 }.first { $0 >= 400 }
        default: return nil
        }
    }

    /// Whether the server may have done its work, so that a retry could repeat it.
    package var mayHaveWorked: Bool {
        guard end.sender == nil, !isSafe(sentRequests), !mayHaveWorkedBefore else {
            return mayHaveWorkedBeside || mayHaveWorkedBefore
        }
        // If the last request may be repeated, the order came before it and was answered, as by a redirect.
        let hops = sentRequests.filter { !($0 is any OperationRequest) }
        let isRedirected = !isSafe(hops) && isSafe(Array(hops.suffix(1)))
        let isAnswered = isRedirected || progress?.response != nil
        let isUnsent = !isAnswered && [.queued, .connecting].contains(progress?.phase ?? .unknown)
        return switch reason {
        case .transport(let error):
            isRedirected || !isRefused && isOfUnknownCall && receivedResponse != nil
                // A network that goes away after the request began says nothing about the request.
                || !isRefused && (error.code.row.leavesDoubt || [.sending, .waiting].contains(error.phase))
                    && (error.phase == .unknown
                        ? !isUnsent : isAnswered || ![.queued, .connecting].contains(error.phase))
        // A connection that is made in the moment of the limit may still take the request along.
        case .timeout(let error):
            isRedirected || !isRefused && (isAnswered || !error.kind.isBeforeSending && progress?.phase != .queued)
        // A status below 400 accepts the order, whatever the chain thinks of it.
        case .status(let error): error.code < 400 || leavesDoubt(error.code, isRedirected: isRedirected)
        case .service(let error):
            stopReason == .begun || (error as? any StatusMeaning)?.leavesDoubt == true
                || statusCode.map { leavesDoubt($0, isRedirected: isRedirected) } ?? false
        // The response was rejected here, or could not be used: that undoes nothing on the server.
        case .decoding, .rejected, .storage, .other:
            statusCode.map { $0 < 400 || leavesDoubt($0, isRedirected: isRedirected) } ?? !isUnsent
        case .cancelled, .request: false
        }
    }

    /// Whether requests may be sent again. What made a key within an operation may make another one next time.
    private func isSafe(_ requests: [any CallRequest]) -> Bool {
        let safety = RepeatSafety(requests)
        return safety.isIdempotent && (safety.key == nil || !(originalRequest is any OperationRequest))
    }

    /// Whether an earlier attempt may have done the work, and its answer was lost: one of what must not be sent twice,
    /// or one of a change that then found its item gone, taken or changed, as a DELETE that was repeated gets 404, and a
    /// PUT with `If-Match` 412.
    var mayHaveWorkedBefore: Bool {
        guard !end.isInDoubt else {
            return !isCancelled
        }
        guard !onlyRead, let status = meantStatus, [404, 409, 410, 412].contains(status) else {
            return false
        }
        return attempts.prefix { $0.number != end.attempt }.contains { $0.result.leavesDoubt }
    }

    /// Whether the work may have been done if the call is made again, and then would be done twice.
    package var leavesDoubt: Bool {
        mayHaveWorked || !isSafeToRepeat && Attempt.Result.failed(code: code).leavesDoubt
    }

    /// Whether an attempt that ran beside the one that decided, and was cancelled, sent what must not be repeated.
    var mayHaveWorkedBeside: Bool {
        guard !repeatSafety.isIdempotent, !isCancelled,
            let deciding = attempts.first(where: { $0.number == end.attempt })
        else {
            return false
        }
        return attempts.contains { other in
            other.number != deciding.number && other.result == .failed(code: "cancelled")
                && other.start + other.duration > deciding.start && deciding.start + deciding.duration >= other.start
        }
    }

    /// Whether the head of a response had arrived, and says that the server did not do what it was asked.
    private var isRefused: Bool {
        guard let status = (progress?.response ?? receivedResponse)?.statusCode else {
            return false
        }
        return status >= 400 && !StatusError.Facts.of(status).leavesDoubt
    }

    /// Whether the server may have done its work although it answered with this status.
    ///
    /// - Parameter isRedirected: Whether the status answers a later request than the order, which a redirect led to: it
    ///   says nothing about the order.
    private func leavesDoubt(_ status: Int, isRedirected: Bool) -> Bool {
        StatusError.Facts.of(status).leavesDoubt || isRedirected
    }

    /// The text for people of a failure that is about what was entered: where the status says nothing that helps, it is
    /// to check that.
    ///
    /// - Parameter translate: Receives a key, such as `offline.title`, and the English text.
    package func inputMessage(localizedBy translate: (_ key: String, _ english: String) -> String) -> FailureMessage {
        var template = MessageTemplate.of(self)
        if meantStatus != nil || reason.kind == "service",
            [MessageTemplate.status, .service, .request].contains(where: { $0.key == template.key })
        {
            template = .badInput
        }
        return message(template, localizedBy: translate)
    }
}

extension Attempt.Result {
    /// Whether the server may have done its work although the attempt failed.
    var leavesDoubt: Bool {
        guard case .failed(let code) = self, let dot = code.firstIndex(of: ".") else {
            return false
        }
        let name = code[dot...].dropFirst()
        return switch code[..<dot] {
        case "timeout": name == TimeoutError.Kind.attempt.name
        case "status": Int(name).map { StatusError.Facts.of($0).leavesDoubt } == true
        case "transport": TransportError.Code.builtIn.first { $0.name == name }?.row.leavesDoubt == true
        default: false
        }
    }
}
