/// The rest of the chain, as one interceptor sees it.
///
/// It is a small value: a position in the interceptors, and the call's context. Call it with the request to continue.
///
/// ```swift
/// struct Twice<Request: Sendable, Response: Sendable>: Interceptor {
///     func intercept(
///         _ request: Request, context: CallContext, next: Next<Request, Response>
///     ) async throws -> Response {
///         _ = try await next(request)
///         return try await next(request)
///     }
/// }
/// ```
public struct Next<Request: Sendable, Response: Sendable>: @unchecked Sendable {
    // Why a pointer: every interceptor would retain and release a reference to the interceptors, which is half the cost
    // of an interceptor. The interceptors are immutable (so Sendable), and the context's record keeps them alive
    // (`hold`), even if an interceptor keeps this value longer than its call lasts. The last interceptor wraps the
    // transport and never calls `next`.
    @usableFromInline let interceptor: UnsafePointer<any Interceptor<Request, Response>>
    @usableFromInline let context: CallContext

    @inlinable
    init(interceptor: UnsafePointer<any Interceptor<Request, Response>>, context: CallContext) {
        self.interceptor = interceptor
        self.context = context
    }

    /// Sends the request through the rest of the chain.
    ///
    /// - Returns: The response as the inner interceptors left it.
    /// - Throws: What an inner interceptor or the transport threw, unchanged.
    @inlinable
    @inline(__always)
    nonisolated(nonsending) public func callAsFunction(_ request: Request) async throws -> Response {
        try await interceptor.pointee.intercept(
            request, context: context, next: Next(interceptor: interceptor + 1, context: context))
    }

    /// Sends the request through the rest of the chain with another context, as retry does for each attempt.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: A context derived from the one that the interceptor was given, for example by
    ///     ``CallContext/withDeadline(_:)``.
    /// - Throws: What an inner interceptor or the transport threw, unchanged.
    nonisolated(nonsending) public func callAsFunction(_ request: Request, context: CallContext) async throws
        -> Response
    {
        context.holdChains(of: self.context)
        return try await interceptor.pointee.intercept(
            request, context: context, next: Next(interceptor: interceptor + 1, context: context))
    }
}

extension Next {
    /// The interceptors of the chain that this is a part of, outermost first. Looked up among the chains of the call, so
    /// not for the good path.
    package var interceptors: [any Interceptor<Request, Response>] {
        let chains = context.record.state.withLock { $0.chains }
        for case let chain as ChainStorage<Request, Response> in chains where chain.contains(interceptor) {
            return chain.interceptors
        }
        return []
    }
}
