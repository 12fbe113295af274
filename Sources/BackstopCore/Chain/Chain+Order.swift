extension Chain {
    /// The interceptors as order rules see them, outermost first: their roles and settings.
    public var profiles: [InterceptorProfile] {
        interceptors.map { InterceptorProfile(role: $0.role, settings: $0.settings) }
    }

    /// The mistakes in the order and the settings of the interceptors; empty when there are none.
    ///
    /// ```swift
    /// func check(_ chain: HTTP.Chain) {
    ///     for issue in chain.orderIssues { print(issue) }
    /// }
    /// ```
    public var orderIssues: [OrderIssue] {
        OrderIssue.issues(in: profiles, rules: interceptors.flatMap(\.orderRules) + orderRules)
    }
}
