public import Backstop
public import BackstopCore
public import BackstopGraphQL
public import BackstopStreams
internal import Foundation

extension Client {
    /// Subscribes: each result that the server sends is an element, until it says that there are no more.
    ///
    /// It is a call like any other: it goes through the whole chain, and ends in one `Failure`, or because the server
    /// says that it is complete. A connection that ends in another way is a failure, never an end.
    ///
    /// ```swift
    /// struct Votes: GraphQL.Operation {
    ///     struct Data: Decodable, Sendable { var votes: Int }
    ///     var document: GraphQL.Document { .init(text: "subscription Votes { votes }") }
    /// }
    ///
    /// func watch(_ client: Client) async {
    ///     do throws(Failure) {
    ///         for try await result in try await client.subscribe(Votes()) {
    ///             print(result.data.votes, result.errors.count)
    ///         }
    ///     } catch {
    ///         print("After \(error.transfer?.elements ?? 0) results: \(error.message.title)")
    ///     }
    /// }
    /// ```
    /// **After a loss**, the operation is sent again, under the chain's retry policy and its budget: results that were
    /// to be sent meanwhile are missing, so `resubscribed` is called before the first new one. The loop throws when the
    /// policy gives up; connections that bring no result and last less than 10 s count as its attempts. A mutation is
    /// sent once.
    ///
    /// **Errors beside data** come with the result. A result without data ends the subscription with its errors
    /// (`graphQL.errors`), whatever their codes are, unless it is `"data": null` and the operation's `Data` is optional:
    /// then it is an element with nil. Errors without data in the place of the first result are read as a plain answer,
    /// which the chain may retry.
    ///
    /// - Parameters:
    ///   - operation: The subscription.
    ///   - delivery: What carries the results. Default: ``BackstopGraphQL/GraphQL/Delivery/multipart``.
    ///   - identity: What a result is the same as another by, such as the id of a message: of the last 10,000, none comes
    ///     twice. Nil for a result that is always new. Default: nil, all come as they are sent.
    ///   - resubscribed: Called with the failure of the connection before, each time that another has taken its place.
    ///     Default: nil.
    ///   - options: The options of this call; nil for those of the client.
    ///   - streamOptions: How it is read. Default: the standard options. Over a socket, which has its own limit of silence,
    ///     the default one does not count.
    /// - Returns: The results, as soon as the server has accepted the subscription.
    /// - Throws: The failure, before that.
    @concurrent
    public func subscribe<Operation: GraphQL.Operation>(
        _ operation: Operation, by delivery: GraphQL.Delivery = .multipart,
        sameAs identity: (@Sendable (Operation.Data) -> String?)? = nil,
        resubscribed: (@Sendable (Failure) -> Void)? = nil, options: GraphQL.Options? = nil,
        streamOptions: StreamOptions? = nil
    ) async throws(Failure) -> HTTP.Stream<GraphQL.Result<Operation.Data>> {
        let (client, endpoint, format) = subscription(operation, delivery, identity, resubscribed, options)
        return try await client.stream(endpoint, as: format, options: delivery.streamOptions(streamOptions))
    }

    /// Subscribes, and passes the failure to the handlers. Never throws.
    ///
    /// ```swift
    /// @MainActor final class Poll {
    ///     var votes = 0
    ///
    ///     func watch<Votes: GraphQL.Operation>(_ client: Client, _ operation: Votes) async where Votes.Data == Int {
    ///         await client.perform(operation, by: .multipart) { result in
    ///             self.votes = result.data
    ///         }
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - operation: The subscription.
    ///   - delivery: What carries the results.
    ///   - identity: As for ``subscribe(_:by:sameAs:resubscribed:options:streamOptions:)``.
    ///   - resubscribed: As there.
    ///   - options: The options of this call; nil for those of the client.
    ///   - streamOptions: As there.
    ///   - each: Gets each result, where the caller runs. What it throws ends the subscription, and is its failure.
    ///   - handlers: Handlers of this call, which are asked first. Default: none.
    /// - Returns: The outcome: exactly one, after the last result.
    @discardableResult
    public nonisolated(nonsending) func perform<Operation: GraphQL.Operation>(
        _ operation: Operation, by delivery: GraphQL.Delivery,
        sameAs identity: (@Sendable (Operation.Data) -> String?)? = nil,
        resubscribed: (@Sendable (Failure) -> Void)? = nil, options: GraphQL.Options? = nil,
        streamOptions: StreamOptions? = nil,
        each: nonisolated(nonsending) (GraphQL.Result<Operation.Data>) async throws -> Void,
        @HandlerBuilder handlers: () -> [any FailureHandler] = { [] }
    ) async -> Outcome<TransferReport> {
        let (client, endpoint, format) = subscription(operation, delivery, identity, resubscribed, options)
        return await client.perform(
            endpoint, as: format, options: delivery.streamOptions(streamOptions), each: each, handlers: handlers)
    }

    private func subscription<Operation: GraphQL.Operation>(
        _ operation: Operation, _ delivery: GraphQL.Delivery,
        _ identity: (@Sendable (Operation.Data) -> String?)?, _ resubscribed: (@Sendable (Failure) -> Void)?,
        _ options: GraphQL.Options?
    ) -> (Client, OperationEndpoint<Operation>, StreamFormat<GraphQL.Result<Operation.Data>>) {
        let (client, endpoint) = prepared(operation, by: delivery, options) { endpoint, response in
            _ = try endpoint.content(from: response)
            // One result, and no word about others.
            throw DecodingFailure(
                contentType: response.mediaType, accepted: delivery.mediaTypes, body: response.body)
        }
        let memory: @Sendable () -> SubscriptionMemory<Operation> = {
            SubscriptionMemory(delivery, endpoint, sameAs: identity, resubscribed: resubscribed)
        }
        let format =
            operation.document.kind == .mutation
            ? StreamFormat(accept: delivery.accept) { try memory().parser($0) }
            : StreamFormat(accept: delivery.accept, series: memory)
        return (client, endpoint, format)
    }
}

extension GraphQL.Delivery {
    /// How it is read: over a socket that looks after its connection itself, the default limit of silence is none.
    package func streamOptions(_ options: StreamOptions?) -> StreamOptions {
        let options = options ?? .standard
        return transport == nil || options.silence != StreamOptions.standard.silence ? options : options.patient
    }
}
