internal import BackstopCore

/// Any JSON value, for members of unknown type.
///
/// ```swift
/// let value: JSONValue = ["balance": 30, "accounts": ["/account/1", "/account/2"]]
/// let balance = value["balance"]?.int
/// ```
/// Decoding one takes time linear in size and depth. Only inside a type of yours, with a decoder that accepts JSON5 or
/// renames the keys above by a custom strategy, it costs more: about 50 ms for 1 KB at 64 levels.
public enum JSONValue: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A whole number that fits into 64 bits.
    case int(Int64)
    /// Any other number.
    case double(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by key.
    case object([String: JSONValue])

    /// The member of an object; nil when there is none, or this is not an object.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The element of an array; nil when there is none, or this is not an array.
    public subscript(index: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The string; nil when this is not one.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The whole number; nil when this is not one.
    public var int: Int64? {
        if case .int(let value) = self { value } else { nil }
    }

    /// The number; nil when this is not one.
    public var double: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The Boolean; nil when this is not one.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// Whether this is `null`.
    public var isNull: Bool {
        self == .null
    }
}

extension JSONValue: Codable {
    /// Decodes any value.
    ///
    /// A string stays a string, even if the decoder would read it as a number (`nonConformingFloatDecodingStrategy`);
    /// the keys of objects stay as sent. In a body that Backstop decodes, the layout is usually known in advance. With
    /// a decoder of your own, one type must be tried after another, and each wrong guess costs an error with its path:
    /// use ``init(parsing:)`` if the value is the whole text.
    ///
    /// - Throws: `DecodingError.dataCorrupted` below `DecodingFailure.depthLimit` levels.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let guide = JSONGuide.current(for: decoder)
        let expected = guide?.expected(by: decoder)
        if container.decodeNil() {
            self = .null
        } else if let expected, let value = try Self.value(expected, in: container, guide) {
            self = value
        } else if let named = guide?.named(by: decoder), let value = try Self.value(named, in: container, guide) {
            self = value
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let value = try Self.value(Double.self, in: container) {
            // No number in a JSON text is infinite or NaN.
            let text = value.isFinite ? nil : try? container.decode(String.self)
            self = text.map { .string($0) } ?? .double(value)
        } else if let value = try Self.value(String.self, in: container) {
            self = .string(value)
        } else {
            let path = decoder.codingPath
            guard path.count < DecodingFailure.depthLimit else {
                throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: JSONScan.tooDeep))
            }
            if let value = try Self.value([JSONValue].self, in: container, guide) {
                self = .array(value)
            } else {
                self = .object(try Self.decoded([String: JSONValue].self, in: container, guide))
            }
        }
    }

    /// The value, if it has the expected type; nil when it may have another.
    private static func value(
        _ expected: JSONGuide.Place, in container: any SingleValueDecodingContainer, _ guide: JSONGuide?
    ) throws -> JSONValue? {
        switch expected {
        case .leaf(.bool): return (try? container.decode(Bool.self)).map { .bool($0) }
        case .leaf(.int): return (try? container.decode(Int64.self)).map { .int($0) }
        case .leaf(.double):
            // A whole number is decoded as one; it is also a `Double`, though perhaps rounded.
            guard let value = try? container.decode(Double.self), value.isFinite,
                value != value.rounded() || value.magnitude > 0x1p63
            else {
                return nil
            }
            return .double(value)
        case .leaf(.string): return (try? container.decode(String.self)).map { .string($0) }
        case .leaf: return nil
        case .array: return try value([JSONValue].self, in: container, guide, expected: expected).map { .array($0) }
        case .object:
            return try value([String: JSONValue].self, in: container, guide, expected: expected).map { .object($0) }
        }
    }

    /// The value; nil when it has another type. An error inside it is thrown, so that the failure has its place.
    private static func value<Value: Decodable>(
        _ type: Value.Type, in container: any SingleValueDecodingContainer, _ guide: JSONGuide? = nil,
        expected: JSONGuide.Place? = nil
    ) throws -> Value? {
        do {
            return try decoded(type, in: container, guide, expected: expected)
        } catch DecodingError.typeMismatch {
            return nil
        }
    }

    /// The value; the guide, if there is one, expects a list or an object at this place.
    private static func decoded<Value: Decodable>(
        _ type: Value.Type, in container: any SingleValueDecodingContainer, _ guide: JSONGuide?,
        expected: JSONGuide.Place? = nil
    ) throws -> Value {
        try guide?.inside(expected) { try container.decode(type) } ?? container.decode(type)
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

// Not by `nil`: as a `JSONValue?`, `isThere ? value : nil` would be `null`, and not nothing.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A truth value.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// A whole number.
    public init(integerLiteral value: Int64) {
        self = .int(value)
    }

    /// A number.
    public init(floatLiteral value: Double) {
        self = Int64(exactly: value).map(JSONValue.int) ?? .double(value)
    }

    /// A text.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// A list.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }

    /// Members by key; of members with the same key, the last counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}
