internal import BackstopCore
public import Foundation

extension JSONValue {
    /// Parses a JSON text.
    ///
    /// It reads the bytes once, without recursion, so its cost is linear, whatever a server sends. The text must be
    /// JSON as in RFC 8259, in UTF-8. Of members with the same key, the first counts, as for `JSONDecoder`.
    ///
    /// ```swift
    /// func total(_ body: Data) throws -> Double? {
    ///     try JSONValue(parsing: body)["cart"]?["total"]?.double
    /// }
    /// ```
    ///
    /// - Parameter data: The text.
    /// - Throws: `DecodingFailure`: with the kind `tooDeep` for more than `DecodingFailure.depthLimit` levels, with
    ///   `corrupted` for a number that `Double` cannot hold, such as `1e999`.
    public init(parsing data: Data) throws(DecodingFailure) {
        do {
            self = try data.withUnsafeBytes { bytes throws(DecodingError) in try JSONValue.read(bytes) }
        } catch {
            throw DecodingFailure(error, decoding: JSONValue.self, from: data, contentType: nil)
        }
    }

    /// What to do with a number that `Double` cannot hold.
    package enum UnrepresentableNumber {
        /// Refuse the whole text.
        case refused
        /// Replace the number with `null`, so that it does not hide its neighbors.
        case null
    }

    /// Parses a JSON text.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with the path to the error.
    package static func read(
        _ bytes: UnsafeRawBufferPointer, unrepresentable: UnrepresentableNumber = .refused
    ) throws(DecodingError) -> JSONValue {
        var parser = JSONTreeParser<JSONValue.Members>(bytes, unrepresentable: unrepresentable)
        return try parser.run()
    }
}

/// What a parser builds from an object.
protocol JSONMembers {
    /// The result of parsing a text.
    associatedtype Tree

    /// No members yet.
    init()
    /// Adds a member; keys may come twice.
    mutating func add(_ value: Tree, for key: String)
    /// The object.
    var tree: Tree { get }
    /// An array.
    static func tree(of elements: [Tree]) -> Tree
    /// A value that is neither object nor array.
    static func tree(ofLeaf leaf: JSONValue) -> Tree
}

extension JSONValue {
    /// The members of an object; the first of each key counts.
    fileprivate struct Members: JSONMembers {
        private var members: [String: JSONValue] = [:]

        mutating func add(_ value: JSONValue, for key: String) {
            if members[key] == nil { members[key] = value }
        }

        var tree: JSONValue { .object(members) }

        static func tree(of elements: [JSONValue]) -> JSONValue { .array(elements) }

        static func tree(ofLeaf leaf: JSONValue) -> JSONValue { leaf }
    }
}

/// Builds a tree from the tokens of a text. Open containers are in a list, not on the stack.
struct JSONTreeParser<Members: JSONMembers> {
    /// An object or an array that is still open.
    private struct Frame {
        let isObject: Bool
        var members = Members()
        var elements: [Members.Tree] = []
        /// The key of the member being parsed.
        var key = ""

        mutating func add(_ value: Members.Tree) {
            if isObject {
                members.add(value, for: key)
            } else {
                elements.append(value)
            }
        }

        var tree: Members.Tree { isObject ? members.tree : Members.tree(of: elements) }
    }

    private let bytes: UnsafeRawBufferPointer
    private let unrepresentable: JSONValue.UnrepresentableNumber
    private var reader: JSONReader
    private var open: [Frame] = []

    init(_ bytes: UnsafeRawBufferPointer, unrepresentable: JSONValue.UnrepresentableNumber) {
        self.bytes = bytes
        self.unrepresentable = unrepresentable
        reader = JSONReader(bytes)
    }

    mutating func run() throws(DecodingError) -> Members.Tree {
        var result = Members.tree(ofLeaf: .null)
        while true {
            let value: Members.Tree
            switch try next() {
            case .beginObject:
                open.append(Frame(isObject: true))
                continue
            case .beginArray:
                open.append(Frame(isObject: false))
                continue
            case .key(let range, let hasEscapes):
                open[open.count - 1].key = reader.text(range, hasEscapes: hasEscapes)
                continue
            case .endObject, .endArray: value = open.popLast()?.tree ?? Members.tree(ofLeaf: .null)
            case .string(let range, let hasEscapes):
                value = Members.tree(ofLeaf: .string(reader.text(range, hasEscapes: hasEscapes)))
            case .number(let range): value = Members.tree(ofLeaf: try number(range))
            case .bool(let bool): value = Members.tree(ofLeaf: .bool(bool))
            case .null: value = Members.tree(ofLeaf: .null)
            case .end: return result
            }
            if open.isEmpty {
                result = value
            } else {
                open[open.count - 1].add(value)
            }
        }
    }

    private mutating func next() throws(DecodingError) -> JSONReader.Token {
        do {
            return try reader.next()
        } catch {
            throw fault(error.message)
        }
    }

    private func number(_ range: Range<Int>) throws(DecodingError) -> JSONValue {
        let text = String(decoding: bytes[range], as: UTF8.self)
        if let whole = Int64(text) {
            return .int(whole)
        }
        guard let number = Double(text), number.isFinite else {
            guard unrepresentable == .refused else {
                return .null
            }
            throw fault("a number that a Double cannot hold")
        }
        return Int64(exactly: number).map { .int($0) } ?? .double(number)
    }

    private func fault(_ message: String) -> DecodingError {
        let path = open.map { frame -> any CodingKey in
            JSONStep(frame.isObject ? .key(frame.key) : .index(frame.elements.count))
        }
        return .dataCorrupted(.init(codingPath: path, debugDescription: message))
    }
}

/// One step of a path.
struct JSONStep: CodingKey, Equatable {
    let stringValue: String
    let intValue: Int?

    init(_ name: String, _ index: Int?) {
        (stringValue, intValue) = (name, index)
    }

    init(_ element: JSONPathElement) {
        switch element {
        case .key(let key): self.init(key, nil)
        case .index(let index): self.init(intValue: index)
        }
    }

    init(stringValue: String) {
        self.init(stringValue, nil)
    }

    init(intValue: Int) {
        self.init("Index \(intValue)", intValue)
    }
}
