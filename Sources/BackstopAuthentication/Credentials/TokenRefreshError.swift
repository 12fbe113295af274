public import BackstopCore

/// The access token could not be refreshed, so the call was given up: `rejected.tokenRefresh`.
///
/// A failure of the network that passes keeps its reason, such as `transport.offline`, so that handlers, caches and
/// fallbacks do what they do without a network.
///
/// Each call that waited for the refresh fails with it, once, and `Retry` does not repeat it: the client that refreshes
/// has retried already. The next call refreshes anew, but not before the server's `Retry-After` (a minute at most), nor
/// within a second of the second answer in a row such as 503.
///
/// ```swift
/// func explain(_ failure: Failure) -> String {
///     failure.error(as: TokenRefreshError.self)?.failure?.message.text ?? failure.message.text
/// }
/// ```
public struct TokenRefreshError: Error, Sendable {
    /// Why, as the app's closure threw it; a `TimeoutError` if it did not end in time.
    public let underlying: any Error
    /// How long ago the refresh failed that this call was not to repeat; nil for those that waited for it.
    var age: Duration?
    /// Whether the refresh before it had failed too, less than a minute earlier.
    var isRepeated = false

    /// The failure of the client that refreshed; nil when the closure threw another error.
    public var failure: Failure? { underlying as? Failure }

    /// Makes the error.
    public init(underlying: any Error) {
        self.underlying = underlying
    }
}

extension TokenRefreshError: FailureReasonConvertible, SettledError, AdvisingError, CustomStringConvertible,
    CustomReflectable
{
    /// `.transport` or `.timeout` of the refresh, if that passes; else `.rejected` with `.tokenRefresh`, naming the cause
    /// (`400 invalid_request`), and transient if that is.
    public var classifiedReason: Failure.Reason {
        let cause = failure ?? Failure(underlying)
        switch cause.reason {
        case .transport where cause.isTransient, .timeout where cause.isTransient:
            return cause.reason
        default:
            return .rejected(
                RejectionError(
                    .tokenRefresh, words, isTransient: cause.isTransient,
                    retryAfter: cause.retryAfter.map { $0 - (age ?? .zero) }))
        }
    }

    /// Where to look, also after a time limit: that is not one of the call.
    package var nextStep: String {
        guard let rest = pause(after: age ?? .zero) else {
            return RejectionError.Code.tokenRefresh.nextStep ?? ""
        }
        return "failure.error(as: TokenRefreshError.self) says why. No call refreshes anew for \(rest.text)."
    }

    /// For how long no other refresh begins, some time after this one has failed; nil where the next call may try.
    func pause(after age: Duration) -> Duration? {
        let cause = failure ?? Failure(underlying)
        // A server in trouble that does not say for how long is not asked by each call.
        let isInTrouble = isRepeated && cause.isTransient && cause.statusCode != nil
        let wait = min(cause.retryAfter ?? .seconds(isInTrouble ? 1 : 0), .seconds(60))
        return age >= .zero && age < wait ? wait - age : nil
    }

    /// What a call waited for in vain, in words that quote nothing.
    var words: String {
        "\(age == nil ? "a new token was asked for" : "an earlier call asked for a new token"): \(cause)"
    }

    /// The code of the cause. Not its text, which may quote what was sent and received: tokens.
    public var description: String { "rejected.tokenRefresh: \(cause)" }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["cause": cause], displayStyle: .struct)
    }

    private var cause: String {
        let reason = Failure.Reason(classifying: underlying, isCancelled: true)
        switch reason {
        case .status(let error): return "\(error.code)"
        case .service:
            return failure?.statusCode.map { "\($0) \(reason.code.dropFirst("service.".count))" } ?? reason.code
        case .other: return TypeName.short(type(of: underlying))
        default: return reason.code
        }
    }
}

/// What the closure of ``Credentials`` throws, instead of returning nil, to say why the refresh token is refused for
/// good.
package struct TokenRefusedForGood: Error {
    /// Why, in words that quote nothing of a body: `400 invalid_grant`.
    let cause: String
    /// Whether a server was asked.
    let isAsked: Bool

    package init(_ cause: String, isAsked: Bool = true) {
        self.cause = cause
        self.isAsked = isAsked
    }
}
