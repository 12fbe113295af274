import Backstop
import BackstopGraphQL
import BackstopTestSupport
import Foundation
import Testing

@Suite("An error of a GraphQL service", .limited)
struct GraphQLErrorTests {
    private struct Limit: Decodable, Equatable {
        var code: String
        var retryAfter: Int
        var fields: [String]
    }

    private func error(_ json: String) throws -> GraphQL.Error {
        try JSONDecoder().decode(GraphQL.Error.self, from: Data(json.utf8))
    }

    @Test("is read with message, locations, path and extensions")
    func wellFormed() throws {
        let error = try error(
            #"""
            {"message":"Too many.","locations":[{"line":6,"column":7}],"path":["hero","friends",1,"name"],
            "extensions":{"code":"LIMIT","retryAfter":4294967296,"fields":["a"],"nested":{"in":[null,true,0.5]}}}
            """#)
        #expect(error.message == "Too many.")
        #expect(error.locations == [.init(line: 6, column: 7)])
        #expect(error.path == [.key("hero"), .key("friends"), .index(1), .key("name")])
        #expect(error.code == "LIMIT")
        #expect(error.extensions.members["nested"] == ["in": [.null, true, 0.5]])
        #expect(error.description == "Too many. at hero.friends[1].name (LIMIT)")
    }

    @Test("gives a member of its extensions as the type that is asked for")
    func member() throws {
        let error = try error(#"{"extensions":{"retryAfter":4294967296,"fields":["a","b"],"ok":true,"text":"x"}}"#)
        #expect(error.extensions["retryAfter", as: Int.self] == 4_294_967_296)
        #expect(error.extensions["retryAfter", as: Int32.self] == nil)
        #expect(error.extensions["fields"] == ["a", "b"])
        #expect(error.extensions["ok"] == true)
        #expect(error.extensions["text", as: Int.self] == nil)
        #expect(error.extensions["none", as: String.self] == nil)
    }

    @Test("gives all of its extensions as a type of the app's")
    func whole() throws {
        let good = try error(#"{"extensions":{"code":"LIMIT","retryAfter":2,"fields":["a"],"more":null}}"#)
        #expect(try good.extensions.decoded(as: Limit.self) == Limit(code: "LIMIT", retryAfter: 2, fields: ["a"]))
        let bad = try error(#"{"extensions":{"code":"LIMIT"}}"#)
        #expect(throws: DecodingError.self) { try bad.extensions.decoded(as: Limit.self) }
    }

    @Test("keeps members beside the specification's, as GitHub sends them, and writes all as they came")
    func otherMembers() throws {
        let json = #"""
            {"extensions":{"a":1},"locations":[{"column":7,"line":6}],"message":"No repository.","path":["r",1],\#
            "type":"NOT_FOUND","more":{"b":[1,null]}}
            """#
        let error = try error(json)
        #expect(error.code == "NOT_FOUND")
        #expect(error.otherMembers.members == ["type": "NOT_FOUND", "more": ["b": [1, .null]]])
        let written = try JSONEncoder().encode(error)
        #expect(try JSONDecoder().decode(GraphQL.Error.self, from: written) == error)
        #expect(
            try JSONDecoder().decode(JSONValue.self, from: written)
                == JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)))
    }

    @Test(
        "has the code of its extensions, or else its own",
        arguments: [
            (#"{"type":"A","code":"B","extensions":{"code":"C"}}"#, "C"), (#"{"type":"A","code":"B"}"#, "B"),
            (#"{"type":"A","extensions":{"code":7}}"#, "A"), (#"{"type":{"a":1}}"#, nil),
        ])
    func code(json: String, code: String?) throws {
        #expect(try error(json).code == code)
    }

    @Test("without a message says so in its description")
    func description() {
        #expect(GraphQL.Error("").description == "(no message)")
        #expect(GraphQL.Error("m", path: []).description == "m")
        // The service wrote the message, and it stays on its line.
        #expect(GraphQL.Error("a\u{1B}[2J\r\nb\u{202E}c").description == "a [2J bc")
    }
}
