#if canImport(Combine) || OpenCombine
    public import Backstop
    public import BackstopGraphQL

    extension Client {
        /// A publisher that makes a call for each subscriber, once the subscriber asks for a value.
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
        /// No handler runs, unless the pipeline says so with `handleFailures`.
        public func publisher<E: Endpoint>(for endpoint: E) -> CallPublisher<E.Content> {
            CallPublisher(endpoint, of: self)
        }

        /// A publisher that makes a GraphQL call for each subscriber, once the subscriber asks for a value.
        ///
        /// It publishes data, errors, extensions and the HTTP response; a failure is typed, and needs no cast.
        ///
        /// ```swift
        /// import BackstopCombine
        ///
        /// func data<Query: GraphQL.Operation>(_ client: Client, _ query: Query) -> AnyPublisher<Query.Data, Failure> {
        ///     client.dataTaskPublisher(for: query).map(\.data).eraseToAnyPublisher()
        /// }
        /// ```
        /// - Parameters:
        ///   - operation: What is asked.
        ///   - cachePolicy: Where the response may come from; nil for what the options say.
        ///   - options: How the call is made; nil for the client's options.
        public func dataTaskPublisher<Operation: GraphQL.Operation>(
            for operation: Operation, cachePolicy: GraphQL.CachePolicy? = nil, options: GraphQL.Options? = nil
        ) -> CallPublisher<GraphQL.Result<Operation.Data>> {
            let prepared = prepared(operation, cachePolicy, options)
            return CallPublisher(prepared.endpoint, of: prepared.client)
        }
    }
#endif
