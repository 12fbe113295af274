/// What a person is told of a failure: short, without technical words.
///
/// The English texts are the keys' values; translate them with ``Failure/message(localizedBy:)``, or, with Backstop,
/// in a strings table named `Backstop` of the app.
public struct FailureMessage: Sendable, Hashable {
    /// A few words: "You are offline".
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
    /// What a person is told, in English.
    public var message: FailureMessage {
        message { _, english in english }
    }

    /// What a person is told, in the words of a translator.
    ///
    /// ```swift
    /// func swedish(_ failure: Failure, table: [String: String]) -> FailureMessage {
    ///     failure.message { key, english in table[key] ?? english }
    /// }
    /// ```
    /// - Parameter translate: Gets a key, such as `offline.title`, and the English text.
    public func message(localizedBy translate: (_ key: String, _ english: String) -> String) -> FailureMessage {
        let template = MessageTemplate(reason, statusCode: statusCode, isTransient: isTransient)
        var text = translate("\(template.key).text", template.text)
        // What the service says to people is its own text; nothing of ours is as close to the cause.
        if case .service(let error) = reason, let own = error.failureMessage, !own.isEmpty {
            // Redacted before it is cut, so that no secret is cut first.
            let shown = shownRedaction.body(String(own.unicodeScalars.prefix(4000)), contentType: nil)
            text = String(String.UnicodeScalarView(shown.unicodeScalars.prefix(500)))
        }
        return FailureMessage(
            title: translate("\(template.key).title", template.title),
            text: text,
            suggestion: template.suggestion.map { translate("\(template.key).suggestion", $0) })
    }
}

/// The English texts by kind of failure.
package struct MessageTemplate {
    package let key: String
    package let title: String
    package let text: String
    package let suggestion: String?

    private init(_ key: String, _ title: String, _ text: String, _ suggestion: String?) {
        self.key = key
        self.title = title
        self.text = text
        self.suggestion = suggestion
    }

    package init(_ reason: Failure.Reason, statusCode: Int?, isTransient: Bool) {
        switch reason {
        case .cancelled:
            self.init("cancelled", "Cancelled", "The request was cancelled.", nil)
        case .request:
            self.init(
                "request", "Something is wrong in the app", "The request could not be made.",
                "Please report this to the makers of the app.")
        case .transport(let error):
            self = Self.transport(error.code)
        case .timeout:
            self.init(
                "timeout", "That took too long", "The server did not answer in time.", "Please try again in a moment.")
        case .status(let error):
            self = Self.status(error.code)
        case .service:
            self =
                isTransient
                ? Self.status(503)
                : Self.init(
                    "service", "That did not work", "The server could not do what was asked.",
                    "Please check what you entered.")
        case .decoding(let error) where error.kind == .html:
            self.init(
                "decoding.html", "Unexpected answer", "A web page came where data was expected.",
                "Please check whether the network asks you to sign in.")
        case .decoding(let error) where error.kind == .truncated || error.kind == .empty:
            self.init(
                "decoding.incomplete", "Incomplete answer", "The server's answer was not complete.",
                "Please try again in a moment.")
        case .decoding:
            self.init(
                "decoding", "Unexpected answer", "The app does not understand the server's answer.",
                "Please check whether there is an update of the app.")
        case .rejected:
            self.init("rejected", "Not now", "The request was not sent.", "Please try again in a moment.")
        case .other:
            self.init("other", "That did not work", "Something unexpected happened.", "Please try again.")
        }
    }

    private static func transport(_ code: TransportError.Code) -> MessageTemplate {
        switch code {
        case .offline:
            Self.init(
                "offline", "You are offline", "There is no connection to the internet.",
                "Please check the connection and try again.")
        case .dns, .refused, .unreachable:
            Self.init(
                "unreachable", "Server not reached", "The server could not be reached.",
                "Please check the connection and try again.")
        case .lost, .truncated:
            Self.init(
                "lost", "Connection lost", "The connection broke off before the answer was complete.",
                "Please try again.")
        case .tls, .certificate, .clientCertificate:
            Self.init(
                "security", "No secure connection", "A secure connection to the server could not be made.",
                "Please check the date of your device and the network you are in.")
        case .notAllowed:
            Self.init(
                "notAllowed", "Not allowed", "The device does not allow this connection.",
                "Please check the settings, for example for mobile data.")
        case .badResponse, .redirects, .redirectRefused, .tooLarge, .system, .unknown:
            Self.init(
                "transport", "That did not work", "The server could not be talked to.", "Please try again later.")
        }
    }

    private static func status(_ code: Int) -> MessageTemplate {
        switch code {
        case 400, 422:
            Self.init(
                "status.400", "That did not work", "The server does not accept what was sent.",
                "Please check what you entered.")
        case 401, 407:
            Self.init("status.401", "Please sign in", "You are not signed in, or no longer.", "Please sign in again.")
        case 403:
            Self.init("status.403", "Not allowed", "You do not have access to this.", nil)
        case 404, 410:
            Self.init("status.404", "Not found", "What was asked for does not exist, or no longer.", nil)
        case 409, 412:
            Self.init(
                "status.409", "Changed meanwhile", "Somebody else has changed this in the meantime.",
                "Please load it again.")
        case 408, 425, 429, 503, 504:
            Self.init(
                "status.503", "Busy right now", "The server has too much to do at the moment.",
                "Please try again in a moment.")
        case 500...599:
            Self.init(
                "status.500", "Server error", "Something went wrong on the server.", "Please try again later.")
        default:
            Self.init(
                "status", "That did not work", "The server could not do what was asked.", "Please try again later.")
        }
    }
}
