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
                return HTTP.Response(status: 200, body: Data("order of ann".utf8))
            })

        let failure = try #require(await (try client(service, credentials)).result(of: .get("orders/17")).failure)

        #expect(failure.code == "rejected.accountChanged")
        #expect(failure.response?.status == 200 && failure.response?.body.isEmpty == true)
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
}
