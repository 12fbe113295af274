/// A mistake in the order of a chain.
public struct OrderIssue: Sendable, Hashable, CustomStringConvertible {
    /// The broken rule.
    public let rule: OrderRule
    /// The position of the interceptor that should be inside, from 0, outermost first.
    public let outerPosition: Int
    /// The position of the interceptor that should be outside.
    public let innerPosition: Int

    /// What is wrong, why it matters, and how to fix it.
    public var description: String {
        guard rule.outer != rule.inner else {
            return "\(rule.outer.title) occurs more than once: \(rule.reason). \(rule.fix)"
        }
        return "\(rule.outer.title) is inside \(rule.inner.title): \(rule.reason). \(rule.fix)"
    }

    /// Checks roles, outermost first, against their own rules and others.
    ///
    /// - Returns: The issues, errors first, then by position; empty when the order is right.
    public static func issues(in roles: [Role], rules: [OrderRule] = []) -> [OrderIssue] {
        var found: [OrderIssue] = []
        var seen: Set<OrderRule> = []
        for rule in roles.flatMap(\.orderRules) + rules where seen.insert(rule).inserted {
            guard let issue = issue(in: roles, rule: rule) else {
                continue
            }
            found.append(issue)
        }
        return found.sorted { left, right in
            if left.rule.severity != right.rule.severity {
                return left.rule.severity == .error
            }
            return (left.outerPosition, left.innerPosition) < (right.outerPosition, right.innerPosition)
        }
    }

    /// A rule is broken when any interceptor of the outer role is inside any interceptor of the inner role.
    private static func issue(in roles: [Role], rule: OrderRule) -> OrderIssue? {
        guard let first = roles.firstIndex(of: rule.inner), let last = roles.lastIndex(of: rule.outer), last > first
        else {
            return nil
        }
        return OrderIssue(rule: rule, outerPosition: first, innerPosition: last)
    }
}
