internal import Backstop

/// What an answer to a hash says of the hash.
enum PersistedAnswer: Equatable {
    /// The server does not know it, and wants the text. Nothing was executed.
    case notFound
    /// The server does not do persisted queries. Nothing was executed.
    case notSupported
    /// The server knew it: it executed the operation.
    case executed
    /// The answer may come from a server that knows nothing of hashes and missed the text. For a mutation that is only
    /// said where nothing can have been executed; the statuses of ``isClear`` leave no doubt.
    case ignorance(isClear: Bool)
    /// The answer says nothing of the hash: a 401, a 503, a page of a proxy, a server that trips.
    case other

    /// Reads an answer.
    ///
    /// - Parameter kind: What was asked for. A query may be asked again after any answer; what changes something only
    ///   after one that says that nothing was done.
    init(_ response: HTTP.Response, to kind: GraphQL.Kind) {
        let errors = ResponseRule.errors(in: response)
        // An answer with data was executed, and so was one with an error at a field: an error of the request as a whole
        // has no path. What a gateway says of another service that it asked itself is not meant for this client.
        let isQuery = kind == .query
        let hasFieldErrors =
            errors.contains { $0.path?.elements.isEmpty == false } || !isQuery && ResponseRule.hasPlaces(in: response)
        let isExecuted = hasFieldErrors || ResponseRule.hasData(in: response)
        func says(_ message: String, _ code: String) -> Bool {
            func isIt(_ error: GraphQL.Error) -> Bool {
                error.message.lowercased() == message || error.code == code
            }
            // Before something is sent again that changes something, nothing else may have happened.
            return isQuery ? errors.contains(where: isIt) : !errors.isEmpty && errors.allSatisfy(isIt)
        }
        if !isExecuted, says("persistedquerynotfound", "PERSISTED_QUERY_NOT_FOUND") {
            self = .notFound
        } else if !isExecuted, says("persistedquerynotsupported", "PERSISTED_QUERY_NOT_SUPPORTED") {
            self = .notSupported
        } else if !isExecuted, let isClear = Self.ignorance(response, errors, isQuery: isQuery) {
            self = .ignorance(isClear: isClear)
        } else if ResponseRule.isGraphQL(response), hasFieldErrors || ResponseRule.hasDataMember(in: response) {
            self = .executed
        } else {
            self = .other
        }
    }

    /// Whether an answer in which nothing shows that the operation was executed may come from a server that knows
    /// nothing of hashes, and whether its status leaves no doubt; nil when it may not.
    private static func ignorance(_ response: HTTP.Response, _ errors: [GraphQL.Error], isQuery: Bool) -> Bool? {
        guard !refusesSimpleRequests(response, errors) else {
            return nil
        }
        switch response.status {
        case 400, 422:
            // A request without a text is a bad one. A mutation with `"data": null` was executed all the same, and one
            // whose answer was cut may have been.
            return isQuery || !ResponseRule.hasDataMember(in: response) && !ResponseRule.isBroken(response) ? true : nil
        case 500:
            // It may have tripped over the missing text, or over what it did before.
            return isQuery ? false : nil
        case 200..<300:
            // Older servers answer 200 whatever is wrong.
            return isQuery && !errors.isEmpty ? false : nil
        default:
            return nil
        }
    }

    /// Apollo Server's protection against cross-site requests answers 400 to a GET without certain headers. An
    /// interceptor that removed them, or a server that wants others, has nothing to do with persisted queries.
    ///
    /// Version 4 says so in `errors`, version 3 in a plain text.
    private static func refusesSimpleRequests(_ response: HTTP.Response, _ errors: [GraphQL.Error]) -> Bool {
        func saysSo(_ text: String) -> Bool {
            let text = text.lowercased()
            return text.contains("cross-site request forgery") || text.contains("csrf")
        }
        guard errors.isEmpty else {
            return errors.contains { saysSo($0.message) }
        }
        return saysSo(String(decoding: response.body.prefix(2000), as: UTF8.self))
    }
}
