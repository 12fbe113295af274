internal import Backstop
internal import BackstopCore

/// One call's ways to ask the server.
struct PersistedExchange: Sendable {
    let call: OperationCall
    let hash: String
    let request: HTTP.Request
    let server: String
    let next: HTTP.Next

    /// The operation at its server.
    var key: ServerMemory.Key {
        ServerMemory.Key(server: server, hash: hash)
    }

    /// The hash, or the identifier, alone.
    func sendIdentifier(_ format: PersistedQueries.Format) async throws -> HTTP.Response {
        let identity: WireMessage.Identity = format == .documentID ? .documentID(hash) : .hash(hash)
        return try await send(identity, byGET: call.options.usesGETForHashedQueries)
    }

    /// The hash and the text, so that the server learns them.
    func sendBoth() async throws -> HTTP.Response {
        guard let text = call.document.text else {
            throw GraphQLFailure.unknownDocument(name: call.document.name)
        }
        return try await send(.both(hash: hash, text: text), byGET: false)
    }

    /// The request as it was made, with the text and no hash.
    func sendText() async throws -> HTTP.Response {
        try await next(request)
    }

    private func send(_ identity: WireMessage.Identity, byGET: Bool) async throws -> HTTP.Response {
        try await next(WireMessage(call: call, identity: identity).applied(to: request, byGET: byGET))
    }
}

/// What a server says of a hash.
enum PersistedAnswer {
    /// It does not know it, and wants the text.
    case notFound
    /// It does not do persisted queries.
    case notSupported
    /// Anything else: the answer itself.
    case result

    /// Reads a response; whatever its status is, the errors decide. An answer with data was executed, and must not be
    /// asked for again: its error is about another service that the server itself asked.
    init(_ response: HTTP.Response) {
        let errors = ResponseRule.errors(in: response)
        func says(_ message: String, _ code: String) -> Bool {
            errors.contains { $0.message.lowercased() == message || $0.code == code }
                && !ResponseRule.hasData(in: response)
        }
        if says("persistedquerynotfound", "PERSISTED_QUERY_NOT_FOUND") {
            self = .notFound
        } else if says("persistedquerynotsupported", "PERSISTED_QUERY_NOT_SUPPORTED") {
            self = .notSupported
        } else {
            self = .result
        }
    }
}
