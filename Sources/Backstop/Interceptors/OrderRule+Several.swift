internal import BackstopCore

extension OrderRule {
    /// Rules that a role belongs inside some and outside others, each with what goes wrong otherwise.
    static func rules(
        _ role: Role, inside outer: KeyValuePairs<Role, String> = [:], outside inner: KeyValuePairs<Role, String> = [:],
        severity: Severity = .warning
    ) -> [OrderRule] {
        outer.map { OrderRule(outer: $0.key, inner: role, severity: severity, reason: $0.value) }
            + inner.map { OrderRule(outer: role, inner: $0.key, severity: severity, reason: $0.value) }
    }
}
