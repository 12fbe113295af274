/// The interceptors and the transport of a chain, shared by all its calls.
final class ChainStorage<Request: Sendable, Response: Sendable>: Sendable {
    let interceptors: [any Interceptor<Request, Response>]
    let transport: any Transport<Request, Response>
    /// The roles of the interceptors, outermost first.
    let roles: [Role]
    /// What is invalid in the settings of the interceptors.
    let invalid: ConfigurationError?
    /// The interceptors that note something before any other runs.
    private let noting: [any CallNoting]
    /// The outermost interceptor, or the transport.
    private let first: ChainLink<Request, Response>

    init(
        _ interceptors: [any Interceptor<Request, Response>], transport: any Transport<Request, Response>,
        invalid: ConfigurationError?
    ) {
        self.interceptors = interceptors
        self.transport = transport
        roles = interceptors.map(\.role)
        self.invalid = invalid
        noting = interceptors.compactMap { $0 as? any CallNoting }
        // Where no interceptor ends calls at their deadline, they end inside those that tell how calls end.
        let observers = interceptors.prefix { ["tracing", "metrics", "logging"].contains($0.role.name) }
        let limited = roles.contains(.deadline) ? nil : observers.count
        let last = ChainLink(
            TransportEnd(transport: transport), before: nil, endsAttemptsInTime: transport.endsAttemptsInTime,
            endsCallsInTime: limited == interceptors.count, of: interceptors)
        first = interceptors.enumerated().reversed().reduce(last) { inner, interceptor in
            ChainLink(
                interceptor.element, before: inner,
                endsAttemptsInTime: inner.endsAttemptsInTime && interceptor.element is any AttemptEnding,
                endsCallsInTime: limited == interceptor.offset, of: interceptors)
        }
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
        return try await first.run(request, context: context)
    }
}

/// An interceptor and what is further in; the last wraps the transport and never goes on.
///
/// Objects, not elements of an array: generic code cannot read those without the metadata of their type, which costs
/// more than all else that calls an interceptor.
final class ChainLink<Request: Sendable, Response: Sendable>: Sendable {
    private let interceptor: any Interceptor<Request, Response>
    private let inner: ChainLink?
    private let depth: Int
    /// Whether the transport ends attempts in time by itself, and so do this interceptor and all further in.
    let endsAttemptsInTime: Bool
    /// Whether calls end at their own deadline here.
    private let endsCallsInTime: Bool
    /// All interceptors of the chain, outermost first.
    let all: [any Interceptor<Request, Response>]

    init(
        _ interceptor: any Interceptor<Request, Response>, before inner: ChainLink?, endsAttemptsInTime: Bool,
        endsCallsInTime: Bool, of all: [any Interceptor<Request, Response>]
    ) {
        self.interceptor = interceptor
        self.inner = inner
        depth = inner.map { $0.depth - 1 } ?? all.count
        self.endsAttemptsInTime = endsAttemptsInTime
        self.endsCallsInTime = endsCallsInTime
        self.all = all
    }

    /// Runs a request through this interceptor and all further in. Inlined: each function that waits costs memory.
    @inline(__always)
    nonisolated(nonsending) func run(_ request: Request, context: CallContext) async throws -> Response {
        guard context.tracesInterceptors || endsCallsInTime && context.deadline != nil else {
            return try await interceptor.intercept(
                request, context: context, next: Next(link: inner ?? self, context: context))
        }
        return try await runApart(request, context: context)
    }

    /// Apart, because a call that is not traced, and has no deadline, needs none of its memory while it waits.
    @inline(never)
    nonisolated(nonsending) private func runApart(_ request: Request, context: CallContext) async throws -> Response {
        guard endsCallsInTime, context.deadline != nil else {
            return try await runTraced(request, context: context)
        }
        return try await withDeadline(nil, of: context) { try await self.runTraced(request, context: $0) }
    }

    nonisolated(nonsending) private func runTraced(_ request: Request, context: CallContext) async throws -> Response {
        guard context.tracesInterceptors else {
            return try await interceptor.intercept(
                request, context: context, next: Next(link: inner ?? self, context: context))
        }
        return try await context.traced(interceptor.role.name, depth: depth) {
            try await interceptor.intercept(
                request, context: context, next: Next(link: inner ?? self, context: context))
        }
    }
}

/// The transport as the last interceptor, which never calls `next`. It records the request and the response, so that a
/// transport need not, and sends nothing once the task is cancelled.
private struct TransportEnd<Request: Sendable, Response: Sendable>: Interceptor {
    let transport: any Transport<Request, Response>

    /// The name that it has in traces.
    var role: Role { .custom("transport") }

    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try Task.checkCancellation()
        let (request, context) = try departing(request, context)
        do {
            let response = try await transport.send(request, context: context)
            guard let intake = context.callIntake else {
                return received(response, context)
            }
            return received(try await take(response, intake, context), context)
        } catch {
            throw failed(request, context, error)
        }
    }

    // What comes before and after the transport is apart: it would stay in memory for as long as the call waits.

    @inline(never)
    private func take(_ response: Response, _ intake: any CallIntake, _ context: CallContext) async throws -> Response {
        try await intake.take(whole: response, context: context) as? Response ?? response
    }

    /// What is sent, and the context in which it is recorded.
    @inline(never)
    private func departing(_ request: Request, _ context: CallContext) throws -> (Request, CallContext) {
        guard let own = request as? any DepartingRequest else {
            return (request, try (request as? any CallRequest).map(context.send) ?? context)
        }
        guard let changed = own.departing(in: context) else {
            return (request, try context.send(own))
        }
        return (cast(changed, or: request), try context.send(changed))
    }

    /// Apart, because the optional of a generic type is looked up at run time.
    @inline(never)
    private func cast(_ changed: any DepartingRequest, or request: Request) -> Request {
        changed as? Request ?? request
    }

    @inline(never)
    private func received(_ response: Response, _ context: CallContext) -> Response {
        if let seen = response as? any CallResponse {
            context.recordTransportResponse(seen)
        }
        return response
    }

    @inline(never)
    private func failed(_ request: Request, _ context: CallContext, _ error: any Error) -> any Error {
        // An operation may have had an effect before the request that was not sent.
        if !(request is any OperationRequest) {
            context.takeBack(error)
        }
        let error = (Request.self as? any CallRequest.Type)?.recognized(error) ?? error
        // What the transport has made of the end of the body is what counts, if an interceptor hides it.
        context.callIntake?.explain(error)
        return error
    }
}

/// A request that leaves behind what must not go where it goes, once no interceptor can change it any more.
package protocol DepartingRequest: CallRequest {
    /// The request as it is sent; nil when it has nothing to leave behind.
    func departing(in context: CallContext) -> (any DepartingRequest)?
}

/// An interceptor that notes something of the call before any other runs: those further out may wait.
package protocol CallNoting: Sendable {
    /// Notes it in the call's values.
    func note(_ context: CallContext)
}
