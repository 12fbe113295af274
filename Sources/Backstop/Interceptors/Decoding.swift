public import BackstopCore

/// Decodes the content inside the chain, so that loggers, retry and handlers see decoding failures.
///
/// It belongs outside `StatusValidation` and `APIErrorDecoding`, which reject responses without content. Without this
/// interceptor, the client decodes after the chain.
public struct Decoding: HTTP.Interceptor {
    /// `.decoding`
    public var role: Role { .decoding }

    /// Makes the interceptor.
    public init() {}

    /// Decodes the content with the endpoint's `content(from:)`.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        var response = try await next(request)
        if let reader = context.subject as? ContentReader {
            response.setContent(try reader.read(response, context), for: context)
        }
        return response
    }
}

extension Role {
    /// Decodes the content.
    public static let decoding: Role = Role(builtIn: "decoding") {
        [
            OrderRule(
                outer: .decoding, inner: .statusValidation,
                reason: "the body of an error status is decoded as content, so a 404 ends as a decoding failure"),
            OrderRule(
                outer: .decoding, inner: .apiErrorDecoding,
                reason: "an error body is decoded as content, so the app's error is never seen"),
            .once(.decoding, reason: "the content is decoded once for each of them"),
        ]
    }
}
