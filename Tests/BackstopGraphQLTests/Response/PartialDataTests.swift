import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Partial data", .limited)
struct PartialDataTests {
    private static let body =
        #"{"data":{"hero":{"name":"Luke"}},"errors":[{"message":"No backstory.","path":["hero","secretBackstory"]}],"#
        + #""extensions":{"cost":3}}"#

    @Test("is a success by default, with data, errors and extensions")
    func success() async throws {
        // given
        let client = try makeClient(ScriptedTransport(.graphQL(294, Self.body).repeated()))
        // when
        let result = try await client.fetch(HeroName())
        // then
        #expect(result.isPartial)
        #expect(result.data.hero?.name == "Luke")
        #expect(result.error(at: "hero.secretBackstory")?.message == "No backstory.")
        #expect(result.extensions["cost"] == 3)
        #expect(result.response.status == 294)
        #expect(try await client.data(for: HeroName()).hero?.name == "Luke")
    }

    @Test("is a failure where the client or the call wants all or nothing, and its data can be reached")
    func failing() async throws {
        var strict = GraphQL.Options()
        strict.failsOnPartialData = true
        for options in [strict, GraphQL.Options()] {
            // given
            let client = try makeClient(ScriptedTransport(.graphQL(200, Self.body)), graphQL: options)
            // when
            let failure = await failure { () async throws(Failure) in
                try await client.data(
                    for: HeroName(), options: client.graphQLOptions.changing { $0.failsOnPartialData = true })
            }
            // then
            #expect(failure?.code == "service.graphQL.partialData")
            let partial = try #require(failure?.graphQL)
            #expect(partial.kind == .partialData)
            #expect(partial.data(of: HeroName.self)?.hero?.name == "Luke")
            #expect(partial.data(as: HeroName.Data.self)?.hero?.name == "Luke")
            #expect(partial.data(of: TestQuery.self) == nil)
            #expect(partial.data(as: String.self) == nil)
            #expect(partial.errors.map(\.message) == ["No backstory."])
            #expect(partial.extensions["cost"] == 3)
        }
    }

    @Test("a call may accept what its client refuses")
    func lenientCall() async throws {
        // given
        var strict = GraphQL.Options()
        strict.failsOnPartialData = true
        let client = try makeClient(ScriptedTransport(.graphQL(200, Self.body)), graphQL: strict)
        // when
        let result = try await client.fetch(
            HeroName(), options: client.graphQLOptions.changing { $0.failsOnPartialData = false })
        // then
        #expect(result.isPartial)
    }
}
