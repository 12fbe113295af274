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
/// let chain = try Chain(transport: Echo()) { Shout() }
/// let answer = try await chain.call("hello")  // "HELLO"
/// ```
public struct Chain<Request: Sendable, Response: Sendable>: Sendable {
    let storage: ChainStorage<Request, Response>

    /// Order rules, in addition to the built-in ones and those of the interceptors.
    public var orderRules: [OrderRule]

    /// Makes a chain from the interceptors listed, outermost first.
    ///
    /// - Throws: ``ConfigurationError`` for settings that are out of their ranges, all of them at once; any error thrown
    ///   while creating the interceptors.
    public init(
        transport: any Transport<Request, Response>,
        orderRules: [OrderRule] = [],
        @ChainBuilder<Request, Response> interceptors: () throws -> [any Interceptor<Request, Response>]
    ) throws {
        try self.init(transport: transport, interceptors: try interceptors(), orderRules: orderRules)
    }

    /// Makes a chain from an array of interceptors, outermost first.
    ///
    /// - Throws: ``ConfigurationError`` for settings of interceptors that are out of their ranges, all of them at once.
    public init(
        transport: any Transport<Request, Response>,
        interceptors: [any Interceptor<Request, Response>],
        orderRules: [OrderRule] = []
    ) throws(ConfigurationError) {
        self.init(
            interceptors, transport: transport, orderRules: orderRules,
            invalid: ConfigurationError(interceptors.invalid()))
        try requireValidSettings()
    }

    /// A chain derived from another. Who makes a client or a policy of it, or calls it, learns what is invalid.
    package init(
        _ interceptors: [any Interceptor<Request, Response>], transport: any Transport<Request, Response>,
        orderRules: [OrderRule], invalid: ConfigurationError?
    ) {
        storage = ChainStorage(interceptors, transport: transport, invalid: invalid)
        self.orderRules = orderRules
    }

    /// What is invalid in the settings of the interceptors.
    package var invalid: ConfigurationError? {
        storage.invalid
    }

    /// Throws what is invalid in the settings of the interceptors.
    package func requireValidSettings() throws(ConfigurationError) {
        if let invalid {
            throw invalid
        }
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
        storage.roles
    }

    /// A call that begins now and runs later; nil when no interceptor notes anything of it.
    package func begun(_ options: CallOptions) -> ContinuedCall? {
        storage.begun(options)
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
            try requireValidSettings()
            let response = try await storage.run(request, context: context)
            context.finish(response as? any CallResponse)
            return response
        } catch {
            throw context.finish(
                failing: error, asked: request as? any CallRequest, retries: roles.contains(.retry))
        }
    }
}

extension Chain: DescribedInDumps {
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
extension Array {
    /// What is invalid in the settings of interceptors.
    func invalid<Request, Response>() -> [ConfigurationError]
    where Element == any Interceptor<Request, Response> {
        flatMap(\.settings).flatMap { setting in
            if case .problem(let error) = setting.value { error.all } else { [ConfigurationError]() }
        }
    }
}
