/// An invalid setting, reported when a value is created and not when it is used.
///
/// ```swift
/// do {
///     _ = try Backoff(baseDelay: .seconds(-1))
/// } catch {
///     print(error)  // "Backoff.baseDelay must not be negative, but is -1.0 seconds. ..."
/// }
/// ```
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The setting, as `Type.property`.
    public let setting: String
    /// What is wrong with the value.
    public let problem: String
    /// How to fix it.
    public let fix: String

    /// Creates an error for the settings of your own interceptor.
    public init(setting: String, problem: String, fix: String) {
        self.setting = setting
        self.problem = problem
        self.fix = fix
    }

    /// The three parts as sentences.
    public var description: String {
        "\(setting) \(problem). \(fix)"
    }
}
