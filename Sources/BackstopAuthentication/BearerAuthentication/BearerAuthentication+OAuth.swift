public import Backstop
public import BackstopCore
public import Foundation

extension BearerAuthentication {
    /// Makes the interceptor for an OAuth 2 server, whose token endpoint refreshes the tokens (RFC 6749, 6).
    ///
    /// ```swift
    /// func makeClient(_ store: any TokenStore) throws -> (client: Client, credentials: Credentials) {
    ///     let bearer = try BearerAuthentication.oauth(
    ///         tokenURL: "https://login.example.com/token", clientID: "shop-app", store: store)
    ///     let client = try Client.standard(baseURL: "https://api.example.com/v1", authentication: bearer)
    ///     return (client, bearer.credentials)
    /// }
    /// ```
    /// If the server sends no new refresh token, the old one is kept. ``OAuthError/isFinal`` ends the session: calls then
    /// fail with their own 401 until `Credentials.signIn(_:)`. Whatever else happens leaves people signed in: the calls
    /// that need a new token fail with `rejected.tokenRefresh`, and the next one asks again.
    ///
    /// For other origins, or another sign of a refused token, make a `BearerAuthentication` of its ``credentials``; for
    /// another margin or limit, make the `Credentials` yourself.
    ///
    /// - Parameters:
    ///   - tokenURL: The token endpoint, an absolute `https` URL; `http` only for `localhost`, `127.0.0.1` and `[::1]`.
    ///   - clientID: The app, as the server knows it.
    ///   - clientSecret: The secret of a server's client, sent by Basic authentication (RFC 6749, 2.3.1); nil for an
    ///     app on a device, which can keep none. Default: nil.
    ///   - parameters: Further fields of the form, such as `scope`. Default: none.
    ///   - tokens: The tokens of whoever is signed in; nil to load them from the store, or when nobody is.
    ///   - store: Where the tokens are kept between launches. Default: in memory only.
    ///   - login: Asks for tokens; nil for `Client.standard` without redirects. Make your own with
    ///     `apiError: OAuthError.self`, so that a failure names the code, and with a transport that follows no redirect:
    ///     307 and 308 would take the refresh token to where they lead.
    /// - Throws: `RequestError` for another URL.
    public static func oauth(
        tokenURL: some HTTP.Target, clientID: String, clientSecret: String? = nil, parameters: HTTP.Query = [:],
        tokens: TokenSet? = nil, store: (any TokenStore)? = nil, login: Client? = nil
    ) throws -> BearerAuthentication {
        let url = try tokenURL.targetText()
        try checkTokenURL(url)
        // A token endpoint has no reason to redirect, and 307 and 308 would take the refresh token along.
        let login =
            try login
            ?? Client.standard(
                baseURL: tokenURL, apiError: OAuthError.self, transport: URLSessionTransport(maximumRedirects: 0))
        var headers: HTTP.Headers = [.accept: "application/json"]
        if let clientSecret {
            let pair = [clientID, clientSecret].map { HTTP.Query.formText($0) }.joined(separator: ":")
            headers[.authorization] = "Basic \(Data(pair.utf8).base64EncodedString())"
        }
        let credentials = try Credentials(tokens, store: store) { [headers] old in
            guard let refresh = old.refresh else {
                throw TokenRefusedForGood("there is no refresh token", isAsked: false)
            }
            var form: HTTP.Query = ["grant_type": "refresh_token", "refresh_token": refresh]
            if clientSecret == nil {
                form.add(clientID, for: "client_id")
            }
            form.add(parameters)
            do throws(Failure) {
                return try await login.send(TokenRequest(url: url, headers: headers, form: form))
                    .tokenSet(date: login.options.clock.date)
            } catch {
                guard let refusal = OAuthError(error), refusal.isFinal else {
                    throw error
                }
                throw TokenRefusedForGood("\(error.statusCode ?? 0) \(refusal.failureCode)")
            }
        }
        return BearerAuthentication(credentials)
    }

    /// Tokens are sent there, so the endpoint is asked over TLS (RFC 6749, 3.2), unless it runs on this machine.
    private static func checkTokenURL(_ text: String) throws(RequestError) {
        let url = try RequestURL(text).url()
        switch url.scheme?.lowercased() {
        case "https" where url.host?.isEmpty == false, "http" where RequestURL.isLocal(url.host): return
        default:
            throw RequestError(
                .invalidURL,
                "The token URL \"\(RequestURL.shown(text))\" has to be an absolute https URL: tokens are sent there")
        }
    }
}

/// Asks for new tokens.
private struct TokenRequest: JSONEndpoint {
    typealias Content = OAuthTokens

    var name: String { "POST \(RequestURL.shown(url))" }
    let url: String
    let headers: HTTP.Headers
    let form: HTTP.Query

    func makeRequest() throws -> HTTP.Request {
        // The second time, the server may take the refresh token for a stolen one: no key of the app's changes that.
        try changed(HTTP.Request(.post, url, headers: headers, body: .form(form))) { $0.isRepeatable = false }
    }
}

/// Why a token endpoint refused a request (RFC 6749, 5.2).
///
/// ```swift
/// let login = try Client.standard(baseURL: "https://login.example.com", apiError: OAuthError.self)
/// ```
public struct OAuthError: APIError, Hashable {
    /// `error`
    public static let identifyingKeys = ["error"]

    /// One with the default settings, whatever the client's: the members have the names of the RFC.
    public static var decoder: JSONDecoder { JSONDecoder() }

    /// The server's code, such as `invalid_grant`.
    public let error: String
    /// The server's words for developers, which may quote tokens: they are not in any text of Backstop; nil when it says
    /// nothing.
    public let errorDescription: String?

    private enum CodingKeys: String, CodingKey {
        case error
        case errorDescription = "error_description"
    }

    /// Reads the error from the body of a refusal; nil for any other failure.
    public init?(_ failure: Failure) {
        if let known = failure.error(as: OAuthError.self) {
            self = known
        } else if let response = failure.response, Self.isCarried(by: response),
            let read = try? JSONBody.decode(OAuthError.self, from: response.body, decoder: Self.decoder)
        {
            self = read
        } else {
            return nil
        }
    }

    /// Whether the person has to sign in again: the refresh token has expired or was revoked (`invalid_grant`). A new
    /// sign-in would not help against the other codes, which are about the app or the request.
    public var isFinal: Bool { error == "invalid_grant" }

    /// Whether the status is from 400 to 499, and the body names an error.
    public static func isCarried(by response: HTTP.Response) -> Bool {
        (400..<500).contains(response.status)
            && response.body.withUnsafeBytes { JSONScan.hasTopLevelKeys(identifyingKeys, in: $0) }
    }

    /// The code, if RFC 6749 has it: another may be anything that the server quotes.
    public var failureCode: String {
        Self.codes.contains(error) ? error : "OAuthError"
    }

    /// The code.
    public var failureExplanation: String { "The token endpoint refused the request: \(failureCode)." }

    private static let codes = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope",
    ]
}

extension OAuthError: CustomStringConvertible, CustomReflectable {
    /// The code.
    public var description: String { "OAuthError: \(failureCode)" }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["error": failureCode], displayStyle: .struct)
    }
}

/// What a token endpoint issues (RFC 6749, 5.1).
///
/// ```swift
/// func signIn(_ credentials: Credentials, code: String, verifier: String, login: Client) async throws {
///     let issued = try await login.post(
///         "token",
///         form: [
///             "grant_type": "authorization_code", "code": code, "redirect_uri": "shop://signed-in",
///             "client_id": "shop-app", "code_verifier": verifier,
///         ], as: OAuthTokens.self)
///     try await credentials.signIn(issued.tokenSet(account: "ann"))
/// }
/// ```
public struct OAuthTokens: Decodable, Sendable, Hashable {
    /// How many bytes a token may have.
    private static let longest = 65_536

    /// The access token, never empty, of at most 64 KiB, and fit for a header.
    public let accessToken: String
    /// The refresh token, of at most 64 KiB; nil when the server issues none, or no new one (also as an empty text).
    public let refreshToken: String?
    /// How long the access token is valid; nil when the server does not say. At most a hundred years.
    public let lifetime: Duration?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case lifetime = "expires_in"
        case type = "token_type"
    }

    /// Decodes what was issued. Some servers send the lifetime as a string.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try values.decode(String.self, forKey: .accessToken)
        // RFC 6750, 2.1; another character would end the header. Servers accept some 8 KB.
        guard !accessToken.isEmpty, accessToken.utf8.count <= Self.longest,
            accessToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .accessToken, in: values,
                debugDescription: "The access token is empty or too long, or has characters that no header can carry.")
        }
        let type = try values.decodeIfPresent(String.self, forKey: .type)
        guard type == nil || type?.lowercased() == "bearer" else {
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: values, debugDescription: "The token is not of the type Bearer (RFC 6750).")
        }
        let refresh = try values.decodeIfPresent(String.self, forKey: .refreshToken)
        guard refresh.map({ $0.utf8.count <= Self.longest }) ?? true else {
            throw DecodingError.dataCorruptedError(
                forKey: .refreshToken, in: values, debugDescription: "The refresh token is too long.")
        }
        refreshToken = refresh?.isEmpty == true ? nil : refresh
        let seconds =
            (try? values.decode(Int.self, forKey: .lifetime))
            ?? (try? values.decode(String.self, forKey: .lifetime)).flatMap { Int($0) }
        lifetime = seconds.map { .seconds(min(max($0, 0), 3_155_760_000)) }
    }

    /// The tokens for `Credentials`.
    ///
    /// - Parameters:
    ///   - account: Whose they are. Default: not named.
    ///   - date: Now, as the time since 1970-01-01 UTC. Default: the system's date.
    public func tokenSet(account: String? = nil, date: Duration = SystemClock().date) -> TokenSet {
        TokenSet(
            access: accessToken, refresh: refreshToken, expirySince1970: lifetime.map { date + $0 }, account: account)
    }
}

extension OAuthTokens: CustomStringConvertible, CustomReflectable {
    /// That there are tokens; none is shown.
    public var description: String { "tokens (hidden)" }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["tokens": "hidden"], displayStyle: .struct)
    }
}
