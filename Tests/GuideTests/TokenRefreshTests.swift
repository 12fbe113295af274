import Backstop
import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The recipe for token refresh", .limited)
struct TokenRefreshTests {
    private static let old = Tokens(access: "old", refresh: "r1")
    private static let answer = #"{"access":"new","refresh":"r2"}"#

    /// The app's client, in front of a service and a sign-in server.
    private func client(service: ScriptedTransport, login: ScriptedTransport) throws -> Client {
        let login = try Client.standard(baseURL: "https://login.example.com", transport: login, logging: nil)
        return try self.client(makeTokenStore(Self.old, login: login), service: service)
    }

    private func client(_ store: TokenStore, service: ScriptedTransport) throws -> Client {
        try makeClient(store, transport: service).withChain { $0.removing(.logging) }
    }

    /// Knows one token. Those who come with another wait for each other before they are refused, and for `late` after
    /// that where their path says so.
    private func service(knowing token: String, refused: Meeting, late: Meeting? = nil) -> ScriptedTransport {
        ScriptedTransport(
            .respond { request, _ in
                guard request.headers[.authorization] != "Bearer \(token)" else {
                    return HTTP.Response(status: 200)
                }
                await refused.arrive()
                if request.url.path.hasSuffix("late") {
                    await late?.arrive()
                }
                return HTTP.Response(status: 401)
            }.repeated())
    }

    @Test("a refused token is renewed, and the request is sent once more with the new one") func renewed() async throws
    {
        let service = ScriptedTransport(.status(401), .status(200))
        let login = ScriptedTransport(.json(200, Self.answer))

        _ = try await client(service: service, login: login).get("books")

        #expect(service.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
        #expect(login.requests.map { $0.body.data } == [Data(#"{"refresh":"r1"}"#.utf8)])
    }

    @Test("the calls after that begin with the new token, and the next renewal sends the new refresh token")
    func rotated() async throws {
        let service = ScriptedTransport(.status(401), .status(200), .status(401), .status(200))
        let login = ScriptedTransport(.json(200, Self.answer), .json(200, #"{"access":"newer","refresh":"r3"}"#))
        let client = try client(service: service, login: login)

        _ = try await client.get("books")
        _ = try await client.get("books")

        let sent = service.requests.map { $0.headers[.authorization] }
        #expect(sent == ["Bearer old", "Bearer new", "Bearer new", "Bearer newer"])
        #expect(login.requests.last?.body.data == Data(#"{"refresh":"r2"}"#.utf8))
    }

    @Test("eight calls with the same old token share one renewal") func shared() async throws {
        let service = service(knowing: "new", refused: Meeting(of: 8))
        let login = ScriptedTransport(.json(200, Self.answer))
        let client = try client(service: service, login: login)

        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...8 {
                group.addTask { try await client.get("books/\(number)").status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(statuses == Array(repeating: 200, count: 8))
        #expect(login.requests.count == 1)
    }

    @Test("a renewal that fails is tried once for eight calls, also for those whose 401 comes after that")
    func failedOnce() async throws {
        let late = Meeting(of: 5)
        let service = service(knowing: "new", refused: Meeting(of: 8), late: late)
        let login = ScriptedTransport(.status(503).repeated())
        let client = try client(service: service, login: login)

        let codes = await withTaskGroup(of: String?.self) { group in
            let lateCalls = (1...4).map { _ in Task { await Self.code(of: "late", client) } }
            for _ in 1...4 {
                group.addTask { await Self.code(of: "early", client) }
            }
            var codes = await group.reduce(into: []) { $0.append($1) }
            await late.arrive()
            for call in lateCalls {
                codes.append(await call.value)
            }
            return codes
        }

        #expect(codes == Array(repeating: "rejected.renewal", count: 8))
        #expect(login.requests.count == 1)
        #expect(service.requests.count == 8)
    }

    private static func code(of path: String, _ client: Client) async -> String? {
        do throws(Failure) {
            _ = try await client.get(path)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("a call that begins after a failed renewal has it tried anew") func triedAnew() async throws {
        let service = service(knowing: "new", refused: Meeting(of: 1))
        let login = ScriptedTransport(.failure(TransportError(.offline)), .json(200, Self.answer))
        let client = try client(service: service, login: login)
        #expect(await Self.code(of: "books", client) == "rejected.renewal")

        #expect(try await client.get("books").status == 200)

        #expect(login.requests.count == 2)
    }

    @Test("a refresh token that is refused leaves the 401, for the handler that asks people to sign in")
    func refusedForGood() async throws {
        let service = ScriptedTransport(.status(401))
        let login = ScriptedTransport(.status(400))

        let outcome = await (try client(service: service, login: login)).perform(.get("books")) {
            On(status: 401) { _ in }
        }

        #expect(outcome.handledBy == "On(status.401)")
    }

    @Test("a refresh token that was refused is not sent again") func refusedOnce() async throws {
        let service = ScriptedTransport(.status(401).repeated())
        let login = ScriptedTransport(.status(400).repeated())
        let client = try client(service: service, login: login)

        for _ in 1...10 {
            #expect(await Self.code(of: "books", client) == "status.401")
        }

        #expect(login.requests.count == 1)
        #expect(service.requests.count == 10)
    }

    @Test("a renewal that fails says why, and keeps the failure behind it") func cause() async throws {
        let service = ScriptedTransport(.status(401).repeated())
        let login = ScriptedTransport(.status(404), .failure(TransportError(.certificate)))
        let client = try client(service: service, login: login)

        let failures = try await [Self.failure(of: client), Self.failure(of: client)]

        #expect(failures.map(\.code) == ["rejected.renewal", "rejected.renewal"])
        #expect(
            failures.map(\.explanation) == [
                "The call was rejected after a request was sent: Renewal failed with status.404.",
                "The call was rejected after a request was sent: Renewal failed with transport.certificate.",
            ])
        let causes = failures.map { $0.error(as: RenewalError.self)?.cause }
        #expect(causes.map { $0?.code } == ["status.404", "transport.certificate"])
        #expect(causes[0]?.request?.url.host == "login.example.com")
    }

    @Test("a renewal that fails offline says so") func offline() async throws {
        let login = ScriptedTransport(.failure(TransportError(.offline)).repeated())
        let failure = try await Self.failure(of: client(service: ScriptedTransport(.status(401)), login: login))

        #expect(failure.error(as: RenewalError.self)?.cause.isOffline == true)
        #expect(!failure.isTransient)
    }

    private static func failure(of client: Client) async throws -> Failure {
        try #require(await #expect(throws: Failure.self) { _ = try await client.get("books") })
    }

    @Test("a new sign-in, as by the alert of a presenter, repeats the call with the new token") func signedIn()
        async throws
    {
        let service = ScriptedTransport(.status(401), .status(200), .status(200))
        let login = try Client.standard(
            baseURL: "https://login.example.com", transport: ScriptedTransport(.status(400)), logging: nil)
        let store = makeTokenStore(Self.old, login: login)
        let client = try client(store, service: service)
        let signIn = PresentationAction("signIn", title: "Sign In") { () async -> Verdict in
            await store.signIn(Tokens(access: "new", refresh: "r9"))
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
        _ = try await client.get("books")

        #expect(outcome.value?.status == 200)
        #expect(service.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new", "Bearer new"])
    }

    @Test("a renewal for the old tokens that ends after a new sign-in changes nothing") func signedInMeanwhile()
        async throws
    {
        let gate = Gate()
        let service = service(knowing: "newest", refused: Meeting(of: 1))
        let login = try Client.standard(
            baseURL: "https://login.example.com",
            transport: ScriptedTransport(
                .respond { _, _ in
                    await gate.pass()
                    return HTTP.Response(status: 200, body: Data(Self.answer.utf8))
                }), logging: nil)
        let store = makeTokenStore(Self.old, login: login)
        let client = try client(store, service: service)

        let call = Task { try await client.get("books").status }
        await gate.waitForArrivals(1)
        await store.signIn(Tokens(access: "newest", refresh: "r9"))
        gate.open()

        #expect(try await call.value == 200)
        #expect(await store.ticket.access == "newest")
        #expect(service.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer newest"])
    }

    @Test("a new token that is refused as well is not renewed again") func refusedTwice() async throws {
        let service = ScriptedTransport(.status(401).repeated())
        let login = ScriptedTransport(.json(200, Self.answer))

        await #expect(throws: Failure.self) {
            _ = try await client(service: service, login: login).get("books")
        }

        #expect(service.requests.count == 2)
        #expect(login.requests.count == 1)
    }

    @Test("a call that is cancelled does not end the renewal for the others") func cancelled() async throws {
        let service = service(knowing: "new", refused: Meeting(of: 2))
        let renewal = Meeting(of: 2)
        let login = ScriptedTransport(
            .respond { _, _ in
                await renewal.arrive()
                return HTTP.Response(status: 200, body: Data(Self.answer.utf8))
            })
        let client = try client(service: service, login: login)

        let calls = (1...2).map { _ in Task { try await client.get("books").status } }
        await login.waitForRequests(1)
        calls[0].cancel()
        await renewal.arrive()

        await #expect(throws: Failure.self) { try await calls[0].value }
        #expect(try await calls[1].value == 200)
        #expect(login.requests.count == 1)
    }

    @Test("a body that can be read only once is not sent again") func oneShotBody() async throws {
        let service = ScriptedTransport(.status(401))
        let login = ScriptedTransport()
        let body = HTTP.Body.stream(once: AsyncStream { Data("a".utf8) })

        await #expect(throws: Failure.self) {
            _ = try await client(service: service, login: login).put("books/1", body: body)
        }

        #expect(service.requests.count == 1)
        #expect(login.requests.isEmpty)
    }
}
