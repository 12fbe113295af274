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
        case .status(let error): ofStatus(failure.meantStatus ?? error.code, of: failure)
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
        case .status(let error): return error.code >= 400 ? limit(error.code) : nil
        case .service(let error):
            let own = error as? any StatusMeaning
            let candidates = own?.meansMore == false ? [statusCode, own?.meantStatus] : [own?.meantStatus, statusCode]
            return candidates.compactMap { $0 }.first { $0 >= 400 }.map(limit)
        default: return nil
        }
    }

    /// 429 for a 403 that is a limit, and that the error does not call final.
    private func limit(_ status: Int) -> Int {
        guard status == statusCode, receivedResponse?.isLimit(status, now: date) == true else {
            return status
        }
        if case .service(let error) = reason, error.isTransient == false { return status }
        return 429
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
