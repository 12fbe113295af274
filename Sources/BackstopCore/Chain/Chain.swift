/// An ordered list of interceptors that ends in a transport.
///
/// The first link listed is the outermost: it sees the request first and the response last.
///
/// ```swift
/// struct Echo: Transport {
///     func send(_ request: String, context: CallContext) async throws -> String { request }
/// }
/// struct Shout: Interceptor {
///     func intercept(_ request: String, context: CallContext, next: Next<String, String>) async throws -> String {
///         try await next(request.uppercased())
///     }
/// }
/// let chain = Chain(transport: Echo()) { Shout() }
/// let answer = try await chain.call("hello")  // "HELLO"
/// ```
public struct Chain<Request: Sendable, Response: Sendable>: Sendable {
    let links: ChainLinks<Request, Response>

    /// Rules about the order, beyond the built-in ones and those that the links bring.
    public var orderRules: [OrderRule]

    /// Makes a chain of the links listed, outermost first.
    public init(
        transport: any Transport<Request, Response>,
        orderRules: [OrderRule] = [],
        @ChainBuilder<Request, Response> links: () throws -> [any Interceptor<Request, Response>]
    ) rethrows {
        self.init(transport: transport, links: try links(), orderRules: orderRules)
    }

    /// Makes a chain of an array of links, outermost first.
    public init(
        transport: any Transport<Request, Response>,
        links: [any Interceptor<Request, Response>],
        orderRules: [OrderRule] = []
    ) {
        self.links = ChainLinks(links, transport: transport)
        self.orderRules = orderRules
    }

    /// The links, outermost first, without the transport.
    public var interceptors: [any Interceptor<Request, Response>] {
        links.links
    }

    /// The end of the chain.
    public var transport: any Transport<Request, Response> {
        links.transport
    }

    /// The roles of the links, outermost first.
    public var roles: [Role] {
        links.links.map(\.role)
    }

    /// Sends a request through the links; errors come out as they were thrown.
    ///
    /// Use it inside a client of your own that keeps the context; otherwise use ``call(_:options:)``.
    nonisolated(nonsending) public func send(_ request: Request, context: CallContext) async throws -> Response {
        try await links.run(request, context: context)
    }

    /// Makes one whole call: a context, the links, the transport; whatever fails comes out as one ``Failure``.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: Name, clock, randomness, deadline and what to trace.
    /// - Throws: The failure, made once, here.
    @concurrent
    public func call(_ request: Request, options: CallOptions = CallOptions()) async throws(Failure) -> Response {
        let context = CallContext(options: options)
        do {
            let response = try await links.run(request, context: context)
            context.finish()
            return response
        } catch {
            throw context.finish(failing: error, asked: request as? any CallRequest)
        }
    }
}

extension Chain: CustomStringConvertible, CustomReflectable {
    /// The same list as ``description``: what links hold, such as a token, is for them alone.
    public var customMirror: Mirror {
        Mirror(self, children: ["chain": description], displayStyle: .struct)
    }

    /// The chain as a list, a link a line, outermost first.
    public var description: String {
        let names = links.links.map { link -> String in
            let type = Role.name(of: Swift.type(of: link))
            return link.role.name == type ? type : "\(type) (\(link.role))"
        }
        let all = names + ["\(Role.name(of: Swift.type(of: links.transport))) (transport)"]
        return all.enumerated().map { "\($0.offset + 1). \($0.element)" }.joined(separator: "\n")
    }
}
