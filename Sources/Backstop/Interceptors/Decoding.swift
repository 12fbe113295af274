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
        try decoded(try await next(request), context)
    }

    /// Apart, because what a response needs would stay in memory for as long as the call waits for it.
    @inline(never)
    private func decoded(_ response: HTTP.Response, _ context: CallContext) throws -> HTTP.Response {
        guard let reader = context.subject as? ContentReader else {
            return response
        }
        return response.with(try reader.read(response, context))
    }
}

extension Role {
    /// Decodes the content.
    public static let decoding: Role = Role(builtIn: "decoding") {
        OrderRule.rules(
            .decoding,
            outside: [
                .statusValidation:
                    "the body of an error status is decoded as content, so a 404 ends as a decoding failure",
                .apiErrorDecoding: "an error body is decoded as content, so the app's error is never seen",
            ], severity: .error)
            + OrderRule.rules(
                .decoding,
                inside: [
                    .authentication:
                        "a body that refuses the token, such as a GraphQL error, is not yet an error there",
                    .retry: "Retry never sees that the content cannot be decoded, and no policy can retry it",
                ]) + [.once(.decoding, reason: "the content is decoded once for each of them")]
    }
}
