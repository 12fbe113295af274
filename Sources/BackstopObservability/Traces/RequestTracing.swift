#if Observability
    public import Backstop
    public import BackstopCore
    internal import Tracing

    /// Makes spans with swift-distributed-tracing: one per call, or one per attempt.
    ///
    /// `RequestTracing(.call)` belongs outside all other interceptors, `RequestTracing(.attempt)` inside retry; with
    /// both, the spans of the attempts belong to that of the call. `client.traced()` puts both in their places.
    ///
    /// ```swift
    /// let client = try Client.standard(
    ///     baseURL: "https://shop.example.com", interceptors: [RequestTracing(.attempt)])
    /// ```
    /// Each attempt passes the context of its span on to the server, in the headers that the instrument of the process
    /// chooses. `Docs/Interceptors.md` lists names, attributes and events. As long as no instrument is bootstrapped, it
    /// does nothing.
    public struct RequestTracing: HTTP.Interceptor {
        /// What has a span.
        public enum Subject: String, Sendable, Hashable {
            /// The whole call.
            case call
            /// Each attempt.
            case attempt
        }

        /// What has a span.
        public let subject: Subject

        /// `.tracing`, or `.attemptTracing`
        public var role: Role {
            subject == .call ? .tracing : .attemptTracing
        }

        /// Makes the interceptor.
        ///
        /// - Parameter subject: The whole call, or each attempt.
        public init(_ subject: Subject = .call) {
            self.subject = subject
        }

        /// Makes a span, and ends it with the result.
        public func intercept(
            _ request: HTTP.Request, context: CallContext, next: HTTP.Next
        ) async throws -> HTTP.Response {
            let instrument = InstrumentationSystem.instrument
            guard !(instrument is NoOpInstrument), !(instrument is NoOpTracer) else {
                return try await next(request)
            }
            switch subject {
            case .call: return try await traceCall(request, context, next)
            case .attempt: return try await traceAttempt(request, context, next, instrument)
            }
        }

        private func traceCall(
            _ request: HTTP.Request, _ context: CallContext, _ next: HTTP.Next
        ) async throws -> HTTP.Response {
            let name = Label.callName(context.name, context.redaction)
            let span = CallSpan(
                InstrumentationSystem.tracer.startSpan(name == Label.other ? "call" : name), request, context)
            let open = OpenAttempts(call: context.id)
            do {
                let response = try await OpenAttempts.$current.withValue(open) {
                    try await ServiceContext.$current.withValue(span.span.context) { try await next(request) }
                }
                endRest(open, .cancelled, context)
                span.end(context, status: response.status, reason: nil)
                return response
            } catch {
                let reason = Failure.Reason(ofCall: error)
                let response = context.response(to: error, reason)
                // A deadline ends them; anything else leaves them without anybody who waits.
                endRest(open, reason.code == Self.deadline ? reason : .cancelled, context)
                span.end(context, status: response?.statusCode, reason: reason)
                throw error
            }
        }

        private static let deadline = Failure.Reason.timeout(TimeoutError(.deadline)).code

        /// Ends the spans of attempts that nothing waits for any more.
        private func endRest(_ open: OpenAttempts, _ reason: Failure.Reason, _ context: CallContext) {
            for span in open.takeAll() {
                span.end(status: nil, reason: reason, context.redaction)
            }
        }

        private func traceAttempt(
            _ request: HTTP.Request, _ context: CallContext, _ next: HTTP.Next, _ instrument: any Instrument
        ) async throws -> HTTP.Response {
            let method = Label.method(request.method)
            let span = InstrumentationSystem.tracer.startSpan(
                method == Label.other ? "HTTP" : method, ofKind: .client)
            span.begin(request, context)
            var request = request
            let kept = PropagatedHeaders(span.context, from: instrument).add(to: &request)
            if !kept.isEmpty {
                span.keep(kept, context)
            }
            // Last: from now on, the end of the call may end the span.
            let open = OpenAttempts.of(call: context.id)
            let number = open?.add(span)
            func mayEnd() -> Bool {
                // Without a number, the call had already ended, and nothing else holds the span.
                guard let open, let number else {
                    return true
                }
                return open.take(number) != nil
            }
            do {
                let response = try await ServiceContext.$current.withValue(span.context) {
                    try await next(request)
                }
                if mayEnd() {
                    span.end(context, response: response, reason: nil)
                }
                return response
            } catch {
                if mayEnd() {
                    let reason = context.reason(ofAttempt: error)
                    let response = context.response(to: error, reason)
                    span.end(context, response: response, reason: reason)
                }
                throw error
            }
        }
    }
#endif
