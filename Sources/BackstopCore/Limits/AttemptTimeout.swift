/// Limits each attempt in time, so that a server that never answers costs one attempt and not the call.
///
/// It belongs inside retry, which retries its ``TimeoutError`` with `.attempt`.
///
/// If it is the last interceptor, or only `FaultInjection` is inside, and the transport ends attempts itself
/// (``Transport/endsAttemptsInTime``), as `URLSessionTransport` does, the time starts when the attempt has its
/// connection. The transport limits the wait for one (`URLSessionTransport.idleTimeout`), and so does the call's
/// deadline. Anywhere else, the time starts at once.
///
/// Where the transport ends attempts itself, a minimum rate makes the limit longer while the bodies move, so that what is
/// only large is not cut.
///
/// ```swift
/// let client = try Client(baseURL: "https://api.example.com") {
///     Retry()
///     Decoding()
///     StatusValidation()
///     AttemptTimeout(.seconds(10), minimumRate: 4096)
/// }
/// ```
public struct AttemptTimeout<Request: Sendable, Response: Sendable>: Interceptor {
    /// How long an attempt may take, over all its redirects; as the last before a transport that ends attempts itself,
    /// the wait for a connection does not count.
    public let limit: Duration

    /// How many bytes, sent or received, make the limit a second longer; nil when none do.
    public let minimumRate: Int?

    /// `.attemptTimeout`
    public var role: Role { .attemptTimeout }

    /// The limit.
    public var settings: [InterceptorSetting] {
        let problem: ConfigurationError? =
            if limit <= .zero {
                ConfigurationError(
                    setting: "AttemptTimeout.limit", problem: "must be more than 0, but is \(limit)",
                    fix: "Set the time limit of one attempt, or remove the interceptor")
            } else if let minimumRate, !(1...Int(Int32.max)).contains(minimumRate) {
                ConfigurationError(
                    setting: "AttemptTimeout.minimumRate",
                    problem: "must be from 1 to \(Int32.max), but is \(minimumRate)",
                    fix: "Set how many bytes a second have to move, or nil for a limit that is never longer")
            } else {
                nil
            }
        return [problem.map { .invalid($0) } ?? .timeLimit(limit)]
    }

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - limit: How long an attempt may take, more than 0. Default: 30 s, enough for a slow mobile network, and half
    ///     of the 60 s after which `URLSession` gives up, so that a failure names this limit.
    ///   - minimumRate: How many bytes, sent or received, make the limit a second longer, from 1, where the transport
    ///     ends attempts itself: an upload over a slow network is not cut, and a server that answers byte by byte is.
    ///     Compressed content counts as it is unpacked. Default: nil, the limit is the same for all.
    public init(_ limit: Duration = .seconds(30), minimumRate: Int? = nil) {
        self.limit = limit
        self.minimumRate = minimumRate
    }

    /// Runs the rest of the chain within the limit.
    public func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        if next.endsAttemptsInTime {
            let rate = Int32(clamping: minimumRate ?? 0)
            return try await next(request, context: context.limitingAttempt(to: limit, rate: rate))
        }
        // If the call's deadline comes first, the race of the Deadline interceptor ends the attempt.
        if let deadline = context.deadline, context.isDeadlineEnforced,
            deadline.subtracting(context.clock.now) <= limit
        {
            return try await next(request)
        }
        return try await limited(request, context: context, next: next)
    }

    /// Apart, because an attempt that the transport or the deadline ends needs none of its memory while it waits.
    @inline(never)
    private func limited(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try await withTimeLimit(
            limit, clock: context.clock, throwing: TimeoutError(.attempt, after: limit), untilOpen: context.callIntake
        ) {
            try await next(request)
        }
    }
}

extension Role {
    /// Limits each attempt in time.
    public static let attemptTimeout: Role = Role(builtIn: "attemptTimeout") {
        [
            OrderRule(
                outer: .retry, inner: .attemptTimeout,
                reason: "the limit of one attempt ends all of them, waits included"),
            .settings(
                of: .attemptTimeout, inside: .deadline, when: "its limit is not shorter than the deadline",
                reason: "a server that hangs uses up the whole call, and nothing is retried",
                fix: "Give AttemptTimeout a part of the time of Deadline."
            ) { attempt, call in
                guard let limit = attempt.timeLimit, let deadline = call.timeLimit, limit >= deadline else {
                    return nil
                }
                return "One attempt may take \(limit.text), and the call \(deadline.text)"
            },
        ]
    }
}
