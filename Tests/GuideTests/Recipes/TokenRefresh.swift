import Backstop
import Foundation

/// Keeps the tokens in a file; an app keeps them in the keychain.
actor TokenFile: TokenStore {
    private let url: URL

    init(_ url: URL) {
        self.url = url
    }

    func load() throws -> TokenSet? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try JSONDecoder().decode(TokenSet.self, from: Data(contentsOf: url))
    }

    func save(_ tokens: TokenSet?) throws {
        guard let tokens else { return try FileManager.default.removeItem(at: url) }
        try JSONEncoder().encode(tokens).write(to: url, options: .atomic)
    }
}

/// What the server issues at each refresh (RFC 6749, 5.1).
nonisolated struct IssuedTokens: Decodable, Sendable {
    var accessToken: String
    var refreshToken: String?
    var expiresIn: Int

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case expiresIn = "expires_in"
    }
}

/// - Parameter login: The client of the sign-in server, with a retry and a deadline of its own.
func makeCredentials(_ store: any TokenStore, login: Client) throws -> Credentials {
    try Credentials(store: store) { old in
        do throws(Failure) {
            let body = ["grant_type": "refresh_token", "refresh_token": old.refresh ?? ""]
            let issued = try await login.post("token", json: body, as: IssuedTokens.self)
            return TokenSet(
                access: issued.accessToken, refresh: issued.refreshToken, lifetime: .seconds(issued.expiresIn))
        } catch {
            // Refused for good: the calls fail with their own 401, for `On(status: 401)`.
            guard error.statusCode == 400 || error.statusCode == 401 else { throw error }
            return nil
        }
    }
}

func makeClient(
    _ credentials: Credentials, transport: any HTTP.Transport = URLSessionTransport()
) throws -> Client {
    try Client.standard(
        baseURL: "https://api.example.com/v1", transport: transport, authentication: BearerAuthentication(credentials))
}
