extension OrderRule {
    /// The rules about the built-in roles. A rule only speaks when both of its roles are in the chain.
    public static let builtIn: [OrderRule] = [
        // Reading a response, from the inside out: API error, status, content.
        OrderRule(
            outer: .statusValidation, inner: .apiErrorDecoding,
            reason: "a 422 is thrown before its body is read, so APIError is never decoded"),
        OrderRule(
            outer: .decoding, inner: .statusValidation,
            reason: "the body of an error status is decoded as content, so a 404 ends as a decoding failure"),
        OrderRule(
            outer: .decoding, inner: .apiErrorDecoding,
            reason: "an error body is decoded as content, so the app's error is never seen"),
        OrderRule(
            outer: .decoding, inner: .persistedQueries,
            reason: "the answer \"query not found\" is decoded as content before the query can be sent in full"),
        OrderRule(
            outer: .statusValidation, inner: .persistedQueries,
            reason: "a miss that comes with status 400 or 404 is thrown before the query can be sent in full"),
        OrderRule(
            outer: .apiErrorDecoding, inner: .persistedQueries,
            reason: "a miss is taken for an API error before the query can be sent in full"),
        // All of it inside retry.
        OrderRule(
            outer: .retry, inner: .statusValidation,
            reason: "Retry never sees a status failure: a 503 reaches it as a good response"),
        OrderRule(
            outer: .retry, inner: .apiErrorDecoding,
            reason: "Retry never sees an API error, so one that may pass is not tried again"),
        OrderRule(
            outer: .retry, inner: .persistedQueries,
            reason: "each attempt would count as a new query, and the second request of a miss as a retry"),
        OrderRule(
            outer: .retry, inner: .attemptTimeout,
            reason: "the limit of one attempt ends all of them, waits included"),
        OrderRule(
            outer: .retry, inner: .authentication, severity: .warning,
            reason: "a token that runs out between two attempts is not renewed"),
        OrderRule(
            outer: .retry, inner: .circuitBreaker, severity: .warning,
            reason: "the breaker counts a whole retried call as one failure and cannot stop the attempts in it"),
        OrderRule(
            outer: .retry, inner: .attemptLogging, severity: .warning,
            reason: "the line of an attempt is written once for the whole call"),
        OrderRule(
            outer: .retry, inner: .hedging, severity: .warning,
            reason: "every copy of a request is retried by itself, which multiplies the load"),
        OrderRule(
            outer: .circuitBreaker, inner: .statusValidation,
            reason: "the breaker never sees a status failure and stays closed"),
        OrderRule(
            outer: .hedging, inner: .attemptTimeout, severity: .warning,
            reason: "all copies share the time limit of one attempt"),
        // The whole call.
        OrderRule(
            outer: .deadline, inner: .retry,
            reason: "each attempt gets the time of the whole call, so the call may last several times as long"),
        OrderRule(
            outer: .deadline, inner: .attemptTimeout, severity: .warning,
            reason: "the attempt's limit stands over the limit of the whole call"),
        OrderRule(
            outer: .logging, inner: .retry, severity: .warning,
            reason: "one line is written for each attempt, as if each were a call"),
        OrderRule(
            outer: .logging, inner: .deadline, severity: .warning,
            reason: "a call that runs out of time is cancelled before its line is written"),
        OrderRule(
            outer: .logging, inner: .decoding, severity: .warning,
            reason: "a decoding failure never reaches the log"),
        OrderRule(
            outer: .logging, inner: .statusValidation, severity: .warning,
            reason: "a status failure is logged as a success"),
        OrderRule(
            outer: .fallback, inner: .retry,
            reason: "the substitute hides the failure from Retry, which then never tries again"),
        OrderRule(
            outer: .fallback, inner: .statusValidation,
            reason: "the fallback never sees a status failure"),
        OrderRule(
            outer: .cache, inner: .retry, severity: .warning,
            reason: "the cache is asked again for every attempt"),
        OrderRule(
            outer: .cache, inner: .statusValidation,
            reason: "error responses would be stored and served again"),
        OrderRule(
            outer: .cache, inner: .authentication, severity: .warning,
            reason: "credentials are fetched, and perhaps renewed, for answers that need no request"),
        // One is enough.
        .once(.retry, reason: "the attempts of one multiply with those of the other"),
        .once(.deadline, reason: "only the earlier deadline has an effect"),
        .once(.decoding, reason: "the content is decoded once for each of them"),
        .once(.statusValidation, reason: "the inner one decides, and the outer one only sees what it accepted"),
        .once(
            .persistedQueries, severity: .error, reason: "the hash is taken of a request that carries a hash already"),
    ]
}
