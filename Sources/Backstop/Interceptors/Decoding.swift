public import BackstopCore

/// Decodes the content inside the chain, so that loggers, retry and handlers see decoding failures.
///
/// It belongs outside `StatusValidation` and `APIErrorDecoding`, which sort out the responses that have no content.
/// A chain without this interceptor decodes at its outer edge.
public struct Decoding: HTTP.Interceptor {
    /// `.decoding`
    public var role: Role { .decoding }

    /// Makes the interceptor.
    public init() {}

    /// Reads the content by the endpoint's `content(from:)`.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        var response = try await next(request)
        if let reader = context.values[ContentReader.self] {
            response.setContent(try reader.read(response, context), for: context)
        }
        return response
    }
}
