public import BackstopCore

/// An interceptor made of a closure, for a few lines that are not worth a type.
///
/// ```swift
/// let swedish = ClosureInterceptor { request, context, next in
///     var request = request
///     request.headers[.acceptLanguage] = "sv"
///     return try await next(request)
/// }
/// ```
public struct ClosureInterceptor: HTTP.Interceptor {
    /// The role, for order rules.
    public let role: Role
    private let closure: @Sendable (HTTP.Request, CallContext, HTTP.Next) async throws -> HTTP.Response

    /// Makes an interceptor.
    ///
    /// - Parameters:
    ///   - role: The role, for order rules. Default: one of its own, which no rule is about.
    ///   - closure: Handles one request, as ``HTTP/Interceptor`` does.
    public init(
        role: Role = .custom("ClosureInterceptor"),
        _ closure: @escaping @Sendable (HTTP.Request, CallContext, HTTP.Next) async throws -> HTTP.Response
    ) {
        self.role = role
        self.closure = closure
    }

    /// Runs the closure.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        try await closure(request, context, next)
    }
}
