extension OrderRule {
    /// Makes a rule that one interceptor, with its state, is not in a chain twice: two of a role may be.
    package static func notTwice(_ role: Role, reason: String) -> OrderRule {
        settings(
            of: role, inside: role, severity: .warning, when: "one instance occurs twice", reason: reason,
            fix: "Keep one of them, or make a \(role.title) of its own for each place."
        ) { inner, outer in
            inner.state != nil && inner.state == outer.state ? "The same \(role.title) is in the chain twice" : nil
        }
    }

    /// Makes a rule about the settings of one interceptor.
    ///
    /// ```swift
    /// let rule = OrderRule.settings(
    ///     of: .retry, severity: .warning, when: "it makes more than three attempts",
    ///     reason: "the service is billed by the request", fix: "Set attempts to 3 or less."
    /// ) { retry in
    ///     retry.attempts.flatMap { $0 > 3 ? "Retry makes up to \($0) attempts" : nil }
    /// }
    /// ```
    /// - Parameters:
    ///   - role: The role of the interceptor.
    ///   - severity: The severity of a broken rule. Default: an error.
    ///   - condition: Which settings break the rule, as the second half of a sentence.
    ///   - reason: What goes wrong then, as the second half of a sentence.
    ///   - fix: What to do, as a sentence.
    ///   - finding: Says what is wrong, with its numbers, as the first half of a sentence; nil when the rule is kept or
    ///     the settings are not declared.
    public static func settings(
        of role: Role, severity: Severity = .error, when condition: String, reason: String, fix: String,
        finding: @escaping @Sendable (InterceptorProfile) -> String?
    ) -> OrderRule {
        settings(of: role, andAllInside: condition, severity: severity, reason: reason, fix: fix) { profile, _ in
            finding(profile)
        }
    }

    /// Makes a rule about the settings of an interceptor that is inside another.
    ///
    /// ```swift
    /// let rule = OrderRule.settings(
    ///     of: .attemptTimeout, inside: .deadline, severity: .warning,
    ///     when: "its limit is more than half of the deadline",
    ///     reason: "there is no time for a second attempt", fix: "Set a shorter AttemptTimeout."
    /// ) { attempt, deadline in
    ///     guard let limit = attempt.timeLimit, let whole = deadline.timeLimit, limit * 2 > whole else {
    ///         return nil
    ///     }
    ///     return "An attempt may take \(limit), and the call \(whole)"
    /// }
    /// ```
    /// - Parameters:
    ///   - inner: The role of the interceptor inside.
    ///   - outer: The role of the interceptor outside.
    ///   - severity: The severity of a broken rule. Default: an error.
    ///   - condition: Which settings break the rule, as the second half of a sentence.
    ///   - reason: What goes wrong then, as the second half of a sentence.
    ///   - fix: What to do, as a sentence.
    ///   - finding: Says what is wrong with the inner and the outer interceptor, with the numbers, as the first half of a
    ///     sentence; nil when the rule is kept or the settings are not declared.
    public static func settings(
        of inner: Role, inside outer: Role, severity: Severity = .error, when condition: String, reason: String,
        fix: String, finding: @escaping @Sendable (_ inner: InterceptorProfile, _ outer: InterceptorProfile) -> String?
    ) -> OrderRule {
        OrderRule(
            outer: outer, inner: inner, severity: severity, condition: condition, reason: reason, fix: fix,
            check: .settings { profile, inside in
                inside.indices.filter { inside[$0].role == inner }.compactMap { place in
                    finding(inside[place], profile).map { (place, $0) }
                }
            })
    }

    /// Makes a rule about an interceptor and everything inside it.
    ///
    /// - Parameter finding: Gets the interceptor and those inside it, outermost first.
    package static func settings(
        of role: Role, andAllInside condition: String, severity: Severity, reason: String, fix: String,
        finding: @escaping @Sendable (InterceptorProfile, ArraySlice<InterceptorProfile>) -> String?
    ) -> OrderRule {
        OrderRule(
            outer: role, inner: role, severity: severity, condition: condition, reason: reason, fix: fix,
            // About the interceptor itself, which stands before those inside.
            check: .settings { profile, inside in
                finding(profile, inside).map { [(inside.startIndex - 1, $0)] } ?? []
            })
    }
}
