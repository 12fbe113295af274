public import BackstopCore
public import Foundation

/// Makes calls: endpoints go in, typed content comes out, and whatever fails is one `Failure`.
///
/// A client is a value: a base URL, a chain, and handlers. Make one per service, and derive others from it.
///
/// ```swift
/// nonisolated struct Book: Decodable, Sendable { var id: Int; var title: String }
///
/// let client = try Client(baseURL: "https://api.example.com/v1") {
///     Retry()
///     Decoding()
///     StatusValidation()
/// }
/// let books = try await client.get("books", as: [Book].self)
/// ```
public struct Client: Sendable {
    /// What paths are put below; nil when all endpoints give whole URLs.
    public let baseURL: URL?
    /// The chain that every request goes through.
    public let chain: HTTP.Chain
    /// What every call starts with: clock, randomness, deadline, tracing, observers.
    public var options: CallOptions
    /// Whom failures are shown to.
    public var handling: FailureHandling
    /// What other modules keep for this client.
    package let memory: ClientMemory
    #if DEBUG
        /// Which orders were looked at, shared by a client and those derived from it.
        private var orderReport = OrderReport()
    #endif

    /// Makes a client of interceptors, outermost first.
    ///
    /// In a debug build, what is wrong with their order is written once to the log.
    ///
    /// - Parameters:
    ///   - baseURL: What paths are put below; nil when all endpoints give whole URLs.
    ///   - transport: What sends the requests. Default: a ``URLSessionTransport`` of its own.
    ///   - options: What every call starts with.
    ///   - handling: Observers, log, and how often handlers may have a call sent anew.
    ///   - orderRules: Rules about the order, beyond the built-in ones and those that the interceptors bring.
    ///   - interceptors: The interceptors, outermost first.
    /// - Throws: `RequestError` with `.invalidURL` for a base URL without `http` or `https` and a host; what the
    ///   interceptors threw when they were made.
    public init(
        baseURL: URL?,
        transport: any HTTP.Transport = URLSessionTransport(),
        options: CallOptions = CallOptions(),
        handling: FailureHandling = FailureHandling(),
        orderRules: [OrderRule] = [],
        @HTTP.ChainBuilder interceptors: () throws -> [any HTTP.Interceptor]
    ) throws {
        try self.init(
            baseURL: baseURL,
            chain: HTTP.Chain(transport: transport, interceptors: interceptors(), orderRules: orderRules),
            options: options, handling: handling)
    }

    /// Makes a client of interceptors, outermost first, with the base URL as a text.
    ///
    /// What the text may not have is percent-encoded, dot segments are resolved, and a fragment is left out.
    ///
    /// - Throws: `RequestError` with `.invalidURL` for a text that is not a whole `http` or `https` URL; what the
    ///   interceptors threw when they were made.
    public init(
        baseURL: String,
        transport: any HTTP.Transport = URLSessionTransport(),
        options: CallOptions = CallOptions(),
        handling: FailureHandling = FailureHandling(),
        orderRules: [OrderRule] = [],
        @HTTP.ChainBuilder interceptors: () throws -> [any HTTP.Interceptor]
    ) throws {
        try self.init(
            baseURL: try RequestURL.base(baseURL), transport: transport, options: options,
            handling: handling, orderRules: orderRules, interceptors: interceptors)
    }

    /// Makes a client of a chain.
    ///
    /// - Throws: `RequestError` with `.invalidURL` for a base URL without `http` or `https` and a host.
    public init(
        baseURL: URL?, chain: HTTP.Chain, options: CallOptions = CallOptions(),
        handling: FailureHandling = FailureHandling()
    ) throws(RequestError) {
        self.baseURL = try baseURL.map { base throws(RequestError) in try RequestURL.base(base.absoluteString) }
        self.chain = chain
        self.options = options
        self.handling = handling
        memory = ClientMemory()
        #if DEBUG
            orderReport.check(chain, log: handling.log)
        #endif
    }

    private init(_ client: Client, chain: HTTP.Chain) {
        baseURL = client.baseURL
        self.chain = chain
        options = client.options
        handling = client.handling
        memory = client.memory
        #if DEBUG
            orderReport = client.orderReport
            orderReport.check(chain, log: handling.log)
        #endif
    }

    /// The same client with a chain derived from its own, for one call or one feature.
    ///
    /// In a debug build, what is wrong with the new order is written to the log, once for each order.
    ///
    /// ```swift
    /// func patient(_ client: Client) throws -> Client {
    ///     try client.withChain { try $0.replacing(.retry, with: Retry(attempts: 5)) }
    /// }
    /// ```
    public func withChain(_ change: (HTTP.Chain) throws -> HTTP.Chain) rethrows -> Client {
        Client(self, chain: try change(chain))
    }

    /// The same client with other options, for one call or one feature.
    ///
    /// ```swift
    /// func hurried(_ client: Client) -> Client {
    ///     client.withOptions { $0.deadline = .seconds(3) }
    /// }
    /// ```
    public func withOptions(_ change: (inout CallOptions) throws -> Void) rethrows -> Client {
        var copy = self
        try change(&copy.options)
        return copy
    }

    /// The same client with the handlers of a feature, asked before those of the scopes around it.
    ///
    /// ```swift
    /// func checkout(_ client: Client) -> Client {
    ///     client.scoped("checkout") {
    ///         On(status: 409) { _ in print("Somebody was faster.") }
    ///     }
    /// }
    /// ```
    public func scoped(_ name: String, @HandlerBuilder handlers: () -> [any FailureHandler]) -> Client {
        var copy = self
        copy.handling.scopes.insert(HandlerScope(name, handlers: handlers), at: 0)
        return copy
    }
}

extension Client: CustomStringConvertible, CustomReflectable {
    /// The base URL, secrets redacted.
    public var description: String {
        "client of " + (baseURL.map { options.redaction.forOthers.url($0.absoluteString) } ?? "any URL")
    }

    /// The same with the interceptors and the options.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["client": description, "chain": chain.description, "options": options],
            displayStyle: .struct)
    }
}
