extension GraphQL {
    /// Something that a GraphQL service can be asked.
    ///
    /// ```swift
    /// struct HeroQuery: GraphQL.Operation {
    ///     struct Data: Decodable, Sendable {
    ///         struct Hero: Decodable, Sendable { var name: String }
    ///         var hero: Hero?
    ///     }
    ///     struct Variables: Encodable, Sendable { var episode: String }
    ///
    ///     var variables: Variables
    ///     var document: GraphQL.Document {
    ///         .init(
    ///             name: "Hero", kind: .query,
    ///             text: "query Hero($episode: Episode) { hero(episode: $episode) { name } }")
    ///     }
    /// }
    /// ```
    public protocol Operation<Data>: Sendable {
        /// What the members of `data` are decoded into.
        associatedtype Data: Decodable & Sendable
        /// The variables. Default: ``NoVariables``.
        associatedtype Variables: Encodable & Sendable = NoVariables

        /// The text, with its name, kind and hash.
        var document: Document { get }

        /// The values of the variables.
        var variables: Variables { get }
    }

    /// The variables of an operation that has none.
    public struct NoVariables: Encodable, Sendable, Hashable {
        /// Makes them.
        public init() {}
    }
}

extension GraphQL.Operation where Variables == GraphQL.NoVariables {
    /// No variables.
    public var variables: GraphQL.NoVariables {
        GraphQL.NoVariables()
    }
}
