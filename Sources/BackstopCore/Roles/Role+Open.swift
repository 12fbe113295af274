// Roles for which Backstop has no interceptor, or only one for a certain protocol: apps give them to their own
// interceptors. When Backstop gets such an interceptor, its role and rules move next to it.

extension Role {
    /// Substitutes another response when the call failed.
    public static let fallback: Role = Role(builtIn: "fallback") {
        [
            OrderRule(
                outer: .fallback, inner: .retry,
                reason: "the substitute hides the failure from Retry, which then never retries")
        ]
    }

    /// Answers from stored responses.
    public static let cache: Role = Role(builtIn: "cache") {
        [
            OrderRule(
                outer: .cache, inner: .retry, severity: .warning,
                reason: "the cache is asked again for each attempt"),
            OrderRule(
                outer: .cache, inner: .authentication, severity: .warning,
                reason: "credentials are fetched, and perhaps renewed, for responses that need no request"),
        ]
    }

    /// Sends a second copy when the first is slow.
    public static let hedging: Role = Role(builtIn: "hedging") {
        [
            OrderRule(
                outer: .retry, inner: .hedging, severity: .warning,
                reason: "each copy of a request is retried separately, which multiplies the load"),
            OrderRule(
                outer: .hedging, inner: .attemptTimeout, severity: .warning,
                reason: "all copies share the time limit of one attempt"),
        ]
    }
}
