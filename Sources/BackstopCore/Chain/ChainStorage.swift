/// The interceptors and the transport of a chain, shared by all its calls. Immutable, except for lazily created values.
final class ChainStorage<Request: Sendable, Response: Sendable>: @unchecked Sendable {
    // Unchecked, because of the buffer: it is written once, in the initializer.
    let interceptors: [any Interceptor<Request, Response>]
    let transport: any Transport<Request, Response>
    /// What is invalid in the settings of the interceptors.
    let invalid: ConfigurationError?
    /// The interceptors that note something before any other runs.
    private let noting: [any CallNoting]
    /// The interceptors, and after them the transport as an interceptor.
    private let buffer: UnsafeMutablePointer<any Interceptor<Request, Response>>
    /// The same chain with interceptors that write to the trace, created lazily; guarded by the lock.
    private let traced = Lock<ChainStorage?>(nil)

    convenience init(
        _ interceptors: [any Interceptor<Request, Response>], transport: any Transport<Request, Response>,
        invalid: ConfigurationError?
    ) {
        var running = interceptors
        if transport.endsAttemptsInTime, let last = interceptors.last as? any AttemptLimiting {
            running[interceptors.count - 1] = HandedLimit(limit: last.limit)
        }
        self.init(
            interceptors, invalid: invalid, running: running, transport: transport,
            end: TransportEnd(transport: transport))
    }

    private init(
        _ interceptors: [any Interceptor<Request, Response>], invalid: ConfigurationError?,
        running: [any Interceptor<Request, Response>],
        transport: any Transport<Request, Response>, end: any Interceptor<Request, Response>
    ) {
        self.interceptors = interceptors
        self.transport = transport
        self.invalid = invalid
        noting = interceptors.compactMap { $0 as? any CallNoting }
        buffer = .allocate(capacity: interceptors.count + 1)
        for (position, interceptor) in running.enumerated() {
            (buffer + position).initialize(to: interceptor)
        }
        (buffer + interceptors.count).initialize(to: end)
    }

    deinit {
        buffer.deinitialize(count: interceptors.count + 1)
        buffer.deallocate()
    }

    /// Whether a pointer is to one of its interceptors, or to the transport as one.
    func contains(_ interceptor: UnsafePointer<any Interceptor<Request, Response>>) -> Bool {
        (UnsafePointer(buffer)...UnsafePointer(buffer + interceptors.count)).contains(interceptor)
    }

    /// Runs a request through all interceptors.
    nonisolated(nonsending) func run(_ request: Request, context: CallContext) async throws -> Response {
        for interceptor in noting {
            interceptor.note(context)
        }
        let running = context.tracesInterceptors ? tracedStorage : self
        context.hold(running)
        return try await Next(interceptor: UnsafePointer(running.buffer), context: context)(request)
    }

    /// The chain whose interceptors record in the trace when they are entered and left. Created once, because the
    /// contexts of calls keep it alive.
    private var tracedStorage: ChainStorage {
        if let made = traced.withLock({ $0 }) {
            return made
        }
        let running = interceptors.enumerated().map { depth, interceptor in
            TracedInterceptor(interceptor: buffer[depth], name: interceptor.role.name, depth: depth)
        }
        let new = ChainStorage(
            interceptors, invalid: invalid, running: running, transport: transport,
            end: TracedInterceptor(
                interceptor: buffer[interceptors.count], name: "transport", depth: interceptors.count))
        return traced.withLock { made in
            let storage = made ?? new
            made = storage
            return storage
        }
    }
}

/// The transport as the last interceptor, which never calls `next`. It records the request and the response, so that a
/// transport need not, and sends nothing once the task is cancelled.
private struct TransportEnd<Request: Sendable, Response: Sendable>: Interceptor {
    let transport: any Transport<Request, Response>
    /// The request as the core sees it; nil if it is not a `CallRequest`. Determined once, not in each call.
    private let seen: (@Sendable (Request) -> any CallRequest)?
    private let seenResponse: (@Sendable (Response) -> any CallResponse)?
    /// Converts errors of the system; nil for requests that are not a `CallRequest`.
    private let recognizer: (any CallRequest.Type)?

    init(transport: any Transport<Request, Response>) {
        func seeing<Seen: CallRequest>(_: Seen.Type) -> Any {
            let see: @Sendable (Seen) -> any CallRequest = { $0 }
            return see
        }
        func seeingResponse<Seen: CallResponse>(_: Seen.Type) -> Any {
            let see: @Sendable (Seen) -> any CallResponse = { $0 }
            return see
        }
        self.transport = transport
        let request = (Request.self as? any CallRequest.Type).map { seeing($0) }
        seen = request as? @Sendable (Request) -> any CallRequest
        recognizer = Request.self as? any CallRequest.Type
        let response = (Response.self as? any CallResponse.Type).map { seeingResponse($0) }
        seenResponse = response as? @Sendable (Response) -> any CallResponse
    }

    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try Task.checkCancellation()
        let context = try seen.map { try context.send($0(request)) } ?? context
        do {
            let response = try await transport.send(request, context: context)
            if let response = seenResponse?(response) {
                context.recordTransportResponse(response)
            }
            return response
        } catch {
            // An operation may have had an effect before the request that was not sent.
            if !(request is any OperationRequest) {
                context.takeBack(error)
            }
            throw recognizer?.recognized(error) ?? error
        }
    }
}

/// An interceptor that notes something of the call before any other runs: those further out may wait.
package protocol CallNoting {
    /// Notes it in the call's values.
    func note(_ context: CallContext)
}

/// An interceptor that only limits attempts in time, so that a transport can do so instead.
protocol AttemptLimiting {
    /// How long an attempt may take.
    var limit: Duration { get }
}

/// Hands the limit of an interceptor over to the transport directly after it, if that ends attempts itself.
private struct HandedLimit<Request: Sendable, Response: Sendable>: Interceptor {
    let limit: Duration

    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try await next(request, context: context.limitingAttempt(to: limit))
    }
}

/// Records in the trace when an interceptor is entered and left.
private struct TracedInterceptor<Request: Sendable, Response: Sendable>: Interceptor {
    let interceptor: any Interceptor<Request, Response>
    let name: String
    let depth: Int

    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try await context.traced(name, depth: depth) {
            try await interceptor.intercept(request, context: context, next: next)
        }
    }
}
