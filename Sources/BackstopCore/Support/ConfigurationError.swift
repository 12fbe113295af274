/// An invalid setting, reported when a value is created and not when it is used; those of interceptors by the chain,
/// client or policy that is made with them, all at once (``all``).
///
/// ```swift
/// do {
///     _ = try Backoff(baseDelay: .seconds(-1))
/// } catch {
///     print(error)  // "Backoff.baseDelay must not be negative, but is -1.0 seconds. ..."
/// }
/// ```
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The setting, as `Type.property`.
    public let setting: String
    /// What is wrong with the value.
    public let problem: String
    /// How to fix it.
    public let fix: String

    private var others: [ConfigurationError] = []

    /// Creates an error for the settings of your own interceptor (``InterceptorSetting/invalid(_:)``).
    public init(setting: String, problem: String, fix: String) {
        self.setting = setting
        self.problem = problem
        self.fix = fix
    }

    /// All that are invalid, this one first; nil for none.
    init?(_ errors: [ConfigurationError]) {
        guard let first = errors.first else {
            return nil
        }
        self = first
        others = errors.dropFirst().flatMap(\.all)
    }

    /// This and all others found at the same time.
    public var all: [ConfigurationError] {
        [changed(self) { $0.others = [] }] + others
    }

    /// The three parts as sentences, a line for each invalid setting.
    public var description: String {
        all.map { "\($0.setting) \($0.problem). \($0.fix)" }.joined(separator: "\n")
    }
}

extension ConfigurationError {
    /// Refuses a setting that is not valid.
    package static func require(
        _ isValid: Bool, _ setting: String, _ problem: @autoclosure () -> String, fix: String
    ) throws(ConfigurationError) {
        guard isValid else {
            throw ConfigurationError(setting: setting, problem: problem(), fix: fix)
        }
    }
}
