extension GraphQL {
    /// A variable's value that may be null, apart from "not given".
    ///
    /// Make the property optional: nil leaves the variable out, `.null` sends null, `.value` sends a value.
    ///
    /// ```swift
    /// struct ProfileVariables: Encodable, Sendable { var nickname: GraphQL.Nullable<String>? }
    ///
    /// let unchanged = ProfileVariables(nickname: nil)            // {}
    /// let cleared = ProfileVariables(nickname: .null)            // {"nickname":null}
    /// let changed = ProfileVariables(nickname: .value("Ada"))    // {"nickname":"Ada"}
    /// ```
    public enum Nullable<Value> {
        /// Null.
        case null
        /// A value.
        case value(Value)

        /// The value, or null for nil.
        public init(_ value: Value?) {
            self = value.map { .value($0) } ?? .null
        }
    }
}

extension GraphQL.Nullable: Sendable where Value: Sendable {}
extension GraphQL.Nullable: Equatable where Value: Equatable {}
extension GraphQL.Nullable: Hashable where Value: Hashable {}

extension GraphQL.Nullable: Encodable where Value: Encodable {
    /// Encodes the value, or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .value(let value): try container.encode(value)
        }
    }
}
