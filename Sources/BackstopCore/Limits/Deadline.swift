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
    ///   Default: nil, which only says where a call's own deadline (``CallOptions/deadline``) ends it; without any
    ///   `Deadline`, that is just inside the outermost logging, tracing and metrics.
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
        return try await withDeadline(limit, of: context) { try await next(request, context: $0) }
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
