import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A JSON value read from bytes", .limited)
struct JSONValueParsingTests {
    private static func parse(_ json: String) throws -> JSONValue {
        try JSONValue(parsing: Data(json.utf8))
    }

    @Test(
        "is whatever stands in the text",
        arguments: [
            ("null", .null), (" true ", true), ("false", false), ("0", 0), ("-0", 0), ("-12", -12), ("1.5", 1.5),
            ("2.0", 2), ("1e3", 1000), ("1E-2", 0.01), ("\"\"", ""), ("[]", []), ("{}", [:]),
            ("\u{FEFF}[1]", [1]), (#""å\"\\\/\b\f\n\r\t\u00e5\ud83e\udd8a🦊""#, "å\"\\/\u{8}\u{C}\n\r\tå🦊🦊"),
            (#"{"a":[{"b":null},[[]],"x"],"":{}}"#, ["a": [["b": .null], [[]], "x"], "": [:]]),
            (#"{"\u0061b":1}"#, ["ab": 1]), ("[ 1 , 2 ]", [1, 2]),
        ] as [(String, JSONValue)])
    func values(json: String, expected: JSONValue) throws {
        #expect(try Self.parse(json) == expected)
    }

    @Test(
        "keeps whole numbers of 64 bits, and what is larger as a double",
        arguments: [
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
            ("9007199254740993", .int(9_007_199_254_740_993)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)),
            ("-9223372036854775809", .int(.min)), ("1e300", .double(1e300)),
            ("123456789012345678901234567890", .double(1.2345678901234568e29)),
            ("5e-324", .double(.leastNonzeroMagnitude)),
            ("1e-400", 0),
        ] as [(String, JSONValue)])
    func numbers(json: String, expected: JSONValue) throws {
        #expect(try Self.parse(json) == expected)
    }

    @Test("takes the first of several members with one key, as JSONDecoder does")
    func doubleKeys() throws {
        let json = #"{"a":1,"a":2}"#
        #expect(try Self.parse(json) == ["a": 1])
        #expect(try JSONDecoder().decode([String: Int].self, from: Data(json.utf8)) == ["a": 1])
    }

    @Test("refuses a number that a double cannot hold, and names its place")
    func unrepresentable() {
        let error = #expect(throws: DecodingFailure.self) { try Self.parse(#"{"a":[1,{"b":1e999}]}"#) }
        #expect(error?.kind == .corrupted)
        #expect(error?.path == "$.a[1].b")
    }

    @Test(
        "refuses what is no JSON",
        arguments: [
            ("", .empty), ("{", .truncated), ("[1,", .truncated), ("[1,]", .notJSON), ("{\"a\":1,}", .notJSON),
            ("01", .notJSON), ("1 2", .notJSON), ("'a'", .notJSON), (#""\ud83e""#, .notJSON), ("]", .notJSON),
            ("{]", .notJSON), ("[}", .notJSON), ("nul", .truncated), ("-", .truncated), ("\"\u{1}\"", .notJSON),
        ] as [(String, DecodingFailure.Kind)])
    func faults(json: String, kind: DecodingFailure.Kind) {
        let error = #expect(throws: DecodingFailure.self) { try Self.parse(json) }
        #expect(error?.kind == kind)
    }

    @Test("reads 64 levels and refuses 65", arguments: [("[", "]"), ("{\"a\":", "}"), (" [ 1,", " ] ")])
    func depth(open: String, close: String) throws {
        func nested(_ depth: Int) -> String {
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        #expect(try !Self.parse(nested(64)).isNull)
        let error = #expect(throws: DecodingFailure.self) { try Self.parse(nested(65)) }
        #expect(error?.kind == .tooDeep)
    }

    @Test("is read as a list without a decoder, and anything else is no list")
    func list() throws {
        let response = HTTP.Response(status: 200, body: Data(#"[1, {"a": null}]"#.utf8))
        #expect(try response.json([JSONValue].self) == [1, ["a": .null]])
        let failure = #expect(throws: DecodingFailure.self) {
            try HTTP.Response(status: 200, body: Data(#"{"a": 1}"#.utf8)).json([JSONValue].self)
        }
        #expect(failure?.explanation.hasSuffix("should be an array, but is an object with the key a.") == true)
    }

    @Test("is the value that JSONDecoder reads, for random texts and their mutations")
    func likeFoundation() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let original = Self.text(depth: 0, &random)
            var bytes = Array(original.utf8)
            if Bool.random(using: &random) {
                bytes[.random(in: bytes.indices, using: &random)] = "{}[]\",:x0".utf8.randomElement(using: &random) ?? 0
            }
            let ours = try? JSONValue(parsing: Data(bytes))
            // In an array, since JSONDecoder lets a comma pass before `}`, and texts of one number differ.
            let theirs = try? JSONDecoder().decode([JSONValue].self, from: Data("[".utf8 + bytes + "]".utf8))
            if let ours {
                #expect(theirs == [ours], "\(String(decoding: bytes, as: UTF8.self))")
            } else if !String(decoding: bytes, as: UTF8.self).contains(",") {
                #expect(theirs == nil || theirs == [], "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    /// A random JSON text.
    private static func text(depth: Int, _ random: inout SystemRandomNumberGenerator) -> String {
        let count = Int.random(in: 0...3, using: &random)
        switch Int.random(in: 0..<(depth < 5 ? 9 : 6), using: &random) {
        case 0: return "null"
        case 1: return Bool.random(using: &random) ? "true" : "false"
        case 2: return "\(Int64.random(in: .min ... .max, using: &random))"
        case 3: return "\(Double.random(in: -1e6...1e6, using: &random))"
        case 4: return #""\u00e9\n\\""#
        case 5: return "\"å🦊 \(count)\""
        case 6: return "[" + (0..<count).map { _ in text(depth: depth + 1, &random) }.joined(separator: " ,") + "]"
        default:
            return "{"
                + (0..<count).map { "\"k\($0)\" : " + text(depth: depth + 1, &random) }.joined(separator: ",") + "}"
        }
    }
}
