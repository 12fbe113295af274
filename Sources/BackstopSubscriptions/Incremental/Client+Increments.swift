public import Backstop
public import BackstopCore
public import BackstopGraphQL
public import BackstopStreams
internal import Foundation

extension Client {
    /// Makes a call whose result arrives in parts (`@defer`, `@stream`): each element is all that has arrived so far.
    ///
    /// Declare what is deferred as optional. A server that answers with everything at once gives one element. The
    /// formats in use are told apart by what the server sends: `incremental` with paths (`deferSpec=20220824`) and with
    /// `pending` and `completed` (2023), and Apollo's first one.
    ///
    /// ```swift
    /// struct Page: GraphQL.Operation {
    ///     struct Data: Decodable, Sendable {
    ///         struct Hero: Decodable, Sendable {
    ///             var name: String
    ///             var biography: String?
    ///         }
    ///         var hero: Hero
    ///     }
    ///     var document: GraphQL.Document {
    ///         .init(text: "query Page { hero { name ... @defer(label: \"more\") { biography } } }")
    ///     }
    /// }
    ///
    /// func show(_ client: Client) async throws(Failure) {
    ///     for try await part in try await client.fetchIncrementally(Page()) {
    ///         print(part.result.data.hero.name, part.result.data.hero.biography ?? "...", part.hasNext)
    ///     }
    /// }
    /// ```
    /// Each element costs decoding all of the data. Several parts that arrive together are one element. Once 256 MiB
    /// have been decoded, small parts of a large result also wait for each other: in all, 16 times what arrives is
    /// decoded. A response that ends before its last part is a failure, and nothing is sent again once it has begun; over a
    /// socket, once the operation was sent.
    ///
    /// - Parameters:
    ///   - operation: The operation; a mutation is sent once.
    ///   - delivery: What carries the parts. Default: ``BackstopGraphQL/GraphQL/Delivery/multipart``.
    ///   - options: The options of this call; nil for those of the client.
    ///   - streamOptions: How it is read. Default: the standard options.
    /// - Returns: The increments, as soon as there is a head.
    /// - Throws: The failure, before that.
    @concurrent
    public func fetchIncrementally<Operation: GraphQL.Operation>(
        _ operation: Operation, by delivery: GraphQL.Delivery = .multipart, options: GraphQL.Options? = nil,
        streamOptions: StreamOptions? = nil
    ) async throws(Failure) -> HTTP.Stream<GraphQL.Increment<Operation.Data>> {
        let (client, endpoint, format) = increments(operation, delivery, options)
        return try await client.stream(endpoint, as: format, options: delivery.streamOptions(streamOptions))
    }

    /// Makes a call whose result arrives in parts, and passes its failure to the handlers. Never throws.
    ///
    /// - Parameters:
    ///   - operation: The operation; a mutation is sent once.
    ///   - delivery: What carries the parts. Default: ``BackstopGraphQL/GraphQL/Delivery/multipart``.
    ///   - options: The options of this call; nil for those of the client.
    ///   - streamOptions: How it is read. Default: the standard options.
    ///   - each: Gets all that has arrived, each time that there is more, where the caller runs. What it throws ends the
    ///     call, and is its failure.
    ///   - handlers: Handlers of this call, which are asked first. Default: none.
    /// - Returns: The outcome: exactly one, after the last part.
    @discardableResult
    public nonisolated(nonsending) func performIncrementally<Operation: GraphQL.Operation>(
        _ operation: Operation, by delivery: GraphQL.Delivery = .multipart, options: GraphQL.Options? = nil,
        streamOptions: StreamOptions? = nil,
        each: nonisolated(nonsending) (GraphQL.Increment<Operation.Data>) async throws -> Void,
        @HandlerBuilder handlers: () -> [any FailureHandler] = { [] }
    ) async -> Outcome<TransferReport> {
        let (client, endpoint, format) = increments(operation, delivery, options)
        return await client.perform(
            endpoint, as: format, options: delivery.streamOptions(streamOptions), each: each, handlers: handlers)
    }

    private func increments<Operation: GraphQL.Operation>(
        _ operation: Operation, _ delivery: GraphQL.Delivery, _ options: GraphQL.Options?
    ) -> (Client, OperationEndpoint<Operation>, StreamFormat<GraphQL.Increment<Operation.Data>>) {
        let (client, prepared) = prepared(operation, by: delivery, options) { endpoint, response in
            _ = try endpoint.content(from: response)
        }
        var endpoint = prepared
        endpoint.isIncremental = true
        let format = StreamFormat<GraphQL.Increment<Operation.Data>>(accept: delivery.incrementalAccept) {
            [endpoint] head in
            IncrementParser(
                frames: try delivery.parser(head, isSubscription: false), endpoint: endpoint, head: head)
        }
        return (client, endpoint, format)
    }
}

/// Makes increments of frames; several that arrive together make one.
struct IncrementParser<Operation: GraphQL.Operation>: StreamParser {
    typealias Element = GraphQL.Increment<Operation.Data>

    private var frames: FrameReader
    private let endpoint: OperationEndpoint<Operation>
    private let head: HTTP.Response
    private var merged: MergedResult
    /// Whether more has arrived than the last increment has.
    private var isChanged = false

    init(
        frames: any StreamParser<ResultFrame>, endpoint: OperationEndpoint<Operation>, head: HTTP.Response,
        merged: MergedResult = MergedResult()
    ) {
        self.frames = FrameReader(frames, of: head, isMutation: endpoint.isMutation)
        self.endpoint = endpoint
        self.head = head
        self.merged = merged
    }

    /// Only the frames' own end is one: what says that nothing follows may be lost with what does.
    var isComplete: Bool { frames.isComplete }

    mutating func parse(_ chunk: Data, _ put: (Element) -> Void) throws {
        try read(chunk, put)
    }

    mutating func end(_ put: (Element) -> Void) throws {
        try read(nil, put)
    }

    private mutating func read(_ chunk: Data?, _ put: (Element) -> Void) throws {
        let read = try frames.read(chunk)
        var problem: (any Error)?
        do {
            for frame in read.frames {
                switch frame {
                case .complete:
                    let hadNext = merged.hasNext
                    try merged.end()
                    isChanged = isChanged || hadNext
                case .refusal(let body):
                    throw GraphQLFailure.refusal(head.with(body: body))
                case .response(let body, _):
                    try merged.take(body) { [endpoint, head] body in
                        _ = try endpoint.content(from: head.with(body: body))
                    }
                    isChanged = true
                }
            }
            // Nothing is missing behind the last part, wherever the response ends there.
            let isEnd = chunk == nil && !merged.hasNext && (read.problem as? TransportError)?.code == .truncated
            if let problem = read.problem, !isEnd {
                throw problem
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            problem = error
        }
        if isChanged, merged.isAffordable || !merged.hasNext || problem != nil {
            isChanged = false
            let result = try endpoint.content(from: merged.response(head))
            let hasNext = merged.hasNext || problem != nil
            put(GraphQL.Increment(result: result, labels: merged.labels, hasNext: hasNext))
        }
        if let problem {
            throw problem
        }
    }
}
