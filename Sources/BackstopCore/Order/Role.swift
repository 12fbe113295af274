/// The part that an interceptor plays in a chain, which order rules speak of.
///
/// The set is open: an app's own interceptors have the role `.custom("name")`, and rules may name it.
///
/// ```swift
/// extension Role {
///     static let tenant = Role.custom("tenant")
/// }
/// ```
public struct Role: Sendable, Hashable {
    /// The name for machines and people; the built-in ones are written in lower camel case.
    public let name: String
    /// Whether this is an app's own role.
    public let isCustom: Bool

    private init(builtIn name: String) {
        self.name = name
        isCustom = false
    }

    private init(custom name: String) {
        self.name = name
        isCustom = true
    }

    /// A role of your own.
    public static func custom(_ name: String) -> Role {
        Role(custom: name)
    }

    /// Writes a line about the whole call.
    public static let logging = Role(builtIn: "logging")
    /// Writes a line about each attempt.
    public static let attemptLogging = Role(builtIn: "attemptLogging")
    /// Limits the whole call in time.
    public static let deadline = Role(builtIn: "deadline")
    /// Gives another answer when the call failed.
    public static let fallback = Role(builtIn: "fallback")
    /// Answers from what was stored.
    public static let cache = Role(builtIn: "cache")
    /// Sends the request again after a failure that may pass.
    public static let retry = Role(builtIn: "retry")
    /// Stops sending to a service that fails.
    public static let circuitBreaker = Role(builtIn: "circuitBreaker")
    /// Sends a second copy when the first is slow.
    public static let hedging = Role(builtIn: "hedging")
    /// Adds and renews credentials.
    public static let authentication = Role(builtIn: "authentication")
    /// Decodes the content.
    public static let decoding = Role(builtIn: "decoding")
    /// Turns a status outside the accepted ones into an error.
    public static let statusValidation = Role(builtIn: "statusValidation")
    /// Turns an error body into the app's error.
    public static let apiErrorDecoding = Role(builtIn: "apiErrorDecoding")
    /// Replaces a query's text by its hash.
    public static let persistedQueries = Role(builtIn: "persistedQueries")
    /// Limits each attempt in time.
    public static let attemptTimeout = Role(builtIn: "attemptTimeout")

    /// All built-in roles, in the standard order of an HTTP chain, outermost first.
    public static let builtIn: [Role] = [
        .logging, .deadline, .fallback, .cache, .retry, .attemptLogging, .circuitBreaker, .hedging, .authentication,
        .decoding, .statusValidation, .apiErrorDecoding, .persistedQueries, .attemptTimeout,
    ]

    /// Reads a role as the command line writes it: a built-in name, or `custom(name)`.
    ///
    /// - Returns: nil when there is no such built-in role.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        if text.hasPrefix("custom("), text.hasSuffix(")"), text.count > 8 {
            self.init(custom: String(text.dropFirst(7).dropLast()))
            return
        }
        guard let role = Self.builtIn.first(where: { $0.name == text }) else {
            return nil
        }
        self = role
    }

    /// The name as sentences use it: `StatusValidation`, `Retry`.
    package var title: String {
        switch name {
        case "apiErrorDecoding": "APIErrorDecoding"
        case "logging": "RequestLogging"
        default: isCustom ? name : name.prefix(1).uppercased() + name.dropFirst()
        }
    }
}

extension Role: CustomStringConvertible {
    /// The name; an app's own role is written `custom(name)`, as ``init(_:)`` reads it.
    public var description: String {
        isCustom ? "custom(\(name))" : name
    }
}
