#if Hummingbird
    public import Backstop
    internal import BackstopCore

    extension Client {
        /// A copy of the client whose calls take over the deadline, the trace context and the idempotency key of the
        /// incoming request that they are made for.
        ///
        /// For clients of services of your own: what ``PropagationMiddleware`` describes is sent to them. Outside of a
        /// request, it changes nothing. Not for a client that renews tokens: it does so for several requests at once.
        ///
        /// ```swift
        /// let shop = try Client.standard(baseURL: "https://shop.internal").propagating()
        /// ```
        /// - Parameter idempotencyKeys: Whether calls get keys. Say false for a service that does not know
        ///   `Idempotency-Key`: `Retry` repeats a request with a key. Default: true.
        public func propagating(idempotencyKeys: Bool = true) -> Client {
            deriving { chain in
                var all = chain.interceptors.filter { !($0 is CallPropagation) && !($0 is AttemptPropagation) }
                let outside: [Role] = [.tracing, .metrics, .logging, .deadline]
                let index = all.lastIndex { outside.contains($0.role) }.map { $0 + 1 } ?? 0
                all.insert(CallPropagation(withKeys: idempotencyKeys), at: index)
                // Outside AttemptTimeout, which leaves its limit to the transport when that is next.
                all.insert(AttemptPropagation(), at: all.count - (all.last?.role == .attemptTimeout ? 1 : 0))
                return HTTP.Chain(
                    all, transport: chain.transport, orderRules: chain.orderRules, invalid: chain.invalid)
            }
        }
    }

    /// Gives a call the deadline of the incoming request, and a key; outside retry, so that all attempts have the same.
    struct CallPropagation: HTTP.Interceptor {
        let withKeys: Bool

        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            guard let incoming = IncomingRequest.current else { return try await next(request) }
            guard withKeys, let keys = incoming.keys, request.dependsOnKey, request.idempotencyKey == nil else {
                return try await limited(request, by: incoming.deadline, context, next)
            }
            var request = request
            let key = try keys.take(for: request, name: context.name)
            request.headers[.idempotencyKey] = key
            // An answer, too, may have been given without a request.
            defer { if context.repeatSafety.isEmpty { keys.giveBack(key, of: request) } }
            do {
                return try await limited(request, by: incoming.deadline, context, next)
            } catch {
                if isUnsent(error, context) { keys.giveBack(key, of: request) }
                throw error
            }
        }

        /// Whether the only request of the call got no connection.
        private func isUnsent(_ error: any Error, _ context: CallContext) -> Bool {
            guard let error = error as? TransportError, [.queued, .connecting].contains(error.phase) else {
                return false
            }
            return context.attemptCount == 1 && context.sentRequests.count == 1
        }

        /// Ends the call at the caller's deadline, if that is before its own.
        ///
        /// Not by `Deadline`, because of what circuit breakers make of its end: callers must not be able to open them.
        private func limited(
            _ request: HTTP.Request, by deadline: Duration?, _ context: CallContext, _ next: HTTP.Next
        ) async throws -> HTTP.Response {
            guard let rest = deadline?.subtracting(SystemClock().now) else { return try await next(request) }
            let inner = context.withDeadline(context.clock.now.adding(rest))
            guard inner !== context else { return try await next(request) }
            let timeout = TimeoutError(.deadline, after: max(.zero, rest.adding(context.elapsed)))
            do {
                return try await withTimeLimit(rest, clock: context.clock, throwing: timeout) {
                    try await next(request, context: inner)
                }
            } catch let error as TimeoutError where error.kind == .deadline {
                context.stopAtDeadline()
                throw error
            }
        }
    }

    /// Adds what a service learns of the incoming request, unless an interceptor further out has said so.
    struct AttemptPropagation: HTTP.Interceptor {
        func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            guard let incoming = IncomingRequest.current else { return try await next(request) }
            var request = request
            if let trace = incoming.trace, request.headers["traceparent"] == nil {
                request.headers["traceparent"] = trace.parent
                request.headers["tracestate"] = trace.state
            }
            let name = incoming.timeout.name
            guard incoming.deadline != nil, let deadline = context.deadline, request.headers[name] == nil else {
                return try await next(request)
            }
            let rest = deadline.subtracting(context.clock.now)
            request.headers[name] = incoming.timeout.text(rest)
            let timeout = TimeoutError(.deadline, after: rest.adding(context.elapsed))
            let response = try await next(request)
            guard rest < .seconds(1), [408, 504].contains(response.status) else { return response }
            context.stopAtDeadline()
            throw ShortTimeError(classifiedReason: .timeout(timeout))
        }
    }

    /// A service had no time to answer, and said so: the end of the caller's time, not a failure of the service's.
    private struct ShortTimeError: FailureReasonConvertible, SettledError {
        let classifiedReason: Failure.Reason
    }
#endif
