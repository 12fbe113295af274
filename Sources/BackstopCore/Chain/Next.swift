/// The rest of the chain, as one interceptor sees it.
///
/// It is a small value: what is further in, and the call's context. Call it with the request to continue.
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
public struct Next<Request: Sendable, Response: Sendable>: Sendable {
    let link: ChainLink<Request, Response>
    let context: CallContext

    /// Sends the request through the rest of the chain.
    ///
    /// - Returns: The response as the inner interceptors left it.
    /// - Throws: What an inner interceptor or the transport threw, unchanged.
    nonisolated(nonsending) public func callAsFunction(_ request: Request) async throws -> Response {
        try await link.run(request, context: context)
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
        try await link.run(request, context: context)
    }

    /// Whether the transport ends attempts in time by itself, and so does what is before it.
    var endsAttemptsInTime: Bool {
        link.endsAttemptsInTime
    }

    /// The interceptors of the chain that this is a part of, outermost first.
    package var interceptors: [any Interceptor<Request, Response>] {
        link.all
    }
}

/// An interceptor that ends what it answers itself at `CallContext.attemptLimit`, as the transport behind it does.
package protocol AttemptEnding {}
