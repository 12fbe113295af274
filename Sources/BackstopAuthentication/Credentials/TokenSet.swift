public import BackstopCore

/// The tokens of a signed-in account, as an authorization server issues them (RFC 6749, 5.1).
///
/// Never shown: descriptions, dumps and mirrors say only that there are tokens.
///
/// ```swift
/// let tokens = TokenSet(access: "eyJhbGciOi", refresh: "8xLOxBtZp8", lifetime: .seconds(3600), account: "ann")
/// ```
public struct TokenSet: Sendable, Hashable, Codable {
    /// The access token, sent with each request.
    public var access: String
    /// The refresh token; nil when the server issues none, or when the app keeps it elsewhere.
    public var refresh: String?
    /// When the access token expires, as the time since 1970-01-01 UTC; nil when the server does not say. It is then
    /// refreshed only once it is refused.
    public var expiry: Duration?
    /// Whose tokens these are, as the app names accounts; nil when it does not. With a name, a new sign-in of the same
    /// account continues its calls, and a call can say whose it is (`CallValues.account`).
    public var account: String?

    /// Makes a set of tokens.
    ///
    /// - Parameters:
    ///   - access: The access token.
    ///   - refresh: The refresh token. Default: none.
    ///   - expiry: When the access token expires, as the time since 1970-01-01 UTC. Default: unknown.
    ///   - account: Whose tokens these are. Default: not named.
    public init(access: String, refresh: String? = nil, expirySince1970 expiry: Duration? = nil, account: String? = nil)
    {
        self.access = access
        self.refresh = refresh
        self.expiry = expiry
        self.account = account
    }

    /// A span and a moment have different labels.
    @available(
        *, deprecated, message: "for how long it is valid from now on is lifetime:, a moment is expirySince1970:"
    )
    public init(access: String, refresh: String? = nil, expiry: Duration, account: String? = nil) {
        self.init(access: access, refresh: refresh, expirySince1970: expiry, account: account)
    }

    /// The tokens have short labels.
    @available(
        *, unavailable, message: "write TokenSet(access:refresh:lifetime:), with a lifetime as in expires_in, or none"
    )
    public init(accessToken: String, refreshToken: String? = nil, expiresIn: Int? = nil) {
        self.init(access: accessToken, refresh: refreshToken)
    }

    /// Makes a set of tokens that has just been issued.
    ///
    /// - Parameters:
    ///   - access: The access token.
    ///   - refresh: The refresh token. Default: none.
    ///   - lifetime: How long the access token is valid from now on: `expires_in` (RFC 6749, 5.1).
    ///   - account: Whose tokens these are. Default: not named.
    ///   - date: Now, as the time since 1970-01-01 UTC. Default: the system's date.
    public init(
        access: String, refresh: String? = nil, lifetime: Duration, account: String? = nil,
        date: Duration = SystemClock().date
    ) {
        self.init(access: access, refresh: refresh, expirySince1970: date + lifetime, account: account)
    }
}

extension TokenSet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// That there are tokens; none is shown.
    public var description: String { "tokens (hidden)" }

    /// The same.
    public var debugDescription: String { description }

    /// The same, for dumps.
    public var customMirror: Mirror {
        Mirror(self, children: ["tokens": "hidden"], displayStyle: .struct)
    }
}

/// Where an app keeps its tokens between two launches, such as the keychain.
///
/// ``Credentials`` loads them once, before the first call, and saves each change, one at a time and the last one last.
///
/// ```swift
/// actor FileTokenStore: TokenStore {
///     private var kept: TokenSet?
///     func load() -> TokenSet? { kept }
///     func save(_ tokens: TokenSet?) { kept = tokens }
/// }
/// ```
public protocol TokenStore: Sendable {
    /// The tokens that were last saved; nil when nobody is signed in.
    ///
    /// - Throws: When they cannot be read, for example while the device is locked. The calls that wait fail with
    ///   `rejected.tokenStore`, as they do after ``Credentials/refreshTimeout``, and the next call loads again.
    func load() async throws -> TokenSet?

    /// Keeps the tokens; nil removes them.
    ///
    /// - Throws: When they cannot be written. They are still used until the app ends.
    func save(_ tokens: TokenSet?) async throws
}
