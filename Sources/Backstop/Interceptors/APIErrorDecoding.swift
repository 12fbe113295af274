public import BackstopCore
internal import Foundation

/// Throws the app's error when the body of a response carries one; that of a 2xx only if ``APIError/comesWithSuccess``.
///
/// It belongs inside `StatusValidation`, which would otherwise throw a 422 before its body is read.
///
/// ```swift
/// struct ShopError: APIError {
///     static let identifyingKeys = ["error", "reason"]
///     let reason: String
/// }
/// let interceptor = APIErrorDecoding(ShopError.self)
/// ```
public struct APIErrorDecoding<E: APIError>: HTTP.Interceptor {
    /// `.apiErrorDecoding`
    public var role: Role { .apiErrorDecoding }

    /// Makes the interceptor for one error type.
    public init(_ type: E.Type) {}

    /// Throws the error that the body carries.
    ///
    /// A body that looks like the error but cannot be decoded is passed on unchanged, with a note in the trace.
    public func intercept(
        _ request: HTTP.Request, context: CallContext, next: HTTP.Next
    ) async throws -> HTTP.Response {
        let response = try await next(request)
        if !response.body.isEmpty, E.comesWithSuccess || !response.isSuccess {
            try check(response, context)
        }
        return response
    }

    /// Apart, because what a response needs would stay in memory for as long as the call waits for it.
    @inline(never)
    private func check(_ response: HTTP.Response, _ context: CallContext) throws {
        // The errors of GraphQL have their own type.
        guard E.isCarried(by: response), context.values.judgesResponse?.isOwn(response) != true else {
            return
        }
        let error: E
        do {
            error = try JSONBody.decode(E.self, from: response.body, decoder: E.decoder.jsonDecoder)
        } catch let reason {
            let failure = context.redaction.whileExplaining { response.decodingFailure(reason, decoding: E.self) }
            context.remark("apiError", "looks like \(E.self), but is not: \(failure.explanation)")
            return
        }
        context.recordReceived(response)
        throw error
    }
}

extension Role {
    /// Turns an error body into the app's error.
    public static let apiErrorDecoding: Role = Role(builtIn: "apiErrorDecoding", title: "APIErrorDecoding") {
        OrderRule.rules(
            .apiErrorDecoding,
            inside: [
                .statusValidation: "a 422 is thrown before its body is read, so APIError is never decoded",
                .retry: "Retry never sees an API error, so a transient one is not retried",
            ], severity: .error)
    }
}
