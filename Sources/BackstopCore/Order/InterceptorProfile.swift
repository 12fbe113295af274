/// An interceptor as order rules see it: its role and its settings.
///
/// ```swift
/// let profile = InterceptorProfile(role: .retry, settings: [.attempts(5)])
/// let attempts = profile.attempts  // 5
/// let wait = profile.longestWait  // nil: not declared
/// ```
public struct InterceptorProfile: Sendable, CustomStringConvertible {
    /// The role.
    public let role: Role
    /// The settings that the interceptor declares; of two with one name, the first counts.
    public let settings: [InterceptorSetting]

    /// Makes a profile.
    public init(role: Role, settings: [InterceptorSetting] = []) {
        self.role = role
        self.settings = settings
    }

    /// The value of a setting; nil when it is not declared.
    public subscript(_ name: String) -> InterceptorSetting.Value? {
        settings.first { $0.name == name }?.value
    }

    /// A number; nil when it is not declared.
    public func count(_ name: String) -> Int? {
        if case .count(let count) = self[name] { count } else { nil }
    }

    /// A time; nil when it is not declared.
    public func duration(_ name: String) -> Duration? {
        if case .duration(let duration) = self[name] { duration } else { nil }
    }

    /// A yes or no; nil when it is not declared.
    public func flag(_ name: String) -> Bool? {
        if case .flag(let flag) = self[name] { flag } else { nil }
    }

    /// How many requests it may make of one; nil when it is not declared.
    public var attempts: Int? { count("attempts") }

    /// How long it lets the interceptors inside run; nil when it is not declared.
    public var timeLimit: Duration? { duration("timeLimit") }

    /// How long it may hold up a request; nil when it is not declared.
    public var longestWait: Duration? { duration("longestWait") }

    /// Whether its waits are random; nil when it is not declared.
    public var hasJitter: Bool? { flag("hasJitter") }

    /// Whether its waits stop growing at some length; nil when it is not declared.
    public var hasCap: Bool? { flag("hasCap") }

    /// How far back the results go that it judges a service by; nil when it is not declared.
    public var window: Duration? { duration("window") }

    /// Whether it sends requests more than once that are not idempotent; nil when it is not declared.
    public var repeatsUnsafeRequests: Bool? { flag("repeatsUnsafeRequests") }

    /// How it refuses a request; nil when it is not declared.
    public var rejection: RejectionError? {
        if case .rejection(let error) = self["rejects"] { error } else { nil }
    }

    /// The object that keeps its state; nil when it is not declared.
    public var state: ObjectIdentifier? {
        if case .object(let object) = self["state"] { object } else { nil }
    }

    /// Whether it retries a refusal of an interceptor inside; nil when it is not declared.
    public func retries(_ rejection: RejectionError) -> Bool? {
        if case .decision(let isRetried) = self["retries"] { isRetried(rejection) } else { nil }
    }

    /// The role, and the settings in parentheses: `retry(attempts: 3)`.
    public var description: String {
        settings.isEmpty
            ? role.description : "\(role)(\(settings.map(\.description).joined(separator: ", ")))"
    }
}
