public import BackstopCore

/// How often ``Credentials`` may refresh: a server that refuses each new token would otherwise be asked for another by
/// every call.
public struct TokenRefreshLimit: Sendable, Hashable {
    /// How many refreshes may give a new token within the window; those that fail do not count. Range: 1 to 1,000.
    /// Default: 5.
    public let count: Int
    /// The window, which moves with the time. Range: more than 0. Default: 30 s.
    public let window: Duration

    /// 5 refreshes in 30 s, as Alamofire's `RefreshWindow`: nobody needs more by using an app, and a fleet that is
    /// refused everywhere sends at most one request in 6 s for each client.
    public static let standard = TokenRefreshLimit(unchecked: 5, .seconds(30))

    private init(unchecked count: Int, _ window: Duration) {
        self.count = count
        self.window = window
    }

    /// Makes a limit.
    ///
    /// - Throws: `ConfigurationError` when a value is out of its range.
    public init(_ count: Int, per window: Duration) throws(ConfigurationError) {
        try ConfigurationError.require(
            (1...1000).contains(count), "TokenRefreshLimit.count", "must be from 1 to 1,000, but is \(count)",
            fix: "Set how many refreshes may give a new token within the window")
        try ConfigurationError.require(
            window > .zero, "TokenRefreshLimit.window", "must be more than 0, but is \(window)",
            fix: "Set a window such as .seconds(30)")
        self.init(unchecked: count, window)
    }
}
