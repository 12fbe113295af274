internal import BackstopCore
internal import Foundation

/// Knows what stands where in the body that is being decoded, so that ``JSONValue`` asks for the right type first.
///
/// A decoder can only be asked for one type after the other, and each wrong guess costs an error whose path is copied
/// step by step: at 64 levels, 1 KB would cost 50 ms.
///
/// A guide changes the order of the questions and nothing else. For a decoder of the system, a yes to one of them is a
/// yes or a no to all others, but for whole numbers, which are asked for as such whatever the guide says. So a guide
/// that is about another text, because a type decodes a text within the text, or that has lost its place, because keys
/// are converted, costs time and never gives another value.
final class JSONGuide: Sendable {
    /// The guide of the body that is being decoded.
    @TaskLocal static var current: JSONGuide?

    /// The type of the decoders that `JSONDecoder` gives; nil when it is not known. A decoder of somebody else may read
    /// one thing as several types, and gets no guide.
    private static let decoderType: ObjectIdentifier? = {
        struct Probe: Decodable {
            let type: ObjectIdentifier
            init(from decoder: any Decoder) { type = ObjectIdentifier(Swift.type(of: decoder)) }
        }
        return try? JSONDecoder().decode(Probe.self, from: Data("[]".utf8)).type
    }()

    /// What stands somewhere in a body.
    indirect enum Place: Sendable {
        case leaf(JSONValue)
        case array([Place])
        /// The members in the order of the text, those whose key comes twice included, and the first of each key.
        case object([Place], names: [String: Int])

        /// The element; nil where there is none.
        func element(_ index: Int) -> Place? {
            guard case .array(let elements) = self, elements.indices.contains(index) else {
                return nil
            }
            return elements[index]
        }

        /// The first member of this name; nil where there is none.
        func member(_ name: String) -> Place? {
            guard case .object(let members, let names) = self else {
                return nil
            }
            return names[name].map { members[$0] }
        }
    }

    private struct Members: JSONMembers {
        private var members: [Place] = []
        private var names: [String: Int] = [:]

        mutating func add(_ place: Place, for key: String) {
            if names[key] == nil { names[key] = members.count }
            members.append(place)
        }

        var tree: Place { .object(members, names: names) }

        static func tree(of elements: [Place]) -> Place { .array(elements) }

        static func tree(ofLeaf leaf: JSONValue) -> Place { .leaf(leaf) }
    }

    private struct State {
        /// The body: nil before it was asked for; then nil inside when it cannot be read.
        var root: Place??
        /// The steps of the last path that was looked for, and what stands there.
        var steps: [(key: Key, value: Place?)] = []
        /// What the values that are being decoded contain, innermost last.
        var open: [Content] = []
    }

    /// A step of a path.
    private struct Key: Equatable {
        let name: String
        let index: Int?

        init(_ key: any CodingKey) {
            name = key.stringValue
            index = key.intValue
        }
    }

    /// What a value that is being decoded contains.
    private struct Content {
        let place: Place?
        /// The element or member that comes next.
        var next = 0
    }

    private let data: Data
    /// Where the decoding stands, guarded by the lock. Keys, which are of the caller's types, are asked outside of it.
    private let state = Lock(State())

    init(_ data: Data) {
        self.data = data
    }

    /// The guide for a decoder; nil when there is none.
    static func current(for decoder: any Decoder) -> JSONGuide? {
        ObjectIdentifier(type(of: decoder)) == decoderType ? current : nil
    }

    /// What probably stands where a decoder is; nil when that is not known.
    func expected(by decoder: any Decoder) -> Place? {
        // The path is made anew whenever it is asked for, so elements and members, which come in the order of the text,
        // are found without it.
        let found = state.withLock { state -> Content? in
            guard let content = state.open.last else {
                return nil
            }
            state.open[state.open.count - 1].next += 1
            return content
        }
        guard let content = found else {
            return value(at: decoder.codingPath.map { Key($0) })
        }
        guard case .object(let members, _)? = content.place else {
            return content.place?.element(content.next)
        }
        return members.indices.contains(content.next) ? members[content.next] : nil
    }

    /// What stands where a decoder is, for one that goes through members in an order of its own; nil when that is not
    /// known.
    func named(by decoder: any Decoder) -> Place? {
        let content = state.withLock { state in state.open.last }
        guard case .object(let members, _)? = content?.place, members.count > 1 else {
            return nil
        }
        return decoder.codingPath.last.flatMap { content?.place?.member($0.stringValue) }
    }

    /// Decodes a list or an object of values, which are expected to be those of the place.
    func inside<Result>(_ place: Place?, _ decode: () throws -> Result) rethrows -> Result {
        let depth = state.withLock { state in
            state.open.append(Content(place: place))
            return state.open.count
        }
        defer {
            let released = state.withLock { state -> Content? in
                state.open.count == depth ? state.open.popLast() : nil
            }
            withExtendedLifetime(released) {}
        }
        return try decode()
    }

    private func value(at path: [Key]) -> Place? {
        let root = root
        return state.withLock { state in
            // A decoder goes through a text from the outside in, so most of the path is that of the last time.
            var known = 0
            while known < min(path.count, state.steps.count), state.steps[known].key == path[known] { known += 1 }
            state.steps.removeSubrange(known...)
            var value = known == 0 ? root : state.steps[known - 1].value
            for key in path[known...] {
                value = value.flatMap { Self.child(of: $0, at: key) }
                state.steps.append((key, value))
            }
            return value
        }
    }

    private static func child(of place: Place, at key: Key) -> Place? {
        switch place {
        case .array: return key.index.flatMap { place.element($0) }
        case .object(let members, let names):
            if let member = place.member(key.name) {
                return member
            }
            // Mostly `first_name`, which the decoder has made `firstName` of.
            let plain = Self.plain(key.name)
            return names.first { $0.key.contains("_") && Self.plain($0.key) == plain }.map { members[$0.value] }
        case .leaf: return nil
        }
    }

    /// A name without what conversions of keys change.
    private static func plain(_ name: String) -> [UInt8] {
        name.utf8.filter { $0 != 0x5F }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    private var root: Place? {
        if let known = state.withLock({ $0.root }) {
            return known
        }
        let place = data.withUnsafeBytes { bytes in
            guard let text = JSONScan.utf8(of: bytes) else {
                return Self.read(bytes)
            }
            return text.withUnsafeBytes { Self.read($0) }
        }
        state.withLock { $0.root = .some(place) }
        return place
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) -> Place? {
        var parser = JSONTreeParser<Members>(bytes, unrepresentable: .null)
        return try? parser.run()
    }
}
