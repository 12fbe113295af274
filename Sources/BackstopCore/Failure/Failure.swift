/// Why a call failed; Backstop's only error type.
///
/// It is created once, at the outer edge of the chain, and has the request, the response, what went wrong and where,
/// all attempts, and why there was no further one. `print(failure)` shows all of it, without secrets.
///
/// ```swift
/// func explain(_ failure: Failure) -> String {
///     switch failure.reason {
///     case .cancelled: "Nothing happened."
///     case .transport(let error) where error.code == .offline: "You are offline."
///     case .timeout: "It took too long."
///     case .status(let error): "The server answered \(error.code)."
///     case .service(let error): error.failureMessage ?? "The server refused."
///     case .decoding: "Please update the app."
///     case .request, .transport, .rejected, .storage, .other: failure.message.text
///     }
/// }
/// ```
public struct Failure: Error, Sendable {
    /// The reason, with its details.
    public var reason: Reason { parts.reason }
    /// The error as first thrown.
    public var underlying: any Error { parts.underlying }
    /// All attempts, in order. Empty only for a failure created by hand.
    public var attempts: [Attempt] { parts.attempts }
    /// Why no further attempt was made.
    public var stopReason: StopReason { parts.stopReason }
    /// The call's values.
    public var values: CallValues { parts.values }
    /// The call's name; empty when it has none.
    public var name: String { parts.name }
    /// The call's number in this process; 0 for a failure created by hand.
    public var id: UInt64 { parts.id }
    /// The request as the caller made it, before interceptors and redirects; nil when it could not be created. Use it
    /// to show what the app wanted, and ``sentRequest`` to see what was sent.
    public var originalRequest: (any CallRequest)? { parts.originalRequest }
    /// Every request that the deciding attempt sent, in order, redirects included, at most 64. Empty when nothing was
    /// sent.
    public var sentRequests: [any CallRequest] { parts.sentRequests }
    /// The deciding response with its body bounded, or what had arrived of it; nil when none had begun.
    /// `failure.response` is the typed view for HTTP.
    public var receivedResponse: (any CallResponse)? { parts.receivedResponse }
    /// The progress of the deciding attempt; nil when its response was complete, or when the transport does not report it.
    public var progress: TransferProgress? { parts.progress }
    /// What a stream had handed over when the call failed; nil for a plain call, and before its head was accepted.
    public var transfer: TransferReport? { parts.transfer }
    /// What was going on when the call failed.
    var end: CallEnd { parts.end }
    /// Whether everything the call sent, in all attempts, may be sent again.
    package var repeatSafety: RepeatSafety { parts.repeatSafety }
    /// When it was created, since 1970-01-01 UTC, for dates that a server sends.
    package var date: Duration { parts.date }
    /// The trace of the call.
    public var trace: Trace { parts.trace }
    /// What the report hides.
    var redaction: Redaction { parts.redaction.knowing(parts.secrets) }
    /// Finds the secrets of the call.
    var secrets: CallSecrets { parts.secrets }

    /// Everything behind one reference: a failure is passed on, kept and copied in many places.
    private let shared: Shared<Parts>

    var parts: Parts { shared.value }

    struct Parts: Sendable {
        var reason: Reason
        let underlying: any Error
        var attempts: [Attempt] = []
        var stopReason = StopReason.noRetry
        var values = CallValues()
        var name = ""
        var id: UInt64 = 0
        var originalRequest: (any CallRequest)?
        var sentRequests: [any CallRequest] = []
        var repeatSafety = RepeatSafety()
        var receivedResponse: (any CallResponse)?
        var transfer: TransferReport?
        var progress: TransferProgress?
        var end = CallEnd()
        var trace: Trace
        var redaction = Redaction.standard
        var secrets = CallSecrets([])
        let date: Duration
    }

    init(_ parts: Parts) {
        var parts = parts
        parts.trace.redaction = parts.redaction.knowing(parts.secrets)
        shared = Shared(parts)
    }

    /// How many bytes of a body are kept by default.
    static let bodyLimit = 65_536

    /// Creates a failure outside a call: of an error that other code threw, for previews, and for tests of handlers.
    ///
    /// ```swift
    /// let offline = Failure(TransportError(.offline))
    /// ```
    /// With the module BackstopResilience, `Failure(error, request:response:body:)` takes what `URLSession` gives.
    ///
    /// - Parameters:
    ///   - error: What went wrong; the reason is derived from it as in a real call, and an error that means a
    ///     cancellation is one. A failure stays the same, with what the other parameters add.
    ///   - request: The request as sent; nil when it is not known: nothing then says that it must not be repeated.
    ///   - response: The response, of whose body 64 KiB are kept; nil when it is not known.
    ///   - attempts: The attempts to show. Default: none.
    ///   - stopReason: Why no further attempt was made.
    ///   - values: The values of the call. Default: none.
    ///   - name: The name of the call. Default: none.
    ///   - progress: The progress of the last attempt; nil for none.
    ///   - transfer: What a stream had handed over; nil for none.
    public init(
        _ error: any Error, request: (any CallRequest)? = nil, response: (any CallResponse)? = nil,
        attempts: [Attempt] = [], stopReason: StopReason = .noRetry, values: CallValues = CallValues(),
        name: String = "", progress: TransferProgress? = nil, transfer: TransferReport? = nil
    ) {
        let limit = Self.bodyLimit
        let inner = error as? Failure ?? (error as? any FailureCarrier)?.carriedFailure
        // A failure's own response is bounded already.
        let reason = inner?.reason ?? Reason(classifying: error, isCancelled: true).bounded(to: limit)
        var parts =
            inner?.parts
            ?? Parts(
                reason: reason, underlying: (error as? StatusError)?.bounded(to: limit) ?? error,
                trace: Trace(
                    name: name, id: 0, duration: attempts.map { $0.start + $0.duration }.max() ?? .zero,
                    outcome: reason.code, stopReason: stopReason, attempts: attempts, events: [], droppedEvents: 0),
                date: SystemClock().date)
        if !attempts.isEmpty { (parts.attempts, parts.trace.attempts) = (attempts, attempts) }
        if stopReason != .noRetry { (parts.stopReason, parts.trace.stopReason) = (stopReason, stopReason) }
        if values.count > 0 { parts.values = values }
        if !name.isEmpty { (parts.name, parts.trace.name) = (name, name) }
        if let request {
            parts.originalRequest = request
            parts.sentRequests = [request]
            parts.repeatSafety = RepeatSafety(request)
        }
        parts.receivedResponse = response?.bounded(to: limit) ?? reason.response ?? parts.receivedResponse
        parts.transfer = transfer ?? parts.transfer
        parts.progress = progress ?? parts.progress
        parts.secrets = CallSecrets(
            [request].compactMap { $0 } + [parts.receivedResponse].compactMap { $0 } + parts.secrets.carriers)
        self.init(parts)
    }

    /// The same, of an error in a task that was cancelled or not: only there it counts as a cancellation.
    package init(_ error: any Error, inCancelledTask isCancelled: Bool) {
        self = Failure(error).replacing(Reason(classifying: error, isCancelled: isCancelled))
    }
}

extension Failure {
    /// The stable name for machines: `transport.offline`, `timeout.attempt`, `status.503`, `decoding`, ...
    ///
    /// Codes are stable across versions. `Docs/Failures.md` lists them.
    public var code: String {
        reason.code
    }

    /// The status code of the response; nil when none arrived.
    public var statusCode: Int? {
        reason.statusCode ?? receivedResponse?.statusCode
    }

    /// Whether the failure is transient: the same call could succeed later.
    public var isTransient: Bool {
        reason.isTransient(statusCode: statusCode, of: sentRequest, beside: receivedResponse, now: date)
    }

    /// The request as last sent, or as the caller made it when nothing was sent; nil when it could not be created. For
    /// HTTP, use the typed view `failure.request`; this one is for code that works with any protocol.
    public var sentRequest: (any CallRequest)? {
        sentRequests.last ?? originalRequest
    }

    /// Whether repeating the call is useful and safe: the failure is transient, and every request that the call sent,
    /// in every attempt, is idempotent and can be sent again; or the caller's own, if none was sent.
    ///
    /// An idempotency key counts only if the caller's own request had it: an interceptor may set a new one for each
    /// call.
    public var isRetryable: Bool {
        isTransient && isSafeToRepeat
    }

    /// The same, whatever the cause is.
    var isSafeToRepeat: Bool {
        isIdempotent && isReplayable && (repeatSafety.key == nil || repeatSafety.key == originalRequest?.idempotencyKey)
    }

    /// Whether every request that was sent may be sent twice, if each keeps its key.
    package var isIdempotent: Bool {
        repeatSafety.isEmpty ? originalRequest?.isIdempotent ?? true : repeatSafety.isIdempotent
    }

    /// Whether anything would be sent if the call was repeated: not where the body was read and cannot be read again, nor
    /// where the request would be a second order.
    var canBeRepeated: Bool {
        // Whoever has the first elements would get them again.
        guard (transfer?.elements ?? 0) == 0 else {
            return false
        }
        return switch reason {
        case .rejected(let error) where error.code == .idempotencyKey: false
        case .request: isReplayable
        default: repeatSafety.isEmpty || isReplayable
        }
    }

    /// Whether every request, in every attempt, only reads.
    var isReadOnly: Bool {
        repeatSafety.isReadOnly && originalRequest?.isReadOnly ?? true
    }

    /// Whether each body can be sent again.
    var isReplayable: Bool {
        repeatSafety.isReplayable && originalRequest?.isReplayable ?? true
    }

    /// Whether the device is offline.
    public var isOffline: Bool {
        if case .transport(let error) = reason { error.code == .offline } else { false }
    }

    /// Whether the call was cancelled.
    public var isCancelled: Bool {
        if case .cancelled = reason { true } else { false }
    }

    /// The underlying error, if it is of this type; the first such one of an error that consists of several.
    ///
    /// ```swift
    /// struct ShopError: Error { var soldOut: Bool }
    /// func isSoldOut(_ failure: Failure) -> Bool {
    ///     failure.error(as: ShopError.self)?.soldOut == true
    /// }
    /// ```
    /// - Returns: Nil when it is another error.
    public func error<E: Error>(as type: E.Type) -> E? {
        self as? E ?? reason.error(as: type, thrown: underlying)
    }
}

/// An error of another library's type that a call threw with its failure inside, for callers who catch that type.
package protocol FailureCarrier: Error {
    /// The failure of the call; nil when the error comes from elsewhere.
    var carriedFailure: Failure? { get }
}

extension Failure: CustomDebugStringConvertible, DescribedInDumps {
    /// The ``report``.
    public var description: String {
        report
    }

    /// The ``report``.
    public var debugDescription: String {
        report
    }
}
