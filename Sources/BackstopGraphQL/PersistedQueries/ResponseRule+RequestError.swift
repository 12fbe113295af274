package import Backstop

extension ResponseRule {
    /// Whether a body has errors that came before execution (GraphQL, 7.1): without data, or about a hash, beside which
    /// some servers write data that is null.
    package static func isRequestError(_ response: HTTP.Response) -> Bool {
        hasDataMember(in: response)
            ? [.notFound, .notSupported].contains(PersistedAnswer(response, to: .mutation))
            : !errors(in: response).isEmpty
    }
}
