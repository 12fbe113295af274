/// A rule about two roles: which belongs outside, why, and the fix; or about the settings of interceptors.
///
/// ```swift
/// let rule = OrderRule(
///     outer: .authentication, inner: .custom("signing"), severity: .error,
///     reason: "the signature would not cover the token",
///     fix: "Put signing inside authentication.")
/// ```
/// For rules about settings, see ``settings(of:severity:when:reason:fix:finding:)`` and
/// ``settings(of:inside:severity:when:reason:fix:finding:)``.
public struct OrderRule: Sendable, Equatable {
    /// The severity of a broken rule.
    public enum Severity: String, Sendable, Hashable {
        /// The chain does not do what it seems to.
        case error
        /// The chain works, but costs more or tells less than it could.
        case warning
    }

    /// The role that belongs outside.
    public let outer: Role
    /// The role that belongs inside. The same as ``outer`` when the rule allows only one such interceptor, or when it
    /// is about the settings of one.
    public let inner: Role
    /// The severity.
    public let severity: Severity
    /// Which settings break the rule, as the second half of a sentence; nil for a rule about positions.
    public let condition: String?
    /// What goes wrong otherwise, as the second half of a sentence.
    public let reason: String
    /// What to do, as a sentence.
    public let fix: String
    /// How a chain is checked.
    let check: Check

    /// How a rule is checked. Rules are compared without it: their texts tell them apart.
    enum Check: Sendable {
        /// The outer role must be outside the inner one.
        case position
        /// At most one interceptor may have the role; the closure says what several amount to.
        case once(@Sendable ([InterceptorProfile]) -> String?)
        /// What is wrong with the settings of an interceptor of the outer role and of those inside it, outermost first:
        /// the position that it is about, and the words.
        case settings(@Sendable (InterceptorProfile, ArraySlice<InterceptorProfile>) -> [(Int, String)])
    }
}

extension OrderRule {
    /// Makes a rule that `outer` belongs outside `inner`.
    ///
    /// - Parameters:
    ///   - outer: The role that belongs outside.
    ///   - inner: The role that belongs inside.
    ///   - severity: The severity of a broken rule. Default: an error.
    ///   - reason: What goes wrong otherwise, as the second half of a sentence.
    ///   - fix: What to do; nil for "Put … above …."
    public init(outer: Role, inner: Role, severity: Severity = .error, reason: String, fix: String? = nil) {
        self.init(
            outer: outer, inner: inner, severity: severity, condition: nil, reason: reason,
            fix: fix ?? "Put \(outer.title) above \(inner.title).",
            check: outer == inner ? .once { _ in nil } : .position)
    }

    /// Makes a rule that a chain has at most one interceptor of a role.
    public static func once(_ role: Role, severity: Severity = .warning, reason: String) -> OrderRule {
        once(role, severity: severity, reason: reason) { _ in nil }
    }

    /// Makes a rule that a chain has at most one interceptor of a role.
    ///
    /// - Parameter amount: What several interceptors amount to, in words; nil when their settings do not say.
    static func once(
        _ role: Role, severity: Severity = .warning, reason: String,
        amount: @escaping @Sendable ([InterceptorProfile]) -> String?
    ) -> OrderRule {
        OrderRule(
            outer: role, inner: role, severity: severity, condition: nil, reason: reason,
            fix: "Keep one \(role.title) and remove the rest.", check: .once(amount))
    }

    /// Rules that a role belongs inside some and outside others, each with what goes wrong otherwise.
    package static func rules(
        _ role: Role, inside outer: KeyValuePairs<Role, String> = [:], outside inner: KeyValuePairs<Role, String> = [:],
        severity: Severity = .warning
    ) -> [OrderRule] {
        outer.map { OrderRule(outer: $0.key, inner: role, severity: severity, reason: $0.value) }
            + inner.map { OrderRule(outer: role, inner: $0.key, severity: severity, reason: $0.value) }
    }

    /// Whether both have the same roles, severity and texts.
    public static func == (left: OrderRule, right: OrderRule) -> Bool {
        left.outer == right.outer && left.inner == right.inner && left.severity == right.severity
            && left.condition == right.condition && left.reason == right.reason && left.fix == right.fix
    }
}
