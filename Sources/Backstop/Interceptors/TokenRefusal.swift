package import BackstopCore

/// How a server says that it does not accept the access token, for `BearerAuthentication`.
///
/// ```swift
/// struct ShopError: Error { let code: String }
///
/// let expired = TokenRefusal { result in
///     guard case .failure(let error as ShopError) = result, error.code == "token_expired" else { return nil }
///     return .notApplied
/// }
/// ```
public struct TokenRefusal: Sendable {
    /// What the refused request may have done.
    public enum Effect: Sendable, Hashable {
        /// Nothing: the server checked the token first. Any request is sent again.
        case notApplied
        /// Perhaps something: only an idempotent request is sent again, or one with an idempotency key.
        case maybeApplied
    }

    package let effect: @Sendable (Result<HTTP.Response, any Error>, CallContext) -> Effect?
    /// What a refusing response means, for the record of the attempt; nil when its status says it.
    package let error: @Sendable (HTTP.Response) -> (any Error)?

    /// Makes a rule.
    ///
    /// - Parameter effect: Returns what the request may have done if the response, or the error that an inner
    ///   interceptor made of it, means that the token was refused; nil if it does not.
    public init(_ effect: @escaping @Sendable (_ result: Result<HTTP.Response, any Error>) -> Effect?) {
        self.init(inContext: { result, _ in effect(result) })
    }

    package init(
        inContext effect: @escaping @Sendable (Result<HTTP.Response, any Error>, CallContext) -> Effect?,
        error: @escaping @Sendable (HTTP.Response) -> (any Error)? = { _ in nil }
    ) {
        self.effect = effect
        self.error = error
    }

    /// Status 401, with or without an error of the service in its body. The request has not been applied (RFC 9110,
    /// 15.5.2), unless it is a GraphQL operation and the body has data, or an error at a field.
    public static let unauthorized = TokenRefusal(inContext: { result, context in
        // An error was thrown further inside, by StatusValidation or APIErrorDecoding.
        let response = (try? result.get()) ?? context.receivedResponse as? HTTP.Response
        guard let response, response.status == 401 else {
            return nil
        }
        return context.values.judgesResponse?.isExecuted(response) == true ? .maybeApplied : .notApplied
    })
}
