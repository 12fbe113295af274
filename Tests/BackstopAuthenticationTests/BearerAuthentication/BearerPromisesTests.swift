import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import Backstop
@testable import BackstopAuthentication
@testable import BackstopCore

@Suite("BearerAuthentication gives nobody's token or answer to another, and does nothing twice", .limited)
struct BearerPromisesTests {
    static let old = TokenSet(access: "old", refresh: "r1", account: "ann")
    let login = ScriptedLogin()
    let clock = ManualClock()

    func client(
        _ service: ScriptedTransport, _ credentials: Credentials, refusedBy refusals: [TokenRefusal] = [.unauthorized]
    ) throws -> Client {
        var options = CallOptions()
        options.clock = clock
        return try Client.standard(
            baseURL: "https://api.example.com/v1", transport: service, retry: try RetryPolicy(backoff: .none),
            authentication: BearerAuthentication(credentials, refusedBy: refusals), logging: nil, options: options)
    }

    func credentials(_ tokens: TokenSet? = old, expiry: Duration? = nil) throws -> Credentials {
        var tokens = tokens
        tokens?.expiry = expiry
        return try Credentials(tokens, refresh: login.refresh)
    }

    static func tokens(of service: ScriptedTransport) -> [String?] {
        service.requests.map { $0.headers[.authorization] }
    }

    static func code(_ result: Swift.Result<HTTP.Response, Failure>) -> String {
        switch result {
        case .success(let response): "\(response.status)"
        case .failure(let failure): failure.code
        }
    }

    @Test(
        "a call with closures is that of whoever is signed in where it is made, hundreds of times",
        arguments: ["completion", "closures"])
    func closures(how: String) async throws {
        for round in 0..<300 {
            let service = ScriptedTransport(.status(200))
            let credentials = try credentials()
            let client = try client(service, credentials)
            let codes = Notes<String>()
            let call = HTTP.Call(.post, "orders")

            let task =
                how == "completion"
                ? client.perform(call, completion: { codes.add($0.failure?.code ?? "200") })
                : client.perform(
                    call, onSuccess: { _ in codes.add("200") },
                    onFailure: { failure in
                        codes.add(failure.code)
                        return true
                    })
            try await credentials.signIn(TokenSet(access: "bob's", account: "bob"))
            await task.value

            try #require(Self.tokens(of: service).allSatisfy { $0 == "Bearer old" }, "round \(round)")
            try #require(codes.all.count == 1, "round \(round)")
        }
    }

    @Test("a POST that a refusal may have applied is not sent again, a GET is", arguments: [HTTP.Method.post, .get])
    func maybeApplied(method: HTTP.Method) async throws {
        let refusal = TokenRefusal { result in
            guard case .success(let response) = result, response.headers["X-Session"] == "expired" else { return nil }
            return .maybeApplied
        }
        let service = ScriptedTransport(.status(200, headers: ["X-Session": "expired"]), .status(200))
        login.answer(.success(TokenSet(access: "new")))

        _ = try await client(service, credentials(), refusedBy: [refusal]).send(HTTP.Call(method, "books"))

        #expect(service.requests.count == (method == .get ? 2 : 1))
        #expect(login.asked.count == (method == .get ? 1 : 0))
    }

    @Test("tokens of another account are refused, and never sent") func otherAccount() async throws {
        let service = ScriptedTransport(.status(401).repeated())
        let credentials = try credentials()
        login.answer(.success(TokenSet(access: "bobs", account: "bob")))

        let failure = try await client(service, credentials).result(of: HTTP.Call(.get, "books")).failure

        #expect(failure?.code == "rejected.tokenRefresh")
        #expect(failure?.report.contains("rejected.accountChanged") == true)
        #expect(credentials.tokens == Self.old)
        #expect(Self.tokens(of: service) == ["Bearer old"])
    }

    @Test("an answer that arrives after a sign-out goes to nobody, be it to the second request", arguments: [1, 2])
    func signedOut(during position: Int) async throws {
        let credentials = try credentials()
        let answers = Lock(0)
        let service = ScriptedTransport(
            .respond { _, _ in
                guard
                    answers.withLock({
                        $0 += 1; return $0
                    }) == position
                else { return HTTP.Response(status: 401) }
                try await credentials.signOut()
                return HTTP.Response(status: 200, body: Data("ann's".utf8))
            }.repeated(2))
        login.answer(.success(TokenSet(access: "new")))

        let result = try await client(service, credentials).result(of: HTTP.Call(.get, "books"))

        #expect(Self.code(result) == "rejected.accountChanged")
        #expect(service.requests.count == position)
    }

    @Test("what an operation returns after a sign-out goes to nobody, be it the second run", arguments: [1, 2])
    func operationSignedOut(during position: Int) async throws {
        struct Refused: Error {}
        let credentials = try credentials()
        let runs = Lock(0)
        login.answer(.success(TokenSet(access: "new")))

        let error = await #expect(throws: RejectionError.self) {
            try await credentials.withToken(isRefused: { $0 is Refused }) { _ in
                guard
                    runs.withLock({
                        $0 += 1; return $0
                    }) == position
                else { throw Refused() }
                try await credentials.signOut()
                return "ann's"
            }
        }

        #expect(error?.code == .accountChanged)
    }

    /// A store whose first save waits.
    private actor SlowStore: TokenStore {
        let gate = Gate()
        private(set) var saved: [String?] = []
        private var isFirst = true
        func load() -> TokenSet? { nil }
        func save(_ tokens: TokenSet?) async {
            if isFirst {
                isFirst = false
                await gate.pass()
            }
            saved.append(tokens?.access)
        }
    }

    @Test("tokens are saved one after the other, the last one last") func saves() async throws {
        let store = SlowStore()
        // A busy machine takes more than the usual 30 s for the turns below.
        let credentials = try Credentials(
            store: store, refreshMargin: .zero, refreshTimeout: .seconds(3600), refresh: login.refresh)
        let first = Task { try await credentials.signIn(TokenSet(access: "a")) }
        await store.gate.waitForArrivals(1)

        let others = [credentials.replaceNow(with: TokenSet(access: "b")), credentials.replaceNow(with: nil)]
        for _ in 0..<200 { await Task.yield() }
        store.gate.open()
        try await first.value
        for other in others { try await other?.value }

        #expect(await store.saved == ["a", nil])
    }

    @Test(
        "a call that waits further out is that of whoever was signed in when it began",
        arguments: [
            // Who is signed in at first, who then, and what becomes of the call.
            ("ann", "bob", "rejected.accountChanged", nil), ("ann", nil, "rejected.accountChanged", nil),
            ("ann", "ann", "200", "Bearer ann 2"), (nil, "bob", "200", "none"),
        ] as [(String?, String?, String, String?)])
    func waitingOutside(first: String?, then: String?, code: String, sent: String?) async throws {
        @Sendable func tokens(_ name: String?, _ number: Int) -> TokenSet? {
            name.map { TokenSet(access: "\($0) \(number)", account: $0) }
        }
        let service = ScriptedTransport(.status(200).repeated())
        let credentials = try Credentials(tokens(first, 1), refresh: login.refresh)
        let client = try client(service, credentials).withChain {
            try $0.inserting(
                ClosureInterceptor { request, _, next in
                    if let tokens = tokens(then, 2) {
                        try await credentials.signIn(tokens)
                    } else {
                        try await credentials.signOut()
                    }
                    return try await next(request)
                }, outside: .retry)
        }

        let result = await client.result(of: .post("orders"))

        #expect(Self.code(result) == code)
        #expect(Self.tokens(of: service).map { $0 ?? "none" } == (sent.map { [$0] } ?? []))
    }

    @Test("a call that began signed out stays so when somebody signs in") func anonymous() async throws {
        let credentials = try credentials(nil)
        let service = ScriptedTransport(
            .respond { _, _ in
                try await credentials.signIn(Self.old)
                return HTTP.Response(status: 503)
            }, .status(401))

        let result = try await client(service, credentials).result(of: HTTP.Call(.get, "books"))

        #expect(Self.code(result) == "status.401")
        #expect(Self.tokens(of: service) == [nil, nil])
        #expect(login.asked.isEmpty)
    }
    @Test("a refusal from before a sign-in says nothing about the new token", arguments: [true, false])
    func marks(isLate: Bool) async throws {
        let credentials = try credentials()
        let service = ScriptedTransport(
            .respond { _, _ in
                if isLate { try await credentials.signIn(TokenSet(access: "second", account: "ann")) }
                return HTTP.Response(status: 401)
            }, .status(200))
        let client = try client(service, credentials)
        let body = HTTP.Body.stream(once: AsyncStream { Data("a".utf8) })
        login.answer(.success(TokenSet(access: "unasked")))
        let failure = await client.result(of: HTTP.Call(.put, "books/1", body: body)).failure
        if !isLate { try await credentials.signIn(TokenSet(access: "second", account: "ann")) }

        _ = try await client.get("books")

        #expect(failure?.code == "status.401")
        #expect(Self.tokens(of: service) == ["Bearer old", "Bearer second"])
        #expect(login.asked.isEmpty)
    }

    @Test("a token that has expired when it arrives is used until it is refused") func expiredOnArrival() async throws {
        let service = ScriptedTransport(.status(401), .status(200).repeated(3))
        let client = try client(service, credentials())
        await clock.advance(by: .seconds(50))
        login.answer(
            .success(TokenSet(access: "new", expirySince1970: .seconds(50))), .success(TokenSet(access: "unasked")))

        for _ in 1...3 { _ = try await client.get("books") }

        #expect(Self.tokens(of: service) == ["Bearer old", "Bearer new", "Bearer new", "Bearer new"])
        #expect(login.asked.count == 1)
    }

    @Test("a sign-out cancels the refresh that runs, and a late end of it changes nothing") func cancelled()
        async throws
    {
        let (began, cancelled) = (Gate(), Gate())
        let credentials = try Credentials(Self.old) { _ in
            began.open()
            try? await untilCancelled()
            cancelled.open()
            return TokenSet(access: "late", account: "ann")
        }
        let client = try client(ScriptedTransport(.status(401)), credentials)
        let call = Task { await client.result(of: HTTP.Call(.get, "books")).failure?.code }
        await began.pass()

        try await credentials.signOut()
        await cancelled.pass()

        #expect(await call.value == "rejected.accountChanged")
        for _ in 0..<100 { await Task.yield() }
        #expect(credentials.tokens == nil)
    }

    @Test("a 403 is about rights, not about the token (RFC 6750, 3.1)") func forbidden() async throws {
        let service = ScriptedTransport(.status(403).repeated())
        login.answer(.success(TokenSet(access: "unasked")))

        let result = try await client(service, credentials()).result(of: HTTP.Call(.get, "books"))

        #expect(Self.code(result) == "status.403")
        #expect(login.asked.isEmpty)
    }

    @Test("a 401 of another origin, after a redirect, says nothing about the token") func redirected() async throws {
        let service = ScriptedTransport(
            .respond { request, context in
                var next = request
                next.url = URL(string: "https://images.example.net/1") ?? request.url
                next.headers[.authorization] = nil
                context.recordHop(next)
                return HTTP.Response(status: 401)
            })
        login.answer(.success(TokenSet(access: "unasked")))

        let result = try await client(service, credentials()).result(of: HTTP.Call(.get, "books"))

        #expect(Self.code(result) == "status.401")
        #expect(login.asked.isEmpty)
    }
}
