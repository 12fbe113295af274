/// The options of a call: name, clock, random source, deadline, tracing.
public struct CallOptions: Sendable {
    /// The call's name in logs, traces and reports. Default: empty; the request's summary is shown instead.
    public var name = ""
    /// The clock. Default: the system's clock.
    public var clock: any CallClock = SystemClock()
    /// The source of random numbers for jitter. Default: the system's.
    public var random: any RandomSource = SystemRandom()
    /// The time limit of the whole call, with all attempts and waits; nil for none. Default: nil.
    ///
    /// It holds in any chain: inside its logging, or where there is a `Deadline` interceptor.
    public var deadline: Duration?
    /// Whether the trace records entering and leaving each interceptor. Default: false, because it costs a lock per
    /// interceptor.
    public var tracesInterceptors = false
    /// How many bytes of the response body a failure keeps. A negative number counts as 0.
    ///
    /// Default: 64 KiB. Error bodies and whole sign-in pages fit, and a hundred stored failures take 6 MiB.
    public var failureBodyLimit = Failure.bodyLimit
    /// Whether a person tries again what has failed before, and waits for it. Default: false.
    ///
    /// A breaker that lets people through (`CircuitBreakerPolicy.admitsPeople`) then does so. A handler's `.retry` does
    /// the same by itself.
    ///
    /// ```swift
    /// func tryAgain(_ client: Client) async throws -> [String] {
    ///     try await client.withOptions { $0.isUserRetry = true }.get("books")
    /// }
    /// ```
    public var isUserRetry = false
    /// What to redact in reports and descriptions. Default: ``Redaction/standard``.
    public var redaction = Redaction.standard
    /// The observers of finished calls. Default: none.
    public var observers: [any CallObserver] = []
    /// The initial values of the call. Default: none.
    public var values = CallValues()

    /// Makes the default options.
    public init() {}
}

extension Shared where Value == CallOptions {
    /// The same, with texts that show nothing of a body.
    var hidingBodies: Shared<CallOptions> {
        Shared(changed(value) { $0.redaction = $0.redaction.hidingBodies })
    }
}

/// Observes finished calls and their traces: for metrics, spans or a debug screen.
public protocol CallObserver: Sendable {
    /// Called once when a call has finished, successfully or not, before the caller gets the result. Must not block.
    func callFinished(_ call: FinishedCall)
}

/// A finished call.
public struct FinishedCall: Sendable {
    /// The call's name; empty when it has none.
    public let name: String
    /// The call's number in this process.
    public let id: UInt64
    /// The trace of the call.
    public let trace: Trace
    /// The request as last sent; nil when nothing was sent.
    public let request: (any CallRequest)?
    /// The last response; nil when none arrived.
    public let response: (any CallResponse)?
    /// The failure; nil when the call succeeded.
    public let failure: Failure?
    /// The call's values.
    public let values: CallValues
}

extension CallOptions {
    /// Declares that texts of a service are meant for people, and which ones.
    ///
    /// Ready-made errors, such as `ProblemDetails` and `GraphQLFailure`, show people neutral texts and nothing the
    /// server wrote, because most servers write for developers. If the service writes for people, say so once, for the
    /// client:
    ///
    /// ```swift
    /// struct QuotaError: ServiceError { let hint: String? }
    ///
    /// var options = CallOptions()
    /// options.showToPeople(QuotaError.self) { $0.hint }
    /// ```
    /// The text is shown redacted, on one line, and up to 500 characters. Of several closures for one type, the last
    /// that returns a text counts; it takes precedence over the error's own ``ServiceError/failureMessage``.
    ///
    /// - Parameters:
    ///   - type: The type of the error.
    ///   - text: Returns a full sentence; nil for the neutral text.
    public mutating func showToPeople<E: ServiceError>(_ type: E.Type, text: @escaping @Sendable (E) -> String?) {
        values.addShownText { error in
            (error as? E).flatMap(text)
        }
    }
}
