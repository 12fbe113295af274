/// A setting that makes no sense, reported when the thing is built and not when it is used.
///
/// ```swift
/// do {
///     _ = try Backoff(base: .seconds(-1))
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
    public let mend: String

    /// Makes an error for your own interceptor's settings.
    public init(setting: String, problem: String, mend: String) {
        self.setting = setting
        self.problem = problem
        self.mend = mend
    }

    /// The three parts as sentences.
    public var description: String {
        "\(setting) \(problem). \(mend)"
    }
}
