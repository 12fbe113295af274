/// The interceptors and the transport of a chain, shared by all its calls.
final class ChainStorage<Request: Sendable, Response: Sendable>: Sendable {
    let interceptors: [any Interceptor<Request, Response>]
    let transport: any Transport<Request, Response>
    /// What is invalid in the settings of the interceptors.
    let invalid: ConfigurationError?
    /// The interceptors that note something before any other runs.
    private let noting: [any CallNoting]
    /// The interceptors, and after them the transport as an interceptor.
    private let running: [any Interceptor<Request, Response>]

    init(
        _ interceptors: [any Interceptor<Request, Response>], transport: any Transport<Request, Response>,
        invalid: ConfigurationError?
    ) {
        self.interceptors = interceptors
        self.transport = transport
        self.invalid = invalid
        noting = interceptors.compactMap { $0 as? any CallNoting }
        var running = interceptors
        if transport.endsAttemptsInTime, let last = interceptors.last as? any AttemptLimiting {
            running[interceptors.count - 1] = HandedLimit(limit: last.limit)
        }
        self.running = running + [TransportEnd(transport: transport)]
    }

    /// A call that begins now and runs later; nil when no interceptor notes anything of it.
    func begun(_ options: CallOptions) -> ContinuedCall? {
        guard !noting.isEmpty else {
            return nil
        }
        let context = CallContext(options: options)
        let accountChanges = AccountChanges.count
        for interceptor in noting {
            interceptor.note(context)
        }
        return ContinuedCall(values: context.values, accountChanges: accountChanges)
    }

    /// Runs a request through all interceptors.
    nonisolated(nonsending) func run(_ request: Request, context: CallContext) async throws -> Response {
        for interceptor in noting {
            interceptor.note(context)
        }
        return try await run(request, at: 0, context: context)
    }

    /// Runs a request through the interceptors from a position on; the last wraps the transport and never goes on.
    nonisolated(nonsending) func run(
        _ request: Request, at position: Int, context: CallContext
    ) async throws -> Response {
        let next = Next(chain: self, position: position + 1, context: context)
        guard context.tracesInterceptors else {
            return try await running[position].intercept(request, context: context, next: next)
        }
        let name = position < interceptors.count ? interceptors[position].role.name : "transport"
        return try await context.traced(name, depth: position) {
            try await running[position].intercept(request, context: context, next: next)
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
    /// Nil for requests that are not a `DepartingRequest`.
    private let departing: (@Sendable (Request, CallContext) -> Request)?
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
        func seeingDeparture<Seen: DepartingRequest>(_: Seen.Type) -> Any {
            let see: @Sendable (Seen, CallContext) -> Seen = { $0.departing(in: $1) }
            return see
        }
        self.transport = transport
        let departure = (Request.self as? any DepartingRequest.Type).map { seeingDeparture($0) }
        departing = departure as? @Sendable (Request, CallContext) -> Request
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
        let request = departing?(request, context) ?? request
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

/// A request that leaves behind what must not go where it goes, once no interceptor can change it any more.
package protocol DepartingRequest: CallRequest {
    /// The request as it is sent.
    func departing(in context: CallContext) -> Self
}

/// An interceptor that notes something of the call before any other runs: those further out may wait.
package protocol CallNoting: Sendable {
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
