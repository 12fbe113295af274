public import Backstop

/// Stops sending to a service that is in trouble, and tries again after a break with a single call.
///
/// It counts the results of the last attempts. When too many of them failed, or were slow, it opens: calls fail at once,
/// with `RejectionError.Code.breakerOpen`, and the service gets time to recover. After the break, probes go through;
/// if they succeed, it closes. `Failure.retryAfter` of a rejected call says how long the break lasts.
///
/// After a redirect to another key, such as another origin, the outcome counts there, and counts as a success for the
/// first. Calls are let through by what they ask for.
///
/// An attempt that the call's deadline ends counts as a timeout if it had at least half of the call's time, and a
/// second; otherwise it counts for nothing. Nor does one that a person cancels.
///
/// It belongs inside retry and a fallback, so that it sees every attempt, and outside what turns a response into an
/// error and what limits an attempt in time.
///
/// ```swift
/// let breaker = CircuitBreaker<HTTP.Request, HTTP.Response>()
/// let client = try Client.standard(baseURL: "https://api.example.com")
///     .withChain { try $0.inserting(breaker, inside: .retry) }
/// ```
///
/// Keep the breaker to look at it: ``state(of:)``, ``transitions()``. Each change is in the trace of the call that
/// caused it, and in the log. All calls of one breaker must have the same clock.
public struct CircuitBreaker<Request: CallRequest, Response: Sendable>: Interceptor {
    /// When it opens, for how long, and how it closes again.
    public var policy: CircuitBreakerPolicy { circuits.policy }

    /// `.circuitBreaker`
    public var role: Role { .circuitBreaker }

    /// Its window of time, if it has one, and how it refuses.
    public var settings: [InterceptorSetting] {
        (policy.window.duration.map { [.window($0)] } ?? [])
            + (policy.refusesCalls ? [.rejects(with: RejectionError(.breakerOpen, "The circuit breaker is open"))] : [])
            + [.state(circuits)]
    }

    let circuits: Circuits
    private let grouping: CallGrouping<Request>

    /// Makes a breaker.
    ///
    /// - Parameters:
    ///   - policy: When it opens, for how long, and how it closes again.
    ///   - grouping: Which calls share a circuit. Default: those with the same destination (`CallRequest.destination`),
    ///     which for HTTP is the origin, so that one that is down does not stop the calls to the others.
    ///   - log: Where changes are written; nil for nowhere. Opening and isolating are warnings, the rest information.
    public init(
        _ policy: CircuitBreakerPolicy = .standard, grouping: CallGrouping<Request> = .destination,
        log: (any LogSink)? = SystemLog.shared
    ) {
        self.init(
            policy, grouping: grouping, log: log, limit: CallGrouping<Request>.maximumKeys,
            lifetime: CallGrouping<Request>.lifetime)
    }

    /// A breaker for services that hang: ``CircuitBreakerPolicy/timeouts``, one circuit for each destination
    /// (`CallRequest.destination`).
    ///
    /// For those who want to stop calling a service that does not answer; nothing else in a standard chain does. It
    /// belongs inside retry.
    ///
    /// ```swift
    /// let breaker = CircuitBreaker<HTTP.Request, HTTP.Response>.forTimeouts()
    /// let client = try Client.standard(baseURL: "https://api.example.com")
    ///     .withChain { try $0.inserting(breaker, inside: .retry) }
    /// ```
    /// - Parameter log: Where changes are written; nil for nowhere.
    public static func forTimeouts(log: (any LogSink)? = SystemLog.shared) -> CircuitBreaker {
        CircuitBreaker(.timeouts, log: log)
    }

    /// Same, with other bounds for the keys.
    init(
        _ policy: CircuitBreakerPolicy, grouping: CallGrouping<Request>, log: (any LogSink)?, limit: Int,
        lifetime: Duration
    ) {
        self.grouping = grouping
        circuits = Circuits(policy, limit: limit, lifetime: lifetime, log: log)
    }

    /// Sends the request unless the circuit is open, and counts the result.
    public func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        let key = grouping.key?(request)
        let ticket = try circuits.admit(key, context: context)
        let cancellation = context.isDeadlineEnforced ? CancellationMoment(context.clock) : nil
        guard !context.isStream else {
            return try await stream(request, context, ticket, key, cancellation, next)
        }
        do {
            let response = try await withTaskCancellationHandler {
                try await next(request)
            } onCancel: {
                cancellation?.record()
            }
            circuits.settle(redirected(ticket, key, context: context), .success, context: context)
            return response
        } catch {
            circuits.settle(
                redirected(ticket, key, context: context), failing: error,
                cancelledAt: cancellation?.time, context: context)
            throw error
        }
    }

    /// How long a stream must have lasted for its loss to say nothing of the service: proxies end long ones as a rule.
    private static var proof: Duration { .seconds(60) }

    /// Counts a stream once, when it has ended: as a failure if it is lost within a minute, otherwise as a success. Its
    /// beginning only decides about a probe, whose place others wait for, until it turns out to prove nothing.
    private func stream(
        _ request: Request, _ context: CallContext, _ ticket: Circuits.Ticket, _ key: String?,
        _ cancellation: CancellationMoment?, _ next: Next<Request, Response>
    ) async throws -> Response {
        // The ticket of a stream that has begun, and when it has; nil while what has begun was none.
        let begun = Lock<(ticket: Circuits.Ticket, time: Duration?)?>(nil)
        @Sendable func final() -> Circuits.Ticket {
            redirected(ticket, key, context: context)
        }
        do {
            let response = try await context.whenOpen {
                let ticket = begun.withLock { $0?.ticket } ?? circuits.begin(final(), context: context)
                let now = context.clock.now
                begun.withLock { $0 = (ticket, now) }
            } undo: {
                let ticket = begun.withLock { $0?.ticket }.map(circuits.undo)
                begun.withLock { $0 = ticket.map { ($0, nil) } }
            } during: {
                try await withTaskCancellationHandler {
                    try await next(request)
                } onCancel: {
                    cancellation?.record()
                }
            }
            let stream = begun.withLock { $0 }
            circuits.settle(stream?.ticket ?? final(), .success, begun: stream?.time, context: context)
            return response
        } catch {
            let stream = begun.withLock { $0 }
            guard let stream, let time = stream.time else {
                circuits.settle(
                    stream?.ticket ?? final(), failing: error, cancelledAt: cancellation?.time, context: context)
                throw error
            }
            // On a connection that is shared, it has begun without a word of the server.
            let isAnswered = !context.sharesConnection || context.progress?.bytesReceived ?? 0 > 0
            let ticket = isAnswered ? stream.ticket : circuits.undo(stream.ticket)
            if error.saysCancelled || context.clock.now - time - error.silence >= Self.proof {
                // It had its answer; its reader, or its call's time, wants no more of it.
                circuits.settle(
                    ticket, isAnswered || !error.saysCancelled ? .success : .ignored, begun: time, context: context)
            } else {
                circuits.settle(ticket, failing: error, cancelledAt: nil, begun: time, context: context)
            }
            throw error
        }
    }

    /// The ticket of the circuit to which a redirect has led, if that is another one, whose own the outcome is; else the
    /// ticket itself.
    private func redirected(_ ticket: Circuits.Ticket, _ key: String?, context: CallContext) -> Circuits.Ticket {
        guard let grouping = grouping.key, let key, let (first, last) = context.redirection,
            let first = first as? Request, let last = last as? Request
        else {
            return ticket
        }
        let answering = grouping(last)
        guard answering != key, grouping(first) == key else {
            return ticket
        }
        return circuits.redirect(ticket, to: answering, context: context)
    }
}

extension CircuitBreaker {
    /// The state of a circuit, as of its last call: `open` until the first call after the break.
    ///
    /// ```swift
    /// let breaker = CircuitBreaker<HTTP.Request, HTTP.Response>()
    /// let isDown = breaker.state(of: "https://api.example.com:443") != .closed
    /// ```
    /// - Parameter key: The key; nil for the worst state of all keys. A key that is not known is closed.
    public func state(of key: String? = nil) -> CircuitState {
        circuits.current(grouping.key(written: key))
    }

    /// The states of all keys that are known; empty without keys.
    public var states: [String: CircuitState] {
        circuits.all
    }

    /// All changes from now on, in order. A slow reader gets the last 100.
    ///
    /// ```swift
    /// func watch(_ breaker: CircuitBreaker<HTTP.Request, HTTP.Response>) async {
    ///     for await change in breaker.transitions() {
    ///         print(change.key, change)
    ///     }
    /// }
    /// ```
    public func transitions() -> AsyncStream<CircuitTransition> {
        circuits.transitions()
    }

    /// Rejects all calls from now on, until ``reset(_:)``: for a maintenance that you know of.
    ///
    /// - Parameter key: The key whose calls are rejected; nil for all calls, those of a ``Fallback`` to another host
    ///   included.
    public func isolate(_ key: String? = nil) {
        circuits.isolate(grouping.key(written: key))
    }

    /// Lets all calls through from now on, and counts none, until ``reset(_:)``: for an incident in which it refuses what
    /// it should not.
    ///
    /// - Parameter key: The key whose calls go through; nil for all calls.
    public func disable(_ key: String? = nil) {
        circuits.disable(grouping.key(written: key))
    }

    /// Closes the circuit and forgets what it counted: a person knows that the service works again.
    ///
    /// - Parameter key: The key; nil for all, and for what was set for all.
    public func reset(_ key: String? = nil) {
        circuits.reset(grouping.key(written: key))
    }
}

extension CircuitBreaker: StatefulInterceptor {
    package func withNewState() -> Self {
        Self(policy, grouping: grouping, log: circuits.log)
    }
}

extension Role {
    /// Stops sending to a failing service.
    public static let circuitBreaker: Role = Role(builtIn: "circuitBreaker") {
        [
            OrderRule(
                outer: .retry, inner: .circuitBreaker, severity: .warning,
                reason: "the breaker counts a whole retried call as one failure and cannot stop the attempts in it"),
            OrderRule(
                outer: .circuitBreaker, inner: .attemptTimeout,
                reason: "an attempt that runs out of time counts as cancelled, so a hanging service never opens it"),
            OrderRule(
                outer: .hedging, inner: .circuitBreaker, severity: .warning,
                reason: "copies of a request pass by the breaker, so a probe is sent twice"),
            .notTwice(
                .circuitBreaker,
                reason: "it counts each call twice, so half as many failures open it, and a probe refuses itself"),
            .settings(
                of: .attemptTimeout, inside: .circuitBreaker, severity: .warning,
                when: "its limit is more than half of the breaker's window",
                reason: "timeouts leave the window nearly as fast as they come, and a service that hangs is called on",
                fix: "Give CircuitBreaker a window of at least twice the limit of AttemptTimeout."
            ) { attempt, breaker in
                guard let limit = attempt.timeLimit, let window = breaker.window,
                    window < limit.scaled(by: 2, limit: .century)
                else {
                    return nil
                }
                return "One attempt may take \(limit.text), and CircuitBreaker looks back \(window.text)"
            },
            OrderRule(
                outer: .circuitBreaker, inner: .statusValidation,
                reason: "the breaker never sees a status failure and stays closed"),
        ]
    }
}

extension Error {
    /// How long nothing had come, if that has ended a stream.
    fileprivate var silence: Duration {
        guard case .timeout(let error) = Failure.Reason(classifying: self), error.kind.isOnSilence else {
            return .zero
        }
        return error.duration ?? .zero
    }
}
