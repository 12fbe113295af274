/// Limits the whole call in time: all attempts, and the waits between them.
///
/// It belongs outside retry, which does not start a wait that would end too late. Its ``TimeoutError`` with `.deadline`
/// is never retried.
///
/// ```swift
/// let client = try Client(baseURL: "https://api.example.com") {
///     Deadline(.seconds(60))
///     Retry()
///     Decoding()
///     StatusValidation()
/// }
/// ```
public struct Deadline<Request: Sendable, Response: Sendable>: Interceptor {
    /// How long a call may take; nil when only the call's own deadline applies.
    public let limit: Duration?

    /// `.deadline`
    public var role: Role { .deadline }

    /// The limit, if it has one.
    public var settings: [InterceptorSetting] {
        guard let limit, limit <= .zero else {
            return limit.map { [.timeLimit($0)] } ?? []
        }
        return [
            .invalid(
                ConfigurationError(
                    setting: "Deadline.limit", problem: "must be more than 0, but is \(limit)",
                    fix: "Set the time limit of the whole call, or remove the interceptor"))
        ]
    }

    /// Makes the interceptor.
    ///
    /// - Parameter limit: How long a call may take, more than 0. If a call has an earlier deadline, that one applies.
    ///   Default: nil, which only enforces a call's own deadline (``CallOptions/deadline``).
    public init(_ limit: Duration? = nil) {
        self.limit = limit
    }

    /// Runs the rest of the chain within the limit.
    public func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        guard limit != nil || context.deadline != nil else {
            return try await next(request)
        }
        return try await limited(request, context: context, next: next)
    }

    /// Apart, because a call without a deadline needs none of its memory while it waits.
    @inline(never)
    private func limited(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        let now = context.clock.now
        var inner = context
        if let limit {
            inner = inner.withDeadline(now.adding(limit), untilOpen: context.callIntake)
        }
        guard let end = inner.deadline else {
            return try await next(request)
        }
        let enforced = inner.enforcingDeadline()
        let rest = end.subtracting(now)
        let timeout = TimeoutError(.deadline, after: end.subtracting(context.record.start))
        do {
            if let whole = context.deadline, whole > end, let intake = context.callIntake {
                return try await withTimeLimits(
                    rest, timeout, whole.subtracting(now), context, untilOpen: intake
                ) { try await next(request, context: enforced) }
            }
            // The limit of a stream holds until its head is accepted, and the call's own deadline to its end.
            return try await withTimeLimit(
                rest, clock: context.clock, throwing: timeout,
                untilOpen: context.deadline == nil ? context.callIntake : nil
            ) { try await next(request, context: enforced) }
        } catch let error as TimeoutError where error.kind == .deadline {
            context.stopAtDeadline()
            throw error
        }
    }

    /// Limits a stream until its head is accepted, and to its end. Apart, because plain calls need none of its memory.
    @inline(never)
    private func withTimeLimits(
        _ rest: Duration, _ timeout: TimeoutError, _ whole: Duration, _ context: CallContext,
        untilOpen intake: any CallIntake, operation: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        let clock = context.clock
        return try await withTimeLimit(
            whole, clock: clock, throwing: TimeoutError(.deadline, after: whole.adding(context.elapsed))
        ) {
            try await withTimeLimit(rest, clock: clock, throwing: timeout, untilOpen: intake, operation: operation)
        }
    }
}

extension Role {
    /// Limits the whole call in time.
    public static let deadline: Role = Role(builtIn: "deadline") {
        [
            OrderRule(
                outer: .deadline, inner: .retry,
                reason: "each attempt gets the time of the whole call, so the call may take several times as long"),
            OrderRule(
                outer: .deadline, inner: .attemptTimeout, severity: .warning,
                reason: "the limit of one attempt also covers the whole call"),
            .once(.deadline, reason: "only the earlier deadline has an effect"),
            .settings(
                of: .deadline, andAllInside: "the longest waits inside it add up to as much as its limit",
                severity: .warning, reason: "the last attempts never start",
                fix: "Allow fewer attempts or shorter waits, or a later deadline."
            ) { call, inside in
                guard let deadline = call.timeLimit, let waits = longestWait(inside), waits >= deadline else {
                    return nil
                }
                let names = inside.filter { $0.longestWait != nil }.map(\.role.title).joined(separator: " and ")
                return "The waits of \(names) may add up to \(waits.text), and the call may take \(deadline.text)"
            },
        ]
    }
}

/// How long interceptors may hold up a request together, outermost first; nil when none of them says. What is inside
/// retry may wait in each attempt.
private func longestWait(_ profiles: ArraySlice<InterceptorProfile>) -> Duration? {
    var sum: Duration?
    for profile in profiles.reversed() {
        if profile.role == .retry, let attempts = profile.attempts {
            sum = sum?.scaled(by: Double(attempts), limit: .century)
        }
        if let wait = profile.longestWait {
            sum = min((sum ?? .zero) + min(wait, .century), .century)
        }
    }
    return sum
}
