import Backstop

/// Adds a header to each request, as a session adds its cookies.
struct AddHeader: HTTP.Interceptor {
    let name: HTTP.Headers.Name
    /// nil for no header.
    let value: @Sendable () -> String?

    func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
        var request = request
        request.headers[name] = value()
        return try await next(request)
    }
}
