/// A mistake in the order of a chain, or in the settings of its interceptors.
public struct OrderIssue: Sendable, Equatable, CustomStringConvertible {
    /// The broken rule.
    public let rule: OrderRule
    /// The position of the interceptor that is further out, from 0, outermost first. By a rule about positions, it should
    /// be inside the other.
    public let outerPosition: Int
    /// The position of the interceptor that is further in; the same as ``outerPosition`` for a rule about one.
    public let innerPosition: Int
    /// What is wrong, as the first half of a sentence: "Retry is inside StatusValidation".
    public let finding: String

    /// What is wrong, why it matters, and how to fix it.
    public var description: String {
        "\(finding): \(rule.reason). \(rule.fix)"
    }

    /// Whether interceptors have the wrong place or number; otherwise their settings are wrong.
    package var isAboutOrder: Bool {
        rule.condition == nil
    }

    /// Checks roles, outermost first, against their own rules and others.
    ///
    /// Rules about settings find nothing, because roles have none.
    ///
    /// - Returns: The issues, errors first, then by position; empty when the order is right.
    public static func issues(in roles: [Role], rules: [OrderRule] = []) -> [OrderIssue] {
        issues(in: roles.map { InterceptorProfile(role: $0) }, rules: rules)
    }

    /// Checks interceptors, outermost first, against the rules of their roles and others.
    ///
    /// - Returns: The issues, errors first, then by position; empty when order and settings are right.
    public static func issues(in profiles: [InterceptorProfile], rules: [OrderRule] = []) -> [OrderIssue] {
        var found: [OrderIssue] = []
        var seen: [OrderRule] = []
        for rule in profiles.flatMap(\.role.orderRules) + rules where !seen.contains(rule) {
            seen.append(rule)
            found += rule.check(profiles).map {
                OrderIssue(rule: rule, outerPosition: $0.outer, innerPosition: $0.inner, finding: $0.finding)
            }
        }
        return found.ordered { left, right in
            if left.rule.severity != right.rule.severity {
                return left.rule.severity == .error
            }
            return (left.outerPosition, left.innerPosition) < (right.outerPosition, right.innerPosition)
        }
    }
}

extension OrderRule {
    /// The outer role must be outside the inner one.
    static func misplaced(_ outer: Role, _ inner: Role) -> Check {
        { profiles in
            guard let first = profiles.firstIndex(where: { $0.role == inner }),
                let last = profiles.lastIndex(where: { $0.role == outer }), last > first
            else {
                return []
            }
            return [(first, last, "\(outer.title) is inside \(inner.title)")]
        }
    }

    /// At most one interceptor may have the role; the closure says what several amount to.
    static func repeated(_ role: Role, _ amount: @escaping @Sendable ([InterceptorProfile]) -> String?) -> Check {
        { profiles in
            let all = profiles.indices.filter { profiles[$0].role == role }
            guard let first = all.first, let last = all.last, last > first else {
                return []
            }
            let sum = amount(all.map { profiles[$0] }).map { ", \($0)" } ?? ""
            return [(first, last, "\(role.title) occurs more than once\(sum)")]
        }
    }

    /// What is found at each interceptor of the outer role, of all those inside it, outermost first.
    static func found(
        _ outer: Role,
        _ finding: @escaping @Sendable (InterceptorProfile, ArraySlice<InterceptorProfile>) -> [(Int, String?)]
    ) -> Check {
        { profiles in
            profiles.indices.filter { profiles[$0].role == outer }.flatMap { position in
                finding(profiles[position], profiles[(position + 1)...]).compactMap { inner, text in
                    text.map { (position, inner, $0) }
                }
            }
        }
    }
}
