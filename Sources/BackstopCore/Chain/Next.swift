/// The rest of the chain, as one link sees it.
///
/// It is a small value: a position in the links, and the call's context. Call it with the request to go on.
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
@frozen
public struct Next<Request: Sendable, Response: Sendable>: @unchecked Sendable {
    // Why a pointer: a reference to the links would be retained and released by every link, which is half of what a
    // link costs. The links are immutable (so Sendable), and the record of the context keeps them alive (`hold`), also
    // when a link keeps this value longer than its call lasts. The last link is the transport's; it never goes on.
    @usableFromInline let link: UnsafePointer<any Interceptor<Request, Response>>
    @usableFromInline let context: CallContext

    @inlinable
    init(link: UnsafePointer<any Interceptor<Request, Response>>, context: CallContext) {
        self.link = link
        self.context = context
    }

    /// Sends the request through the rest of the chain.
    ///
    /// - Returns: The response as the inner links left it.
    /// - Throws: What an inner link or the transport threw, unchanged.
    @inlinable
    @inline(__always)
    nonisolated(nonsending) public func callAsFunction(_ request: Request) async throws -> Response {
        try await link.pointee.intercept(request, context: context, next: Next(link: link + 1, context: context))
    }

    /// Sends the request through the rest of the chain with another context, as retry does for each attempt.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: A context derived from the one that the link was given, for example by
    ///     ``CallContext/withDeadline(_:)``.
    /// - Throws: What an inner link or the transport threw, unchanged.
    nonisolated(nonsending) public func callAsFunction(_ request: Request, context: CallContext) async throws
        -> Response
    {
        context.holdLinks(of: self.context)
        return try await link.pointee.intercept(request, context: context, next: Next(link: link + 1, context: context))
    }
}
