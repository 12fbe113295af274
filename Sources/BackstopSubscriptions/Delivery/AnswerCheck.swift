internal import Backstop
internal import BackstopCore
internal import BackstopGraphQL

/// Lets only what a delivery carries be read while it arrives, and reads what the server answers in its place, inside the
/// chain: a refused token or a miss of a persisted query comes as plain JSON, or as the first frame.
struct AnswerCheck: HTTP.Interceptor {
    let delivery: GraphQL.Delivery
    /// Reads a plain response.
    ///
    /// - Throws: What is wrong with it.
    let read: @Sendable (HTTP.Response) throws -> Void

    func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
        guard let intake = context.responseIntake else {
            return try await next(request)
        }
        intake.accept(by: "graphQL", delivery.carries)
        let response = try await next(request)
        if !intake.isOpen {
            try context.redaction.whileExplaining { try read(response) }
        }
        return response
    }
}

extension Client {
    /// The endpoint of an operation whose results are read while they arrive, and a client for it.
    func prepared<Operation: GraphQL.Operation>(
        _ operation: Operation, by delivery: GraphQL.Delivery, _ options: GraphQL.Options?,
        read: @escaping @Sendable (OperationEndpoint<Operation>, HTTP.Response) throws -> Void
    ) -> (client: Client, endpoint: OperationEndpoint<Operation>) {
        var options = options ?? graphQLOptions
        if delivery.transport != nil {
            (options.usesGETForQueries, options.usesGETForHashedQueries) = (false, false)
        }
        let base = delivery.transport.map { transport in deriving { $0.replacing(transport: transport) } } ?? self
        let (client, endpoint) = base.prepared(operation, nil, options, isStream: true)
        let check = AnswerCheck(delivery: delivery) { try read(endpoint, $0) }
        let derived = client.deriving { (try? $0.inserting(check, inside: .decoding)) ?? $0.prepending(check) }
        return (derived, endpoint)
    }
}
