import Backstop
import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The recipe for token refresh", .limited)
struct TokenRefreshTests {
    private static let answer = #"{"access_token":"new","refresh_token":"r2","expires_in":3600}"#
    private static let old = TokenSet(access: "old", refresh: "r1", account: "ann")

    private let url = FileManager.default.temporaryDirectory.appendingPathComponent("tokens-\(UUID().uuidString)")

    /// The app's client, in front of a service and a sign-in server, with Ann signed in.
    private func client(
        service: ScriptedTransport, login: ScriptedTransport
    ) async throws -> (client: Client, credentials: Credentials) {
        let login = try Client.standard(baseURL: "https://login.example.com", transport: login, logging: nil)
        let credentials = try makeCredentials(TokenFile(url), login: login)
        try await credentials.signIn(Self.old)
        return (try makeClient(credentials, transport: service).withChain { $0.removing(.logging) }, credentials)
    }

    @Test("a refused token is refreshed, and the next launch begins with the new ones") func refreshed() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let service = ScriptedTransport(.status(401), .status(200).repeated())
        let login = ScriptedTransport(.json(200, Self.answer))
        let (client, credentials) = try await client(service: service, login: login)
        _ = try await client.get("books")
        while try await TokenFile(url).load()?.access != "new" { await Task.yield() }

        let later = try makeCredentials(
            TokenFile(url), login: Client.standard(baseURL: "https://login.example.com", logging: nil))
        _ = try await makeClient(later, transport: service).withChain { $0.removing(.logging) }.get("books")

        #expect(service.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new", "Bearer new"])
        #expect(login.requests.first?.body.data.map { String(decoding: $0, as: UTF8.self) }?.contains("r1") == true)
        #expect(later.tokens == credentials.tokens && later.tokens?.refresh == "r2" && later.account == "ann")
    }

    @Test("a sign-out removes the file") func signedOut() async throws {
        let service = ScriptedTransport(.status(200))
        let (client, credentials) = try await client(service: service, login: ScriptedTransport())

        try await credentials.signOut()
        _ = try await client.get("books")

        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(service.requests.map { $0.headers[.authorization] } == [nil])
    }

    @Test("a refresh token that is refused leaves the 401, and is not sent again", arguments: [400, 401])
    func refusedForGood(status: Int) async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let service = ScriptedTransport(.status(401).repeated())
        let login = ScriptedTransport(.status(status))
        let client = try await client(service: service, login: login).client

        for _ in 1...3 {
            let outcome = await client.perform(.get("books")) { On(status: 401) { _ in } }
            #expect(outcome.handledBy == "On(status.401)")
        }

        #expect(login.requests.count == 1)
    }

    @Test("a refresh that fails otherwise keeps the failure behind it") func failed() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let login = ScriptedTransport(.status(404))
        let client = try await client(service: ScriptedTransport(.status(401)), login: login).client

        let failure = try #require(await #expect(throws: Failure.self) { _ = try await client.get("books") })

        #expect(failure.code == "rejected.tokenRefresh")
        #expect(failure.error(as: TokenRefreshError.self)?.failure?.request?.url.host == "login.example.com")
    }

    @Test("a new sign-in, as by the alert of a presenter, repeats the call with the new token") func signedIn()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: url) }
        let service = ScriptedTransport(.status(401), .status(200))
        let (client, credentials) = try await client(service: service, login: ScriptedTransport(.status(400)))
        let signIn = PresentationAction("signIn", title: "Sign In") { () async -> Verdict in
            try? await credentials.signIn(TokenSet(access: "new", account: "ann"))
            return .retry
        }
        let presenter = await FailurePresenter(
            policy: PresentationPolicy { Present(status: 401, as: .alert(actions: [signIn, .dismiss])) })
        let person = Task { @MainActor in
            for await state in presenter.states {
                if let shown = state.alert { return presenter.choose(signIn, for: shown.id) }
            }
        }

        let outcome = await client.perform(.get("books")) { presenter }
        await person.value

        #expect(outcome.value?.status == 200)
        #expect(service.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
    }
}
