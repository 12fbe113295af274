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
            found += rule.issues(in: profiles)
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
    /// Where a chain breaks the rule: once at most for a rule about positions or the number.
    fileprivate func issues(in profiles: [InterceptorProfile]) -> [OrderIssue] {
        if case .settings(let findings) = check {
            return profiles.indices.filter { profiles[$0].role == outer }.flatMap { position in
                findings(profiles[position], profiles[(position + 1)...]).map { place, finding in
                    OrderIssue(rule: self, outerPosition: position, innerPosition: place, finding: finding)
                }
            }
        }
        // A rule about positions is broken when any interceptor of the outer role is inside any of the inner role. In
        // one about the number, both are the same role.
        guard let first = profiles.firstIndex(where: { $0.role == inner }),
            let last = profiles.lastIndex(where: { $0.role == outer }), last > first
        else {
            return []
        }
        var finding = "\(outer.title) is inside \(inner.title)"
        if case .once(let amount) = check {
            let sum = amount(profiles.filter { $0.role == outer }).map { ", \($0)" } ?? ""
            finding = "\(outer.title) occurs more than once\(sum)"
        }
        return [OrderIssue(rule: self, outerPosition: first, innerPosition: last, finding: finding)]
    }
}
