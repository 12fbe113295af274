public import BackstopGraphQL

extension GraphQL {
    /// What has arrived so far of a result that comes in parts (`@defer`, `@stream`).
    public struct Increment<Data: Sendable>: Sendable {
        /// All that has arrived: deferred parts are nil until they have, so declare them optional. Errors of all parts
        /// are beside it.
        public let result: GraphQL.Result<Data>
        /// The labels of the parts that have arrived; empty for parts without.
        ///
        /// A nil whose label is here is the server's answer; any other is still to come.
        public let labels: Set<String>
        /// Whether more may come: false once the server has said that nothing follows, or has ended the response.
        public let hasNext: Bool

        /// Makes one, for previews and tests.
        public init(result: GraphQL.Result<Data>, labels: Set<String> = [], hasNext: Bool = false) {
            self.result = result
            self.labels = labels
            self.hasNext = hasNext
        }
    }
}
