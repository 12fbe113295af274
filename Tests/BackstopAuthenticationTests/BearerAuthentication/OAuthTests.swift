import Backstop
import BackstopAuthentication
import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("OAuth", .limited)
struct OAuthTests {
    private static let old = TokenSet(access: "old", refresh: "r 1&", account: "ann")
    private static let issued = #"{"access_token":"new","token_type":"Bearer","expires_in":3600}"#

    private func clients(
        _ service: ScriptedTransport, _ login: ScriptedTransport, secret: String? = nil,
        apiError: Bool = true
    ) throws -> (client: Client, credentials: Credentials) {
        var options = CallOptions()
        options.clock = RecordingClock()
        let tokenClient =
            apiError
            ? try Client.standard(
                baseURL: "https://login.example.com", apiError: OAuthError.self, transport: login, logging: nil,
                options: options)
            : try Client.standard(
                baseURL: "https://login.example.com", transport: login, logging: nil, options: options)
        let bearer = try BearerAuthentication.oauth(
            tokenURL: "https://login.example.com/oauth/token?v=2", clientID: "shop", clientSecret: secret,
            parameters: ["scope": "read write"], tokens: Self.old, login: tokenClient)
        let client = try Client.standard(
            baseURL: "https://api.example.com", transport: service, authentication: bearer, logging: nil,
            options: options)
        return (client, bearer.credentials)
    }

    private static func failure(_ client: Client) async -> Failure? {
        do throws(Failure) {
            _ = try await client.get("books")
            return nil
        } catch {
            return error
        }
    }

    @Test("sends a refresh token once, though the app gives each request a key and retries") func once() async throws {
        let login = ScriptedTransport(.failure(TransportError(.lost)).repeated())
        var options = CallOptions()
        options.clock = RecordingClock()
        let tokenClient = try Client.standard(
            baseURL: "https://login.example.com", transport: login, logging: nil, options: options
        ).withChain { $0.prepending(AddingKey(keeps: true)) }
        let bearer = try BearerAuthentication.oauth(
            tokenURL: "https://login.example.com/token", clientID: "shop", tokens: Self.old, login: tokenClient)
        let client = try Client.standard(
            baseURL: "https://api.example.com", transport: ScriptedTransport(.status(401)), authentication: bearer,
            logging: nil, options: options)

        #expect(await Self.failure(client)?.code == "transport.lost")
        #expect(login.requests.count == 1)
    }

    @Test("dates new tokens by the clock of the client that asks for them") func date() async throws {
        var options = CallOptions()
        options.clock = ManualClock(date: .seconds(1_000_000))
        let tokenClient = try Client.standard(
            baseURL: "https://login.example.com", transport: ScriptedTransport(.json(200, Self.issued)), logging: nil,
            options: options)
        let bearer = try BearerAuthentication.oauth(
            tokenURL: "https://login.example.com/token", clientID: "shop", tokens: Self.old, login: tokenClient)
        let client = try Client.standard(
            baseURL: "https://api.example.com", transport: ScriptedTransport(.status(401), .status(200)),
            authentication: bearer, logging: nil, options: options)

        _ = try await client.get("books")

        #expect(bearer.credentials.tokens?.expiry == .seconds(1_003_600))
    }

    @Test("asks for new tokens with a form, and keeps a refresh token that is not sent anew") func form() async throws {
        let service = ScriptedTransport(.status(401), .status(200))
        let login = ScriptedTransport(.json(200, Self.issued))
        let (client, credentials) = try clients(service, login)

        _ = try await client.get("books")

        let request = try #require(login.requests.first)
        #expect(request.method == .post)
        #expect(request.url.absoluteString == "https://login.example.com/oauth/token?v=2")
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(request.headers[.accept] == "application/json")
        #expect(request.headers[.authorization] == nil)
        #expect(
            request.body.data.map { String(decoding: $0, as: UTF8.self) }
                == "grant_type=refresh_token&refresh_token=r+1%26&client_id=shop&scope=read+write")
        #expect(service.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
        #expect(credentials.tokens?.refresh == "r 1&")
        #expect(credentials.account == "ann")
        #expect(credentials.tokens?.expiry != nil)
    }

    @Test("a secret goes into Basic authentication, as a form has it, and the client's name nowhere else")
    func secret() async throws {
        let login = ScriptedTransport(.json(200, Self.issued))
        let (client, _) = try clients(ScriptedTransport(.status(401), .status(200)), login, secret: "a:b c")

        _ = try await client.get("books")

        let request = try #require(login.requests.first)
        let basic = Data("shop:a%3Ab+c".utf8).base64EncodedString()
        #expect(request.headers[.authorization] == "Basic \(basic)")
        #expect(request.body.data.map { String(decoding: $0, as: UTF8.self).contains("client_id") } == false)
    }

    @Test(
        "ends the session when the refresh token is refused, and the reports say so",
        arguments: [(400, true), (401, true), (403, false)])
    func final(status: Int, apiError: Bool) async throws {
        let service = ScriptedTransport(.status(401).repeated())
        let login = ScriptedTransport(
            .json(status, #"{"error":"invalid_grant","error_description":"r 1& is hunter2"}"#))
        let client = try clients(service, login, apiError: apiError).client

        for words in ["a new token was asked for", "no new token"] {
            let failure = try #require(await Self.failure(client))
            #expect(failure.code == "status.401")
            #expect(failure.report.contains("\n  renewal:  \(words): \(status) invalid_grant\n"))
            #expect(failure.report.contains("\n  next:     Let the person sign in again: no new token was issued."))
            #expect(!failure.report.contains("hunter2"))
        }

        #expect(login.requests.count == 1)
    }

    @Test(
        "whatever else the server says leaves people signed in, and the report says it",
        arguments: [
            (400, #"{"error":"invalid_request"}"#, "400 invalid_request"),
            (401, #"{"error":"invalid_client"}"#, "401 invalid_client"),
            (400, #"{"error":"slow_down hunter2"}"#, "400 OAuthError"), (400, "{}", "400"),
            (500, #"{"error":"invalid_grant"}"#, "500"), (404, "not here", "404"), (429, "", "429"),
            (200, "{}", "decoding"), (200, #"{"access_token":""}"#, "decoding"),
        ])
    func notFinal(status: Int, body: String, words: String) async throws {
        let login = ScriptedTransport(
            .respond { _, _ in
                HTTP.Response(
                    status: status, headers: [.contentType: "application/json"], body: Data(body.utf8))
            }, .json(200, Self.issued))
        let (client, credentials) = try clients(ScriptedTransport(.status(401).repeated(2), .status(200)), login)

        let failure = try #require(await Self.failure(client))

        #expect(failure.code == "rejected.tokenRefresh")
        #expect(failure.report.contains("a new token was asked for: \(words)\n"), "\(failure.report)")
        #expect(!failure.report.contains("hunter2"))
        #expect(login.requests.count == 1)
        #expect(credentials.tokens == Self.old)
        #expect(try await client.get("books").status == 200)
    }

    @Test("without a refresh token, nothing is asked for") func noRefreshToken() async throws {
        let service = ScriptedTransport(.status(401))
        let login = ScriptedTransport()
        let (client, credentials) = try clients(service, login)
        try await credentials.signIn(TokenSet(access: "only"))

        let failure = try #require(await Self.failure(client))

        #expect(failure.code == "status.401")
        #expect(failure.report.contains("\n  renewal:  no new token: there is no refresh token\n"))
        #expect(login.requests.isEmpty)
    }

    @Test("an expired token is renewed before it is sent, and a refusal of that was asked for by the call")
    func expired() async throws {
        let login = ScriptedTransport(.json(400, #"{"error":"invalid_grant"}"#))
        let (client, credentials) = try clients(ScriptedTransport(.status(401)), login)
        try await credentials.signIn(TokenSet(access: "old", refresh: "r", expirySince1970: .zero))

        let failure = try #require(await Self.failure(client))

        #expect(failure.report.contains("\n  renewal:  a new token was asked for: 400 invalid_grant\n"))
    }

    @Test(
        "tokens are asked for over TLS, or on this machine", arguments: [true, false],
        [
            ("https://login.example.com/token", true), ("HTTPS://login.example.com", true),
            ("http://localhost:8080/token", true), ("http://127.0.0.1/token", true), ("http://[::1]:80/token", true),
            ("http://login.example.com/token", false), ("http://localhost.example.com/token", false), ("token", false),
            ("/token", false), ("login.example.com/token", false), ("", false), ("ftp://localhost/token", false),
        ])
    func tokenURL(hasLogin: Bool, url: (text: String, isUsable: Bool)) throws {
        let login = hasLogin ? try Client.standard(baseURL: "https://login.example.com") : nil
        func make() throws { _ = try BearerAuthentication.oauth(tokenURL: url.text, clientID: "shop", login: login) }
        if url.isUsable {
            #expect(throws: Never.self) { try make() }
        } else {
            #expect(throws: RequestError.self) { try make() }
        }
    }

    @Test(
        "a lifetime may be a number, a text, absurd or absent",
        arguments: [
            ("3600", Duration.seconds(3600)), ("\"60\"", .seconds(60)), ("-1", .zero),
            ("9223372036854775807", .seconds(3_155_760_000)), ("1e300", nil), ("null", nil), ("\"soon\"", nil),
        ])
    func lifetime(text: String, lifetime: Duration?) throws {
        let issued = try JSONDecoder().decode(
            OAuthTokens.self, from: Data(#"{"access_token":"a","expires_in":\#(text)}"#.utf8))

        #expect(issued.lifetime == lifetime)
        #expect(issued.tokenSet(date: .seconds(5)).expiry == lifetime.map { .seconds(5) + $0 })
    }

    @Test(
        "tokens that cannot be sent are none",
        arguments: [
            #"{"access_token":""}"#, #"{"access_token":"a\nb"}"#, #"{"access_token":"a b"}"#, #"{"access_token":"é"}"#,
            #"{"access_token":"a","token_type":"mac"}"#,
        ])
    func unfit(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(OAuthTokens.self, from: Data(text.utf8)) }
    }

    @Test("tokens of more than 64 KiB are none", arguments: [65_536, 65_537])
    func long(length: Int) {
        let token = String(repeating: "a", count: length)
        for text in [#"{"access_token":"\#(token)"}"#, #"{"access_token":"a","refresh_token":"\#(token)"}"#] {
            let tokens = try? JSONDecoder().decode(OAuthTokens.self, from: Data(text.utf8))
            #expect((tokens != nil) == (length == 65_536))
        }
    }

    @Test(
        "an empty refresh token is none, and the type may be missing or in any case",
        arguments: [
            (#"{"access_token":"a","refresh_token":"","token_type":"bearer"}"#, nil),
            (#"{"access_token":"a","refresh_token":"r","token_type":"BEARER"}"#, "r"),
            (#"{"access_token":"a"}"#, nil),
        ])
    func refreshToken(text: String, refresh: String?) throws {
        let issued = try JSONDecoder().decode(OAuthTokens.self, from: Data(text.utf8))

        #expect(issued.refreshToken == refresh)
        #expect(issued.tokenSet().refresh == refresh)
    }

    @Test("shows no token and no words of the server") func hidden() throws {
        let tokens = try JSONDecoder().decode(
            OAuthTokens.self, from: Data(#"{"access_token":"hunter2","refresh_token":"hunter2"}"#.utf8))
        let error = try JSONDecoder().decode(
            OAuthError.self, from: Data(#"{"error":"hunter2","error_description":"hunter2"}"#.utf8))
        var text = "\(tokens) \(error) \(String(reflecting: error)) \(error.failureCode) \(error.failureExplanation)"
        dump(tokens, to: &text)
        dump(error, to: &text)
        #expect(!text.contains("hunter2"))
    }
}
