import Backstop
import BackstopAuthentication
import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

/// When it refreshes, how often, and how long calls wait for that.
extension BearerAuthenticationTests {
    @Test("refreshes before the token expires, and not while it is fresh") func proactive() async throws {
        let clock = ManualClock()
        var options = CallOptions()
        options.clock = clock
        let service = ScriptedTransport(.status(200).repeated())
        var tokens = Self.old
        tokens.expiry = .seconds(100)
        let credentials = try credentials(tokens)
        let client = try client(service, credentials, options: options)
        login.answer(.success(TokenSet(access: "new", expirySince1970: .seconds(200))))

        _ = try await client.get("books")
        await clock.advance(by: .seconds(69))
        _ = try await client.get("books")
        #expect(login.asked.isEmpty)
        await clock.advance(by: .seconds(1))
        _ = try await client.get("books")
        while credentials.tokens?.access != "new" { await Task.yield() }
        _ = try await client.get("books")

        #expect(Self.tokens(of: service) == ["Bearer old", "Bearer old", "Bearer old", "Bearer new"])
    }

    @Test("goes on with a token that is still valid when refreshing it early fails") func earlyFailure() async throws {
        let clock = ManualClock()
        var options = CallOptions()
        options.clock = clock
        let service = ScriptedTransport(.status(200).repeated())
        var tokens = Self.old
        tokens.expiry = .seconds(100)
        let client = try client(service, credentials(tokens), options: options)
        _ = try await client.get("books")
        await clock.advance(by: .seconds(80))
        login.answer(.failure(TransportError(.offline)))

        _ = try await client.get("books")
        await login.waitForAsked(1)
        _ = try await client.get("books")

        #expect(Self.tokens(of: service) == ["Bearer old", "Bearer old", "Bearer old"])
        #expect(login.asked.count == 1)
    }

    @Test("stops after five refreshes in thirty seconds, and says until when") func limited() async throws {
        let clock = ManualClock()
        var options = CallOptions()
        options.clock = clock
        let service = ScriptedTransport(.status(401).repeated())
        let client = try client(service, credentials(), options: options)
        for number in 1...5 {
            login.answer(.success(TokenSet(access: "new \(number)")))
            #expect(try await Self.failure(of: client).code == "status.401")
            await clock.advance(by: .seconds(1))
        }

        let failure = try await Self.failure(of: client)
        await clock.advance(by: .seconds(25))
        login.answer(.success(TokenSet(access: "last")))
        let later = try await Self.failure(of: client)

        #expect(failure.code == "rejected.tokenRefreshLimit")
        #expect(failure.explanation.contains("5 times in 30 s; the next refresh is possible in 25 s"))
        #expect(later.code == "status.401")
        #expect(login.asked.count == 6)
    }

    @Test("a refresh that takes too long fails, and the next call tries anew") func timeout() async throws {
        let clock = ManualClock()
        var options = CallOptions()
        options.clock = clock
        let service = ScriptedTransport(.status(401).repeated())
        let client = try Client(baseURL: "https://api.example.com", transport: service, options: options) {
            BearerAuthentication(try credentials())
            StatusValidation()
        }
        let call = Task { await client.result(of: .get("books")).failure }

        await login.waitForAsked(1)
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(30))
        let failure = await call.value

        #expect(failure?.code == "timeout.tokenRefresh")
        #expect(failure?.report.contains("a new token was asked for: timeout.tokenRefresh") == true)
    }

    @Test("the wait ends at the call's deadline") func deadline() async throws {
        let clock = ManualClock()
        var options = CallOptions()
        options.clock = clock
        options.deadline = .seconds(5)
        let client = try Client(
            baseURL: "https://api.example.com", transport: ScriptedTransport(.status(401)), options: options
        ) {
            BearerAuthentication(try credentials())
            StatusValidation()
        }
        let call = Task { await client.result(of: .get("books")).failure }

        await clock.waitForSleeper(remaining: .seconds(5))
        await clock.advance(by: .seconds(5))

        #expect(await call.value?.code == "timeout.deadline")
    }

    @Test(
        "a deadline during the refresh says so, and the attempt took as long as its answer", arguments: [true, false])
    func deadlineWords(isEnforced: Bool) async throws {
        // given: a 401 after 3 s, and a login that hangs
        let clock = ManualClock()
        var options = CallOptions()
        options.clock = clock
        options.deadline = .seconds(5)
        let transport = ScriptedTransport(
            .respond { _, context in
                try await context.clock.sleep(for: .seconds(3))
                return HTTP.Response(status: 401)
            })
        let client = try Client(baseURL: "https://api.example.com", transport: transport, options: options) {
            if isEnforced { Deadline() }
            BearerAuthentication(try credentials())
            StatusValidation()
        }
        let call = Task { await client.result(of: .get("books")).failure }
        await clock.waitForSleeper(remaining: .seconds(3))
        await clock.advance(by: .seconds(3))
        await login.waitForAsked(1)
        // when
        await clock.advance(by: .seconds(2))
        // then
        let failure = try #require(await call.value)
        #expect(failure.code == "timeout.deadline")
        #expect(failure.report.contains("  where:    while waiting for a new token\n"))
        #expect(failure.report.contains("  attempts: 1. status.401 in 3 s\n"))
        #expect(
            failure.report.hasSuffix(
                "  next:     Find out why the refresh of the token takes so long, or raise the deadline: "
                    + "the call was still waiting for a new token."))
    }
}
