/// A handler's decision. A call's own closure, which can also return a value, returns a ``Resolution`` instead.
public enum Verdict: Sendable, Hashable {
    /// Handled; no further handler is asked.
    case handled
    /// Not handled; the next handler is asked.
    case unhandled
    /// Repeat the whole call after a pause: a person tapped "Try again".
    ///
    /// At most ``FailureHandling/maximumHandlerRetries`` times per call; beyond that it counts as ``unhandled``.
    /// ``FailureHandling/canRetry`` tells a handler in advance.
    case retry(after: Duration = .zero)
}

/// The decision of a call's own closure: a ``Verdict``, or a value that makes the call succeed. Handlers in scopes and
/// defaults serve calls of different types, so they return a ``Verdict``.
public enum Resolution<Value: Sendable>: Sendable {
    /// Handled; no further handler is asked.
    case handled
    /// Not handled; the next handler is asked.
    case unhandled
    /// Repeat the whole call after a pause.
    case retry(after: Duration)
    /// Use this value instead; the call succeeds.
    case value(Value)

    /// Repeat the whole call at once.
    public static var retry: Resolution { .retry(after: .zero) }

    /// The same without a value.
    init(_ verdict: Verdict) {
        switch verdict {
        case .handled: self = .handled
        case .unhandled: self = .unhandled
        case .retry(let pause): self = .retry(after: pause)
        }
    }
}

extension Verdict {
    /// Repeat the whole call at once.
    public static var retry: Verdict { .retry(after: .zero) }
}

/// The outcome of a performed call.
public enum Outcome<Value: Sendable>: Sendable {
    /// The value, from the call or from its own handler.
    case value(Value)
    /// The failure was handled; `by` is the handler's name.
    case handled(Failure, by: String)
    /// The failure was not handled; its report is in the log.
    case unhandled(Failure)
    /// The call was cancelled before a handler decided.
    case cancelled

    /// The value; nil when there is none.
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    /// The failure; nil after a value or a cancellation.
    public var failure: Failure? {
        switch self {
        case .handled(let failure, _), .unhandled(let failure): failure
        case .value, .cancelled: nil
        }
    }

    /// The name of the handler that handled the failure; nil when none did.
    public var handledBy: String? {
        if case .handled(_, let name) = self { name } else { nil }
    }
}
