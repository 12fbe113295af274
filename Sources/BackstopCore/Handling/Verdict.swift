/// What a handler says of a failure.
public enum Verdict: Sendable, Hashable {
    /// It is dealt with; no further handler is asked.
    case handled
    /// It is not mine; ask the next handler.
    case unhandled
    /// Send the whole call anew, after a pause: a person tapped "Try again".
    ///
    /// At most ``FailureHandling/maximumHandlerRetries`` times a call; beyond that it counts as ``unhandled``, as
    /// ``FailureHandling/canRetry`` tells a handler beforehand.
    case retry(after: Duration = .zero)
}

/// What a call's own handler says of a failure; unlike other handlers it can give a value.
public enum Resolution<Value: Sendable>: Sendable {
    /// It is dealt with; no further handler is asked.
    case handled
    /// It is not mine; ask the next handler.
    case unhandled
    /// Send the whole call anew, after a pause.
    case retry(after: Duration)
    /// Use this value instead; the call counts as a success for its caller.
    case value(Value)

    /// Send the whole call anew at once.
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
    /// Send the whole call anew at once.
    public static var retry: Verdict { .retry(after: .zero) }
}

/// What came of a call that was performed with handlers: exactly one of these.
public enum Outcome<Value: Sendable>: Sendable {
    /// The call gave a value, or its own handler did.
    case value(Value)
    /// A handler dealt with the failure; `by` is its name.
    case handled(Failure, by: String)
    /// No handler dealt with it; its report is in the log.
    case unhandled(Failure)
    /// The call was cancelled, before a handler had decided.
    case cancelled

    /// The value; nil when there is none.
    public var value: Value? {
        if case .value(let value) = self {
            return value
        }
        return nil
    }

    /// The failure; nil after a value or a cancellation.
    public var failure: Failure? {
        switch self {
        case .handled(let failure, _), .unhandled(let failure): failure
        case .value, .cancelled: nil
        }
    }

    /// The name of the handler that dealt with the failure; nil when none did.
    public var handledBy: String? {
        if case .handled(_, let name) = self {
            return name
        }
        return nil
    }
}
