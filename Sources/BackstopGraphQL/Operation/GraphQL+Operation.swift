public import Backstop
public import Foundation

extension GraphQL {
    /// A GraphQL operation.
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
        /// The type that `data` is decoded into.
        associatedtype Data: Decodable & Sendable
        /// The variables, `Encodable` and a JSON object when they are encoded. Default: ``NoVariables``.
        // Not constrained here: with a constraint, variables of a type that does not meet it would not be seen as the
        // operation's, the default would take their place, and none would be sent. `encodedVariables(by:)` constrains
        // them.
        associatedtype Variables = NoVariables

        /// The document: its text, name, kind and hash.
        var document: Document { get }

        /// The values of the variables.
        var variables: Variables { get }

        /// What else the server is told beside document and variables, as `extensions` of the request. Default:
        /// nothing.
        ///
        /// `persistedQuery` belongs to ``PersistedQueries`` where that takes part.
        var extensions: [String: JSONValue] { get }

        /// How the variables are encoded: dates, for example. Default: nil, then the client's encoder
        /// (``Options/encoder``) counts.
        ///
        /// The keys are sorted whatever it says, so that equal variables are equal for caches.
        var encoder: JSONEncoder? { get }

        /// How `data` is decoded: dates, for example. Default: nil, then the client's decoder (``Options/decoder``)
        /// counts.
        var decoder: JSONDecoder? { get }

        /// Encodes the variables. Default: by the encoder; variables that are not `Encodable` need a method of their
        /// own.
        ///
        /// - Parameter encoder: The operation's encoder, or else the client's.
        /// - Returns: A JSON object, or `null` for none.
        /// - Throws: Whatever it says becomes the failure `request.encoding`; nothing is sent.
        func encodedVariables(by encoder: JSONEncoder) throws -> Foundation.Data
    }

    /// The variables of an operation without variables.
    public struct NoVariables: Encodable, Sendable, Hashable {
        /// Makes them.
        public init() {}
    }
}

extension GraphQL.Operation {
    /// Nothing.
    public var extensions: [String: JSONValue] {
        [:]
    }

    /// The client's encoder.
    public var encoder: JSONEncoder? {
        nil
    }

    /// The client's decoder.
    public var decoder: JSONDecoder? {
        nil
    }
}

extension GraphQL.Operation where Variables: Encodable {
    /// Encodes the variables by the encoder.
    public func encodedVariables(by encoder: JSONEncoder) throws -> Foundation.Data {
        try encoder.encode(variables)
    }
}

extension GraphQL.Operation where Variables == GraphQL.NoVariables {
    /// No variables.
    public var variables: GraphQL.NoVariables {
        GraphQL.NoVariables()
    }
}
