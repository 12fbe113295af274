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
    /// How many steps a path may have: as many levels as a body.
    private static let deepest = DecodingFailure.depthLimit

    /// A part that is still to come.
    private struct Pending {
        let path: [GraphQL.Path.Element]
        let label: String?
        /// Whether elements of a list have come.
        var hasElements = false
    }

    private var data: JSONTree?
    private var errors: [JSONTree] = []
    private var extensions: [String: JSONTree] = [:]
    private var pending: [String: Pending] = [:]
    private var bytes = 0
    /// How many bytes of responses may be made before what has arrived limits them.
    private let free: Int
    /// How many bytes may arrive in all.
    private let longest: Int
    private var made = 0
    private(set) var labels: Set<String> = []
    private(set) var hasNext = true
    /// Whether the last response has said that another follows.
    private var isNextAnnounced = true

    /// - Parameters:
    ///   - free: How many bytes of responses are made whatever arrives. Default: 256 MiB, about a second.
    ///   - longest: How many bytes may arrive in all. Default: 64 MiB.
    init(free: Int = 256 << 20, longest: Int = 64 << 20) {
        (self.free, self.longest) = (free, longest)
    }

    /// Whether the work may be spent to make everything so far: a response is as large as all before it, so that many
    /// small parts of a large result would cost their number times its size.
    var isAffordable: Bool { made <= free + 16 * bytes }

    /// Takes a response: the first one, or one with further parts.
    ///
    /// - Parameter explain: Throws why a response is not a JSON object.
    /// - Throws: `TransportError` with `.badResponse` for what is not a JSON object, if nobody explains that, or a part
    ///   that has no place, with `.truncated` for the last one if a part is missing, and with `.tooLarge`.
    mutating func take(_ body: Data, explain: (Data) throws -> Void = { _ in }) throws {
        bytes += body.count
        guard bytes <= longest else {
            throw TransportError(
                .tooLarge, phase: .receiving,
                detail: "The parts of the response have more than the \(longest) bytes accepted")
        }
        guard case .object(let members)? = try? JSONTree(parsing: body) else {
            try explain(body)
            throw TransportError(
                .badResponse, phase: .receiving, detail: "A part of the response is not a JSON object")
        }
        guard hasNext else {
            throw Self.malformed("It has a part behind its last one")
        }
        let hasErrors = note(members)
        for entry in try Self.entries("pending", of: members) {
            try announce(entry)
        }
        if try Self.path("path", of: members) != nil {
            try merge(members, hasErrors: hasErrors)
        } else if let first = members["data"] {
            guard data == nil else {
                throw Self.malformed("It has a first part twice")
            }
            data = first
        }
        for entry in try Self.entries("incremental", of: members) {
            // There may be many, and the call's time may be over.
            try Task.checkCancellation()
            try merge(entry, hasErrors: note(entry))
        }
        for entry in try Self.entries("completed", of: members) {
            try complete(entry)
        }
        // Without a word, there may be more.
        let said = try Self.scalar("hasNext", of: members) { $0.bool }
        isNextAnnounced = said == true
        if said == false {
            try end(hasSaidSo: true)
        }
    }

    /// Takes the end: nothing follows.
    ///
    /// - Parameter hasSaidSo: Whether a part says so.
    /// - Throws: `TransportError` if something was to follow: with `.truncated`, or `.badResponse` if a part says not.
    mutating func end(hasSaidSo: Bool = false) throws {
        // A list may end without a word: in the specification's first example, nothing completes it.
        for (id, part) in pending where part.hasElements {
            pending[id] = nil
            labels.formUnion(part.label.map { [$0] } ?? [])
        }
        guard pending.isEmpty, !isNextAnnounced else {
            if hasSaidSo {
                throw Self.malformed("The last part says that nothing follows, but one that was announced has not come")
            }
            let missing = pending.isEmpty ? "though its last part was to follow" : "without a part that was announced"
            throw TransportError(.truncated, phase: .receiving, detail: "The response ended \(missing)")
        }
        hasNext = false
    }

    /// Everything so far, as one response.
    mutating func response(_ head: HTTP.Response) -> HTTP.Response {
        var members: [String: JSONTree] = [:]
        members["data"] = data
        if !errors.isEmpty {
            members["errors"] = .array(errors)
        }
        if !extensions.isEmpty {
            members["extensions"] = .object(extensions)
        }
        var body = Data()
        JSONTree.object(members).write(to: &body)
        made += body.count
        return head.with(body: body)
    }

    /// - Returns: Whether there are errors.
    private mutating func note(_ members: [String: JSONTree]) -> Bool {
        if case .object(let more)? = members["extensions"] {
            extensions.merge(more) { $1 }
        }
        let count = errors.count
        switch members["errors"] {
        case .array(let more)?: errors += more
        case let other? where other.scalar != .null: errors.append(other)
        default: break
        }
        return errors.count > count
    }

    private mutating func announce(_ entry: [String: JSONTree]) throws {
        guard let id = try Self.id(of: entry), let path = try Self.path("path", of: entry) else {
            throw Self.malformed("It announces a part without an id or a path")
        }
        let label = try Self.scalar("label", of: entry) { $0.string }
        guard pending.updateValue(Pending(path: path, label: label), forKey: id) == nil else {
            throw Self.malformed("It announces two parts with the same id")
        }
    }

    /// A part has arrived, or never will.
    private mutating func complete(_ entry: [String: JSONTree]) throws {
        guard let id = try Self.id(of: entry), let part = pending.removeValue(forKey: id) else {
            throw Self.malformed("It completes a part that it has not announced")
        }
        if !note(entry), let label = part.label {
            labels.insert(label)
        }
    }

    private mutating func merge(_ entry: [String: JSONTree], hasErrors: Bool) throws {
        let id = try Self.id(of: entry)
        var path: [GraphQL.Path.Element] = []
        if let id {
            guard let part = pending[id] else {
                throw Self.malformed("It has a part that it has not announced")
            }
            path = part.path
        } else if let label = try Self.scalar("label", of: entry, { $0.string }),
            !hasErrors || (entry["items"] ?? entry["data"] ?? .null).scalar != .null
        {
            labels.insert(label)
        }
        path += try Self.path(id == nil ? "path" : "subPath", of: entry) ?? []
        guard path.count <= Self.deepest else {
            throw Self.malformed("A path in it has more than \(Self.deepest) steps")
        }
        guard data != nil else {
            throw Self.malformed("It has a further part before the first")
        }
        let items = try Self.list("items", of: entry)
        let added = entry["data"] ?? .null
        if let items {
            // Without an id, the last step says where the first of them is.
            let position = id == nil ? path.popLast() : nil
            let isBehind = try append(items, path[...], if: { id != nil || position == .index($0) })
            guard isBehind == true else {
                throw Self.malformed(
                    isBehind == nil
                        ? "A further element has no list at \(GraphQL.Path.shown(path))"
                        : "A further element at \(GraphQL.Path.shown(path)) is not behind the last one")
            }
            if let id {
                pending[id]?.hasElements = true
            }
        } else if entry["items"] == nil, case .index(let position)? = path.last, id == nil,
            try append([added], path.dropLast(), if: { $0 == position }) == true
        {
            // One of the elements of a list, in Apollo's first format.
        } else if added.scalar != .null {
            try data?.change(path[...]) { value in
                guard case .object = value, case .object = added else {
                    throw Self.malformed("A deferred part has no object at \(GraphQL.Path.shown(path))")
                }
                value.merge(added)
            }
        }
    }

    /// Adds elements behind the last one of a list.
    ///
    /// - Parameter fits: Whether that is their place, of so many elements.
    /// - Returns: Whether it is; nil if there is no list.
    private mutating func append(
        _ elements: [JSONTree], _ path: ArraySlice<GraphQL.Path.Element>, if fits: (Int) -> Bool
    ) throws -> Bool? {
        var isBehind: Bool?
        try data?.change(path) { value in
            isBehind = value.withElements { list in
                guard fits(list.count) else {
                    return false
                }
                list += elements
                return true
            }
        }
        return isBehind
    }
}

extension MergedResult {
    /// A member that is a scalar; nil when there is none, or it is null.
    private static func scalar<Value>(
        _ name: String, of members: [String: JSONTree], _ read: (JSONValue) -> Value?
    ) throws -> Value? {
        guard let member = members[name], member.scalar != .null else {
            return nil
        }
        guard let value = member.scalar.flatMap(read) else {
            throw malformed("Its member \"\(name)\" has a value of another type")
        }
        return value
    }

    /// The id of a part; nil when there is none. It is a text, and a number in the examples of Apollo's `incremental` v0.2.
    private static func id(of members: [String: JSONTree]) throws -> String? {
        try scalar("id", of: members) { $0.string ?? $0.int.map { String($0) } }
    }

    /// A member that is a list; nil when there is none, or it is null.
    private static func list(_ name: String, of members: [String: JSONTree]) throws -> [JSONTree]? {
        guard case .array(let elements)? = members[name] else {
            // Of a null, nothing is read.
            return try scalar(name, of: members) { _ in nil }
        }
        return elements
    }

    private static func entries(_ name: String, of members: [String: JSONTree]) throws -> [[String: JSONTree]] {
        try (list(name, of: members) ?? []).map { entry in
            guard case .object(let members) = entry else {
                throw malformed("Its member \"\(name)\" has a value of another type")
            }
            return members
        }
    }

    private static func path(_ name: String, of members: [String: JSONTree]) throws -> [GraphQL.Path.Element]? {
        try list(name, of: members)?.map { step in
            let element = step.scalar.flatMap { step -> GraphQL.Path.Element? in
                step.int.flatMap { Int(exactly: $0) }.map { .index($0) } ?? step.string.map { .key($0) }
            }
            guard let element else {
                throw malformed("Its member \"\(name)\" is no path")
            }
            return element
        }
    }

    fileprivate static func malformed(_ detail: String) -> TransportError {
        TransportError(
            .badResponse, phase: .receiving, detail: "The parts of the response do not fit together. \(detail)")
    }
}

extension JSONTree {
    /// Changes the value at a path, in place.
    fileprivate mutating func change(
        _ path: ArraySlice<GraphQL.Path.Element>, _ body: (inout JSONTree) throws -> Void
    ) throws {
        let found: Bool?
        switch path.first {
        case nil:
            return try body(&self)
        case .key(let key)?:
            found = try withMembers { members in
                guard let index = members.index(forKey: key) else {
                    return false
                }
                try members.values[index].change(path.dropFirst(), body)
                return true
            }
        case .index(let index)?:
            found = try withElements { elements in
                guard elements.indices.contains(index) else {
                    return false
                }
                try elements[index].change(path.dropFirst(), body)
                return true
            }
        }
        guard found == true else {
            let step = GraphQL.Path.shown(path.prefix(1))
            throw MergedResult.malformed("A part of it has no place: nothing is at \(step)")
        }
    }
}

extension GraphQL.Path {
    /// The first steps of a path, to be shown.
    fileprivate static func shown(_ path: some Sequence<Element>) -> String {
        let text = GraphQL.Path(Array(path.prefix(8))).description
        return text.isEmpty ? "the root" : Excerpt.cut(text, to: 100)
    }
}
