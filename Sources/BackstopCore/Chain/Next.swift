/// The rest of the chain, as one interceptor sees it.
///
/// It is a small value: a position in the interceptors, and the call's context. Call it with the request to go on.
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
    // Why a pointer: a reference to the interceptors would be retained and released by every interceptor, which is half
    // of what an interceptor costs. The interceptors are immutable (so Sendable), and the record of the context keeps
    // them alive (`hold`), also when an interceptor keeps this value longer than its call lasts. The last interceptor
    // is the transport's; it never goes on.
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
