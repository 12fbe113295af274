import Backstop
import BackstopAuthentication
import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("BearerAuthentication", .limited)
struct BearerAuthenticationTests {
    static let old = TokenSet(access: "old", refresh: "r1", account: "ann")
    let login = ScriptedLogin()

    func client(
        _ service: ScriptedTransport, _ credentials: Credentials, options: CallOptions = CallOptions()
    ) throws -> Client {
        try Client.standard(
            baseURL: "https://api.example.com/v1", transport: service,
            authentication: BearerAuthentication(credentials), logging: nil, options: options)
    }

    func credentials(_ tokens: TokenSet? = old) throws -> Credentials {
        try Credentials(tokens, refresh: login.refresh)
    }

    static func tokens(of service: ScriptedTransport) -> [String?] {
        service.requests.map { $0.headers[.authorization] }
    }

    static func failure(of client: Client, _ path: String = "books") async throws -> Failure {
        try #require(await #expect(throws: Failure.self) { _ = try await client.get(path) })
    }

    /// Accepts one token; those with another wait for each other before they are refused.
    private static func service(knowing token: String, refused: Gate, after count: Int) -> ScriptedTransport {
        ScriptedTransport(
            .respond { request, _ in
                guard request.headers[.authorization] != "Bearer \(token)" else {
                    return HTTP.Response(status: 200)
                }
                Task {
                    await refused.waitForArrivals(count); refused.open()
                }
                await refused.pass()
                return HTTP.Response(status: 401)
            }.repeated())
    }

    @Test("sends the token, and the request again with a new one when it is refused", arguments: ["GET", "POST"])
    func renewed(method: String) async throws {
        let service = ScriptedTransport(.status(401), .status(200))
        login.answer(.success(TokenSet(access: "new")))

        _ = try await client(service, credentials()).send(WholeCall(method == "GET" ? .get : .post))

        #expect(Self.tokens(of: service) == ["Bearer old", "Bearer new"])
        #expect(login.asked.map(\.refresh) == ["r1"])
    }

    @Test("keeps the refresh token and the account when the server sends no new ones")
    func kept() async throws {
        let credentials = try credentials()
        login.answer(.success(TokenSet(access: "new")))

        _ = try await client(ScriptedTransport(.status(401), .status(200)), credentials).get("books")

        #expect(credentials.tokens == TokenSet(access: "new", refresh: "r1", account: "ann"))
    }

    @Test("shares one refresh among eight calls with the same old token") func shared() async throws {
        let service = Self.service(knowing: "new", refused: Gate(), after: 8)
        let client = try client(service, credentials())
        login.answer(.success(TokenSet(access: "new")))

        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...8 {
                group.addTask { try await client.get("books/\(number)").status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(statuses == Array(repeating: 200, count: 8))
        #expect(login.asked.count == 1)
        #expect(service.requests.count == 16)
    }

    @Test("fails each of eight calls once when the refresh fails, and the next call refreshes anew")
    func failedOnce() async throws {
        let service = Self.service(knowing: "new", refused: Gate(), after: 8)
        let client = try client(service, credentials())
        login.answer(.failure(TransportError(.offline)), .success(TokenSet(access: "new")))

        let codes = await withTaskGroup(of: String?.self) { group in
            for _ in 1...8 {
                group.addTask { await client.result(of: .get("books")).failure?.code }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }

        #expect(codes == Array(repeating: "transport.offline", count: 8))
        #expect(login.asked.count == 1)
        #expect(try await client.get("books").status == 200)
        #expect(login.asked.count == 2)
    }

    @Test("says why the refresh failed, and is not retried") func cause() async throws {
        let service = ScriptedTransport(.status(401))
        login.answer(.failure(Failure(TransportError(.certificate))))

        let failure = try await Self.failure(of: client(service, credentials()))

        #expect(failure.code == "rejected.tokenRefresh")
        #expect(failure.error(as: TokenRefreshError.self)?.failure?.code == "transport.certificate")
        #expect(failure.explanation.hasSuffix("a new token was asked for: transport.certificate"))
        #expect(failure.stopReason == .notRetryable)
        #expect(failure.attempts.map(\.result) == [.failed(code: "status.401")])
    }

    @Test("leaves the 401 when the refresh token is refused for good, and does not send it again")
    func refusedForGood() async throws {
        let service = ScriptedTransport(.status(401).repeated())
        let client = try client(service, credentials())
        login.answer(.success(nil))

        for _ in 1...3 {
            #expect(try await Self.failure(of: client).code == "status.401")
        }

        #expect(login.asked.count == 1)
        #expect(service.requests.count == 3)
    }

    @Test("counts the second request as an attempt of its own, but not as a retry") func attempts() async throws {
        let service = ScriptedTransport(.status(401), .status(503), .status(200))
        let clock = RecordingClock()
        var options = CallOptions()
        options.clock = clock
        login.answer(.success(TokenSet(access: "new")))

        let response = try await client(service, credentials(), options: options).get("books")

        #expect(response.status == 200)
        #expect(Self.tokens(of: service) == ["Bearer old", "Bearer new", "Bearer new"])
        #expect(clock.sleeps.count == 1)
    }

    @Test("does not refresh again for a new token that is refused as well") func refusedTwice() async throws {
        let service = ScriptedTransport(.status(401).repeated())
        login.answer(.success(TokenSet(access: "new")))

        let failure = try await Self.failure(of: client(service, credentials()))
        #expect(failure.code == "status.401")
        #expect(failure.report.contains("next:     Check the new token, which was refused like the old one"))

        #expect(service.requests.count == 2)
        #expect(login.asked.count == 1)
    }

    @Test("does not send a body again that can be read only once; the next call refreshes first") func oneShotBody()
        async throws
    {
        let service = ScriptedTransport(.status(401), .status(200))
        let client = try client(service, credentials())
        let body = HTTP.Body.stream(once: AsyncStream { Data("a".utf8) })

        let failure = try #require(
            await #expect(throws: Failure.self) { _ = try await client.put("books/1", body: body) })
        login.answer(.success(TokenSet(access: "new")))
        _ = try await client.get("books")

        #expect(failure.code == "status.401")
        #expect(failure.stopReason == .notReplayable)
        #expect(Self.tokens(of: service) == ["Bearer old", "Bearer new"])
    }

    @Test("waits before it sends, while a refresh runs, and says so in the trace") func waits() async throws {
        let service = ScriptedTransport(.status(401), .status(200).repeated())
        let client = try client(service, credentials())
        let first = Task { try await client.get("first").status }
        await login.waitForAsked(1)

        let second = Task { try await client.get("second").status }
        while true {
            if login.asked.count == 1, service.requests.count == 1 { break }
            await Task.yield()
        }
        login.answer(.success(TokenSet(access: "new")))

        #expect(try await [first.value, second.value] == [200, 200])
        #expect(service.requests.filter { $0.headers[.authorization] == "Bearer old" }.count == 1)
        #expect(login.asked.count == 1)
    }

    @Test("a call that is cancelled while it waits does not end the refresh for others") func cancelled() async throws {
        let service = Self.service(knowing: "new", refused: Gate(), after: 2)
        let client = try client(service, credentials())
        let calls = (1...2).map { _ in Task { try await client.get("books").status } }
        await login.waitForAsked(1)

        calls[0].cancel()
        let failure = await #expect(throws: Failure.self) { try await calls[0].value }
        login.answer(.success(TokenSet(access: "new")))

        #expect(failure?.isCancelled == true)
        #expect(try await calls[1].value == 200)
        #expect(login.asked.count == 1)
    }

    @Test(
        "sends the token to its own origins only",
        arguments: [
            ("books", true), ("https://api.example.com/other", true), ("https://API.example.com:443/x", true),
            ("https://images.example.com/1", true), ("http://api.example.com/v1/books", false),
            ("https://api.example.com.evil.example/", false), ("https://api.example.com:8443/", false),
            ("https://evil.example/https://api.example.com/", false), ("https://ann@api.example.com/", true),
        ])
    func origins(target: String, isOwn: Bool) async throws {
        let service = ScriptedTransport(.status(200))
        let client = try Client.standard(
            baseURL: "https://api.example.com/v1", transport: service,
            authentication: BearerAuthentication(credentials(), origins: ["https://images.example.com"]), logging: nil)

        _ = try await client.get(target)

        #expect(Self.tokens(of: service) == [isOwn ? "Bearer old" : nil])
    }

    @Test(
        "an interceptor further inside that leads a request elsewhere takes no credentials along",
        arguments: [true, false])
    func ledAway(isBearer: Bool) async throws {
        struct Lead: HTTP.Interceptor {
            func intercept(
                _ request: HTTP.Request, context: CallContext, next: HTTP.Next
            ) async throws -> HTTP.Response {
                // Made anew, as from a request that knows nothing of the first.
                let target = URL(string: "https://other.example.net\(request.url.path)") ?? request.url
                return try await next(HTTP.Request(request.method, url: target, headers: request.headers))
            }
        }
        let service = ScriptedTransport(.status(401).repeated())
        let authentication: any HTTP.Interceptor =
            isBearer ? BearerAuthentication(try credentials()) : .basic(user: "ann", password: "hunter2")
        let client = try Client.standard(
            baseURL: "https://api.example.com/v1", transport: service, authentication: authentication,
            interceptors: [Lead()], logging: nil)

        let failure = try await Self.failure(of: client)

        #expect(failure.code == "status.401")
        #expect(service.requests.map(\.url.host) == ["other.example.net"])
        #expect(Self.tokens(of: service) == [nil])
        #expect(login.asked.isEmpty)
    }

    @Test("sends the token nowhere without a base URL and without origins") func noOrigin() async throws {
        let service = ScriptedTransport(.status(200))
        let bearer = BearerAuthentication(try credentials())
        let chain = try HTTP.Chain(transport: service) { bearer }

        _ = try await chain.call(HTTP.Request(.get, "https://api.example.com/"))

        #expect(Self.tokens(of: service) == [nil])
    }

    @Test(
        "refuses an origin that is none",
        arguments: ["api.example.com", "ftp://a.example", "", "/books", "https://*.example.com"])
    func invalidOrigin(origin: String) throws {
        let error = #expect(throws: ConfigurationError.self) {
            try requireValid(BearerAuthentication(credentials(), origins: [origin]))
        }
        #expect(error?.setting == "BearerAuthentication.origins")
    }

    @Test("leaves a request alone that has an Authorization of its own") func ownHeader() async throws {
        let service = ScriptedTransport(.status(401))
        let client = try client(service, credentials())

        _ = await client.result(of: .get("token", headers: [.authorization: "Basic YTpi"]))

        #expect(Self.tokens(of: service) == ["Basic YTpi"])
        #expect(login.asked.isEmpty)
    }

    @Test("sends calls without a token while nobody is signed in, and leaves their 401") func anonymous() async throws {
        let service = ScriptedTransport(.status(401))

        let failure = try await Self.failure(of: client(service, credentials(nil)))

        #expect(failure.code == "status.401")
        #expect(Self.tokens(of: service) == [nil])
    }

    @Test("a refresh through a client with the same credentials does not wait for itself") func ownClient() async throws
    {
        let service = ScriptedTransport(
            .status(401), .json(200, #"{"access":"new"}"#), .status(200))
        let box = Lock<Client?>(nil)
        let credentials = try Credentials(Self.old) { _ in
            let client = box.withLock { $0 }
            let access = try await client?.get("token", as: [String: String].self)["access"]
            return access.map { TokenSet(access: $0) }
        }
        let client = try client(service, credentials)
        box.withLock { $0 = client }

        _ = try await client.get("books")

        #expect(Self.tokens(of: service) == ["Bearer old", nil, "Bearer new"])
    }

    @Test("no token is in any text of a failure, a trace, a log or a dump") func secrets() async throws {
        let sink = RecordingLog()
        let service = ScriptedTransport(.status(401).repeated())
        let tokens = TokenSet(access: "hunter2", refresh: "hunter2-r", expirySince1970: .seconds(9e9), account: "ann")
        let credentials = try Credentials(tokens) { old in
            throw RejectionError("custom", "server said: refresh \(old.refresh ?? "") is bad")
        }
        let authentication = BearerAuthentication(credentials)
        let client = try Client(baseURL: "https://api.example.com", transport: service) {
            RequestLogging(.call, to: sink)
            authentication
            StatusValidation()
        }

        let failure = try await Self.failure(of: client)

        var texts = [
            "\(authentication)", String(reflecting: authentication),
            failure.report, "\(failure)", failure.explanation, failure.localizedDescription, failure.trace.text,
            "\(tokens)", String(reflecting: tokens), "\(credentials)", String(reflecting: credentials), "\(client)",
            String(reflecting: client),
        ]
        texts += sink.entries.map { $0.message }
        for value in [failure, failure.underlying, tokens, credentials, authentication, client, client.chain] as [Any] {
            var text = ""
            dump(value, to: &text)
            texts.append(text)
        }
        #expect(texts.filter { $0.contains("hunter2") } == [])
    }
}

/// A call for a response as it is.
private struct WholeCall: Endpoint {
    let method: HTTP.Method
    init(_ method: HTTP.Method) { self.method = method }
    func makeRequest() throws -> HTTP.Request {
        try HTTP.Request(method, "books", body: method == .post ? .text("a") : .none)
    }
    func content(from response: HTTP.Response) throws -> HTTP.Response { response }
}

extension Result where Failure == BackstopCore.Failure {
    /// The failure; nil after a success.
    var failure: BackstopCore.Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
