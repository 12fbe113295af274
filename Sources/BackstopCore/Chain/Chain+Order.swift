extension Chain {
    /// The mistakes in the order of the interceptors; empty when there are none.
    ///
    /// ```swift
    /// func check(_ chain: HTTP.Chain) {
    ///     for issue in chain.orderIssues { print(issue) }
    /// }
    /// ```
    public var orderIssues: [OrderIssue] {
        OrderIssue.issues(in: roles, rules: interceptors.flatMap(\.orderRules) + orderRules)
    }
}
