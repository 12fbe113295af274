#if Hummingbird
    public import Backstop
    internal import BackstopCore
    internal import HTTPTypes
    public import Hummingbird

    /// Has the calls of handlers take over the deadline, the trace context and the idempotency key of the request that
    /// they are made for.
    ///
    /// Clients that are told so do: `client.propagating()`.
    ///
    /// ```swift
    /// func routes(_ shop: Client) -> Router<BasicRequestContext> {
    ///     let shop = shop.propagating()
    ///     let router = Router()
    ///     router.add(middleware: PropagationMiddleware())
    ///     router.post("orders") { _, _ in
    ///         try await shop.post("payments", json: ["amount": 12], as: String.self)
    ///     }
    ///     return router
    /// }
    /// ```
    /// * **Deadline**: the caller says in a header field how long it waits, there being no standard one, and no call takes
    ///   longer. What is left of the time goes on to the service in the same field. Calls that end so never count against
    ///   a service, nor does its 408 or 504 to less than a second: no caller opens a circuit breaker with a short time.
    /// * **Trace context**: valid `traceparent` and `tracestate` go on as they came. With tracing, as by
    ///   `TracingMiddleware` and `client.traced()`, those of the spans do instead.
    /// * **Idempotency key**: each call that needs a key gets one made of the caller, the caller's key, method, URL and
    ///   the endpoint's name, so that it gets the same key when the request is repeated. A second call that would get that
    ///   key, at once or later, is refused before it is sent (`rejected.idempotencyKey`): give each call a
    ///   name of its own (`CallOptions.name`). An `Idempotency-Key` of the handler's goes to the service as it is, so it
    ///   must be one that no other order has, of any caller.
    ///
    /// Calls that begin after the handler has returned, as of bodies or tasks, take nothing over. A second such middleware
    /// adds what the first has not taken over.
    public struct PropagationMiddleware<Context: RequestContext>: RouterMiddleware {
        private let timeout: TimeoutField
        private let caller: (@Sendable (Request, Context) throws -> String?)?

        /// Makes the middleware.
        ///
        /// - Parameters:
        ///   - timeoutHeader: The field with the time that the caller waits, in seconds, or in milliseconds if its name ends
        ///     in `-Ms`; up to a day. What is not a number is ignored. Default: `Request-Timeout`.
        ///   - caller: Identifies the caller, such as by its account, so that nobody gets the order of somebody else who has
        ///     sent the same key. Add the middleware after the one that authenticates; return nil to pass no key on, and an
        ///     empty text if there is only one caller. Default: no key is passed on.
        public init(
            timeoutHeader: HTTP.Headers.Name = "Request-Timeout",
            caller: (@Sendable (Request, Context) throws -> String?)? = nil
        ) {
            timeout = TimeoutField(name: timeoutHeader)
            self.caller = caller
        }

        /// Runs the handler, whose calls take over what the request says.
        public func handle(
            _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
        ) async throws -> Response {
            func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }
            let outer = IncomingRequest.current
            let time = field(timeout.name.text).flatMap(timeout.time)
            var keys = outer?.keys
            if keys == nil, let key = field("Idempotency-Key"), let caller = try caller?(request, context) {
                keys = IdempotencyKeys(key, caller: caller, method: request.method.rawValue, target: request.uri.string)
            }
            let incoming: Lock<IncomingRequest?> = Lock(
                IncomingRequest(
                    deadline: outer?.deadline ?? time.map { SystemClock().now.adding($0) },
                    timeout: outer.flatMap { $0.deadline == nil ? nil : $0.timeout } ?? timeout,
                    trace: outer?.trace ?? TraceContext(parent: field("traceparent"), state: field("tracestate")),
                    keys: keys))
            defer { incoming.withLock { $0 = nil } }
            return try await IncomingRequest.$shared.withValue(incoming) { try await next(request, context) }
        }
    }
#endif
