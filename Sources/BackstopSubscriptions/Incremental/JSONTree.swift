internal import Backstop
internal import BackstopCore
internal import Foundation

/// A JSON value that is put together from parts: what is no list and no object stays as it was written, so that a number
/// is decoded as it was sent.
enum JSONTree {
    /// The bytes of a text, a number, `true`, `false` or `null`.
    case leaf(Data)
    case array([JSONTree])
    /// Of members with the same key, the first counts, as for `JSONDecoder`.
    case object([String: JSONTree])

    static let null = JSONTree.leaf(Data("null".utf8))

    /// - Throws: `JSONReader.Fault`, also for what is nested deeper than `JSONScan.depthLimit` levels.
    init(parsing body: Data) throws {
        self = try body.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes)
            let tree = try JSONTree(reader.next(), &reader, body)
            _ = try reader.next()
            return tree
        }
    }

    /// A value from its first token; no deeper than the reader lets it be.
    private init(_ token: JSONReader.Token, _ reader: inout JSONReader, _ body: Data) throws {
        switch token {
        case .beginObject:
            var members: [String: JSONTree] = [:]
            while case .key(let range, let hasEscapes) = try reader.next() {
                let key = reader.text(range, hasEscapes: hasEscapes)
                let value = try JSONTree(reader.next(), &reader, body)
                if members[key] == nil {
                    members[key] = value
                }
            }
            self = .object(members)
        case .beginArray:
            var elements: [JSONTree] = []
            while case let token = try reader.next(), token != .endArray {
                elements.append(try JSONTree(token, &reader, body))
            }
            self = .array(elements)
        case .string(let range, _):
            self = .leaf(body.dropFirst(range.lowerBound - 1).prefix(range.count + 2))
        case .number(let range):
            self = .leaf(body.dropFirst(range.lowerBound).prefix(range.count))
        case .bool(let value):
            self = .leaf(Data("\(value)".utf8))
        default:
            self = .null
        }
    }

    /// What a leaf says; nil for a list or an object.
    var scalar: JSONValue? {
        guard case .leaf(let text) = self else {
            return nil
        }
        return try? text.withUnsafeBytes { try JSONValue.read($0, unrepresentable: .null) }
    }

    /// Changes the members of an object in place: they are not held twice meanwhile, which would copy them.
    ///
    /// - Returns: Nil if it is no object.
    mutating func withMembers<Value>(_ body: (inout [String: JSONTree]) throws -> Value) rethrows -> Value? {
        guard case .object(var members) = self else {
            return nil
        }
        self = .null
        defer { self = .object(members) }
        return try body(&members)
    }

    /// Changes the elements of a list in the same way.
    mutating func withElements<Value>(_ body: (inout [JSONTree]) throws -> Value) rethrows -> Value? {
        guard case .array(var elements) = self else {
            return nil
        }
        self = .null
        defer { self = .array(elements) }
        return try body(&elements)
    }

    /// Merges objects member by member, and lists element by element; anything else is replaced.
    mutating func merge(_ added: JSONTree) {
        var isMerged: Bool?
        switch added {
        case .object(let more):
            isMerged = withMembers { members in
                for (key, other) in more {
                    members[key, default: .null].merge(other)
                }
                return true
            }
        case .array(let more):
            isMerged = withElements { elements in
                guard elements.count == more.count else {
                    return false
                }
                for (index, other) in more.enumerated() {
                    elements[index].merge(other)
                }
                return true
            }
        case .leaf:
            break
        }
        if isMerged != true {
            self = added
        }
    }

    /// Writes it as JSON.
    func write(to text: inout Data) {
        switch self {
        case .leaf(let leaf):
            text.append(leaf)
        case .array(let elements):
            text.append(0x5B)
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(0x2C) }
                element.write(to: &text)
            }
            text.append(0x5D)
        case .object(let members):
            text.append(0x7B)
            for (index, (key, value)) in members.enumerated() {
                if index > 0 { text.append(0x2C) }
                text.append(contentsOf: "\(JSONWriter.quoted(key)):".utf8)
                value.write(to: &text)
            }
            text.append(0x7D)
        }
    }
}
