#if canImport(Combine) || OpenCombine
    public import Backstop
    public import BackstopGraphQL

    extension Client {
        /// A publisher that makes a call for each subscriber, once the subscriber demands a value.
        ///
        /// ```swift
        /// import BackstopCombine
        ///
        /// nonisolated struct Book: Decodable, Sendable { var id: Int; var title: String }
        /// func titles(_ client: Client) -> AnyPublisher<[String], Failure> {
        ///     client.publisher(for: .get("books", as: [Book].self))
        ///         .map { books in books.map(\.title) }
        ///         .eraseToAnyPublisher()
        /// }
        /// ```
        /// No handler runs, unless the pipeline has `handleFailures`.
        public func publisher<E: Endpoint>(for endpoint: E) -> CallPublisher<E.Content> {
            CallPublisher(endpoint, of: self)
        }

        /// A publisher of the elements of a stream, which is opened for each subscriber once it demands a value.
        ///
        /// For `client.stream`, `client.subscribe`, results in parts, or any sequence that a client gives. One element is
        /// read ahead of the demand; until it was given, the server waits.
        ///
        /// ```swift
        /// import BackstopCombine
        /// import BackstopStreams
        ///
        /// func lines(_ client: Client) -> AnyPublisher<String, Failure> {
        ///     client.publisher { client in try await client.stream("logs/today", as: .lines) }
        ///         .eraseToAnyPublisher()
        /// }
        /// ```
        /// No handler runs, unless the pipeline has `handleFailures`. Whoever cancels, ends the call.
        ///
        /// - Parameter open: Opens the stream with the client that it gets. What it throws, and what is thrown between
        ///   elements, is the publisher's failure: a `Failure` as it is, any other error as `other`.
        public func publisher<Elements: AsyncSequence & SendableMetatype>(
            of open: @escaping @Sendable (Client) async throws -> Elements
        ) -> CallPublisher<Elements.Element>
        where Elements.Element: Sendable, Elements.AsyncIterator: SendableMetatype {
            CallPublisher(of: self, open)
        }

        /// Of a GraphQL operation: ``dataTaskPublisher(for:cachePolicy:options:)``.
        @available(*, unavailable, message: "use dataTaskPublisher(for:) for a GraphQL operation")
        public func publisher<Operation: GraphQL.Operation>(
            for operation: Operation
        ) -> CallPublisher<GraphQL.Result<Operation.Data>> {
            dataTaskPublisher(for: operation)
        }

        /// A publisher that makes a GraphQL call for each subscriber, once the subscriber demands a value.
        ///
        /// It publishes data, errors, extensions and the HTTP response; its failure is typed, and needs no cast.
        ///
        /// ```swift
        /// import BackstopCombine
        ///
        /// func data<Query: GraphQL.Operation>(_ client: Client, _ query: Query) -> AnyPublisher<Query.Data, Failure> {
        ///     client.dataTaskPublisher(for: query).map(\.data).eraseToAnyPublisher()
        /// }
        /// ```
        /// - Parameters:
        ///   - operation: The operation.
        ///   - cachePolicy: Where the response may come from; nil for that of the options.
        ///   - options: The options of this call; nil for those of the client.
        public func dataTaskPublisher<Operation: GraphQL.Operation>(
            for operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil, options: GraphQL.Options? = nil
        ) -> CallPublisher<GraphQL.Result<Operation.Data>> {
            let prepared = prepared(operation, cachePolicy, options)
            return CallPublisher(prepared.endpoint, of: prepared.client)
        }
    }
#endif
