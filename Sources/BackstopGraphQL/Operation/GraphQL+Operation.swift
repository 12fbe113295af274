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
    ///         .init(text: "query Hero($episode: Episode) { hero(episode: $episode) { name } }")
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

        /// The type of ``encoder``: `JSONEncoder` or a class derived from it.
        // Not constrained, as above: an encoder of another type, such as `JSONEncoder?`, would be ignored.
        associatedtype VariablesEncoder = JSONEncoder

        /// The type of ``decoder``: `JSONDecoder` or a class derived from it.
        associatedtype DataDecoder = JSONDecoder

        /// The document: its text, name, kind and hash.
        var document: Document { get }

        /// The values of the variables.
        var variables: Variables { get }

        /// The `extensions` of the request. Default: none.
        ///
        /// `persistedQuery` is reserved for ``PersistedQueries``, if active.
        var extensions: [String: JSONValue] { get }

        /// How to encode the variables. Default: the client's encoder (``Options/encoder``), with dates in ISO 8601
        /// unless that encoder has another strategy for them.
        ///
        /// The keys are always sorted, so that equal variables are equal for caches.
        var encoder: VariablesEncoder { get }

        /// How to decode `data`. Default: the client's decoder (``Options/decoder``), else one that reads dates in
        /// ISO 8601.
        var decoder: DataDecoder { get }

        /// The encoder and the decoder. Implemented for all operations.
        var coders: (encoder: JSONEncoder, decoder: JSONDecoder) { get }

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
    public var encoder: JSONEncoder {
        ClientCoders.encoder
    }

    /// The client's decoder.
    public var decoder: JSONDecoder {
        ClientCoders.decoder
    }
}

extension GraphQL.Operation where VariablesEncoder: JSONEncoder, DataDecoder: JSONDecoder {
    /// The encoder and the decoder.
    public var coders: (encoder: JSONEncoder, decoder: JSONDecoder) {
        (encoder, decoder)
    }
}

extension GraphQL.Operation where VariablesEncoder == JSONEncoder? {
    /// Exists only to be refused, with a message that says what to write.
    @available(*, unavailable, message: "an encoder is not optional: declare `var encoder: JSONEncoder`")
    public var coders: (encoder: JSONEncoder, decoder: JSONDecoder) {
        (ClientCoders.encoder, ClientCoders.decoder)
    }
}

extension GraphQL.Operation where DataDecoder == JSONDecoder? {
    /// Exists only to be refused, with a message that says what to write.
    @available(*, unavailable, message: "a decoder is not optional: declare `var decoder: JSONDecoder`")
    public var coders: (encoder: JSONEncoder, decoder: JSONDecoder) {
        (ClientCoders.encoder, ClientCoders.decoder)
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
