import BackstopTestSupport
import BackstopTesting
import Testing

@testable import Backstop
@testable import BackstopAuthentication
@testable import BackstopCore

@Suite("Credentials", .limited)
struct CredentialsTests {
    private struct Refused: Error {}

    @Test("calls whose token was refused fail with the refresh that they wait for, even if another begins the next")
    func refusedBehindExpired() async throws {
        let clock = ManualClock()
        let (answers, source) = AsyncStream<Result<TokenSet, Refused>>.makeStream()
        let refreshes = Lock(0)
        let credentials = try Credentials(TokenSet(access: "old", expirySince1970: .seconds(100))) { _ in
            refreshes.withLock { $0 += 1 }
            for await answer in answers {
                return try answer.get()
            }
            throw CancellationError()
        }
        let server = Gate()
        let refused = (0..<50).map { _ in
            Task {
                try await credentials.withToken(clock: clock, isRefused: { $0 is Refused }) { token in
                    await server.pass()
                    if token == "old" { throw Refused() }
                }
            }
        }
        await server.waitForArrivals(50)
        await clock.advance(by: .seconds(80))
        try await credentials.withToken(clock: clock, isRefused: { _ in false }) { _ in }
        await clock.advance(by: .seconds(20))
        // It is woken first, and begins the second refresh while the others are still to go on.
        let expired = Task { try await credentials.withToken(clock: clock, isRefused: { _ in false }) { $0 } }
        while credentials.load.waiting < 1 { await Task.yield() }
        server.open()
        while credentials.load.waiting < 51 { await Task.yield() }

        source.yield(.failure(Refused()))
        while refreshes.withLock({ $0 }) < 2 { await Task.yield() }
        source.yield(.success(TokenSet(access: "new")))

        #expect(try await expired.value == "new")
        for call in refused {
            await #expect(throws: TokenRefreshError.self) { try await call.value }
        }
    }

    @Test("the store can be read ahead, once, whatever it costs to refresh the token") func loadedAhead() async throws {
        struct Kept: TokenStore {
            let loads = Lock(0)
            func load() -> TokenSet? {
                loads.withLock { $0 += 1 }
                return TokenSet(access: "old", expirySince1970: .seconds(1), account: "ann")
            }
            func save(_ tokens: TokenSet?) {}
        }
        let store = Kept()
        let credentials = try Credentials(store: store) { _ in
            Issue.record("It was refreshed.")
            return nil
        }
        #expect(credentials.account == nil)

        for _ in 1...2 { try await credentials.load() }

        #expect(credentials.account == "ann")
        #expect(store.loads.withLock { $0 } == 1)
    }

    @Test("a store that never answers holds calls up for the limit of a refresh, and no longer") func silentStore()
        async throws
    {
        struct Silent: TokenStore {
            func load() async throws -> TokenSet? {
                try await Task.sleep(for: .seconds(3600))
                return nil
            }
            func save(_ tokens: TokenSet?) {}
        }
        let clock = ManualClock()
        let credentials = try Credentials(store: Silent(), refreshTimeout: .seconds(5), refresh: { _ in nil })
        let call = Task { try await credentials.withToken(clock: clock, isRefused: { _ in false }) { $0 } }
        await clock.waitForSleeper(remaining: .seconds(5))

        await clock.advance(by: .seconds(5))

        let error = await #expect(throws: RejectionError.self) { try await call.value }
        #expect(error?.code == .tokenStore)
    }

    @Test("a store that never says that it has saved holds up no sign-in, nor one that waits for it")
    func silentSaving() async throws {
        struct Silent: TokenStore {
            func load() -> TokenSet? { nil }
            func save(_ tokens: TokenSet?) async throws { try await Task.sleep(for: .seconds(3600)) }
        }
        let credentials = try Credentials(store: Silent(), refreshTimeout: .milliseconds(1), refresh: { _ in nil })
        for account in ["ann", "bob"] {
            let error = await #expect(throws: RejectionError.self) {
                try await credentials.signIn(TokenSet(access: "t", account: account))
            }
            #expect(error?.code == .tokenStore)
            #expect(credentials.account == account)
        }
        await #expect(throws: RejectionError.self) { try await credentials.signOut() }
        #expect(credentials.tokens == nil)
    }

    @Test("a store that loads the tokens with the client that needs them does not wait for itself") func ownClient()
        async throws
    {
        final class Remote: TokenStore {
            let client = Lock<Client?>(nil)
            func load() async throws -> TokenSet? {
                guard let client = client.withLock({ $0 }) else { return nil }
                let answer = try await client.get("session")
                return TokenSet(access: String(decoding: answer.body, as: UTF8.self))
            }
            func save(_ tokens: TokenSet?) {}
        }
        let store = Remote()
        let service = ScriptedTransport(.status(200, body: "t"), .status(200))
        let client = try Client.standard(
            baseURL: "https://api.example.com", transport: service,
            authentication: BearerAuthentication(try Credentials(store: store) { _ in nil }), logging: nil)
        store.client.withLock { $0 = client }

        _ = try await client.get("books")

        #expect(service.requests.map { $0.headers[.authorization] } == [nil, "Bearer t"])
    }
}
