/// The links and the transport of a chain, shared by all its calls. Immutable, but for what is made when it is first asked
/// for.
final class ChainLinks<Request: Sendable, Response: Sendable>: @unchecked Sendable {
    // Unchecked, because of the buffer: it is written once, in the initializer.
    let links: [any Interceptor<Request, Response>]
    let transport: any Transport<Request, Response>
    /// The links, and after them the transport as a link.
    private let buffer: UnsafeMutablePointer<any Interceptor<Request, Response>>
    /// The same chain with links that write into the trace, made when it is first needed; guarded by the lock.
    private let traced = Lock<ChainLinks?>(nil)

    convenience init(_ links: [any Interceptor<Request, Response>], transport: any Transport<Request, Response>) {
        var running = links
        if transport.endsAttemptsInTime, let last = links.last as? AttemptTimeout<Request, Response> {
            running[links.count - 1] = HandedLimit(timeout: last)
        }
        self.init(links, running: running, transport: transport, end: TransportLink(transport: transport))
    }

    private init(
        _ links: [any Interceptor<Request, Response>], running: [any Interceptor<Request, Response>],
        transport: any Transport<Request, Response>, end: any Interceptor<Request, Response>
    ) {
        self.links = links
        self.transport = transport
        buffer = .allocate(capacity: links.count + 1)
        for (position, link) in running.enumerated() {
            (buffer + position).initialize(to: link)
        }
        (buffer + links.count).initialize(to: end)
    }

    deinit {
        buffer.deinitialize(count: links.count + 1)
        buffer.deallocate()
    }

    /// Runs a request through all links.
    nonisolated(nonsending) func run(_ request: Request, context: CallContext) async throws -> Response {
        let running = context.tracesLinks ? tracedLinks : self
        context.hold(running)
        return try await Next(link: UnsafePointer(running.buffer), context: context)(request)
    }

    /// The chain whose links write into the trace when they are entered and left. Made once, because the contexts of
    /// calls keep it for as long as they live.
    private var tracedLinks: ChainLinks {
        if let made = traced.withLock({ $0 }) {
            return made
        }
        let running = (0..<links.count).map { TracedLink(link: buffer[$0], name: links[$0].role.name, depth: $0) }
        let new = ChainLinks(
            links, running: running, transport: transport,
            end: TracedLink(link: buffer[links.count], name: "transport", depth: links.count))
        return traced.withLock { made in
            let links = made ?? new
            made = links
            return links
        }
    }
}

/// The transport as the last link, which never goes on. It records what is sent and what comes back, so that a transport
/// need not, and sends nothing once the task is cancelled.
private struct TransportLink<Request: Sendable, Response: Sendable>: Interceptor {
    let transport: any Transport<Request, Response>
    /// The request as the core sees it; nil for one that is no `CallRequest`. Found once, and not in each call.
    private let seen: (@Sendable (Request) -> any CallRequest)?
    private let seenResponse: (@Sendable (Response) -> any CallResponse)?
    /// What knows the errors of the system; nil for requests that are no `CallRequest`.
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
        if let request = seen?(request) {
            try context.send(request)
        }
        do {
            let response = try await transport.send(request, context: context)
            if let response = seenResponse?(response) {
                context.recordTransportResponse(response)
            }
            return response
        } catch {
            context.takeBack(error)
            throw recognizer?.recognized(error) ?? error
        }
    }
}

/// `AttemptTimeout` next to a transport that ends attempts by itself: it hands its limit over.
private struct HandedLimit<Request: Sendable, Response: Sendable>: Interceptor {
    let timeout: AttemptTimeout<Request, Response>

    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try await next(request, context: context.limitingAttempt(to: timeout.limit))
    }
}

/// A link that is entered and left in the trace.
private struct TracedLink<Request: Sendable, Response: Sendable>: Interceptor {
    let link: any Interceptor<Request, Response>
    let name: String
    let depth: Int

    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try await context.traced(name, depth: depth) {
            try await link.intercept(request, context: context, next: next)
        }
    }
}
