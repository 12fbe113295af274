public import BackstopCore
public import Foundation

extension Failure: LocalizedError {
    /// The message's text, in the words of the app's `Backstop` strings table where it has one.
    public var errorDescription: String? {
        localizedMessage().text
    }

    /// The message's title.
    public var failureReason: String? {
        localizedMessage().title
    }

    /// The message's suggestion.
    public var recoverySuggestion: String? {
        localizedMessage().suggestion
    }

    /// What a person is told, in the words of a bundle's strings table; English where the table has none.
    ///
    /// The keys are in `Docs/Failures.md`.
    public func localizedMessage(bundle: Bundle = .main, table: String = "Backstop") -> FailureMessage {
        message { key, english in bundle.localizedString(forKey: key, value: english, table: table) }
    }
}

extension Failure: CustomNSError {
    /// `dev.backstop.failure`
    public static var errorDomain: String {
        "dev.backstop.failure"
    }

    /// The status for a status failure; otherwise a number for the kind of failure, which stays the same.
    public var errorCode: Int {
        switch reason {
        case .cancelled: 1
        case .request: 2
        case .transport: 3
        case .timeout: 4
        case .status(let error): error.code
        case .service: 5
        case .decoding: 6
        case .rejected: 7
        case .other: 8
        }
    }

    /// The texts for people, the failure's code, and the underlying error.
    public var errorUserInfo: [String: Any] {
        let message = localizedMessage()
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: message.text,
            NSLocalizedFailureReasonErrorKey: message.title,
            "BackstopCode": code,
        ]
        if let suggestion = message.suggestion {
            info[NSLocalizedRecoverySuggestionErrorKey] = suggestion
        }
        if let systemError {
            info[NSUnderlyingErrorKey] = systemError
        }
        return info
    }

    /// The system's own error, with the domain and code that it had: `NSURLErrorDomain` and -1009, for example. Secrets
    /// in its texts and URLs are redacted.
    ///
    /// Where no system error is behind the failure, it is the failure as an `NSError`.
    public var nsError: NSError {
        systemError ?? (self as NSError)
    }

    private var systemError: NSError? {
        let behind: (any Error)? =
            switch reason {
            case .transport(let error): error.underlying
            case .request(let error): error.underlying
            case .other(let error): error
            default: nil
            }
        return behind.map { Self.redacted($0 as NSError) }
    }

    /// The same error without the secrets of its texts and URLs; one that has none stays what it is.
    private static func redacted(_ error: NSError) -> NSError {
        var info = error.userInfo
        var isChanged = false
        for (key, value) in error.userInfo {
            let shown: Any?
            switch value {
            case let url as URL:
                shown = URL(string: Redaction.standard.url(url.absoluteString)).flatMap { $0 == url ? nil : $0 }
            case let text as String: shown = Redaction.standard.url(text) == text ? nil : Redaction.standard.url(text)
            default: shown = nil
            }
            if let shown {
                info[key] = shown
                isChanged = true
            }
        }
        return isChanged ? NSError(domain: error.domain, code: error.code, userInfo: info) : error
    }
}
