import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// What of a response that has data which does not fit, and errors, is the mistake of whom.
@Suite("Data that does not fit, and errors", .limited)
struct DecodingBesideErrorsTests {
    private struct Heroes: GraphQL.Operation {
        struct Data: Decodable, Sendable {
            struct Hero: Decodable, Sendable {
                var id: Int
                var name: String
            }
            var heroes: [Hero]
        }

        var document = GraphQL.Document(text: "query Heroes { heroes { id name } }")
    }

    private static let elsewhere = #"{"message":"No stars.","path":["reviews",0],"extensions":{"code":"LOST"}}"#

    private func failed(_ data: String, _ errors: String) async throws -> Failure {
        let client = try makeClient(ScriptedTransport(.graphQL(200, #"{"data":\#(data),"errors":[\#(errors)]}"#)))
        return try #require(await failure { () async throws(Failure) in try await client.fetch(Heroes()) })
    }

    @Test(
        "a mistake in a type is a decoding failure with path and types, and the errors stand beside it",
        arguments: [
            (#"{"heroes":[{"id":1,"name":"a"},{"id":"1","name":"b"}]}"#, "$.data.heroes[1].id", "string \"1\""),
            (#"{"heroes":[{"id":1}]}"#, "$.data.heroes[0]", "object with the key id"),
            (#"{"heroes":{"id":1}}"#, "$.data.heroes", "object with the key id"),
            (#"{"heroes":[{"id":1,"name":null}]}"#, "$.data.heroes[0].name", "null"),
            (#"7"#, "$.data", "number 7"),
        ])
    func mistake(data: String, path: String, found: String) async throws {
        // when
        let failure = try await failed(data, Self.elsewhere)
        // then
        #expect(failure.code == "decoding")
        #expect(failure.graphQL?.kind == .decodingError)
        let unreadable = try #require(failure.graphQL?.decodingFailure)
        #expect(unreadable.path == path)
        #expect(unreadable.found == found)
        #expect(failure.graphQL?.errors.map(\.message) == ["No stars."])
        #expect(failure.graphQLErrors.map(\.code) == ["LOST"])
        #expect(failure.report.contains(path))
        #expect(unreadable.expected.isEmpty == false)
    }

    @Test(
        "a null that an error explains is what the service says; why it does not fit comes along",
        arguments: [
            (#"{"heroes":null}"#, #"{"message":"m","path":["heroes"]}"#, "$.data.heroes"),
            (#"{"heroes":null}"#, #"{"message":"m","path":["heroes",0,"name"]}"#, "$.data.heroes"),
            (#"{"heroes":[null]}"#, #"{"message":"m","path":["heroes",0]}"#, "$.data.heroes[0]"),
            (
                #"{"heroes":[{"id":1,"name":null}]}"#, #"{"message":"m","path":["heroes",0,"name"]}"#,
                "$.data.heroes[0].name"
            ),
            (#"{"heroes":[{"id":1,"name":null}]}"#, #"{"message":"m"}"#, "$.data.heroes[0].name"),
            (#"{"heroes":null}"#, #"{"message":"m","path":[]}"#, "$.data.heroes"),
        ])
    func explained(data: String, error: String, path: String) async throws {
        // when
        let failure = try await failed(data, "\(Self.elsewhere),\(error)")
        // then
        #expect(failure.code == "service.graphQL.errors")
        let list = try #require(failure.graphQL)
        #expect(list.kind == .errors)
        #expect(list.errors.map(\.message) == ["No stars.", "m"])
        #expect(list.decodingFailure?.path == path)
    }

    @Test("a null beside an error at another field of the list is a mistake in the type")
    func otherElement() async throws {
        let failure = try await failed(
            #"{"heroes":[{"id":1,"name":null},{"id":2,"name":"b"}]}"#, #"{"message":"m","path":["heroes",1,"name"]}"#)
        #expect(failure.code == "decoding")
    }

    private struct SnakeCase: GraphQL.Operation {
        struct Data: Decodable, Sendable {
            struct Hero: Decodable, Sendable { var firstName: String }
            var allHeroes: [Hero]
        }

        var document = GraphQL.Document(
            text: "query SnakeCase { all_heroes { first_name } }")
        var decoder: JSONDecoder {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        }
    }

    @Test(
        "a null is explained by the error at its field also where the decoder gives keys other names",
        arguments: [
            (#"["all_heroes",0,"first_name"]"#, "service.graphQL.errors"),
            (#"["all_heroes",1,"first_name"]"#, "decoding"), (#"["all_heroes",0,"last_name"]"#, "decoding"),
        ])
    func otherNames(path: String, code: String) async throws {
        // given
        let body = #"{"data":{"all_heroes":[{"first_name":null}]},"errors":[{"message":"m","path":\#(path)}]}"#
        let client = try makeClient(ScriptedTransport(.graphQL(200, body)))
        // when
        let failure = await failure { () async throws(Failure) in try await client.fetch(SnakeCase()) }
        // then
        #expect(failure?.code == code)
        #expect(failure?.graphQLErrors.map(\.message) == ["m"])
    }

    @Test("without errors it is a decoding failure as before")
    func noErrors() async throws {
        let failure = try await failed(#"{"heroes":null}"#, "")
        #expect(failure.code == "decoding")
        #expect(failure.graphQLErrors.isEmpty)
    }
}
