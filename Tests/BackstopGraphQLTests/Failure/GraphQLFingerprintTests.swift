import Backstop
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The fingerprint of a GraphQL failure", .limited)
struct GraphQLFingerprintTests {
    private func fingerprint(_ errors: String) async throws -> String? {
        let client = try makeClient(ScriptedTransport(.json(200, #"{"errors":[\#(errors)]}"#)))
        return await failure { () async throws(Failure) in try await client.fetch(HeroName()) }?.fingerprint
    }

    @Test("depends on the code of the first error, and not on its message or the others")
    func code() async throws {
        let first = try await fingerprint(#"{"message":"No 1.","extensions":{"code":"FORBIDDEN"}}"#)
        let same = try await fingerprint(#"{"message":"No 2.","extensions":{"code":"FORBIDDEN"}},{"message":"And?"}"#)
        let other = try await fingerprint(#"{"message":"No 1.","extensions":{"code":"NOT_FOUND"}}"#)
        let none = try await fingerprint(#"{"message":"No 1."}"#)
        #expect(first?.hasPrefix("service.GraphQLFailure HeroName #") == true)
        #expect(same == first)
        #expect(Set([first, other, none]).count == 3)
    }
}
