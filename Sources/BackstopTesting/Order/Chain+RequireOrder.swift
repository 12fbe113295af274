public import BackstopCore

extension Chain {
    /// Throws when an order rule is broken.
    ///
    /// The error fails a test in either framework:
    ///
    /// ```swift
    /// @Test("the chain is in order") func order() throws {
    ///     let chain = try HTTP.Chain(transport: ScriptedTransport()) { Retry(.standard) }
    ///     try chain.requireOrder()
    /// }
    /// ```
    /// The same two lines work in an XCTest method that `throws`.
    ///
    /// - Parameter allowingWarnings: Whether broken rules with severity `warning` are allowed. Default: false.
    /// - Throws: ``ChainOrderError`` with every issue and its fix.
    public func requireOrder(allowingWarnings: Bool = false) throws(ChainOrderError) {
        let issues = orderIssues.filter { !allowingWarnings || $0.rule.severity == .error }
        guard !issues.isEmpty else {
            return
        }
        let lines = issues.map { "  \($0.rule.severity.rawValue): \($0)" }
        let count = issues.count == 1 ? "1 rule is" : "\(issues.count) rules are"
        throw ChainOrderError(
            description: "The order of the chain is wrong; \(count) broken.\n\(lines.joined(separator: "\n"))\n\(self)",
            issues: issues, roles: roles)
    }

    /// Throws unless the chain has exactly these roles in this order.
    ///
    /// ```swift
    /// let chain = try HTTP.Chain(transport: ScriptedTransport()) {
    ///     Retry(.standard)
    ///     AttemptTimeout()
    /// }
    /// try chain.requireOrder(.retry, .attemptTimeout)
    /// ```
    /// - Parameters:
    ///   - first: The outermost role.
    ///   - rest: The other roles, from the outside in; all interceptors count, even those with a custom role.
    /// - Throws: ``ChainOrderError``, which shows both orders and marks the first difference.
    public func requireOrder(_ first: Role, _ rest: Role...) throws(ChainOrderError) {
        let required = [first] + rest
        guard roles != required else {
            return
        }
        let table = Self.comparison(required: required, found: roles)
        throw ChainOrderError(
            description: "The chain does not have the required interceptors in this order:\n\(table)", issues: [],
            roles: roles)
    }

    /// Throws unless each interceptor of one role is outside each interceptor of another.
    ///
    /// ```swift
    /// let chain = try HTTP.Chain(transport: ScriptedTransport()) {
    ///     Retry(.standard)
    ///     AttemptTimeout()
    /// }
    /// try chain.requireOuter(.retry, to: .attemptTimeout)
    /// ```
    /// - Throws: ``ChainOrderError``, also when one of the two is not in the chain.
    public func requireOuter(_ outer: Role, to inner: Role) throws(ChainOrderError) {
        for role in [outer, inner] where !roles.contains(role) {
            throw ChainOrderError(
                description: "\(outer) must be outside \(inner), but no interceptor has the role \(role).\n\(self)",
                issues: [], roles: roles)
        }
        guard let last = roles.lastIndex(of: outer), let first = roles.firstIndex(of: inner), last < first else {
            throw ChainOrderError(
                description: "\(outer) must be outside \(inner), but is inside it.\n\(self)", issues: [],
                roles: roles)
        }
    }

    /// Both orders side by side.
    private static func comparison(required: [Role], found: [Role]) -> String {
        let left = ["required"] + required.map(\.description)
        let right = ["found"] + found.map(\.description)
        let count = max(left.count, right.count)
        func cell(_ column: [String], _ row: Int) -> String {
            row < column.count ? column[row] : "(none)"
        }
        let width = (left + ["(none)"]).map(\.count).max() ?? 0
        let difference = (1..<count).first { cell(left, $0) != cell(right, $0) }
        return (0..<count).map { row in
            let number = row == 0 ? " " : "\(row)"
            let padding = String(repeating: " ", count: width - cell(left, row).count + 2)
            let mark = row == difference ? "  <- the first difference" : ""
            return "\(number.count < 2 ? " " : "")\(number)  \(cell(left, row))\(padding)\(cell(right, row))\(mark)"
        }.joined(separator: "\n")
    }
}
