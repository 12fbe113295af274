import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A GraphQL error that refuses the token", .limited)
struct TokenRefusalGraphQLTests {
    private static let refusal = #""errors":[{"message":"No.","extensions":{"code":"UNAUTHENTICATED"}}]"#

    private func client(_ transport: ScriptedTransport, isOutside: Bool = true) throws -> Client {
        let credentials = try Credentials(TokenSet(access: "old")) { _ in TokenSet(access: "new") }
        let bearer = BearerAuthentication(credentials, refusedBy: [.unauthorized, .graphQLError()])
        return try makeClient(transport) {
            if isOutside { bearer }
            Decoding()
            StatusValidation()
            if !isOutside { bearer }
        }
    }

    private static func tokens(of transport: ScriptedTransport) -> [String?] {
        transport.requests.map { $0.headers[.authorization] }
    }

    @Test("refreshes it, and sends the query again", arguments: ["{\(refusal)}", "{\"data\":null,\(refusal)}"])
    func query(body: String) async throws {
        let transport = ScriptedTransport(.graphQL(200, body), .hero)

        _ = try await client(transport).fetch(HeroName())

        #expect(Self.tokens(of: transport) == ["Bearer old", "Bearer new"])
    }

    @Test("leaves another error alone") func otherCode() async throws {
        let body = #"{"errors":[{"message":"No.","extensions":{"code":"FORBIDDEN"}}]}"#
        let transport = ScriptedTransport(.graphQL(200, body))

        await #expect(throws: Failure.self) { _ = try await client(transport).fetch(HeroName()) }

        #expect(Self.tokens(of: transport) == ["Bearer old"])
    }

    @Test("is not seen inside Decoding, where it is still a response: the order rules warn of that")
    func wrongOrder() async throws {
        let transport = ScriptedTransport(.graphQL(200, "{\(Self.refusal)}"))
        let client = try client(transport, isOutside: false)

        await #expect(throws: Failure.self) { _ = try await client.fetch(HeroName()) }

        #expect(Self.tokens(of: transport) == ["Bearer old"])
        #expect(client.chain.orderIssues.contains { $0.rule.outer == .authentication && $0.rule.inner == .decoding })
    }
}
