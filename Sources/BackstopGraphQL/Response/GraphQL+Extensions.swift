public import Backstop
internal import Foundation

extension GraphQL {
    /// The `extensions` of an error or a response: a service's data beyond the specification.
    ///
    /// A member is decoded as the requested type:
    ///
    /// ```swift
    /// func isRateLimit(_ error: GraphQL.Error) -> Bool {
    ///     error.extensions["code"] == "RATE_LIMITED"
    /// }
    /// func pause(_ error: GraphQL.Error) -> Int {
    ///     error.extensions["retryAfter"] ?? 60
    /// }
    /// func user(_ error: GraphQL.Error) -> String? {
    ///     error.extensions["user", as: String.self]
    /// }
    /// ```
    /// `extensions["code"] as? String`, as in other libraries, does not compile: it could only give nil.
    public struct Extensions: Sendable, Hashable {
        /// The members as JSON.
        public let members: [String: JSONValue]

        /// Makes extensions.
        public init(_ members: [String: JSONValue] = [:]) {
            self.members = members
        }

        /// Whether there are none.
        public var isEmpty: Bool {
            members.isEmpty
        }

        /// A member, decoded.
        ///
        /// - Returns: Nil when there is no such member, or it has another type.
        public subscript<Value: Decodable>(key: String, as type: Value.Type = Value.self) -> Value? {
            members[key].flatMap { try? $0.decoded(as: type) }
        }

        /// Says what to write instead of a cast.
        @available(*, unavailable, message: "say the type: extensions[\"code\", as: String.self]")
        public subscript(key: String) -> (any Sendable)? {
            nil
        }

        /// All members, decoded into a type of the app.
        ///
        /// ```swift
        /// struct Limit: Decodable { var code: String; var retryAfter: Int }
        /// func limit(_ error: GraphQL.Error) throws -> Limit {
        ///     try error.extensions.decoded(as: Limit.self)
        /// }
        /// ```
        /// - Throws: `DecodingError` when they do not match.
        public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
            try JSONValue.object(members).decoded(as: type)
        }
    }
}

extension GraphQL.Extensions: ExpressibleByDictionaryLiteral, Codable {
    /// Members by key; of members with the same key, the last counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
    }

    /// Reads an object.
    public init(from decoder: any Decoder) throws {
        self.init(try [String: JSONValue](from: decoder))
    }

    /// Writes an object.
    public func encode(to encoder: any Encoder) throws {
        try members.encode(to: encoder)
    }
}
