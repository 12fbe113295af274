internal import Backstop
internal import BackstopCore
internal import BackstopGraphQL
internal import Foundation

/// A result that is put together from its parts, in each of the three formats that servers have.
///
/// * `incremental` entries with a `path` (`deferSpec=20220824`: Apollo Server 4, Apollo Router, GraphQL Yoga),
/// * `incremental` entries with an `id` that `pending` has announced and `completed` ends (the draft of 2023:
///   graphql-js 17, Apollo Server 5),
/// * one part a response, with `path` and `data` at its top (Apollo's first one, GraphQL Yoga 2).
struct MergedResult {
    /// How many bytes may arrive in all.
    static let longest = 64 << 20
    /// How many steps a path may have: as many levels as a body.
    private static let deepest = DecodingFailure.depthLimit

    /// A part that is still to come.
    private struct Pending {
        let path: [JSONValue]
        let label: String?
    }

    private var data: JSONValue?
    private var errors: [JSONValue] = []
    private var extensions: [String: JSONValue] = [:]
    private var pending: [String: Pending] = [:]
    private var bytes = 0
    private(set) var labels: Set<String> = []
    private(set) var hasNext = true

    /// Takes a response: the first one, or one with further parts.
    ///
    /// - Throws: `GraphQLFailure.invalidData` for what is not a JSON object; `TransportError` with `.badResponse` for a
    ///   part that has no place, and with `.tooLarge`.
    mutating func take(_ response: HTTP.Response) throws {
        bytes += response.body.count
        guard bytes <= Self.longest else {
            throw TransportError(
                .tooLarge, phase: .receiving,
                detail: "The parts of the response have more than the \(Self.longest) bytes accepted")
        }
        guard response.body.withUnsafeBytes({ JSONScan.firstProblem(in: $0) }) == nil,
            case .object(let members) = try response.body.withUnsafeBytes({ bytes in
                try JSONValue.read(bytes, unrepresentable: .null)
            })
        else {
            throw TransportError(
                .badResponse, phase: .receiving, detail: "A part of the response is not a JSON object")
        }
        note(members)
        hasNext = members["hasNext"]?.bool ?? false
        announce(members["pending"])
        if members["path"] != nil {
            try merge(members)
        } else if members["data"] != nil {
            guard data == nil else {
                throw Self.malformed("It has a first part twice")
            }
            data = members["data"]
        }
        if case .array(let entries)? = members["incremental"] {
            for case .object(let entry) in entries {
                note(entry)
                try merge(entry)
            }
        }
        if case .array(let entries)? = members["completed"] {
            for entry in entries {
                complete(entry)
            }
        }
    }

    /// Everything so far, as one response.
    func response(_ head: HTTP.Response) throws -> HTTP.Response {
        var members: [String: JSONValue] = [:]
        members["data"] = data
        if !errors.isEmpty {
            members["errors"] = .array(errors)
        }
        if !extensions.isEmpty {
            members["extensions"] = .object(extensions)
        }
        return head.with(body: try JSONEncoder().encode(JSONValue.object(members)))
    }

    private mutating func note(_ members: [String: JSONValue]) {
        if case .array(let more)? = members["errors"] {
            errors += more
        }
        if case .object(let more)? = members["extensions"] {
            extensions.merge(more) { $1 }
        }
    }

    private mutating func announce(_ entries: JSONValue?) {
        guard case .array(let entries)? = entries else {
            return
        }
        for entry in entries {
            if let id = entry["id"]?.string, case .array(let path)? = entry["path"] {
                pending[id] = Pending(path: path, label: entry["label"]?.string)
            }
        }
    }

    /// A part has arrived, or never will.
    private mutating func complete(_ entry: JSONValue) {
        guard let id = entry["id"]?.string, let part = pending.removeValue(forKey: id) else {
            return
        }
        if case .array(let more)? = entry["errors"] {
            errors += more
        } else if let label = part.label {
            labels.insert(label)
        }
    }

    private mutating func merge(_ entry: [String: JSONValue]) throws {
        var path: [JSONValue] = []
        if let id = entry["id"]?.string {
            guard let part = pending[id] else {
                throw Self.malformed("It has a part that it has not announced")
            }
            path = part.path
        } else if let label = entry["label"]?.string {
            labels.insert(label)
        }
        if case .array(let steps)? = entry["id"] == nil ? entry["path"] : entry["subPath"] {
            path += steps
        }
        guard path.count <= Self.deepest else {
            throw Self.malformed("A path in it has more than \(Self.deepest) steps")
        }
        guard var data else {
            throw Self.malformed("It has a further part before the first")
        }
        // Not held twice while it is changed.
        self.data = nil
        defer { self.data = data }
        if case .array(let items)? = entry["items"] {
            // Without an id, the last step says where the first of them is.
            let position = entry["id"] == nil ? path.popLast()?.int : nil
            try Self.change(&data, path[...]) { value in
                guard case .array(var list) = value else {
                    throw Self.malformed("A further element has no list at \(Self.text(path))")
                }
                guard position.map({ $0 == list.count }) ?? true else {
                    throw Self.malformed("A further element at \(Self.text(path)) is not behind the last one")
                }
                value = .null
                list += items
                value = .array(list)
            }
        } else if let added = entry["data"], added != .null {
            try Self.change(&data, path[...]) { value in
                guard case .object = value, case .object = added else {
                    throw Self.malformed("A deferred part has no object at \(Self.text(path))")
                }
                Self.merge(added, into: &value)
            }
        }
    }

    /// Changes the value at a path.
    private static func change(
        _ value: inout JSONValue, _ path: ArraySlice<JSONValue>, _ body: (inout JSONValue) throws -> Void
    ) throws {
        guard let step = path.first else {
            return try body(&value)
        }
        switch (value, step) {
        case (.object(var members), .string(let key)):
            guard var member = members[key] else {
                break
            }
            value = .null
            members[key] = .null
            defer {
                members[key] = member
                value = .object(members)
            }
            return try change(&member, path.dropFirst(), body)
        case (.array(var elements), .int(let index)):
            guard let index = Int(exactly: index), elements.indices.contains(index) else {
                break
            }
            value = .null
            defer { value = .array(elements) }
            return try change(&elements[index], path.dropFirst(), body)
        default:
            break
        }
        throw malformed("A part of it has no place: nothing is at \(text(Array(path.prefix(1))))")
    }

    /// Merges objects member by member, and lists element by element; anything else is replaced.
    private static func merge(_ added: JSONValue, into value: inout JSONValue) {
        switch (value, added) {
        case (.object(var members), .object(let more)):
            value = .null
            for (key, other) in more {
                merge(other, into: &members[key, default: .null])
            }
            value = .object(members)
        case (.array(var elements), .array(let more)) where elements.count == more.count:
            value = .null
            for (index, other) in more.enumerated() {
                merge(other, into: &elements[index])
            }
            value = .array(elements)
        default:
            value = added
        }
    }

    private static func text(_ path: [JSONValue]) -> String {
        let elements = path.prefix(8).compactMap { step -> GraphQL.Path.Element? in
            step.int.map { .index(Int(clamping: $0)) } ?? step.string.map { .key($0) }
        }
        return elements.isEmpty ? "the root" : Excerpt.cut(GraphQL.Path(elements).description, to: 100)
    }

    private static func malformed(_ detail: String) -> TransportError {
        TransportError(
            .badResponse, phase: .receiving, detail: "The parts of the response do not fit together. \(detail)")
    }
}
