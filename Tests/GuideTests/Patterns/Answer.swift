import BackstopGraphQL

/// What a query brought.
enum Answer<Data: Sendable>: Sendable {
    case whole(Data)
    /// The service was reached and sent a part, with its errors.
    case part(Data, errors: [GraphQL.Error])
    /// The service was reached and refused.
    case refused([GraphQL.Error])
    /// No response of the service arrived: offline, unknown host, untrusted certificate, a status, a web page.
    case lost(Failure)
}

extension Client {
    func answer<Query: GraphQL.Operation>(
        to query: Query, cachePolicy: GraphQL.CachePolicy? = nil
    ) async -> Answer<Query.Data> {
        switch await result(of: query, cachePolicy: cachePolicy) {
        case .success(let result) where result.isPartial: .part(result.data, errors: result.errors)
        case .success(let result): .whole(result.data)
        case .failure(let failure) where failure.graphQL?.kind == .errors: .refused(failure.graphQLErrors)
        case .failure(let failure): .lost(failure)
        }
    }
}
