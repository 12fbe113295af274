/// The options of a call: name, clock, random source, deadline, tracing.
public struct CallOptions: Sendable {
    /// The call's name in logs, traces and reports. Default: empty; the request's summary is shown instead.
    public var name: String {
        get { storage.fields.name }
        set { change { $0.name = newValue } }
    }
    /// The clock. Default: the system's clock.
    public var clock: any CallClock {
        get { storage.fields.clock }
        set { change { $0.clock = newValue } }
    }
    /// The source of random numbers for jitter. Default: the system's.
    public var random: any RandomSource {
        get { storage.fields.random }
        set { change { $0.random = newValue } }
    }
    /// The time limit of the whole call, with all attempts and waits; nil for none. Default: nil.
    ///
    /// The `Deadline` interceptor enforces it; without that interceptor it only stops retry from waiting beyond it.
    public var deadline: Duration? {
        get { storage.fields.deadline }
        set { change { $0.deadline = newValue } }
    }
    /// Whether the trace records entering and leaving each interceptor. Default: false, because it costs a lock per
    /// interceptor.
    public var tracesInterceptors: Bool {
        get { storage.fields.tracesInterceptors }
        set { change { $0.tracesInterceptors = newValue } }
    }
    /// How many bytes of the response body a failure keeps. A negative number counts as 0.
    ///
    /// Default: 64 KiB. Error bodies and whole sign-in pages fit, and a hundred stored failures take 6 MiB.
    public var failureBodyLimit: Int {
        get { storage.fields.failureBodyLimit }
        set { change { $0.failureBodyLimit = newValue } }
    }
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
    public var isUserRetry: Bool {
        get { storage.fields.isUserRetry }
        set { change { $0.isUserRetry = newValue } }
    }
    /// What to redact in reports and descriptions. Default: ``Redaction/standard``.
    public var redaction: Redaction {
        get { storage.fields.redaction }
        set { change { $0.redaction = newValue } }
    }
    /// The observers of finished calls. Default: none.
    public var observers: [any CallObserver] {
        get { storage.fields.observers }
        set { change { $0.observers = newValue } }
    }
    /// The initial values of the call. Default: none.
    public var values: CallValues {
        get { storage.fields.values }
        set { change { $0.values = newValue } }
    }

    /// Makes the default options.
    public init() {}

    /// All options behind one reference, because each call copies them; copied before it is changed, if it is shared.
    private var storage = Storage.standard

    private mutating func change(_ change: (inout Storage.Fields) -> Void) {
        if !isKnownUniquelyReferenced(&storage) {
            storage = Storage(storage.fields)
        }
        change(&storage.fields)
    }

    // Unchecked, because it is changed only while nothing else has a reference to it.
    private final class Storage: @unchecked Sendable {
        struct Fields: Sendable {
            var name: String = ""
            var clock: any CallClock = SystemClock()
            var random: any RandomSource = SystemRandom()
            var deadline: Duration?
            var tracesInterceptors: Bool = false
            var failureBodyLimit: Int = 65_536
            var isUserRetry = false
            var redaction: Redaction = .standard
            var observers: [any CallObserver] = []
            var values: CallValues = CallValues()
        }

        static let standard = Storage(Fields())

        var fields: Fields

        init(_ fields: Fields) {
            self.fields = fields
        }
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
    public var name: String { parts.value.name }
    /// The call's number in this process.
    public var id: UInt64 { parts.value.id }
    /// The trace of the call.
    public var trace: Trace { parts.value.trace }
    /// The request as last sent; nil when nothing was sent.
    public var request: (any CallRequest)? { parts.value.request }
    /// The last response; nil when none arrived.
    public var response: (any CallResponse)? { parts.value.response }
    /// The failure; nil when the call succeeded.
    public var failure: Failure? { parts.value.failure }
    /// The call's values.
    public var values: CallValues { parts.value.values }

    /// Everything behind one reference, because each observer gets a copy.
    let parts: Shared<Parts>

    typealias Parts = (
        name: String, id: UInt64, trace: Trace, request: (any CallRequest)?, response: (any CallResponse)?,
        failure: Failure?, values: CallValues
    )
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
