public import Backstop
internal import BackstopCore
internal import Foundation

extension TokenRefusal {
    /// A GraphQL error that refuses the token, by its code in `extensions.code`.
    ///
    /// Without the member `data`, the errors came before execution (GraphQL, 7.1.2), so the operation is sent again
    /// whatever it is. With `data`, even null, parts of it may have been executed: then only a query is.
    ///
    /// ```swift
    /// func authentication(_ credentials: Credentials) -> BearerAuthentication {
    ///     BearerAuthentication(credentials, refusedBy: [.unauthorized, .graphQLError()])
    /// }
    /// ```
    /// Errors beside data that the call accepts are no refusal: they are in its result.
    ///
    /// - Parameter codes: The codes. Default: `UNAUTHENTICATED`, as Apollo Server has it.
    public static func graphQLError(_ codes: Set<String> = ["UNAUTHENTICATED"]) -> TokenRefusal {
        TokenRefusal(inContext: { result, context in
            guard case .failure(let error) = result, let failure = error as? GraphQLFailure,
                failure.errors.contains(where: { $0.code.map(codes.contains) ?? false })
            else {
                return nil
            }
            guard let response = context.receivedResponse as? HTTP.Response else {
                return .maybeApplied
            }
            let members = response.body.withUnsafeBytes { JSONScan.topLevelMembers(["data"], in: $0) }
            return members?["data"] == nil && members != nil ? .notApplied : .maybeApplied
        })
    }
}
