internal import BackstopCore
package import Foundation

/// Decodes bodies sent by a server.
///
/// A server chooses how deep a body is nested, and decoders recurse. So every body is decoded here, after a check of
/// its depth.
package enum JSONBody {
    /// Decodes a body.
    ///
    /// ``JSONValue`` and types made of it are parsed from the bytes; any other type goes to the decoder.
    ///
    /// - Throws: ``JSONScan/TooDeep`` for more than `DecodingFailure.depthLimit` levels; otherwise the decoder's error.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, decoder: JSONDecoder
    ) throws -> Value {
        let reading = Reading<Value>(decoder)
        return try reading.run { try reading.decode(data) }
    }

    /// Decodes bodies of one type, one after another: what is the same for all of them is found out once.
    package struct Reading<Value: Decodable>: Sendable {
        private let decoder: JSONDecoder
        private let isJSON5: Bool
        private let isLenient: Bool
        private let readable: (any JSONValueReadable.Type)?
        private let guide = JSONGuide()

        /// - Parameter decoder: Decodes them; its settings count as they are now.
        package init(_ decoder: JSONDecoder) {
            self.decoder = decoder
            isJSON5 = decoder.allowsJSON5
            isLenient = isJSON5 || decoder.assumesTopLevelDictionary
            readable = isLenient ? nil : Value.self as? any JSONValueReadable.Type
        }

        /// Runs what decodes some of them.
        package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
            try JSONGuide.$current.withValue(guide, operation: body)
        }

        /// Decodes a body, within ``run(_:)``.
        package func decode(_ data: Data) throws -> Value {
            let value = try JSONBody.read(data, isLenient: isLenient, isReadable: readable != nil)
            if let readable, let value {
                guard let result = try readable.init(reading: value) as? Value else {
                    return try decoder.decode(Value.self, from: data)
                }
                return result
            }
            guide.begin(data)
            return try JSONBody.locatingNumbers(in: data) { data in
                try decoder.decode(Value.self, from: isJSON5 ? JSONBody.ended(data) : data)
            }
        }
    }

    /// Looks at the bytes of a body, in the one place for all types.
    ///
    /// - Returns: Its value, if it is to be read without a decoder.
    @inline(never)
    fileprivate static func read(_ data: Data, isLenient: Bool, isReadable: Bool) throws -> JSONValue? {
        try data.withUnsafeBytes { bytes -> JSONValue? in
            // Each level takes a byte: a line of a stream is seldom long enough.
            if bytes.count > DecodingFailure.depthLimit, JSONScan.isTooDeep(bytes, isLenient: isLenient) {
                throw JSONScan.TooDeep()
            }
            guard isReadable, JSONScan.isUTF8(bytes) else {
                return .none
            }
            return try JSONValue.read(bytes)
        }
    }

    /// Decodes a body; where Foundation calls it invalid because a number does not fit its type, the error says where.
    fileprivate static func locatingNumbers<Value>(in data: Data, _ decode: (Data) throws -> Value) throws -> Value {
        do {
            return try decode(data)
        } catch let error where isUnlocated(error) {
            let path = data.withUnsafeBytes { bytes in
                JSONScan.unfitNumber(in: bytes) { changed in
                    do {
                        _ = try decode(Data(changed))
                        return false
                    } catch {
                        return isUnlocated(error)
                    }
                }
            }
            guard let path else {
                throw error
            }
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: path.map { JSONStep($0) }, debugDescription: DecodingFailure.unfitNumber,
                    underlyingError: error))
        }
    }

    private static func isUnlocated(_ error: any Error) -> Bool {
        guard case DecodingError.dataCorrupted(let context) = error else {
            return false
        }
        return context.codingPath.isEmpty && context.debugDescription == DecodingFailure.invalidJSON
    }

    /// A text whose last number is terminated: Foundation's JSON5 parser on Linux reads beyond a body that is only a
    /// number, and crashes if a digit follows in memory.
    fileprivate static func ended(_ data: Data) -> Data {
        guard let last = data.last, ![0x5D, 0x7D].contains(last), last == 0x2E || (0x30..<0x80).contains(last),
            data.withUnsafeBytes({ JSONScan.isUTF8($0) })
        else {
            return data
        }
        return data + [0x0A]
    }
}

/// A type made of ``JSONValue``, which needs no decoder.
package protocol JSONValueReadable: SendableMetatype {
    /// Creates it from a value parsed from a body.
    ///
    /// - Throws: `DecodingError.typeMismatch` for a value of another type.
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
            throw DecodingError.typeMismatch(
                Self.self, .init(codingPath: [], debugDescription: "This is not an object."))
        }
        self = members
    }
}

extension Array: JSONValueReadable where Element == JSONValue {
    package init(reading value: JSONValue) throws {
        guard case .array(let elements) = value else {
            throw DecodingError.typeMismatch(
                Self.self, .init(codingPath: [], debugDescription: "This is not an array."))
        }
        self = elements
    }
}
