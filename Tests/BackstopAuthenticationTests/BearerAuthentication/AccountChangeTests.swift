import Backstop
import BackstopAuthentication
import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("What a call is answered after a change of account", .limited)
struct AccountChangeTests {
    private static let ann = TokenSet(access: "ann's", refresh: "r1", account: "ann")
    private static let bob = TokenSet(access: "bob's", account: "bob")

    private func client(_ service: ScriptedTransport, _ credentials: Credentials) throws -> Client {
        try Client.standard(
            baseURL: "https://api.example.com/v1", transport: service, retry: .never,
            authentication: BearerAuthentication(credentials), logging: nil)
    }

    @Test("nobody sees a refusal that somebody else was answered", arguments: [404, 422, 401])
    func refusal(status: Int) async throws {
        let credentials = try Credentials(Self.ann) { _ in nil }
        let service = ScriptedTransport(
            .respond { _, _ in
                try await credentials.signIn(Self.bob)
                return HTTP.Response(
                    status: status, headers: ["Location": "/ann/17"], body: Data(#"{"title":"card of Ann"}"#.utf8))
            })

        let result = await (try client(service, credentials)).result(of: .get("orders/17"))

        let failure = try #require(result.failure)
        #expect(failure.code == "rejected.accountChanged")
        #expect(service.requests.count == 1)
        #expect(failure.statusCode == status)
        #expect(!"\(failure.report) \(failure.message.text) \(failure.trace.json)".contains("card of Ann"))
        #expect(failure.response?.body.isEmpty == true && failure.response?.headers.fields.isEmpty == true)
    }

    @Test("the failure has nothing of what was answered to somebody else") func answer() async throws {
        let credentials = try Credentials(Self.ann) { _ in nil }
        let service = ScriptedTransport(
            .respond { _, _ in
                try await credentials.signOut()
                return HTTP.Response(
                    status: 200, headers: ["Content-Type": "text/plain", "X-Name": "ann"],
                    body: Data("order of ann".utf8))
            })

        let failure = try #require(await (try client(service, credentials)).result(of: .get("orders/17")).failure)

        #expect(failure.code == "rejected.accountChanged")
        #expect(failure.response?.status == 200 && failure.response?.body.isEmpty == true)
        #expect(failure.response?.headers.fields.count == 1)
        #expect(failure.report.contains("200 OK, text/plain, 12 bytes"))
    }

    @Test("a cancelled call is cancelled, whoever has signed in") func cancelled() async throws {
        let credentials = try Credentials(Self.ann) { _ in nil }
        let client = try client(
            ScriptedTransport(
                .respond { _, _ in
                    try await credentials.signIn(Self.bob)
                    try await untilCancelled()
                    throw CancellationError()
                }), credentials)
        let call = Task { await client.result(of: .get("books")).failure?.code }
        while credentials.account != "bob" { await Task.yield() }

        call.cancel()

        #expect(await call.value == "cancelled")
    }

    @Test("what an operation throws after a change of account goes to nobody") func operation() async throws {
        struct Refused: Error { let words = "card of Ann" }
        let credentials = try Credentials(Self.ann) { _ in nil }

        let error = await #expect(throws: RejectionError.self) {
            try await credentials.withToken(isRefused: { _ in false }) { _ in
                try await credentials.signIn(Self.bob)
                throw Refused()
            }
        }

        #expect(error?.code == .accountChanged)
    }

    @Test("is none of a task that a call, or a refresh, has started and left behind", arguments: [false, true])
    func leftBehind(isInRefresh: Bool) async throws {
        let service = ScriptedTransport(.status(200).repeated())
        let (gate, ended) = (Gate(), Gate())
        let own = Lock<Client?>(nil)
        let loop = Lock<Task<Int?, any Error>?>(nil)
        let start: @Sendable () -> Void = {
            let task = Task { () -> Int? in
                await gate.pass()
                return try await own.withLock { $0 }?.get("feed").status
            }
            loop.withLock { $0 = task }
        }
        let expiry: Duration? = isInRefresh ? .zero : nil
        let credentials = try Credentials(TokenSet(access: "ann's", expirySince1970: expiry, account: "ann")) { _ in
            start()
            return TokenSet(access: "ann's second", account: "ann")
        }
        let client = try Client.standard(
            baseURL: "https://api.example.com", transport: service,
            authentication: BearerAuthentication(credentials), logging: nil
        ).withChain {
            $0.prepending(
                ClosureInterceptor { request, _, next in
                    if !isInRefresh, request.url.path == "/books" { start() }
                    return try await next(request)
                })
        }
        own.withLock { $0 = client }
        client.perform(.get("books"), completion: { _ in ended.open() })
        await ended.pass()

        try await credentials.signIn(TokenSet(access: "bob's", account: "bob"))
        gate.open()

        #expect(try await loop.withLock { $0 }?.value == 200)
        #expect(service.requests.map { $0.headers[.authorization] }.last == "Bearer bob's")
    }
}
