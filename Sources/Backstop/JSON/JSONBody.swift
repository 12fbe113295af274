internal import BackstopCore
package import Foundation

/// Decodes bodies that a server made.
///
/// A server chooses how deep a body nests, and decoders recurse. So whatever decodes a body does it here, where the
/// depth is looked at first.
package enum JSONBody {
    /// Decodes a body.
    ///
    /// ``JSONValue`` and the types made of it are read from the bytes; any other type is given to the decoder.
    ///
    /// - Throws: ``JSONScan/TooDeep`` for more than `DecodingFailure.depthLimit` levels; otherwise what the decoder
    ///   throws.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, decoder: JSONDecoder
    ) throws -> Value {
        let isLenient = decoder.allowsJSON5 || decoder.assumesTopLevelDictionary
        try data.withUnsafeBytes { bytes in
            guard !JSONScan.isTooDeep(bytes, isLenient: isLenient) else {
                throw JSONScan.TooDeep()
            }
        }
        let isUTF8 = data.withUnsafeBytes { JSONScan.isUTF8($0) }
        guard !isLenient, isUTF8, let readable = type as? any JSONValueReadable.Type else {
            return try JSONGuide.$current.withValue(JSONGuide(data)) {
                try decoder.decode(type, from: isUTF8 && decoder.allowsJSON5 ? ended(data) : data)
            }
        }
        let value = try data.withUnsafeBytes { try JSONValue.read($0) }
        guard let result = try readable.init(reading: value) as? Value else {
            return try decoder.decode(type, from: data)
        }
        return result
    }

    /// A text whose last number has an end: Foundation's reader of JSON5 on Linux looks at what stands in memory behind
    /// a body that is a number alone, and ends the process where that is a digit.
    private static func ended(_ data: Data) -> Data {
        guard let last = data.last, ![0x5D, 0x7D].contains(last), last == 0x2E || (0x30..<0x80).contains(last) else {
            return data
        }
        return data + [0x0A]
    }
}

/// What is made of a ``JSONValue`` and needs no decoder.
package protocol JSONValueReadable {
    /// Takes a value that was read from a body.
    ///
    /// - Throws: `DecodingError.typeMismatch` when it is of another type.
    init(reading value: JSONValue) throws
}

extension JSONValue: JSONValueReadable {
    package init(reading value: JSONValue) {
        self = value
    }
}

extension Dictionary: JSONValueReadable where Key == String, Value == JSONValue {
    package init(reading value: JSONValue) throws {
        guard case .object(let members) = value else {
            throw DecodingError.typeMismatch(Self.self, .init(codingPath: [], debugDescription: "This is no object."))
        }
        self = members
    }
}

extension Array: JSONValueReadable where Element == JSONValue {
    package init(reading value: JSONValue) throws {
        guard case .array(let elements) = value else {
            throw DecodingError.typeMismatch(Self.self, .init(codingPath: [], debugDescription: "This is no array."))
        }
        self = elements
    }
}
