internal import Backstop
internal import BackstopCore

/// The ways in which a call can ask the server.
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
        let identity: WireMessage.Identity =
            format == .documentID ? .documentID(DocumentIdentifier.prefixed(hash)) : .hash(hash)
        return try await send(identity, byGET: call.options.sendsHashesByGET)
    }

    /// The hash and the text, so that the server learns them.
    func sendBoth() async throws -> HTTP.Response {
        guard let text = call.document.text else {
            throw GraphQLFailure.unknownDocument(name: call.document.name)
        }
        return try await send(.both(hash: hash, text: text), byGET: call.options.usesGETForQueries)
    }

    /// The original request, with the text and no hash.
    func sendText() async throws -> HTTP.Response {
        try Task.checkCancellation()
        return try await next(request)
    }

    private func send(_ identity: WireMessage.Identity, byGET: Bool) async throws -> HTTP.Response {
        // The call may have been cancelled while it waited, or between its two requests.
        try Task.checkCancellation()
        return try await next(WireMessage(call: call, identity: identity).applied(to: request, byGET: byGET))
    }
}
