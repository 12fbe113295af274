public import BackstopCore
public import Foundation

extension Failure: LocalizedError {
    /// The message's text, from the app's `Backstop` strings table, if it has one.
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

    /// The text for people, from a bundle's strings table; in English for missing keys.
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

    /// The status for a status failure; otherwise a stable number for the kind of failure.
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
        case .storage: 9
        }
    }

    /// The texts for people, what crash reporters show, and the underlying error; secrets are redacted at every depth.
    ///
    /// The keys that begin with `Backstop` are in `Docs/Failures.md`; their values are bounded texts and numbers.
    public var errorUserInfo: [String: Any] {
        let message = localizedMessage()
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: message.text,
            NSLocalizedFailureReasonErrorKey: message.title,
            // Trackers show it as what happened: the constant for it is newer than some systems.
            "NSDebugDescription": shownLine(explanation(redaction: shownRedaction), to: 4000),
            "BackstopCode": shownLine(code, to: 120),
            "BackstopFingerprint": fingerprint,
            "BackstopAttempts": attempts.count,
            "BackstopStopReason": stopReason.code,
        ]
        info["BackstopName"] = name.isEmpty ? nil : shownRedaction.shown(name: name)
        info["BackstopRequest"] = shownRequest
        info["BackstopStatus"] = statusCode
        if let suggestion = message.suggestion {
            info[NSLocalizedRecoverySuggestionErrorKey] = suggestion
        }
        info[NSUnderlyingErrorKey] = errorBehind
        return info
    }

    /// The system's own error with its domain and code, such as `NSURLErrorDomain` and -1009. Secrets in its texts and
    /// URLs are redacted, and so are those in its underlying errors.
    ///
    /// Without a system error, it is the failure as an `NSError`.
    public var nsError: NSError {
        (known?.system).map { ErrorRedactor(redaction: shownRedaction).redacted($0) } ?? (self as NSError)
    }

    /// The error of the reason, and the system's own in it, where there may be one.
    private var known: (error: any Error, system: (any Error)?)? {
        switch reason {
        case .transport(let error): (error, error.underlying)
        case .request(let error): (error, error.underlying)
        case .other(let error): (error, error)
        default: nil
        }
    }

    /// The underlying error, of any kind, with its secrets redacted.
    private var errorBehind: NSError {
        guard case .decoding(let error) = reason else {
            return ErrorRedactor(redaction: shownRedaction).redacted(known?.system ?? known?.error ?? underlying)
        }
        // For a decoder's error, only what was redacted using the path: its own text repeats values.
        let behind = (error.underlying ?? error) as NSError
        return NSError(
            domain: behind.domain, code: behind.code,
            userInfo: [NSLocalizedDescriptionKey: shownRedaction.body(error.explanation, contentType: nil)])
    }
}

extension StatusError: CustomNSError {
    /// `dev.backstop.status`
    public static var errorDomain: String {
        "dev.backstop.status"
    }

    /// The status.
    public var errorCode: Int {
        code
    }
}
