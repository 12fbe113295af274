/// An ordered list of interceptors that ends in a transport.
///
/// The first interceptor listed is the outermost: it sees the request first and the response last.
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
    let storage: ChainStorage<Request, Response>

    /// Order rules, in addition to the built-in ones and those of the interceptors.
    public var orderRules: [OrderRule]

    /// Makes a chain from the interceptors listed, outermost first.
    public init(
        transport: any Transport<Request, Response>,
        orderRules: [OrderRule] = [],
        @ChainBuilder<Request, Response> interceptors: () throws -> [any Interceptor<Request, Response>]
    ) rethrows {
        self.init(transport: transport, interceptors: try interceptors(), orderRules: orderRules)
    }

    /// Makes a chain from an array of interceptors, outermost first.
    public init(
        transport: any Transport<Request, Response>,
        interceptors: [any Interceptor<Request, Response>],
        orderRules: [OrderRule] = []
    ) {
        storage = ChainStorage(interceptors, transport: transport)
        self.orderRules = orderRules
    }

    /// The interceptors, outermost first, without the transport.
    public var interceptors: [any Interceptor<Request, Response>] {
        storage.interceptors
    }

    /// The end of the chain.
    public var transport: any Transport<Request, Response> {
        storage.transport
    }

    /// The roles of the interceptors, outermost first.
    public var roles: [Role] {
        storage.interceptors.map(\.role)
    }

    /// Sends a request through the interceptors for a client, which owns the context and finishes it; errors are thrown
    /// unchanged.
    nonisolated(nonsending) package func send(_ request: Request, context: CallContext) async throws -> Response {
        try await storage.run(request, context: context)
    }

    /// Makes a call: runs the request through interceptors and transport; every error becomes one ``Failure``.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The call's name, clock, random source, deadline, and what to trace.
    /// - Throws: The failure.
    @concurrent
    public func call(_ request: Request, options: CallOptions = CallOptions()) async throws(Failure) -> Response {
        let context = CallContext(options: options)
        do {
            let response = try await storage.run(request, context: context)
            context.finish(response as? any CallResponse)
            return response
        } catch {
            throw context.finish(
                failing: error, asked: request as? any CallRequest, retries: roles.contains(.retry))
        }
    }
}

extension Chain: CustomStringConvertible, CustomReflectable {
    /// Same as ``description``: the properties of interceptors, such as a token, are never shown.
    public var customMirror: Mirror {
        Mirror(self, children: ["chain": description], displayStyle: .struct)
    }

    /// The interceptors and the transport, one per line, outermost first.
    public var description: String {
        let names = storage.interceptors.map { interceptor -> String in
            let type = TypeName.short(Swift.type(of: interceptor))
            return interceptor.role.name == type ? type : "\(type) (\(interceptor.role))"
        }
        let all = names + ["\(TypeName.short(Swift.type(of: storage.transport))) (transport)"]
        return all.enumerated().map { "\($0.offset + 1). \($0.element)" }.joined(separator: "\n")
    }
}
