internal import Backstop

/// What a response to a hash says about the hash.
enum PersistedAnswer: Equatable {
    /// The server does not know it and wants the text. Nothing was executed.
    case notFound
    /// The server does not support persisted queries. Nothing was executed.
    case notSupported
    /// The server knew it: it executed the operation.
    case executed
    /// The response may come from a server that does not know hashes and missed the text. For a mutation, this applies
    /// only if nothing can have been executed; the statuses of ``isClear`` leave no doubt.
    case perhapsNotSupported(isClear: Bool)
    /// The response says nothing about the hash: a 401, a 503, a proxy's page, a server error.
    case other

    /// Interprets a response.
    ///
    /// - Parameter kind: The kind of operation. What only reads may be sent again after any response; a mutation only
    ///   after one that says that nothing was executed.
    /// - Parameter isRead: Whether it has arrived as a stream of results.
    init(_ response: HTTP.Response, to kind: GraphQL.Kind, isRead: Bool = false) {
        guard !isRead else {
            self = .executed
            return
        }
        let errors = ResponseRule.errors(in: response)
        // Data means an execution, and so does an error at a field: an error of the whole request has no path. What a
        // gateway reports about its own upstream service is not meant for this client.
        let onlyReads = kind != .mutation
        let hasFieldErrors =
            errors.contains { $0.path?.elements.isEmpty == false } || !onlyReads && ResponseRule.hasPlaces(in: response)
        let isExecuted = hasFieldErrors || ResponseRule.hasData(in: response)
        func says(_ message: String, _ code: String) -> Bool {
            func isIt(_ error: GraphQL.Error) -> Bool {
                error.message.lowercased() == message || error.code == code
            }
            // Before an operation with effects is sent again, nothing else may have happened.
            return onlyReads ? errors.contains(where: isIt) : !errors.isEmpty && errors.allSatisfy(isIt)
        }
        // What is not whole may say anything; what only reads can be sent again whatever it says.
        let isReadable = onlyReads || !ResponseRule.isBroken(response)
        if !isExecuted, isReadable, says("persistedquerynotfound", "PERSISTED_QUERY_NOT_FOUND") {
            self = .notFound
        } else if !isExecuted, isReadable, says("persistedquerynotsupported", "PERSISTED_QUERY_NOT_SUPPORTED") {
            self = .notSupported
        } else if !isExecuted, let isClear = Self.perhapsNotSupported(response, errors, onlyReads: onlyReads) {
            self = .perhapsNotSupported(isClear: isClear)
        } else if ResponseRule.isGraphQL(response), hasFieldErrors || ResponseRule.hasDataMember(in: response) {
            self = .executed
        } else {
            self = .other
        }
    }

    /// Whether a response without signs of execution may come from a server that does not know hashes, and whether its
    /// status leaves no doubt; nil when it cannot.
    private static func perhapsNotSupported(_ response: HTTP.Response, _ errors: [GraphQL.Error], onlyReads: Bool)
        -> Bool?
    {
        guard !refusesSimpleRequests(response, errors), !errors.contains(where: \.refusesCall) else {
            return nil
        }
        switch response.status {
        case 400, 422:
            // A request without a text is a bad request. A mutation with `"data": null` was still executed, and one
            // with a truncated response, or an error of a service behind, may have been.
            let saysNothing =
                !ResponseRule.hasDataMember(in: response) && !ResponseRule.isBroken(response)
                && !errors.contains(where: \.leavesDoubt)
            return onlyReads || saysNothing ? true : nil
        case 500:
            // It may have failed because of the missing text, or after doing some work.
            return onlyReads ? false : nil
        case 200..<300:
            // Older servers answer 200 to everything.
            return onlyReads && !errors.isEmpty ? false : nil
        default:
            return nil
        }
    }

    /// Apollo Server's protection against cross-site requests answers 400 to a GET without certain headers. If an
    /// interceptor removed them, or the server wants others, that has nothing to do with persisted queries.
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
