/// A setting that makes no sense, reported when the thing is built and not when it is used.
///
/// ```swift
/// do {
///     _ = try Backoff(baseDelay: .seconds(-1))
/// } catch {
///     print(error)  // "Backoff.base must not be negative, but is -1.0 seconds. ..."
/// }
/// ```
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The setting, as `Type.property`.
    public let setting: String
    /// What is wrong with the value that was given.
    public let problem: String
    /// What to do about it.
    public let fix: String

    /// Makes an error for your own interceptor's settings.
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
