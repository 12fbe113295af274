import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import Backstop
@testable import BackstopAuthentication
@testable import BackstopCore

extension BearerPromisesTests {
    @Test("a failed refresh for a token that another call found refused costs no call its good token") func marked()
        async throws
    {
        let service = ScriptedTransport(.status(401), .status(200))
        let client = try client(service, credentials())
        let body = HTTP.Body.stream(once: AsyncStream { Data("a".utf8) })
        login.answer(.failure(TransportError(.lost)))

        let first = await client.result(of: HTTP.Call(.put, "books/1", body: body))
        let second = await client.result(of: HTTP.Call(.get, "books"))

        #expect([first, second].map(Self.code) == ["status.401", "200"])
        #expect(Self.tokens(of: service) == ["Bearer old", "Bearer old"])
        #expect(login.asked.count == 1)
    }

    @Test("a call that finds the store empty goes on signed out when somebody signs in") func emptyStore() async throws
    {
        struct Empty: TokenStore {
            func load() -> TokenSet? { nil }
            func save(_ tokens: TokenSet?) {}
        }
        let credentials = try Credentials(store: Empty(), refresh: login.refresh)
        let service = ScriptedTransport(
            .respond { _, _ in
                try await credentials.signIn(Self.old)
                return HTTP.Response(status: 503)
            }, .status(200))

        let result = try await client(service, credentials).result(of: HTTP.Call(.get, "books"))

        #expect(Self.code(result) == "200")
        #expect(Self.tokens(of: service) == [nil, nil])
    }

    @Test("an expired token that may not be refreshed yet is not sent") func expiredAtLimit() async throws {
        let service = ScriptedTransport(.status(401), .status(200).repeated())
        let credentials = try Credentials(
            Self.old, refreshLimit: TokenRefreshLimit(1, per: .seconds(30)), refresh: login.refresh)
        let client = try client(service, credentials)
        login.answer(
            .success(TokenSet(access: "short", expirySince1970: .milliseconds(500))),
            .success(TokenSet(access: "unasked")))
        _ = try await client.get("books")
        await clock.advance(by: .milliseconds(600))

        let failure = await client.result(of: HTTP.Call(.get, "books")).failure

        #expect(failure?.code == "rejected.tokenRefreshLimit")
        #expect(failure?.retryAfter == .milliseconds(29_400))
        #expect(Self.tokens(of: service) == ["Bearer old", "Bearer short"])
    }

    @Test("a call that is cancelled as its token is refused asks for no other") func cancelledAtRefusal() async throws {
        let credentials = try credentials()
        let service = ScriptedTransport(
            .respond { _, _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return HTTP.Response(status: 401)
            })
        // Without limits, which would run the rest in a task of their own.
        let client = try Client(baseURL: "https://api.example.com", transport: service) {
            BearerAuthentication(credentials)
            StatusValidation()
        }
        login.answer(.success(TokenSet(access: "unasked")))

        let failure = await Task { await client.result(of: HTTP.Call(.get, "books")).failure }.value

        #expect(failure?.code == "cancelled")
        #expect(login.asked.isEmpty)
    }

    @Test("an operation that is cancelled as its token is refused asks for no other") func cancelledOperation()
        async throws
    {
        struct Refused: Error {}
        let credentials = try credentials()
        login.answer(.success(TokenSet(access: "unasked")))

        let call = Task {
            try await credentials.withToken(clock: clock, isRefused: { $0 is Refused }) { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                throw Refused()
            }
        }

        await #expect(throws: Refused.self) { try await call.value }
        #expect(login.asked.isEmpty)
    }

    @Test("a limit of refreshes has a count and a window", arguments: [(0, 30), (1001, 30), (1, 0), (1, -1)])
    func refusedLimit(count: Int, seconds: Int) {
        let error = #expect(throws: ConfigurationError.self) {
            try TokenRefreshLimit(count, per: .seconds(seconds))
        }
        #expect(error?.setting == (seconds > 0 ? "TokenRefreshLimit.count" : "TokenRefreshLimit.window"))
    }
}
