/// What one call may have of its own: name, time, randomness, deadline, and what is traced of it.
public struct CallOptions: Sendable {
    /// What the call is named in logs, traces and reports. Default: empty, then the request's summary stands for it.
    public var name: String = ""
    /// The clock. Default: the system's.
    public var clock: any CallClock = SystemClock()
    /// The random source for jitter. Default: the system's.
    public var random: any RandomSource = SystemRandom()
    /// The time that the whole call may take, all attempts and waits included; nil for no limit. Default: nil.
    ///
    /// The `Deadline` interceptor enforces it; without that interceptor it only stops retry from waiting beyond it.
    public var deadline: Duration?
    /// Whether the trace records entering and leaving each interceptor. Default: false, because it costs a lock per
    /// interceptor.
    public var tracesInterceptors = false
    /// How many bytes of a response's body a failure carries along. Default: 64 KiB. Negative counts as 0.
    public var failureBodyLimit = 65_536
    /// What is hidden in reports and descriptions. Default: ``Redaction/standard``.
    public var redaction: Redaction = .standard
    /// Who is told when a call ended, with its trace. Default: nobody.
    public var observers: [any CallObserver] = []
    /// The values that the call starts with. Default: none.
    public var values = CallValues()

    /// Makes the default options.
    public init() {}
}

/// Sees every finished call with its trace: for metrics, spans, or a debug screen.
public protocol CallObserver: Sendable {
    /// Called once at the end of each call, successful or not, before the caller gets the result. Must not block.
    func callFinished(_ call: FinishedCall)
}

/// A call that ended, as a ``CallObserver`` sees it.
public struct FinishedCall: Sendable {
    /// The call's name; empty when it was given none.
    public let name: String
    /// The call's number in this process.
    public let id: UInt64
    /// What happened when.
    public let trace: Trace
    /// The request as last sent; nil when nothing was sent.
    public let request: (any CallRequest)?
    /// The last response; nil when none arrived.
    public let response: (any CallResponse)?
    /// The failure; nil when the call gave a value.
    public let failure: Failure?
    /// The values that travelled with the call.
    public let values: CallValues
}

extension CallOptions {
    /// Says that a service's texts are meant for people, and which of them.
    ///
    /// Ready-made errors, such as `ProblemDetails` and `GraphQLFailure`, show nothing of what a server wrote, because
    /// most servers write for developers: people read neutral words. Where the service's texts are written for people,
    /// say so once, for the client:
    ///
    /// ```swift
    /// struct QuotaError: ServiceError { let hint: String? }
    ///
    /// var options = CallOptions()
    /// options.showToPeople(QuotaError.self) { $0.hint }
    /// ```
    /// The text is shown redacted, on one line, and up to 500 characters. Of several for one type the last that gives a
    /// text counts; it goes before the error's own ``ServiceError/failureMessage``.
    ///
    /// - Parameters:
    ///   - type: The type of the error.
    ///   - text: Gives a whole sentence; nil for neutral words.
    public mutating func showToPeople<E: ServiceError>(_ type: E.Type, text: @escaping @Sendable (E) -> String?) {
        values.addShownText { error in
            (error as? E).flatMap(text)
        }
    }
}
