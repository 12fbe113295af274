import Backstop
import BackstopAuthentication
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
        let authentication = try makeAuthentication(TokenFile(url), login: quiet(makeLogin(transport: login)))
        try await authentication.credentials.signIn(Self.old)
        return try (quiet(try makeClient(authentication, transport: service)), authentication.credentials)
    }

    /// Without a log, and without the limits of a real call.
    private func quiet(_ client: Client) throws -> Client {
        try client.withChain { $0.removing(.logging).removing(.attemptTimeout) }
    }

    @Test("a refused token is refreshed, and the next launch begins with the new ones") func refreshed() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let service = ScriptedTransport(.status(401), .status(200).repeated())
        let login = ScriptedTransport(.json(200, Self.answer))
        let (client, credentials) = try await client(service: service, login: login)
        _ = try await client.get("books")
        while try await TokenFile(url).load()?.access != "new" { await Task.yield() }

        let later = try makeAuthentication(TokenFile(url), login: makeLogin())
        _ = try await quiet(makeClient(later, transport: service)).get("books")

        #expect(service.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new", "Bearer new"])
        #expect(
            login.requests.first?.body.data.map { String(decoding: $0, as: UTF8.self) }
                == "grant_type=refresh_token&refresh_token=r1&client_id=shop-app")
        let tokens = later.credentials.tokens
        #expect(tokens == credentials.tokens && tokens?.refresh == "r2" && tokens?.account == "ann")
    }

    @Test("a sign-out removes the file") func signedOut() async throws {
        let service = ScriptedTransport(.status(200))
        let (client, credentials) = try await client(service: service, login: ScriptedTransport())

        try await credentials.signOut()
        try await credentials.signOut()
        _ = try await client.get("books")

        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(service.requests.map { $0.headers[.authorization] } == [nil])
    }

    @Test("a refresh token that is refused leaves the 401, and is not sent again", arguments: [400, 401])
    func refusedForGood(status: Int) async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let service = ScriptedTransport(.status(401).repeated())
        let login = ScriptedTransport(.json(status, #"{"error":"invalid_grant"}"#))
        let client = try await client(service: service, login: login).client

        for _ in 1...3 {
            let outcome = await client.perform(.get("books")) { On(status: 401) { _ in } }
            #expect(outcome.handledBy == "On(status.401)")
        }

        #expect(login.requests.count == 1)
    }

    @Test("a code of the browser becomes tokens") func code() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let login = ScriptedTransport(.json(200, Self.answer))
        let credentials = try await client(service: ScriptedTransport(), login: login).credentials

        try await signIn(credentials, code: "a b", verifier: "v", login: quiet(makeLogin(transport: login)))

        #expect(credentials.tokens?.access == "new")
        #expect(
            login.requests.first?.body.data.map { String(decoding: $0, as: UTF8.self) }
                == "grant_type=authorization_code&code=a+b&redirect_uri=shop%3A%2F%2Fsigned-in&client_id=shop-app"
                + "&code_verifier=v")
    }

    @Test("a refresh that fails otherwise leaves the person signed in, and keeps the failure behind it")
    func failed() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let login = ScriptedTransport(.json(400, #"{"error":"invalid_request"}"#))
        let (client, credentials) = try await client(service: ScriptedTransport(.status(401)), login: login)

        let failure = try #require(await #expect(throws: Failure.self) { _ = try await client.get("books") })

        #expect(failure.code == "rejected.tokenRefresh")
        #expect(failure.report.contains("a new token was asked for: 400 invalid_request\n"))
        #expect(credentials.tokens == Self.old)
        #expect(failure.error(as: TokenRefreshError.self)?.failure?.request?.url.host == "login.example.com")
    }

    @Test("a new sign-in, as by the alert of a presenter, repeats the call with the new token") func signedIn()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: url) }
        let service = ScriptedTransport(.status(401), .status(200))
        let (client, credentials) = try await client(
            service: service, login: ScriptedTransport(.json(400, #"{"error":"invalid_grant"}"#)))
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
