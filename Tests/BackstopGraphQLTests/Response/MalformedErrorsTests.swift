import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Malformed errors", .limited)
struct MalformedErrorsTests {
    struct Entry: Sendable, CustomTestStringConvertible {
        let json: String
        var message = ""
        var path: GraphQL.Path?
        var code: String?
        var locations: [GraphQL.Error.Location] = []

        var testDescription: String { json.count > 80 ? String(json.prefix(80)) : json }
    }

    static let noObject = "The server sent an error that is not an object."

    static let entries = [
        Entry(json: "7", message: noObject),
        Entry(json: "-1e10", message: noObject),
        Entry(json: "1e999", message: noObject),
        Entry(json: "true", message: noObject),
        Entry(json: "null", message: noObject),
        Entry(json: "[]", message: noObject),
        Entry(json: #"[{"message":"in a list"}]"#, message: noObject),
        Entry(json: #""a text""#, message: "a text"),
        Entry(json: "{}"),
        Entry(json: #"{"path":["hero"]}"#, path: "hero"),
        Entry(json: #"{"message":404}"#),
        Entry(json: #"{"message":null,"extensions":{"code":"X"}}"#, code: "X"),
        Entry(json: #"{"message":{"text":"a"}}"#),
        Entry(json: #"{"message":"m","locations":"nowhere"}"#, message: "m"),
        Entry(
            json: #"{"message":"m","locations":[{"line":1,"column":2},7,{"line":3},null]}"#, message: "m",
            locations: [.init(line: 1, column: 2)]),
        Entry(json: #"{"message":"m","locations":[{"line":1e30,"column":2}]}"#, message: "m"),
        Entry(json: #"{"message":"m","path":null}"#, message: "m"),
        Entry(json: #"{"message":"m","path":"hero"}"#, message: "m"),
        Entry(json: #"{"message":"m","path":{"hero":1}}"#, message: "m"),
        Entry(json: #"{"message":"m","path":[]}"#, message: "m", path: []),
        Entry(json: #"{"message":"m","path":["hero",true,"name"]}"#, message: "m", path: "hero"),
        Entry(json: #"{"message":"m","path":["hero",null,"name"]}"#, message: "m", path: "hero"),
        Entry(json: #"{"message":"m","path":["hero",1.5]}"#, message: "m", path: "hero"),
        Entry(json: #"{"message":"m","path":["hero",{}]}"#, message: "m", path: "hero"),
        Entry(json: #"{"message":"m","path":["hero",[]]}"#, message: "m", path: "hero"),
        Entry(json: #"{"message":"m","path":["hero",1e30]}"#, message: "m", path: "hero"),
        Entry(
            json: #"{"message":"m","path":["hero",-1,1099511627776]}"#, message: "m",
            path: [.key("hero"), .index(-1), .index(1_099_511_627_776)]),
        Entry(json: #"{"message":"m","path":["0",0]}"#, message: "m", path: [.key("0"), .index(0)]),
        Entry(json: #"{"message":"m","extensions":null}"#, message: "m"),
        Entry(json: #"{"message":"m","extensions":"none"}"#, message: "m"),
        Entry(json: #"{"message":"m","extensions":[1]}"#, message: "m"),
        Entry(json: #"{"message":"m","extensions":{"code":7}}"#, message: "m"),
        Entry(json: #"{"message":"m","extensions":{"code":"C","x":1e999}}"#, message: "m", code: "C"),
        Entry(json: #"{"message":"m","extensions":{"code":"C","x":[{"y":-1e999}]}}"#, message: "m", code: "C"),
        Entry(
            json: #"{"message":"m","extensions":{"code":"C","x":18446744073709551616,"y":9007199254740993}}"#,
            message: "m", code: "C"),
        Entry(
            json: #"{"message":"m","extensions":{"deep":"#
                + String(repeating: "[", count: 50) + String(repeating: "]", count: 50) + #","code":"C"}}"#,
            message: "m", code: "C"),
        Entry(json: #"{"severity":"low","message":"m","message2":7}"#, message: "m"),
        Entry(json: #"{"message":"caf\u00e9 \ud83d\ude80 \u0000"}"#, message: "café 🚀 \u{0}"),
    ]

    @Test("an entry that is malformed keeps what can be read of it, and hides no other", arguments: entries)
    func entry(entry: Entry) async throws {
        // given
        let body = #"{"errors":[{"message":"first"},\#(entry.json),{"message":"last"}],"data":{"hero":null}}"#
        let client = try makeClient(ScriptedTransport(.graphQL(200, body)))
        // when
        let result = try await client.fetch(HeroName())
        // then
        try #require(result.errors.count == 3)
        #expect(result.errors[0].message == "first")
        #expect(result.errors[1].message == entry.message)
        #expect(result.errors[1].path == entry.path)
        #expect(result.errors[1].code == entry.code)
        #expect(result.errors[1].locations == entry.locations)
        #expect(result.errors[2].message == "last")
    }

    @Test("all malformed entries in one list are read")
    func all() async throws {
        // given
        let list = Self.entries.map(\.json).joined(separator: ",")
        let client = try makeClient(ScriptedTransport(.json(200, #"{"errors":[\#(list)]}"#)))
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure?.code == "service.graphQL.errors")
        #expect(failure?.graphQLErrors.map(\.message) == Self.entries.map(\.message))
        #expect(failure?.report.isEmpty == false)
    }

    @Test(
        "something that is no list of errors is one error",
        arguments: [
            (#"{"message":"alone"}"#, "alone"), (#""a text""#, "a text"), ("7", noObject), ("true", noObject),
            ("{}", ""),
        ])
    func noList(errors: String, message: String) async throws {
        // given
        let body = #"{"errors":\#(errors),"data":{"hero":null}}"#
        let client = try makeClient(ScriptedTransport(.json(200, body)))
        // when
        let result = try await client.fetch(HeroName())
        // then
        #expect(result.errors.map(\.message) == [message])
    }

    @Test(
        "odd extensions of the response do not hide its data",
        arguments: ["null", "7", "[]", #"{"big":1e999,"good":1}"#, #"{"good":1,"least":-9223372036854775809}"#])
    func responseExtensions(extensions: String) async throws {
        // given
        let body = #"{"extensions":\#(extensions),"data":{"hero":{"name":"Luke"}}}"#
        let client = try makeClient(ScriptedTransport(.json(200, body)))
        // when
        let result = try await client.fetch(HeroName())
        // then
        #expect(result.data.hero?.name == "Luke")
        #expect(result.extensions["good", as: Int.self] == (extensions.contains("good") ? 1 : nil))
    }

    @Test("extensions nested deeper than 64 levels are a failure, and keep the response", arguments: [61, 600, 50_000])
    func tooDeep(depth: Int) async throws {
        // given
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let body = #"{"data":{"hero":null},"errors":[{"message":"m","extensions":{"deep":\#(deep)}}]}"#
        let client = try makeClient(ScriptedTransport(.graphQL(200, body)))
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(HeroName()) }
        // then
        #expect(failure?.code == "decoding")
        #expect(failure?.graphQL?.failureCode == "graphQL.invalidData")
        #expect(failure?.response?.status == 200)
    }
}
