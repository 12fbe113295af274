/// A setting of an interceptor that order rules look at: how many attempts it makes, how long it may wait.
///
/// An interceptor of your own declares its settings, and the built-in rules apply to them:
///
/// ```swift
/// struct PatientRetry: HTTP.Interceptor {
///     var role: Role { .retry }
///     var settings: [InterceptorSetting] {
///         [.attempts(5), .longestWait(.seconds(30)), .hasJitter(false)]
///     }
///     func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
///         try await next(request)
///     }
/// }
/// ```
/// Settings are read when a chain is made or checked, never in a call. Their values appear in logs, so put no secrets in them.
public struct InterceptorSetting: Sendable, CustomStringConvertible {
    /// The value of a setting.
    public enum Value: Sendable {
        /// How many.
        case count(Int)
        /// How long.
        case duration(Duration)
        /// Whether.
        case flag(Bool)
        /// How it refuses a request.
        case rejection(RejectionError)
        /// Which refusals it retries.
        case decision(@Sendable (RejectionError) -> Bool)
        /// The object that keeps its state.
        case object(ObjectIdentifier)
        /// What is invalid.
        case problem(ConfigurationError)
    }

    /// The name for rules and people, in lower camel case.
    public let name: String
    /// The value.
    public let value: Value

    /// Makes a setting of your own, for rules of your own.
    ///
    /// - Parameters:
    ///   - name: The name, in lower camel case. The built-in rules know the names of the other factories.
    ///   - value: The value.
    public init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    /// The name and the value: `attempts: 3`.
    public var description: String {
        switch value {
        case .count(let count): "\(name): \(count)"
        case .duration(let duration): "\(name): \(duration.text)"
        case .flag(let flag): "\(name): \(flag)"
        case .rejection(let error): "\(name): \(error.code.name)"
        case .decision: "\(name): by a closure"
        case .object: "\(name): by an object"
        case .problem(let error): "\(name): \(error)"
        }
    }
}

extension InterceptorSetting {
    /// How many requests it may make of one, including the first.
    public static func attempts(_ count: Int) -> InterceptorSetting {
        InterceptorSetting("attempts", .count(count))
    }

    /// How long it lets the interceptors inside run.
    public static func timeLimit(_ limit: Duration) -> InterceptorSetting {
        InterceptorSetting("timeLimit", .duration(limit))
    }

    /// How long it may hold up a request, over all of its waits, each as long as it can be.
    public static func longestWait(_ wait: Duration) -> InterceptorSetting {
        InterceptorSetting("longestWait", .duration(wait))
    }

    /// Whether its waits are random.
    public static func hasJitter(_ isRandom: Bool) -> InterceptorSetting {
        InterceptorSetting("hasJitter", .flag(isRandom))
    }

    /// Whether its waits stop growing at some length.
    public static func hasCap(_ isCapped: Bool) -> InterceptorSetting {
        InterceptorSetting("hasCap", .flag(isCapped))
    }

    /// How far back the results go that it judges a service by.
    public static func window(_ span: Duration) -> InterceptorSetting {
        InterceptorSetting("window", .duration(span))
    }

    /// Whether it sends requests more than once that are not idempotent (RFC 9110, 9.2.2).
    public static func repeatsUnsafeRequests(_ isAllowed: Bool) -> InterceptorSetting {
        InterceptorSetting("repeatsUnsafeRequests", .flag(isAllowed))
    }

    /// How it refuses a request.
    public static func rejects(with error: RejectionError) -> InterceptorSetting {
        InterceptorSetting("rejects", .rejection(error))
    }

    /// The object that keeps its state: two interceptors that have one object are one, in two places.
    public static func state(_ object: AnyObject) -> InterceptorSetting {
        InterceptorSetting("state", .object(ObjectIdentifier(object)))
    }

    /// A setting that is out of its range: a chain, client or policy made with the interceptor throws it.
    ///
    /// Initializers of interceptors do not throw, so that all invalid settings are reported at once:
    ///
    /// ```swift
    /// struct Sampling: HTTP.Interceptor {
    ///     let share: Double
    ///     var settings: [InterceptorSetting] {
    ///         guard !(0...1).contains(share) else { return [] }
    ///         return [
    ///             .invalid(
    ///                 ConfigurationError(
    ///                     setting: "Sampling.share", problem: "must be from 0 to 1, but is \(share)",
    ///                     fix: "Set the share of calls to record"))
    ///         ]
    ///     }
    ///     func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
    ///         try await next(request)
    ///     }
    /// }
    /// ```
    public static func invalid(_ error: ConfigurationError) -> InterceptorSetting {
        InterceptorSetting("invalid", .problem(error))
    }

    /// Those of invalid values.
    package static func invalid(_ errors: [ConfigurationError]) -> [InterceptorSetting] {
        errors.map { .invalid($0) }
    }

    /// Which refusals of interceptors inside it retries.
    public static func retries(_ isRetried: @escaping @Sendable (RejectionError) -> Bool) -> InterceptorSetting {
        InterceptorSetting("retries", .decision(isRetried))
    }
}
