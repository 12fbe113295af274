internal import BackstopCore
internal import Foundation

/// Knows what stands where in the body that is being decoded, so that ``JSONValue`` need not guess.
///
/// A decoder can only be asked for one type after the other, and each wrong guess costs an error whose path is copied step
/// by step: at 64 levels, 1 KB would cost 50 ms. The guide says which type is the right one to ask for. What is read still
/// comes from the decoder, so a guide that is about another text, because a type decodes a text within the text, does no
/// harm: what does not fit is guessed.
final class JSONGuide: Sendable {
    /// The guide of the body that is being decoded.
    @TaskLocal static var current: JSONGuide?

    private let data: Data
    /// The body as a value, guarded by the lock: nil before it was asked for; then nil inside when it cannot be read.
    private let tree = Lock<JSONValue??>(nil)

    init(_ data: Data) {
        self.data = data
    }

    /// What stands at a place; nil when nothing does, or the body is not known.
    func value(at path: [any CodingKey]) -> JSONValue? {
        var value = root
        for key in path {
            value = key.intValue.map { value?[$0] } ?? value?[key.stringValue]
        }
        return value
    }

    private var root: JSONValue? {
        if let known = tree.withLock({ $0 }) {
            return known
        }
        let value = data.withUnsafeBytes { try? JSONValue.read($0) }
        tree.withLock { $0 = .some(value) }
        return value
    }
}

extension JSONValue {
    /// The decoder has something else than the guide says.
    private struct Mismatch: Error {}

    /// The name of a member.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            return nil
        }
    }

    /// Reads a value whose kinds are known. It recurses, no deeper than `DecodingFailure.depthLimit`.
    ///
    /// - Throws: An error when the decoder has something else.
    init(from decoder: any Decoder, as guide: JSONValue) throws {
        switch guide {
        case .array(let elements):
            var container = try decoder.unkeyedContainer()
            self = try Self.array(in: &container, as: elements)
        case .object(let members):
            self = try Self.object(in: decoder.container(keyedBy: Name.self), as: members)
        default:
            let container = try decoder.singleValueContainer()
            switch guide {
            case .null where container.decodeNil(): self = .null
            case .bool: self = .bool(try container.decode(Bool.self))
            case .int: self = .int(try container.decode(Int64.self))
            case .double: self = .double(try container.decode(Double.self))
            case .string: self = .string(try container.decode(String.self))
            default: throw Mismatch()
            }
        }
    }

    private static func array(
        in container: inout any UnkeyedDecodingContainer, as guides: [JSONValue]
    ) throws -> JSONValue {
        guard container.count == guides.count else {
            throw Mismatch()
        }
        return .array(
            try guides.map { guide in
                switch guide {
                case .null:
                    guard try container.decodeNil() else {
                        throw Mismatch()
                    }
                    return .null
                case .bool: return .bool(try container.decode(Bool.self))
                case .int: return .int(try container.decode(Int64.self))
                case .double: return .double(try container.decode(Double.self))
                case .string: return .string(try container.decode(String.self))
                case .array(let elements):
                    var nested = try container.nestedUnkeyedContainer()
                    return try array(in: &nested, as: elements)
                case .object(let members):
                    return try object(in: container.nestedContainer(keyedBy: Name.self), as: members)
                }
            })
    }

    private static func object(
        in container: KeyedDecodingContainer<Name>, as guides: [String: JSONValue]
    ) throws -> JSONValue {
        guard container.allKeys.count == guides.count else {
            throw Mismatch()
        }
        var result: [String: JSONValue] = [:]
        result.reserveCapacity(guides.count)
        for (name, guide) in guides {
            let key = Name(stringValue: name)
            switch guide {
            case .null:
                guard try container.decodeNil(forKey: key) else {
                    throw Mismatch()
                }
                result[name] = .null
            case .bool: result[name] = .bool(try container.decode(Bool.self, forKey: key))
            case .int: result[name] = .int(try container.decode(Int64.self, forKey: key))
            case .double: result[name] = .double(try container.decode(Double.self, forKey: key))
            case .string: result[name] = .string(try container.decode(String.self, forKey: key))
            case .array(let elements):
                var nested = try container.nestedUnkeyedContainer(forKey: key)
                result[name] = try array(in: &nested, as: elements)
            case .object(let members):
                result[name] = try object(in: container.nestedContainer(keyedBy: Name.self, forKey: key), as: members)
            }
        }
        return .object(result)
    }
}
