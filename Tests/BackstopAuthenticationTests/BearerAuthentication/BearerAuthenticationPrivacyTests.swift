import Backstop
import BackstopAuthentication
import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// What nobody may see: the answers for somebody else, and the tokens that a refresh sends and receives.
@Suite("BearerAuthentication: privacy", .limited)
struct BearerAuthenticationPrivacyTests {
    private func client(_ service: ScriptedTransport, _ credentials: Credentials) throws -> Client {
        try Client.standard(
            baseURL: "https://api.example.com/v1", transport: service,
            authentication: BearerAuthentication(credentials), logging: nil)
    }

    private func credentials() throws -> Credentials {
        try Credentials(TokenSet(access: "old", refresh: "r1", account: "ann")) { _ in nil }
    }

    private func failure(of client: Client) async throws -> Failure {
        try #require(await #expect(throws: Failure.self) { _ = try await client.get("books") as HTTP.Response })
    }

    @Test("an answer that arrives after somebody else has signed in is not given to anybody", arguments: [false, true])
    func lateAnswer(isSignOut: Bool) async throws {
        let credentials = try credentials()
        let service = ScriptedTransport(
            .respond { _, _ in
                try await isSignOut ? credentials.signOut() : credentials.signIn(TokenSet(access: "b", account: "bob"))
                return HTTP.Response(status: 200)
            }, .status(200).repeated())
        let client = try client(service, credentials)

        #expect(try await failure(of: client).code == "rejected.accountChanged")
        #expect(try await client.get("books").status == 200)
        #expect(service.requests.map { $0.headers[.authorization] } == ["Bearer old", isSignOut ? nil : "Bearer b"])
    }

    @Test("an answer that arrives after the same account has signed in again is that of the call")
    func sameAccount() async throws {
        let credentials = try credentials()
        let service = ScriptedTransport(
            .respond { _, _ in
                try await credentials.signIn(TokenSet(access: "a", account: "ann"))
                return HTTP.Response(status: 200)
            })

        #expect(try await client(service, credentials).get("books").status == 200)
    }

    private nonisolated struct Renewed: Decodable, Sendable {
        var access: String
        var lifetime: Int
    }

    @Test(
        "no failure within a refresh shows anything of a body, whatever the names in it",
        arguments: [
            (500, #"{"message":"SECRETBODY"}"#), (200, #"{"access":"SECRETBODY"}"#), (200, "SECRETBODY"),
            (200, #"{"access":["SECRETBODY"],"lifetime":"SECRETBODY"}"#), (200, "<p>SECRETBODY</p>"),
            (200, #""SECRETBODY""#), (200, #"{"SECRETBODY":{"lifetime":1}}"#), (200, #"["SECRETBODY"]"#),
            (200, "<html><title>SECRETBODY</title></html>"), (200, #"{"access":"a","lifetime":"SECRETBODY"}"#),
            (200, #"{"accessSECRETBODY":1,"lifetime":1}"#),
        ])
    func hiddenBodies(status: Int, answer: String) async throws {
        let log = RecordingLog()
        let login = try Client(
            baseURL: "https://login.example.com", transport: ScriptedTransport(.status(status, body: answer))
        ) {
            RequestLogging(.call, bodyLimit: 500, curl: .always, to: log)
            Decoding()
            StatusValidation()
        }
        let credentials = try Credentials(TokenSet(access: "old", refresh: "SECRETOLD")) { old in
            let renewed = try await login.post("token", json: ["mine": old.refresh], as: Renewed.self)
            return TokenSet(access: renewed.access, lifetime: .seconds(renewed.lifetime))
        }

        let outer = try await failure(of: client(ScriptedTransport(.status(401)), credentials))
        let failure = try #require(outer.error(as: TokenRefreshError.self)?.failure)

        let texts = [
            outer.description, outer.debugDescription, outer.localizedDescription, failure.description,
            failure.debugDescription, failure.report, failure.localizedDescription, String(reflecting: failure),
            log.messages.joined(),
        ]
        #expect(texts.filter { $0.contains("SECRET") } == [])
        #expect(failure.description.contains("<redacted>"))
    }

    @Test("no failure within a refresh shows the keys of a dictionary")
    func hiddenKeys() async throws {
        let login = try Client.standard(
            baseURL: "https://login.example.com", transport: ScriptedTransport(.json(200, #"{"SECRETKEY":{"a":"b"}}"#)),
            logging: nil)
        let credentials = try Credentials(TokenSet(access: "old")) { _ in
            TokenSet(access: try await login.get("token", as: [String: [String: Int]].self).keys.first ?? "")
        }

        let outer = try await failure(of: client(ScriptedTransport(.status(401)), credentials))
        let failure = try #require(outer.error(as: TokenRefreshError.self)?.failure)

        #expect(failure.code == "decoding")
        #expect(!failure.report.contains("SECRET") && !failure.description.contains("SECRET"))
    }
}
