/// A rule about two roles: which belongs outside, why, and the fix.
///
/// ```swift
/// let rule = OrderRule(
///     outer: .authentication, inner: .custom("signing"), severity: .error,
///     reason: "the signature would not cover the token",
///     fix: "Put signing inside authentication.")
/// ```
public struct OrderRule: Sendable, Hashable {
    /// The severity of a broken rule.
    public enum Severity: String, Sendable, Hashable {
        /// The chain does not do what it seems to.
        case error
        /// The chain works, but costs more or tells less than it could.
        case warning
    }

    /// The role that belongs outside.
    public let outer: Role
    /// The role that belongs inside. The same as ``outer`` when the rule allows only one such interceptor.
    public let inner: Role
    /// The severity.
    public let severity: Severity
    /// What goes wrong otherwise, as the second half of a sentence.
    public let reason: String
    /// What to do, as a sentence.
    public let fix: String

    /// Makes a rule that `outer` belongs outside `inner`.
    ///
    /// - Parameters:
    ///   - outer: The role that belongs outside.
    ///   - inner: The role that belongs inside.
    ///   - severity: The severity of a broken rule. Default: an error.
    ///   - reason: What goes wrong otherwise, as the second half of a sentence.
    ///   - fix: What to do; nil for "Put … above …."
    public init(outer: Role, inner: Role, severity: Severity = .error, reason: String, fix: String? = nil) {
        self.outer = outer
        self.inner = inner
        self.severity = severity
        self.reason = reason
        self.fix = fix ?? "Put \(outer.title) above \(inner.title)."
    }

    /// Makes a rule that a chain has at most one interceptor of a role.
    public static func once(_ role: Role, severity: Severity = .warning, reason: String) -> OrderRule {
        OrderRule(
            outer: role, inner: role, severity: severity, reason: reason,
            fix: "Keep one \(role.title) and remove the rest.")
    }
}
