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

    /// The texts for people, the failure's code, and the error behind it; secrets are redacted at every depth.
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
        info[NSUnderlyingErrorKey] = errorBehind
        return info
    }

    /// The system's own error, with the domain and code that it had: `NSURLErrorDomain` and -1009, for example. Secrets
    /// in its texts and URLs are redacted, also in those of errors behind it.
    ///
    /// Where no system error is behind the failure, it is the failure as an `NSError`.
    public var nsError: NSError {
        let system: (any Error)? =
            switch reason {
            case .transport(let error): error.underlying
            case .request(let error): error.underlying
            case .other(let error): error
            default: nil
            }
        return system.map { ErrorRedactor(redaction: shownRedaction).redacted($0) } ?? (self as NSError)
    }

    /// The error behind the failure, whatever its kind; its secrets redacted.
    private var errorBehind: NSError {
        let redactor = ErrorRedactor(redaction: shownRedaction)
        switch reason {
        case .decoding(let error):
            // Of a decoder's error only what was redacted with the help of the path: its own words repeat values.
            let behind = (error.underlying ?? error) as NSError
            return NSError(
                domain: behind.domain, code: behind.code,
                userInfo: [NSLocalizedDescriptionKey: shownRedaction.body(error.explanation, contentType: nil)])
        case .transport(let error): return redactor.redacted(error.underlying ?? error)
        case .request(let error): return redactor.redacted(error.underlying ?? error)
        case .other(let error): return redactor.redacted(error)
        case .cancelled, .timeout, .status, .service, .rejected: return redactor.redacted(underlying)
        }
    }
}
