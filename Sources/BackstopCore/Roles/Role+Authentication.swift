extension Role {
    /// Adds and renews credentials.
    public static let authentication: Role = Role(builtIn: "authentication") {
        [
            OrderRule(
                outer: .retry, inner: .authentication, severity: .warning,
                reason: "a token that expires between two attempts is not renewed")
        ]
    }
}
