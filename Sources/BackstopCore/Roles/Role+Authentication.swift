extension Role {
    /// Adds and renews credentials.
    public static let authentication: Role = Role(builtIn: "authentication") {
        OrderRule.rules(
            .authentication, inside: [.retry: "a token that expires between two attempts is not renewed"])
    }
}
