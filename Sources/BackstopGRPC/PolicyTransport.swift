#if GRPC
    public import BackstopResilience
    internal import Backstop
    public import BackstopCore
    public import GRPCCore

    /// A transport of gRPC whose calls run inside a `Policy`: with its retries, limits and circuit breaker, and with one
    /// `Failure` for each call that fails.
    ///
    /// Put it around the transport of a `GRPCClient`; generated clients stay as they are.
    ///
    /// ```swift
    /// func makeClient<Transport: ClientTransport>(_ transport: Transport) throws -> GRPCClient<PolicyTransport<Transport>> {
    ///     let shop = try Policy {
    ///         Deadline(.seconds(10))
    ///         Retry()
    ///         CircuitBreaker()
    ///     }
    ///     return GRPCClient(
    ///         transport: PolicyTransport(transport, policy: shop) { method in
    ///             method.method.hasPrefix("Get") || method.method.hasPrefix("List")
    ///         })
    /// }
    /// ```
    /// It is a transport, because a `ClientInterceptor` gets a stream that is open already and can be used once, and does
    /// not see connections that fail.
    ///
    /// **What is repeated:** calls that failed with `UNAVAILABLE`, or `RESOURCE_EXHAUSTED` with a time to wait, before the
    /// response began (gRFC A6), if the method is idempotent, no stream could be opened, or the server says when to try
    /// again (`grpc-retry-pushback-ms`, `google.rpc.RetryInfo`), which is the least wait. A call whose second message was
    /// sent is never repeated; nor is one with an `executionPolicy` of its own, which gRPC repeats. That of a service
    /// configuration is ignored if the policy has a `Retry`.
    ///
    /// **What is thrown:** an `RPCError` as without it, with the `Failure` as its cause: `Failure(error)` has all
    /// attempts. A limit of the policy is `DEADLINE_EXCEEDED`, a rejection, such as by an open breaker, `UNAVAILABLE`.
    ///
    /// The description of such an error begins with the server's raw message: log its `Failure` instead. gRPC enforces a
    /// `timeout` of `CallOptions` by itself too, a moment before the policy does, and ends a call whose task is cancelled at
    /// once: then the error has no `Failure`.
    ///
    /// Limits apply to whole streams; they end reads and writes, not the handler of the response. The server gets the
    /// rest of the deadline (`grpc-timeout`) and the number of earlier attempts (`grpc-previous-rpc-attempts`).
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public struct PolicyTransport<Wrapped: ClientTransport>: ClientTransport {
        /// Those of the transport inside.
        public typealias Bytes = Wrapped.Bytes

        let wrapped: Wrapped
        let policy: Policy
        let log: (any LogSink)?
        let isIdempotent: @Sendable (MethodDescriptor) -> Bool

        /// Makes the transport.
        ///
        /// - Parameters:
        ///   - transport: What sends: `.http2NIOPosix(...)`, for example.
        ///   - policy: What every call runs in. Its operations have the full names of the methods.
        ///   - log: Where a line for each call is written: successes as debug, failures as warnings; nil for nowhere.
        ///   - isIdempotent: Whether calling a method twice has the effect of calling it once. Default: none is.
        public init(
            _ transport: Wrapped, policy: Policy, log: (any LogSink)? = SystemLog.shared,
            isIdempotent: @escaping @Sendable (MethodDescriptor) -> Bool = { _ in false }
        ) {
            wrapped = transport
            self.policy = policy
            self.log = log
            self.isIdempotent = isIdempotent
        }

        /// That of the transport inside, for calls with an `executionPolicy` of their own.
        public var retryThrottle: RetryThrottle? { wrapped.retryThrottle }

        /// Keeps the connections of the transport inside.
        public func connect() async throws {
            try await wrapped.connect()
        }

        /// Ends them once their calls have ended.
        public func beginGracefulShutdown() {
            wrapped.beginGracefulShutdown()
        }

        /// That of the transport inside, without its `executionPolicy` if the policy has a `Retry`: attempts would
        /// multiply.
        public func config(forMethod descriptor: MethodDescriptor) -> MethodConfig? {
            var config = wrapped.config(forMethod: descriptor)
            if policy.chain.roles.contains(.retry) {
                config?.executionPolicy = nil
            }
            return config
        }

        /// Runs a call inside the policy.
        ///
        /// - Throws: `RPCError`, with the `Failure` as its cause, if no stream could be opened; otherwise what the closure
        ///   throws.
        @concurrent
        public func withStream<T: Sendable>(
            descriptor: MethodDescriptor, options: GRPCCore.CallOptions,
            _ closure: @concurrent (_ stream: RPCStream<Inbound, Outbound>, _ context: ClientContext) async throws -> T
        ) async throws -> T {
            let call = PolicyCall(transport: self, descriptor: descriptor, options: options)
            // Ends with this function: whoever needs no more of a response has cancelled the call.
            async let end = call.run()
            guard let context = await call.response.opened() else {
                throw await end ?? RPCError.cancelled
            }
            return try await closure(
                RPCStream(
                    descriptor: descriptor, inbound: RPCAsyncSequence(wrapping: call.response),
                    outbound: RPCWriter.Closable(wrapping: call.request)),
                context)
        }
    }
#endif
