public import Backstop

/// What a failed call says about the health of the service.
public enum CircuitOutcome: Sendable, Hashable {
    /// The service works: it answered, if only with a refusal.
    case success
    /// The service is in trouble.
    case failure
    /// Nothing: the call never reached the service, or says more about the device. It is not counted, and a probe is
    /// given back.
    case ignored
}

/// A failed call for a circuit breaker to judge.
///
/// ```swift
/// // A 500 of this service is about one article, and says nothing about the rest.
/// let policy = try CircuitBreakerPolicy { candidate in
///     candidate.statusCode == 500 ? .ignored : candidate.standardOutcome
/// }
/// ```
public struct CircuitCandidate: Sendable {
    /// The reason for the failure; never `.cancelled`, because a cancelled call is not judged. An attempt that the call's
    /// deadline ended has `.timeout`.
    public let reason: Failure.Reason
    /// The response, or what had arrived of it; nil when nothing had. For HTTP, use the typed view
    /// `candidate.response`.
    public let receivedResponse: (any CallResponse)?
    /// Whether a request was sent.
    public let wasSent: Bool
    /// How long the call took, from the breaker inwards.
    public let duration: Duration
    /// How far the exchange had come; nil when nobody knows.
    let phase: TransportError.Phase?
    /// Whether a policy says that its own error does not pass: it is about what was asked.
    var isOfRequest = false

    package init(
        reason: Failure.Reason, receivedResponse: (any CallResponse)? = nil, wasSent: Bool, duration: Duration,
        phase: TransportError.Phase? = nil
    ) {
        self.reason = reason
        self.receivedResponse = receivedResponse
        self.wasSent = wasSent
        self.duration = duration
        self.phase = phase
    }

    /// The status of the response; nil when none arrived.
    public var statusCode: Int? {
        reason.statusCode ?? receivedResponse?.statusCode
    }

    /// What the failure says by default.
    ///
    /// Failures are transient transport errors except `.offline`, timeouts after something was sent, and the statuses
    /// 408, 429 and 500 to 599 except 501, 505 and 511; so is an unknown error after something was sent, unless a
    /// policy's `isTransient` denies it. Any other status counts as a success, because the service answered. Everything
    /// else is ignored.
    public var standardOutcome: CircuitOutcome {
        switch reason {
        case .cancelled, .request, .rejected, .storage: .ignored
        // Without a network, the device says nothing about the service.
        case .transport(let error): error.code.isTransient && error.code != .offline ? .failure : .ignored
        case .timeout(let error): error.kind.isBeforeSending ? .ignored : .failure
        case .service(let error) where error.isTransient == true: .failure
        case .status, .service, .decoding: statusCode.map(Self.outcome(ofStatus:)) ?? .ignored
        case .other(let error) where error.saysCancelled || isOfRequest: .ignored
        case .other: statusCode.map(Self.outcome(ofStatus:)) ?? (wasSent ? .failure : .ignored)
        }
    }

    private static func outcome(ofStatus code: Int) -> CircuitOutcome {
        switch code {
        // The server gave up on the request, or asks for fewer: to send nothing for a while is what helps.
        case 408, 429: .failure
        // The server works, but does not know the method or the version.
        case 501, 505: .success
        // The network wants a sign-in; the service was never reached.
        case 511: .ignored
        default: code >= 500 ? .failure : .success
        }
    }
}

extension CircuitCandidate {
    /// A call that failed; nil when that says nothing about the service.
    ///
    /// - Parameters:
    ///   - start: When it was let through.
    ///   - moment: When the task was cancelled; nil when it was not, or nothing ends the call at its deadline.
    ///   - limits: What ends calls at their limits, on the system's clock.
    init?(
        failing error: any Error, since start: Duration, cancelledAt moment: Duration?, _ context: CallContext,
        limits: LimitScheduler = .shared
    ) {
        guard !(error is any SettledError) else {
            // It is about another service.
            return nil
        }
        var reason = Failure.Reason(classifying: error)
        let inner = error as? Failure
        let wasSent = !context.sentRequests.isEmpty || inner.map { !$0.sentRequests.isEmpty } ?? false
        let phase = inner?.progress?.phase ?? context.phase
        if case .cancelled = reason {
            // Before it was sent, it waited in a line of the device's own.
            guard wasSent, phase != .queued, let timeout = Self.timeout(since: start, at: moment, context) else {
                return nil
            }
            reason = .timeout(timeout)
        }
        // Whoever gives an answer less time than that says nothing about the service.
        if case .timeout(let error) = reason, error.kind == .deadline, context.clock.now - start < Self.enough {
            return nil
        }
        // Late just now, and not at some time in a long call whose limit was in time.
        if case .timeout = reason, context.clock is SystemClock, limits.wokeLate(since: start, within: .seconds(5)) {
            return nil
        }
        self.init(
            reason: reason, receivedResponse: context.response(to: error, reason), wasSent: wasSent,
            duration: context.clock.now - start, phase: phase)
        if case .other = reason, let run = context.sentRequest as? any OperationRequest {
            isOfRequest = !run.isTransient(error)
        }
    }

    /// How long an attempt must have had at least for its call's deadline to say something.
    static let enough = Duration.seconds(1)

    /// The timeout of an attempt that was cancelled because the call's time was over; nil when somebody cancelled it
    /// before, or when it had less than half of that time, which then was spent elsewhere.
    private static func timeout(since start: Duration, at moment: Duration?, _ context: CallContext) -> TimeoutError? {
        guard let deadline = context.deadline, let moment, moment >= deadline else {
            return nil
        }
        let whole = deadline.subtracting(context.clock.now.subtracting(context.elapsed))
        let own = deadline.subtracting(start)
        return own.adding(own) >= whole ? TimeoutError(.deadline, after: whole) : nil
    }

    /// The response, or what had arrived of it; nil when nothing had, or the call does not use HTTP.
    public var response: HTTP.Response? {
        receivedResponse as? HTTP.Response
    }
}
