internal import BackstopCore

extension OrderRule {
    /// Rules that a role belongs outside others, each with what goes wrong otherwise.
    static func rules(
        _ outer: Role, outside inner: KeyValuePairs<Role, String>, severity: Severity = .warning
    ) -> [OrderRule] {
        inner.map { OrderRule(outer: outer, inner: $0.key, severity: severity, reason: $0.value) }
    }

    /// Rules that a role belongs inside others, each with what goes wrong otherwise.
    static func rules(
        _ inner: Role, inside outer: KeyValuePairs<Role, String>, severity: Severity = .warning
    ) -> [OrderRule] {
        outer.map { OrderRule(outer: $0.key, inner: inner, severity: severity, reason: $0.value) }
    }
}
