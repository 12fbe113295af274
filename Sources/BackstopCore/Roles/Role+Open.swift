// Roles for which Backstop has no interceptor, or only one for a certain protocol: apps give them to their own
// interceptors. When Backstop gets such an interceptor, its role and rules move next to it.

extension Role {
    /// Answers from stored responses.
    public static let cache: Role = Role(builtIn: "cache") {
        OrderRule.rules(
            .cache,
            outside: [
                .retry: "the cache is asked again for each attempt",
                .authentication: "credentials are fetched, and perhaps renewed, for responses that need no request",
            ])
    }
}
