public import BackstopCore
public import Foundation

/// A client for one service: sends endpoints through a chain and returns their content, or throws one `Failure`.
///
/// A client is a value: a base URL, a chain, and handlers. Create one per service, and derive others from it.
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
    /// The URL that paths are appended to; nil when all endpoints have absolute URLs.
    public var baseURL: URL? { base?.url }
    /// The same, parsed.
    let base: BaseURL?
    /// Scheme, host and port of it.
    package var origin: String? { base?.origin }
    /// The chain that every request goes through.
    public private(set) var chain: HTTP.Chain
    /// The options of every call: clock, random source, deadline, tracing, observers.
    public var options: CallOptions {
        _read { yield sharedOptions.value }
        set { sharedOptions = Shared(newValue) }
    }
    /// The same, as calls share them.
    package private(set) var sharedOptions: Shared<CallOptions>
    /// Failure handlers and observers.
    public var handling: FailureHandling {
        _read { yield sharedHandling.value }
        set { sharedHandling = Shared(newValue) }
    }
    /// The same, for failures to refer to without keeping it alive.
    package private(set) var sharedHandling: Shared<FailureHandling>
    /// The state that other modules keep for this client.
    package private(set) var memory: ClientMemory
    /// The retry budgets, shared with all clients derived from this one.
    package private(set) var retryLedger: RetryLedger
    #if DEBUG
        /// The orders already checked, shared by a client and those derived from it.
        private var orderReport = OrderReport()
    #endif

    /// Makes a client from interceptors, outermost first.
    ///
    /// A debug build logs mistakes in their order, once.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that paths are relative to; nil when all endpoints have absolute URLs.
    ///   - transport: Sends the requests. Default: a ``URLSessionTransport`` of its own.
    ///   - options: The options of every call.
    ///   - handling: Observers, log, and how often handlers may repeat a call.
    ///   - orderRules: Order rules, in addition to the built-in ones and those of the interceptors.
    ///   - interceptors: The interceptors, outermost first.
    /// - Throws: `RequestError` with `.invalidURL` for a base URL without `http` or `https` and a host;
    ///   `ConfigurationError` for settings of interceptors that are out of their ranges, all of them at once; any error
    ///   thrown while creating the interceptors.
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

    /// Makes a client from interceptors, outermost first, with the base URL as a string.
    ///
    /// Invalid characters are percent-encoded, dot segments are resolved, and a fragment is dropped.
    ///
    /// - Throws: `RequestError` with `.invalidURL` for a string that is not an absolute `http` or `https` URL; any
    ///   error thrown while creating the interceptors.
    public init(
        baseURL: String,
        transport: any HTTP.Transport = URLSessionTransport(),
        options: CallOptions = CallOptions(),
        handling: FailureHandling = FailureHandling(),
        orderRules: [OrderRule] = [],
        @HTTP.ChainBuilder interceptors: () throws -> [any HTTP.Interceptor]
    ) throws {
        try self.init(
            baseURL: try RequestURL.base(baseURL).url(), transport: transport, options: options,
            handling: handling, orderRules: orderRules, interceptors: interceptors)
    }

    /// Makes a client from a chain.
    ///
    /// - Throws: `RequestError` with `.invalidURL` for a base URL without `http` or `https` and a host;
    ///   `ConfigurationError` for settings of interceptors that are out of their ranges.
    public init(
        baseURL: URL?, chain: HTTP.Chain, options: CallOptions = CallOptions(),
        handling: FailureHandling = FailureHandling()
    ) throws {
        try chain.requireValidSettings()
        base = try baseURL.map { base throws(RequestError) in try BaseURL(base.absoluteString) }
        self.chain = chain
        sharedOptions = Shared(options)
        sharedHandling = Shared(handling)
        memory = ClientMemory()
        retryLedger = RetryLedger()
        #if DEBUG
            orderReport.check(chain, log: handling.log)
        #endif
    }

    /// A copy that knows nothing of the calls made so far: with budgets, breakers and limits at their beginning.
    package func withNewState() -> Client {
        var copy = deriving { $0.withNewState() }
        copy.memory = ClientMemory()
        copy.retryLedger = RetryLedger()
        return copy
    }

    /// A copy of the client with another chain, for one call or one feature.
    ///
    /// A debug build logs mistakes in the new order, once for each order.
    ///
    /// ```swift
    /// func patient(_ client: Client) throws -> Client {
    ///     try client.withChain { try $0.replacing(.retry, with: Retry(attempts: 5)) }
    /// }
    /// ```
    public func withChain(_ change: (HTTP.Chain) throws -> HTTP.Chain) throws -> Client {
        let chain = try change(chain)
        try chain.requireValidSettings()
        return deriving { _ in chain }
    }

    /// The same with interceptors of this package, whose settings are valid.
    package func deriving(_ change: (HTTP.Chain) -> HTTP.Chain) -> Client {
        var copy = self
        copy.chain = change(chain)
        #if DEBUG
            orderReport.check(copy.chain, log: handling.log)
        #endif
        return copy
    }

    /// A copy of the client with other options, for one call or one feature.
    ///
    /// ```swift
    /// func hurried(_ client: Client) -> Client {
    ///     client.withOptions { $0.deadline = .seconds(3) }
    /// }
    /// ```
    public func withOptions(_ change: (inout CallOptions) throws -> Void) rethrows -> Client {
        try changed(self) { try change(&$0.options) }
    }

    /// A copy of the client with the handlers of a feature, which are asked before those of its existing scopes.
    ///
    /// ```swift
    /// func checkout(_ client: Client) -> Client {
    ///     client.scoped("checkout") {
    ///         On(status: 409) { _ in print("Somebody was faster.") }
    ///     }
    /// }
    /// ```
    public func scoped(_ name: String, @HandlerBuilder handlers: () -> [any FailureHandler]) -> Client {
        changed(self) { $0.handling.scopes.insert(HandlerScope(name, handlers: handlers), at: 0) }
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
