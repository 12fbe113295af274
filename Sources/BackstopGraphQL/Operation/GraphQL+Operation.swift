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
        /// The variables, `Encodable` as a JSON object. Default: ``NoVariables``.
        // Not constrained here: with a constraint, the default would replace variables of a type that does not meet it,
        // and none would be sent. `encodedVariables(by:)` constrains them.
        associatedtype Variables = NoVariables

        /// The document: its text, name, kind and hash.
        var document: Document { get }

        /// The values of the variables.
        var variables: Variables { get }

        /// The `extensions` of the request. Default: none.
        ///
        /// `persistedQuery` is reserved for ``PersistedQueries``, if active.
        var extensions: [String: JSONValue] { get }

        /// How to encode the variables: dates, for example. Default: nil, the client's encoder (``Options/encoder``).
        ///
        /// The keys are always sorted, so that equal variables are equal for caches.
        var encoder: JSONEncoder? { get }

        /// How to decode `data`: dates, for example. Default: nil, the client's decoder (``Options/decoder``).
        var decoder: JSONDecoder? { get }

        /// Encodes the variables. Default: with the encoder; variables that are not `Encodable` need their own
        /// implementation.
        ///
        /// - Parameter encoder: The operation's encoder, or else the client's.
        /// - Returns: A JSON object, or `null` for none.
        /// - Throws: Any error becomes the failure `request.encoding`; nothing is sent.
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
