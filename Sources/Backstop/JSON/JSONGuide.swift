internal import BackstopCore
internal import Foundation

/// Knows the layout of the body being decoded, so that ``JSONValue`` tries the right type first.
///
/// With a decoder, one must try one type after another, and each wrong guess costs an error whose path is copied step
/// by step: at 64 levels, 1 KB would take 50 ms.
///
/// A guide only changes the order of the attempts. For the system's decoder, success with one type decides all others,
/// except for whole numbers, which are always tried as such. So a guide for the wrong text (a type may decode a text
/// within the text), or one that has lost its place (keys may be converted), costs time but never yields another value.
final class JSONGuide: Sendable {
    /// The guide for the body being decoded.
    @TaskLocal static var current: JSONGuide?

    /// The type of the decoders that `JSONDecoder` creates; nil when unknown. Another library's decoder may accept one
    /// value as several types, so it gets no guide.
    private static let decoderType: ObjectIdentifier? = {
        struct Probe: Decodable {
            let type: ObjectIdentifier
            init(from decoder: any Decoder) { type = ObjectIdentifier(Swift.type(of: decoder)) }
        }
        return try? JSONDecoder().decode(Probe.self, from: Data("[]".utf8)).type
    }()

    /// A value in a body.
    indirect enum Place: Sendable {
        case leaf(JSONValue)
        case array([Place])
        /// The members in the order of the text, including those with duplicate keys, and the first for each key.
        case object([Place], names: [String: Int])

        /// The element; nil when there is none.
        func element(_ index: Int) -> Place? {
            if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
        }

        /// The first member with this name; nil when there is none.
        func member(_ name: String) -> Place? {
            if case .object(let members, let names) = self { names[name].map { members[$0] } } else { nil }
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
        /// The text that is being decoded.
        var data = Data()
        /// The body: nil before first use; afterwards nil inside if it is malformed.
        var root: Place??
        /// The steps of the last path, and the value there.
        var steps: [(key: JSONStep, value: Place?)] = []
        /// The contents of the values being decoded, innermost last.
        var open: [Content] = []
    }

    /// The content of a value being decoded.
    private struct Content {
        let place: Place?
        /// The next element or member.
        var next = 0
    }

    /// The state of the decoding, guarded by the lock. Keys, which have the caller's types, are used outside it.
    private let state = Lock(State())

    /// Begins with another body.
    func begin(_ data: Data) {
        let old = state.withLock { exchange(&$0, with: State(data: data)) }
        withExtendedLifetime(old) {}
    }

    /// The guide for a decoder; nil when there is none.
    static func current(for decoder: any Decoder) -> JSONGuide? {
        ObjectIdentifier(type(of: decoder)) == decoderType ? current : nil
    }

    /// The probable value at a decoder's position; nil when unknown.
    func expected(by decoder: any Decoder) -> Place? {
        // A decoder builds its path on each access, so elements and members, which come in the order of the text, are
        // found without it.
        let found = state.withLock { state -> Content? in
            guard let content = state.open.last else {
                return nil
            }
            state.open[state.open.count - 1].next += 1
            return content
        }
        guard let content = found else {
            return value(at: decoder.codingPath.map { JSONStep($0.stringValue, $0.intValue) })
        }
        guard case .object(let members, _)? = content.place else {
            return content.place?.element(content.next)
        }
        return members.indices.contains(content.next) ? members[content.next] : nil
    }

    /// The value at a decoder's position, for one that visits members in another order; nil when unknown.
    func named(by decoder: any Decoder) -> Place? {
        let content = state.withLock { state in state.open.last }
        guard case .object(let members, _)? = content?.place, members.count > 1 else {
            return nil
        }
        return decoder.codingPath.last.flatMap { content?.place?.member($0.stringValue) }
    }

    /// Decodes a list or an object of values, expected to be those at this place.
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

    private func value(at path: [JSONStep]) -> Place? {
        let root = root
        return state.withLock { state in
            // A decoder visits a text from the outside in, so most of the path is unchanged.
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

    private static func child(of place: Place, at key: JSONStep) -> Place? {
        switch place {
        case .array: return key.intValue.flatMap { place.element($0) }
        case .object(let members, let names):
            if let member = place.member(key.stringValue) {
                return member
            }
            // Usually `first_name`, which the decoder has converted to `firstName`.
            let plain = Self.plain(key.stringValue)
            return names.first { $0.key.contains("_") && Self.plain($0.key) == plain }.map { members[$0.value] }
        case .leaf: return nil
        }
    }

    /// A name without the parts that key conversions change.
    private static func plain(_ name: String) -> [UInt8] {
        name.utf8.filter { $0 != 0x5F }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    private var root: Place? {
        let (known, data) = state.withLock { ($0.root, $0.data) }
        if let known {
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
