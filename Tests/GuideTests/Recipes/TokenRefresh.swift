import Backstop
import BackstopAuthentication
import Foundation

/// Keeps the tokens in a file; an app keeps them in the keychain.
actor TokenFile: TokenStore {
    private let url: URL

    init(_ url: URL) {
        self.url = url
    }

    func load() throws -> TokenSet? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        let kept = try Data(contentsOf: url)
        // What cannot be read as tokens, such as those of an older version, needs a new sign-in.
        return try? JSONDecoder().decode(TokenSet.self, from: kept)
    }

    func save(_ tokens: TokenSet?) throws {
        guard let tokens else {
            if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
            return
        }
        try JSONEncoder().encode(tokens).write(to: url, options: .atomic)
    }
}

/// - Parameter login: The client of the sign-in server.
func makeAuthentication(_ store: any TokenStore, login: Client) throws -> BearerAuthentication {
    try BearerAuthentication.oauth(
        tokenURL: "https://login.example.com/token", clientID: "shop-app", store: store, login: login)
}

/// Without redirects: 307 and 308 would take the refresh token to where they lead.
func makeLogin(transport: (any HTTP.Transport)? = nil) throws -> Client {
    try Client.standard(
        baseURL: "https://login.example.com", apiError: OAuthError.self,
        transport: transport ?? URLSessionTransport(maximumRedirects: 0))
}

func makeClient(
    _ authentication: BearerAuthentication, transport: any HTTP.Transport = URLSessionTransport()
) throws -> Client {
    try Client.standard(
        baseURL: "https://api.example.com/v1", transport: transport, authentication: authentication)
}

/// Exchanges the code of the browser for tokens (RFC 6749, 4.1.3, and RFC 7636).
func signIn(_ credentials: Credentials, code: String, verifier: String, login: Client) async throws {
    let issued = try await login.post(
        "token",
        form: [
            "grant_type": "authorization_code", "code": code, "redirect_uri": "shop://signed-in",
            "client_id": "shop-app", "code_verifier": verifier,
        ], as: OAuthTokens.self)
    try await credentials.signIn(issued.tokenSet(account: "ann"))
}
