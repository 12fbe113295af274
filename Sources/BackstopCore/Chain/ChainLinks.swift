/// The links and the transport of a chain, shared by all its calls. Immutable.
final class ChainLinks<Request: Sendable, Response: Sendable>: @unchecked Sendable {
    // Unchecked, because of the buffer: it is written once, in the initializer.
    let links: [any Interceptor<Request, Response>]
    let transport: any Transport<Request, Response>
    /// The links, and after them the transport as a link.
    private let buffer: UnsafeMutablePointer<any Interceptor<Request, Response>>

    init(_ links: [any Interceptor<Request, Response>], transport: any Transport<Request, Response>) {
        self.links = links
        self.transport = transport
        buffer = .allocate(capacity: links.count + 1)
        for (position, link) in links.enumerated() {
            (buffer + position).initialize(to: link)
        }
        (buffer + links.count).initialize(to: TransportLink(transport: transport))
    }

    deinit {
        buffer.deinitialize(count: links.count + 1)
        buffer.deallocate()
    }

    /// Runs a request through all links.
    func run(_ request: Request, context: CallContext) async throws -> Response {
        guard !context.tracesLinks else {
            return try await runTraced(request, context: context)
        }
        context.hold(self)
        return try await Next(link: UnsafePointer(buffer), context: context)(request)
    }

    /// The same through links that write into the trace when they are entered and left.
    private func runTraced(_ request: Request, context: CallContext) async throws -> Response {
        let traced = ChainLinks(
            links.enumerated().map { TracedLink(link: $0.element, depth: $0.offset) },
            transport: TracedTransport(transport: transport, depth: links.count))
        context.hold(traced)
        return try await Next(link: UnsafePointer(traced.buffer), context: context)(request)
    }
}

/// The transport as the last link, which never goes on.
private struct TransportLink<Request: Sendable, Response: Sendable>: Interceptor {
    let transport: any Transport<Request, Response>

    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try await transport.send(request, context: context)
    }
}

/// A link that is entered and left in the trace.
private struct TracedLink<Request: Sendable, Response: Sendable>: Interceptor {
    let link: any Interceptor<Request, Response>
    let depth: Int

    var role: Role {
        link.role
    }

    func intercept(
        _ request: Request, context: CallContext, next: Next<Request, Response>
    ) async throws -> Response {
        try await context.traced(link.role.name, depth: depth) {
            try await link.intercept(request, context: context, next: next)
        }
    }
}

/// A transport that is entered and left in the trace.
private struct TracedTransport<Request: Sendable, Response: Sendable>: Transport {
    let transport: any Transport<Request, Response>
    let depth: Int

    func send(_ request: Request, context: CallContext) async throws -> Response {
        try await context.traced("transport", depth: depth) {
            try await transport.send(request, context: context)
        }
    }
}
