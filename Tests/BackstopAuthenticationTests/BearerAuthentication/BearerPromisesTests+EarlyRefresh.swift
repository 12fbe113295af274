import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import Backstop
@testable import BackstopAuthentication
@testable import BackstopCore

extension BearerPromisesTests {
    /// A refresh that began because a token that is good for 100 s has 20 s left, and which no call waits for.
    func beginEarlyRefresh(_ client: Client) async throws {
        _ = try await client.get("books")
        await clock.advance(by: .seconds(80))
        _ = try await client.get("books")
        await login.waitForAsked(1)
    }

    @Test("while the token is valid, calls go on with it, whatever the token service does") func early() async throws {
        let service = ScriptedTransport(.status(200).repeated())
        let credentials = try credentials(expiry: .seconds(100))
        let client = try client(service, credentials)
        _ = try await client.get("books")
        await clock.advance(by: .seconds(75))

        for _ in 1...3 { _ = try await client.get("books") }
        await login.waitForAsked(1)
        login.answer(.success(TokenSet(access: "new")))
        while credentials.load.isBusy { await Task.yield() }
        _ = try await client.get("books")

        #expect(Self.tokens(of: service) == Array(repeating: "Bearer old", count: 4) + ["Bearer new"])
        #expect(login.asked.count == 1)
        #expect(clock.now == .seconds(75))
    }

    @Test("the moment of expiry is too late for a token, the one before is not", arguments: [0, 1])
    func moment(nanoseconds: Int) async throws {
        let service = ScriptedTransport(.status(200))
        let client = try client(service, credentials(expiry: .seconds(100)))
        await clock.advance(by: .seconds(100) - .nanoseconds(nanoseconds))
        login.answer(.success(TokenSet(access: "new")))

        _ = try await client.get("books")

        #expect(Self.tokens(of: service) == [nanoseconds == 0 ? "Bearer new" : "Bearer old"])
    }

    @Test("a call whose token has expired waits for an early refresh, and asks anew when it fails")
    func expiredJoins() async throws {
        let service = ScriptedTransport(.status(200).repeated())
        let credentials = try credentials(expiry: .seconds(100))
        let client = try client(service, credentials)
        try await beginEarlyRefresh(client)
        await clock.advance(by: .seconds(20))
        let call = Task { try await client.get("books").status }
        while credentials.load.waiting == 0 { await Task.yield() }
        #expect(login.asked.count == 1)

        login.answer(.failure(TransportError(.lost)), .success(TokenSet(access: "new")))

        #expect(try await call.value == 200)
        #expect(login.asked.count == 2)
        #expect(Self.tokens(of: service) == ["Bearer old", "Bearer old", "Bearer new"])
    }

    @Test("once the token was refused, calls wait for an early refresh that runs", arguments: [true, false])
    func refusedEarly(isOnce: Bool) async throws {
        let service = ScriptedTransport(.status(200).repeated(2), .status(401), .status(200).repeated())
        let credentials = try credentials(expiry: .seconds(100))
        let client = try client(service, credentials)
        try await beginEarlyRefresh(client)
        let body: HTTP.Body = isOnce ? .stream(once: AsyncStream { Data("a".utf8) }) : .none
        let refused = Task { await client.result(of: HTTP.Call(.put, "books/1", body: body)) }
        // The refusal has been seen, not only answered: a call before that would go with the token, and be served.
        if isOnce {
            _ = await refused.value
        } else {
            while credentials.load.waiting == 0 { await Task.yield() }
        }

        let call = Task { try await client.get("books").status }
        while credentials.load.waiting < (isOnce ? 1 : 2) { await Task.yield() }
        #expect(credentials.load.waiting == (isOnce ? 1 : 2))
        login.answer(.success(TokenSet(access: "new")))

        #expect(try await call.value == 200)
        #expect(Self.code(await refused.value) == (isOnce ? "status.401" : "200"))
        #expect(Self.tokens(of: service).last == "Bearer new")
        #expect(login.asked.count == 1)
    }

    @Test("early refreshes that fail are few, and a call makes one once the token has expired") func limit()
        async throws
    {
        let service = ScriptedTransport(.status(200).repeated())
        let asked = Lock<[Duration]>([])
        let credentials = try Credentials(
            TokenSet(access: "old", expirySince1970: .seconds(100)), refreshMargin: .seconds(20)
        ) { [clock] _ in
            asked.withLock { $0.append(clock.now) }
            throw TransportError(.lost)
        }
        let client = try client(service, credentials)
        for _ in 0..<99 {
            await clock.advance(by: .seconds(1))
            #expect(try await client.get("books").status == 200)
            while credentials.load.isBusy { await Task.yield() }
        }
        #expect(asked.withLock { $0 } == [.seconds(80), .seconds(92)])
        await clock.advance(by: .seconds(1))

        let code = await client.result(of: HTTP.Call(.get, "books")).failure?.code

        #expect(code == "transport.lost")
        #expect(asked.withLock { $0.last } == .seconds(100))
    }

    @Test("tokens that live for seconds are refreshed as often as they end", arguments: [1, 2, 3])
    func shortLives(seconds: Int) async throws {
        let credentials = try Credentials(TokenSet(access: "a", expirySince1970: .seconds(seconds))) { [clock] _ in
            TokenSet(access: "a", expirySince1970: clock.date + .seconds(seconds))
        }
        let client = try client(ScriptedTransport(.status(200).repeated()), credentials)
        for _ in 0..<120 {
            #expect(await client.result(of: .get("books")).failure?.code == nil)
            while credentials.load.isBusy { await Task.yield() }
            await clock.advance(by: .seconds(0.5))
        }
    }

    @Test("a time limit must fit the margin", arguments: [(30, 31), (5, 11), (60, 120)])
    func contradiction(margin: Int, timeout: Int) throws {
        let error = #expect(throws: ConfigurationError.self) {
            try Credentials(refreshMargin: .seconds(margin), refreshTimeout: .seconds(timeout)) { _ in nil }
        }
        #expect(error?.setting == "Credentials.refreshTimeout")
    }

    @Test("the time limit is 30 s, or the most that the margin allows")
    func limits() throws {
        #expect(try Credentials { _ in nil }.refreshTimeout == .seconds(30))
        #expect(try Credentials(refreshMargin: .seconds(20)) { _ in nil }.refreshTimeout == .seconds(20))
        #expect(try Credentials(refreshMargin: .seconds(1)) { _ in nil }.refreshTimeout == .seconds(10))
        #expect(try Credentials(refreshMargin: .zero) { _ in nil }.refreshTimeout == .seconds(30))
        #expect(
            try Credentials(refreshMargin: .zero, refreshTimeout: .seconds(90)) { _ in nil }.refreshTimeout
                == .seconds(90))
    }
}
