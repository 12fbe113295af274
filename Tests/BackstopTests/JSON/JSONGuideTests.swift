import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// Inside an app's own type a value is what a decoder without any help makes of it, only sooner.
@Suite("A JSON value inside another type", .limited)
struct JSONGuideTests {
    private struct Holder: Decodable, Sendable {
        let value: JSONValue
    }

    /// Decodes a text within the text, at a path that the outer text has as well.
    private struct Within: Decodable, Sendable {
        let outer: JSONValue
        let inner: JSONValue

        init(from decoder: any Decoder) throws {
            let members = try [String: JSONValue](from: decoder)
            outer = members["value"] ?? .null
            inner = try JSONDecoder().decode(Holder.self, from: Data((members["text"]?.string ?? "").utf8)).value
        }
    }

    private struct Pair: Sendable {
        let outer: String
        let inner: String
        let expected: JSONValue

        init(_ outer: String, _ inner: String, _ expected: JSONValue) {
            self.outer = outer
            self.inner = inner
            self.expected = expected
        }
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ json: String, _ decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try HTTP.Response(status: 200, body: Data(json.utf8)).json(type, decoder: decoder)
    }

    @Test(
        "of a text within the text has its own kinds, whatever stands at the same place outside",
        arguments: [
            Pair("1.5", "1", .int(1)), Pair("1.5", "[1,2]", [1, 2]), Pair(#""a""#, "1", 1),
            Pair("[1.5,2.5]", "[1,2.5]", [1, 2.5]), Pair(#"{"a":1.5}"#, #"{"a":1,"b":null}"#, ["a": 1, "b": .null]),
            Pair("null", "true", true), Pair("true", "null", .null), Pair("[]", "null", .null),
            Pair("{}", "null", .null),
            Pair("1.5", "9223372036854775807", .int(.max)), Pair("1.5", "-9223372036854775808", .int(.min)),
            Pair("[]", "{}", [:]), Pair("{}", "[]", []), Pair("[[],{}]", "[null,null]", [.null, .null]),
        ])
    private func within(pair: Pair) throws {
        let (outer, inner, expected) = (pair.outer, pair.inner, pair.expected)
        let text = #"{\"value\":\#(inner.replacingOccurrences(of: "\"", with: "\\\""))}"#
        let within = try Self.decode(Within.self, #"{"value":\#(outer),"text":"\#(text)"}"#)
        #expect(within.inner == expected)
    }

    @Test(
        "is read twice where its key stands twice, and the first counts",
        arguments: ["null", "[1]", "{}", "1.5", "1"])
    func doubledKeys(second: String) throws {
        for first in [#"[{"a":1}]"#, #"{"a":[1]}"#, "1.5", #""a""#] {
            let json = #"{"value":{"k":\#(first),"k":\#(second)}}"#
            let alone = try JSONDecoder().decode(Holder.self, from: Data(json.utf8)).value
            #expect(try Self.decode(Holder.self, json).value == alone)
        }
    }

    @Test("keeps its keys as they were sent, also where the decoder's strategy swaps them")
    func swappedKeys() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            let name = path.last?.stringValue ?? ""
            return ["a": "b", "b": "a"][name].map { Name($0) } ?? Name(name)
        }
        let held = try Self.decode(Holder.self, #"{"value":{"a":1,"b":2}}"#, decoder)
        #expect(held.value == ["a": 1, "b": 2])
    }

    @Test(
        "takes a text for a text, also where the decoder reads some texts as numbers",
        arguments: ["NaN", "+", "-", "1"])
    func nonConforming(text: String) throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "NaN")
        let json = #"{"value":"\#(text)"}"#
        #expect(try Self.decode(Holder.self, json, decoder).value == .string(text))
        #expect(try decoder.decode(Holder.self, from: Data(json.utf8)).value == .string(text))
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    // MARK: Any types and documents

    /// What a random type reads next is chosen by a seed and the path, so that it is the same in each decoding.
    private struct Plan {
        static let key = CodingUserInfoKey(rawValue: "plan")
        let seed: UInt64

        func choice(_ decoder: any Decoder, of count: Int) -> Int {
            var hash = seed
            for byte in decoder.codingPath.map({ $0.stringValue }).joined(separator: "/").utf8 {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
            hash ^= hash >> 29
            hash = hash &* 0xBF58_476D_1CE4_E5B9
            return Int((hash ^ (hash >> 32)) % UInt64(count))
        }
    }

    /// A type that reads itself by any of the ways that a decoder offers, with values here and there.
    private struct Wild: Decodable, Equatable {
        let text: String

        init(from decoder: any Decoder) throws {
            let plan = Plan.key.flatMap { decoder.userInfo[$0] as? Plan } ?? Plan(seed: 0)
            switch plan.choice(decoder, of: 12) {
            case 0, 1: text = "\(Shown(try JSONValue(from: decoder)))"
            case 2: text = "\(Shown(try decoder.singleValueContainer().decode(JSONValue.self)))"
            case 3: text = try [String: Wild](from: decoder).map { "\($0.key)=\($0.value.text)" }.sorted().joined()
            case 4: text = try [JSONValue?](from: decoder).map { $0.map { "\(Shown($0))" } ?? "none" }.joined()
            case 5: text = try [Int: JSONValue](from: decoder).map { "\($0)=\(Shown($1))" }.sorted().joined()
            case 6: text = try Self.nested(in: decoder)
            case 7: text = try Self.unkeyed(in: decoder)
            case 8: text = try Self.withinText(in: decoder)
            case 9: text = try [Wild](from: decoder).map(\.text).joined()
            case 10:
                let container = try decoder.container(keyedBy: Name.self)
                text = try container.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
                    try Wild(from: container.superDecoder(forKey: $0)).text
                }.joined()
            default:
                let container = try decoder.container(keyedBy: Name.self)
                text = try container.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
                    try $0.stringValue + (container.decodeIfPresent(Wild.self, forKey: $0)?.text ?? "none")
                }.joined()
            }
        }

        private static func nested(in decoder: any Decoder) throws -> String {
            let container = try decoder.container(keyedBy: Name.self)
            return try container.allKeys.sorted { $0.stringValue < $1.stringValue }.map { key in
                if var list = try? container.nestedUnkeyedContainer(forKey: key) {
                    var texts = ""
                    while !list.isAtEnd { texts += "\(Shown(try list.decode(JSONValue.self)))," }
                    return texts
                }
                if let inner = try? container.nestedContainer(keyedBy: Name.self, forKey: key) {
                    return try inner.allKeys.sorted { $0.stringValue < $1.stringValue }
                        .map { "\(Shown(try inner.decode(JSONValue.self, forKey: $0)))" }.joined()
                }
                return "\(Shown(try container.decode(JSONValue.self, forKey: key)))"
            }.joined()
        }

        private static func unkeyed(in decoder: any Decoder) throws -> String {
            var list = try decoder.unkeyedContainer()
            var texts = ""
            while !list.isAtEnd {
                if let wild = try? list.decode(Wild.self) {
                    texts += wild.text
                } else {
                    texts += "\(Shown(try JSONValue(from: list.superDecoder())))"
                }
            }
            return texts
        }

        private static func withinText(in decoder: any Decoder) throws -> String {
            let text = try decoder.singleValueContainer().decode(String.self)
            let nested = JSONDecoder()
            if let key = Plan.key, let plan = decoder.userInfo[key] as? Plan {
                nested.userInfo[key] = plan
            }
            return try nested.decode(Wild.self, from: Data(text.utf8)).text
        }
    }

    /// A value with sorted keys and the kinds of its numbers.
    private struct Shown: CustomStringConvertible {
        let value: JSONValue
        init(_ value: JSONValue) { self.value = value }

        var description: String {
            switch value {
            case .array(let elements): "[" + elements.map { Shown($0).description }.joined(separator: ",") + "]"
            case .object(let members):
                "{"
                    + members.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription):\(Shown($0.value))" }
                    .joined(separator: ",") + "}"
            default: "\(value)"
            }
        }
    }

    /// A random document: keys that double, that a strategy changes, that are escaped; texts that are documents.
    private static func document(_ depth: Int, using random: inout SeededNumbers) -> String {
        let scalars = [
            "1", "1.5", "-0", "-0.0", "1e3", "9223372036854775807", "9223372036854775808", "12345678901234567890",
            "9007199254740993.5", "1e-400", "true", "false", "null", #""""#, #""a""#, #""NaN""#, #""\u0000é😀""#, "1.0",
        ]
        func scalar(_ random: inout SeededNumbers) -> String { scalars.randomElement(using: &random) ?? "1" }
        guard depth > 0 else { return scalar(&random) }
        let keys = ["a", "b", "a_b", "aB", "AB", #"\u0061"#, #"\u0000"#, "1", "0", "super", "é", ""]
        let count = Int.random(in: 0...4, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2:
            let elements = (0..<count).map { _ in document(depth - 1, using: &random) }
            return "[\(elements.joined(separator: ","))]"
        case 3...5:
            let members = (0..<count).map { _ in
                "\"\(keys.randomElement(using: &random) ?? "")\" : \(document(depth - 1, using: &random))"
            }
            return "{\(members.joined(separator: ","))}"
        case 6:
            let text = document(depth - 1, using: &random)
            let escaped = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            return "\"\(escaped)\""
        default: return scalar(&random)
        }
    }

    @Test("is the same as for a decoder alone, in random types and documents", arguments: Seed.ofRun)
    func random(seed: Seed) throws {
        var random = seed.numbers
        let rounds = ProcessInfo.processInfo.environment["BACKSTOP_ROUNDS"].flatMap(Int.init) ?? 4000
        var read = 0
        for _ in 0..<rounds {
            let json = Self.document(Int.random(in: 1...5, using: &random), using: &random)
            let encodings: [String.Encoding] = [.utf8, .utf8, .utf8, .utf16LittleEndian, .utf16, .utf32BigEndian]
            // A decoder of JSON5 alone reads beyond a number that is the whole text.
            let data = try #require("\(json) ".data(using: encodings.randomElement(using: &random) ?? .utf8))
            let decoder = JSONDecoder()
            switch Int.random(in: 0..<6, using: &random) {
            case 0: decoder.keyDecodingStrategy = .convertFromSnakeCase
            case 1: decoder.keyDecodingStrategy = .custom { Name(String(($0.last?.stringValue ?? "").reversed())) }
            case 2: decoder.allowsJSON5 = true
            case 3:
                decoder.keyDecodingStrategy = .custom { path in
                    let name = path.last?.stringValue ?? ""
                    return Name(["a": "b", "b": "a", "aB": "AB", "AB": "aB"][name] ?? name)
                }
            default: break
            }
            if let key = Plan.key {
                decoder.userInfo[key] = Plan(seed: UInt64.random(in: 0...UInt64.max, using: &random))
            }
            let alone = try? decoder.decode(Wild.self, from: data)
            let inside = try? HTTP.Response(status: 200, body: data).json(Wild.self, decoder: decoder)
            #expect(inside == alone, "\(json)")
            read += alone == nil ? 0 : 1
        }
        #expect(read > rounds / 10)
    }
}
