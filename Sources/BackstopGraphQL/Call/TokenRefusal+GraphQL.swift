public import Backstop
internal import BackstopCore
internal import Foundation

extension TokenRefusal {
    /// A GraphQL error that refuses the token, by its code, wherever the errors are: in a failure, beside partial data
    /// that the call accepts, or in the body of any status.
    ///
    /// Without the member `data` and a `path` in any error, the errors came before execution (GraphQL, 7.1), so the
    /// operation is sent again whatever it is. With either, with an error of another code such as `TIMEOUT`, or with the
    /// status of a gateway that failed, parts of it may have been executed: then only a query is, and after a mutation the
    /// next call refreshes the token before it sends.
    ///
    /// ```swift
    /// func authentication(_ credentials: Credentials) -> BearerAuthentication {
    ///     BearerAuthentication(credentials, refusedBy: [.unauthorized, .graphQLError()])
    /// }
    /// ```
    /// - Parameter codes: The codes. Default: `UNAUTHENTICATED`, as Apollo Server has it.
    public static func graphQLError(_ codes: Set<String> = ["UNAUTHENTICATED"]) -> TokenRefusal {
        TokenRefusal(
            inContext: { result, context in
                let errors = errors(in: result, context)
                guard errors.contains(where: { !codes.isDisjoint(with: $0.codes) }) else {
                    return nil
                }
                guard let response = (try? result.get()) ?? context.receivedResponse as? HTTP.Response else {
                    return .maybeApplied
                }
                let members = response.body.withUnsafeBytes { JSONScan.topLevelMembers(["data"], in: $0) }
                // Some servers leave out data that is null; an error at a field still comes from execution.
                // Where the caller's token cannot be read, servers answer 500.
                let isExecuted =
                    members == nil || members?["data"] != nil || ResponseRule.hasPlaces(in: response)
                    || errors.contains { codes.isDisjoint(with: $0.codes) && $0.leavesDoubt }
                    || response.status != 500 && StatusError.Facts.of(response.status).leavesDoubt
                return isExecuted ? .maybeApplied : .notApplied
            },
            error: { response in
                let errors = ResponseRule.errors(in: response)
                return errors.isEmpty ? nil : GraphQLFailure.errors(errors)
            })
    }

    /// The errors of a GraphQL call's answer; empty for other calls.
    private static func errors(
        in result: Result<HTTP.Response, any Error>, _ context: CallContext
    ) -> [GraphQL.Error] {
        switch result {
        case .failure(let failure as GraphQLFailure):
            return failure.errors
        case .success(let response) where context.values[OperationCall.self] != nil:
            let decoded = response.decodedContent(for: context) as? any AnyResult
            return decoded?.errors ?? ResponseRule.errors(in: response)
        case .failure(let error as StatusError) where context.values[OperationCall.self] != nil:
            return ((error.response ?? context.receivedResponse) as? HTTP.Response).map(ResponseRule.errors) ?? []
        case .success, .failure:
            return []
        }
    }
}
