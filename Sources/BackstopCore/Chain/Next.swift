/// The rest of the chain, as one link sees it.
///
/// It is a small value: the links, a position in them, and the call's context. Call it with the request to go on.
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
public struct Next<Request: Sendable, Response: Sendable>: Sendable {
    @usableFromInline let links: ChainLinks<Request, Response>
    @usableFromInline let position: Int
    @usableFromInline let context: CallContext

    @inlinable
    init(links: ChainLinks<Request, Response>, position: Int, context: CallContext) {
        self.links = links
        self.position = position
        self.context = context
    }

    /// Sends the request through the rest of the chain.
    ///
    /// - Returns: The response as the inner links left it.
    /// - Throws: What an inner link or the transport threw, unchanged.
    @inlinable
    public func callAsFunction(_ request: Request) async throws -> Response {
        try await links.run(request, from: position, context: context)
    }

    /// Sends the request through the rest of the chain with another context, as retry does for each attempt.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: A context derived from the one that the link was given, for example by
    ///     ``CallContext/withDeadline(_:)``.
    /// - Throws: What an inner link or the transport threw, unchanged.
    @inlinable
    public func callAsFunction(_ request: Request, context: CallContext) async throws -> Response {
        try await links.run(request, from: position, context: context)
    }
}

/// The links and the transport of a chain, shared by all its calls. Immutable.
@usableFromInline
final class ChainLinks<Request: Sendable, Response: Sendable>: Sendable {
    @usableFromInline let links: [any Interceptor<Request, Response>]
    @usableFromInline let transport: any Transport<Request, Response>

    init(_ links: [any Interceptor<Request, Response>], transport: any Transport<Request, Response>) {
        self.links = links
        self.transport = transport
    }

    @inlinable
    func run(_ request: Request, from position: Int, context: CallContext) async throws -> Response {
        if context.tracesLinks {
            return try await runTraced(request, from: position, context: context)
        }
        guard position < links.count else {
            return try await transport.send(request, context: context)
        }
        return try await links[position].intercept(
            request, context: context, next: Next(links: self, position: position &+ 1, context: context))
    }

    /// The same with an event in the trace when the link is entered and when it is left.
    @usableFromInline
    func runTraced(_ request: Request, from position: Int, context: CallContext) async throws -> Response {
        let isLink = position < links.count
        let name = isLink ? links[position].role.name : "transport"
        let token = context.enterLink(name, depth: position)
        do {
            let response: Response
            if isLink {
                response = try await links[position].intercept(
                    request, context: context, next: Next(links: self, position: position &+ 1, context: context))
            } else {
                response = try await transport.send(request, context: context)
            }
            context.leaveLink(token, error: nil)
            return response
        } catch {
            context.leaveLink(token, error: error)
            throw error
        }
    }
}
