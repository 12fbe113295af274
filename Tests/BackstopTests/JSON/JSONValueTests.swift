import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A JSON value", .limited)
struct JSONValueTests {
    @Test("is the same number, written as a literal or parsed")
    func numberLiterals() throws {
        let literals: [JSONValue] = [3, 3.0, 2.5, -1e3, 1e300]
        let parsed = try ["3", "3.0", "2.5", "-1e3", "1e300"].map { try JSONValue(parsing: Data($0.utf8)) }
        #expect(literals == parsed)
        #expect(literals.map(\.int) == [3, 3, nil, -1000, nil])
    }

    private static let value: JSONValue = [
        "null": .null, "yes": true, "no": false, "int": -7, "double": 2.5, "text": "å \"quoted\"\n🦊", "empty": "",
        "list": [1, [2, []], [:]], "object": ["a": ["b": .null]],
    ]

    private static func decode(_ json: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    }

    @Test("that may be missing is nothing where nil is written, and not null", arguments: [true, false])
    func missing(isThere: Bool) {
        let value: JSONValue? = isThere ? 1 : nil
        #expect(value.map { [$0] } == (isThere ? [1] : nil))
    }

    @Test("comes back from JSON as it was")
    func roundTrip() throws {
        // when
        let data = try JSONEncoder().encode(Self.value)
        // then
        #expect(try JSONDecoder().decode(JSONValue.self, from: data) == Self.value)
    }

    @Test(
        "is whatever stands in the JSON",
        arguments: [
            ("null", .null), ("true", true), ("false", false), ("0", 0), ("-1", -1), ("1.5", 1.5), ("\"\"", ""),
            ("[]", []),
            ("{}", [:]), ("\"1\"", "1"), ("[null]", [.null]), ("{\"\":0}", ["": 0]), ("1e3", 1000), ("2.0", 2),
        ] as [(String, JSONValue)])
    func decoding(json: String, expected: JSONValue) throws {
        #expect(try Self.decode(json) == expected)
    }

    @Test(
        "keeps whole numbers of 64 bits, and what is larger as a double",
        arguments: [
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
            ("9007199254740993", .int(9_007_199_254_740_993)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)),
            ("1e300", .double(1e300)), ("123456789012345678901234567890", .double(1.2345678901234568e29)),
        ] as [(String, JSONValue)])
    func numbers(json: String, expected: JSONValue) throws {
        #expect(try Self.decode(json) == expected)
        #expect(try Self.decode(String(decoding: JSONEncoder().encode(expected), as: UTF8.self)) == expected)
    }

    @Test("gives its parts where it has them, and nil where it has not")
    func parts() {
        #expect(Self.value["int"]?.int == -7)
        #expect(Self.value["int"]?.double == -7)
        #expect(Self.value["double"]?.double == 2.5)
        #expect(Self.value["double"]?.int == nil)
        #expect(Self.value["yes"]?.bool == true)
        #expect(Self.value["text"]?.string?.hasPrefix("å") == true)
        #expect(Self.value["null"]?.isNull == true)
        #expect(Self.value["list"]?[1]?[0] == 2)
        #expect(Self.value["list"]?[3] == nil)
        #expect(Self.value["list"]?[-1] == nil)
        #expect(Self.value["list"]?["a"] == nil)
        #expect(Self.value["none"] == nil)
        #expect(Self.value["int"]?.string == nil)
        #expect(Self.value["text"]?.bool == nil)
        #expect(Self.value[0] == nil)
    }

    @Test("takes the last of several members with one key in a literal")
    func doubleKeys() {
        let value: JSONValue = ["a": 1, "a": 2]
        #expect(value == ["a": 2])
    }

    @Test("tells of a fault deep inside, and not of a value of another type")
    func fault() async throws {
        // given
        let client = try Rig(.json(200, #"{"a":[1,{"b":"\x"}]}"#)).standard()
        // when
        let failure = await #expect(throws: Failure.self) { try await client.get("a", as: JSONValue.self) }
        // then
        #expect(failure?.decoding?.kind == .notJSON)
        #expect(failure?.decoding?.byteOffset == 14)
    }

    @Test("that has no JSON is a request failure")
    func notFinite() {
        let error = #expect(throws: RequestError.self) {
            try HTTP.Request.json(.post, "a", ["a": .double(.infinity)] as JSONValue)
        }
        #expect(error?.code == .encoding)
    }

    @Test("of 64 levels is read", arguments: [("[", "]"), ("{\"a\":", "}")])
    func deep(open: String, close: String) async throws {
        let json = String(repeating: open, count: 64) + "1" + String(repeating: close, count: 64)
        let value = try await Rig(.json(200, json)).standard().get("a", as: JSONValue.self)
        #expect(!value.isNull)
    }

    @Test(
        "of more than 64 levels is a decoding failure and no crash",
        arguments: [("[", "]"), ("{\"a\":", "}"), ("[", ""), ("{\"a\":", "")], [65, 512, 513, 10_000])
    func tooDeep(brackets: (String, String), depth: Int) async throws {
        // given
        let json = String(repeating: brackets.0, count: depth) + "1" + String(repeating: brackets.1, count: depth)
        let client = try Rig(.json(200, json)).standard()
        // when
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.get("a", as: JSONValue.self) })
        // then
        #expect(failure.decoding?.kind == .tooDeep)
        #expect(failure.report.count < 5000)
    }

    @Test(
        "of broken JSON is a decoding failure of a sensible kind",
        arguments: [
            ("", .empty), (" \n\t", .empty), ("{", .truncated), ("[1,2", .truncated), (#"{"a":"b"#, .truncated),
            (#"{"a":"#, .truncated), ("tru", .truncated), ("{]", .notJSON), ("{a:1}", .notJSON),
            ("nope", .notJSON), ("[1 2]", .notJSON), (#"{"a" 1}"#, .notJSON), ("01", .notJSON), ("1 2", .notJSON),
            ("\u{0}", .notJSON), ("PNG\u{0}\u{1}", .notJSON), ("<html><body>Hello</body></html>", .html),
            ("<?xml version=\"1.0\"?><a/>", .notJSON), ("'a'", .notJSON), ("\"\\x\"", .notJSON), ("NaN", .notJSON),
        ] as [(String, DecodingFailure.Kind)])
    func broken(json: String, kind: DecodingFailure.Kind) async throws {
        let client = try Rig(.status(200, body: json)).standard()
        let failure = await #expect(throws: Failure.self) { try await client.get("a", as: JSONValue.self) }
        #expect(failure?.decoding?.kind == kind)
    }

    @Test("is read by the decoder's own rules where those are not JSON's")
    func json5() throws {
        // given
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let response = HTTP.Response(status: 200, body: Data("{a: 1, /* two */ b: 'x'}".utf8))
        // then
        #expect(try response.json(JSONValue.self, decoder: decoder) == ["a": 1, "b": "x"])
    }
}
