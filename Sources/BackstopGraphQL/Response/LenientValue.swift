internal import Backstop

/// A JSON value in which whatever cannot be represented, such as `1e999`, is null: it must not hide what is beside it.
private struct LenientValue: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        if let members = try? [String: LenientValue](from: decoder) {
            value = .object(members.mapValues(\.value))
        } else if let elements = try? [LenientValue](from: decoder) {
            value = .array(elements.map(\.value))
        } else {
            value = (try? JSONValue(from: decoder)) ?? .null
        }
    }
}

extension KeyedDecodingContainer {
    /// The members of an object; none when it is absent, null, or no object.
    func lenientMembers(forKey key: Key) -> [String: JSONValue] {
        guard contains(key) else {
            return [:]
        }
        // The strict way is the fast one, and mostly enough.
        return (try? decode([String: JSONValue].self, forKey: key))
            ?? (try? decode([String: LenientValue].self, forKey: key))?.mapValues(\.value) ?? [:]
    }
}
