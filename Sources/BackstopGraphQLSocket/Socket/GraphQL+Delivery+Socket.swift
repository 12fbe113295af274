public import BackstopGraphQL
public import BackstopSubscriptions

extension GraphQL.Delivery {
    /// A WebSocket (graphql-transport-ws), which all subscriptions with the same credentials share.
    ///
    /// ```swift
    /// func watch<Subscription: GraphQL.Operation>(
    ///     _ client: Client, _ operation: Subscription, over socket: GraphQL.Socket
    /// ) async throws(Failure) {
    ///     for try await result in try await client.subscribe(operation, by: .webSocket(socket)) {
    ///         print(result.data)
    ///     }
    /// }
    /// ```
    /// The socket takes the place of the client's transport; everything else of the client's chain stays. The socket looks
    /// after its connection itself, so there is no limit of silence unless `streamOptions` has another than the default.
    ///
    /// - Parameter socket: The socket, of either kind: for one of server-sent events, this is the same as
    ///   ``events(over:)``. Make one for a server, and keep it.
    public static func webSocket(_ socket: GraphQL.Socket) -> GraphQL.Delivery {
        .lines(over: socket)
    }

    /// One stream of server-sent events (graphql-sse, single connection mode), which all subscriptions with the same
    /// credentials share.
    ///
    /// ```swift
    /// func watch<Subscription: GraphQL.Operation>(
    ///     _ client: Client, _ operation: Subscription, over socket: GraphQL.Socket
    /// ) async throws(Failure) {
    ///     for try await result in try await client.subscribe(operation, by: .events(over: socket)) {
    ///         print(result.data)
    ///     }
    /// }
    /// ```
    /// All else is as for ``webSocket(_:)``.
    ///
    /// - Parameter socket: One made with `GraphQL.Socket(events:over:)`; any other is used as with ``webSocket(_:)``. Make
    ///   one for a server, and keep it.
    public static func events(over socket: GraphQL.Socket) -> GraphQL.Delivery {
        .lines(over: socket)
    }
}
