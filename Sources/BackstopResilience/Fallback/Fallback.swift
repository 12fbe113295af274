public import Backstop

/// Answers in another way when a call has failed: with a value, or with the response to another request.
///
/// ```swift
/// let client = try Client(baseURL: "https://api.example.com") {
///     Fallback(host: "backup.example.com")
///     Retry()
///     Decoding()
///     StatusValidation()
/// }
/// ```
/// The call then succeeds, but the failure remains visible: in the trace and its attempts, in a line of the log, and in
/// `CallValues.fallback` for observers.
///
/// By default it stands in for transient failures other than a status from 400 to 499, and only for requests that only
/// read (`CallRequest.isReadOnly`), because a value in the place of a failed `POST`, `PUT` or `DELETE` would report a
/// success that never was. It never stands in for a cancellation. It belongs outside retry, which would never see the
/// failure otherwise.
///
/// It needs time before the deadline: a call that the deadline ends gets no fallback, so give its attempts less time.
///
/// Whatever `when:` says, another request is sent only if that is safe: whatever was sent before must be idempotent
/// (RFC 9110, 9.2.2), and not because of an idempotency key, which another server does not know. A `POST` that may have
/// been executed is not sent elsewhere; its failure goes on unchanged.
public struct Fallback<Request: CallRequest, Response: Sendable>: Interceptor {
    private enum Substitute: Sendable {
        case response(@Sendable (Request, Failure.Reason) async throws -> Response?)
        case request(@Sendable (Request, CallContext) -> Request?)
    }

    /// The name in the trace and the log.
    public let name: String
    private let substitute: Substitute
    private let isHandled: @Sendable (RetryCandidate) -> Bool
    private let log: (any LogSink)?
    private let invalid: [ConfigurationError]

    /// `.fallback`
    public var role: Role { .fallback }

    /// What is invalid.
    public var settings: [InterceptorSetting] { InterceptorSetting.invalid(invalid) }

    /// Makes an interceptor that answers with a value.
    ///
    /// ```swift
    /// struct Rate: CallRequest {
    ///     var isIdempotent: Bool { true }
    ///     var isReplayable: Bool { true }
    ///     func summary(_ redaction: Redaction) -> String { "rate" }
    /// }
    /// let parity = Fallback<Rate, Double>("parity", value: 1)
    /// ```
    /// - Parameters:
    ///   - name: The name in the trace and the log.
    ///   - value: The response.
    ///   - handles: Which failures it stands in for. Default: transient ones of requests that only read, without a
    ///     status from 400 to 499.
    ///   - log: Where it writes a warning; nil for nowhere.
    public init(
        _ name: String = "value", value: Response,
        when handles: @escaping @Sendable (RetryCandidate) -> Bool = { $0.mayFallBack },
        log: (any LogSink)? = SystemLog.shared
    ) {
        self.init(name, .response { _, _ in value }, when: handles, log: log)
    }

    /// Makes an interceptor that answers with what a closure returns, such as a response kept earlier.
    ///
    /// - Parameters:
    ///   - name: The name in the trace and the log.
    ///   - handles: Which failures it stands in for. Default: transient ones of requests that only read, without a
    ///     status from 400 to 499.
    ///   - log: Where it writes a warning; nil for nowhere.
    ///   - response: Returns the response to a request that failed; nil when there is none, and the failure goes on. So
    ///     it does when the closure throws.
    public init(
        _ name: String = "response",
        when handles: @escaping @Sendable (RetryCandidate) -> Bool = { $0.mayFallBack },
        log: (any LogSink)? = SystemLog.shared,
        response: @escaping @Sendable (Request, Failure.Reason) async throws -> Response?
    ) {
        self.init(name, .response(response), when: handles, log: log)
    }

    /// Makes an interceptor that sends another request through the interceptors inside, if that is safe.
    ///
    /// - Parameters:
    ///   - name: The name in the trace and the log.
    ///   - handles: Which failures it stands in for. Default: transient ones of requests that only read, without a
    ///     status from 400 to 499.
    ///   - log: Where it writes a warning; nil for nowhere.
    ///   - request: Returns the request to send instead of one that failed; nil for none.
    public init(
        _ name: String = "request",
        when handles: @escaping @Sendable (RetryCandidate) -> Bool = { $0.mayFallBack },
        log: (any LogSink)? = SystemLog.shared,
        sending request: @escaping @Sendable (Request) -> Request?
    ) {
        self.init(name, when: handles, log: log) { failed, _ in request(failed) }
    }

    /// Same, with the context of the call and what is invalid in the settings.
    package init(
        _ name: String, when handles: @escaping @Sendable (RetryCandidate) -> Bool, log: (any LogSink)?,
        invalid: [ConfigurationError] = [], replacing request: @escaping @Sendable (Request, CallContext) -> Request?
    ) {
        self.init(name, .request(request), when: handles, log: log, invalid: invalid)
    }

    private init(
        _ name: String, _ substitute: Substitute, when handles: @escaping @Sendable (RetryCandidate) -> Bool,
        log: (any LogSink)?, invalid: [ConfigurationError] = []
    ) {
        self.name = name
        self.invalid = invalid
        self.substitute = substitute
        isHandled = handles
        self.log = log
    }

    /// Sends the request, and answers in another way if it fails.
    public func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        do {
            guard case .request = substitute else {
                return try await next(request)
            }
            return try await next(request, context: context.firstAttempt())
        } catch {
            return try await answer(insteadOf: error, request, context: context, next: next)
        }
    }

    /// Answers instead, or throws the error. A function of its own, because a call that succeeds needs none of its memory.
    @inline(never)
    private func answer(
        insteadOf error: any Error, _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        // The task may have been cancelled whatever was thrown.
        try Task.checkCancellation()
        let candidate = context.candidate(failing: error, asking: request)
        let reason = candidate.reason
        // Whoever reads a stream that has begun would get two of them.
        guard context.callIntake?.isOpen != true, isHandled(candidate) else {
            throw error
        }
        context.closeAttempt(failing: error)
        switch substitute {
        case .response(let make):
            context.note("fallback", "\(name) asked because of \(reason.code)")
            guard let response = try await response(make, request, reason, context: context) else {
                throw error
            }
            record(reason, context: context)
            return response
        case .request(let make):
            guard let other = make(request, context) else {
                context.remark("fallback", "\(name) had no request")
                throw error
            }
            if let obstacle = obstacle(to: other, after: error, reason, request: request, context: context) {
                context.remark("fallback", "\(name) was not used: \(obstacle)")
                throw error
            }
            context.note("fallback", "\(name) asked because of \(reason.code)")
            let second = context.nextAttempt(
                after: error, waited: .zero, because: "fallback", requiring: nil, isElsewhere: true)
            // Also after a success: whoever refuses that further out may ask again.
            defer { second.distrustKeys() }
            let response = try await next(other, context: second)
            record(reason, context: context)
            return response
        }
    }

    /// The response of a closure; nil when there is none, or it fails.
    private func response(
        _ make: @Sendable (Request, Failure.Reason) async throws -> Response?, _ request: Request,
        _ reason: Failure.Reason, context: CallContext
    ) async throws -> Response? {
        let before = context.currentHold
        context.hold(
            Hold("waiting for the fallback \"\(name)\"", advice: "Let the fallback \"\(name)\" answer sooner"))
        do {
            let response = try await make(request, reason)
            try Task.checkCancellation()
            context.endHold(resuming: before)
            if response == nil {
                context.remark("fallback", "\(name) had no response")
            }
            if let known = response as? any CallResponse {
                context.recordReceived(known)
            }
            return response
        } catch {
            try Task.checkCancellation()
            context.endHold(resuming: before)
            context.remark("fallback", "\(name) failed: \(Failure.Reason(classifying: error, isCancelled: false).code)")
            return nil
        }
    }

    /// Why another request may not be sent, nil when it may: nothing that was sent may be executed twice, by whichever
    /// server.
    private func obstacle(
        to other: Request, after error: any Error, _ reason: Failure.Reason, request: Request, context: CallContext
    ) -> String? {
        let safety = context.repeatSafety.including(error)
        if let deadline = context.deadline, context.clock.now >= deadline {
            return "no time was left"
        }
        guard safety.isEmpty else {
            guard safety.isReplayable, other.isReplayable else {
                return Self.readOnce
            }
            return safety.isIdempotent && safety.key == nil ? nil : Self.twice
        }
        // An earlier run of the call may have sent it with the key that this one keeps.
        guard context.requiredKey == nil else {
            return Self.twice
        }
        // Nothing was sent as far as is known; only an interceptor that refuses a request is certain.
        if case .rejected = reason {
            return nil
        }
        guard !context.isUnsent else {
            return nil
        }
        guard request.isReplayable else {
            return Self.readOnce
        }
        return request.isIdempotent && request.idempotencyKey == nil ? nil : Self.twice
    }

    private static var twice: String { "the request may have been executed, and another server could execute it again" }
    private static var readOnce: String { "the body is a stream that cannot be sent again" }

    private func record(_ reason: Failure.Reason, context: CallContext) {
        context.withValues { $0.fallback = FallbackRecord(name: name, reason: reason) }
        // In the report too: if what it answered cannot be used, nobody takes it for the server's.
        context.remark("fallback", "\(name) instead of \(reason.code)")
        guard let log, log.isEnabled(.warning) else {
            return
        }
        let redaction = context.redaction.messages(to: log)
        let call = context.name.isEmpty ? "" : " \(redaction.shown(name: context.name))"
        log.write(
            LogEntry(
                .warning, "#\(context.id)\(call): fallback \"\(name)\" instead of \(reason.code)", callID: context.id))
    }
}

extension RetryCandidate {
    /// Whether ``Fallback`` stands in for the failure by default: it is transient, and no status from 400 to 499, by
    /// which the server says that the request is wrong or comes too often; and the call only reads, so that nobody
    /// takes the answer for the success of a change.
    public var mayFallBack: Bool {
        isReadOnly && isTransient && !(400..<500).contains(statusCode ?? 0)
    }
}

extension Role {
    /// Substitutes another response when the call failed.
    public static let fallback: Role = Role(builtIn: "fallback") {
        OrderRule.rules(
            .fallback,
            outside: [
                .retry: "the substitute hides the failure from Retry, which then never retries",
                .circuitBreaker: "the substitute hides the failure from the breaker, which then never opens",
                .statusValidation: "the fallback never sees a status failure",
            ], severity: .error)
    }
}
