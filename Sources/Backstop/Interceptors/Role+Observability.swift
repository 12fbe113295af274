public import BackstopCore

// The roles of interceptors that show operators what calls do. Those of `BackstopObservability` have them, and so may an
// app's own.

extension Role {
    /// Makes a span for the whole call.
    public static let tracing: Role = Role(builtIn: "tracing") {
        OrderRule.rules(
            .tracing,
            outside: [
                .logging: "the line of a call is written without the identifiers of its span",
                .deadline: "the span of a call that runs out of time ends as cancelled",
                .retry: "each attempt gets a span, as if it were a call",
                .attemptTracing: "the spans of the attempts do not belong to the span of their call",
                .decoding: "a decoding failure never reaches the span of its call",
                .statusValidation: "the span of a call with a status failure ends as a success",
            ]) + [.once(.tracing, reason: "each of them makes a span for each call")]
    }

    /// Makes a span for each attempt, and passes its context on to the server.
    public static let attemptTracing: Role = Role(builtIn: "attemptTracing") {
        OrderRule.rules(
            .attemptTracing, inside: [.retry: "all attempts share a span, so the server cannot tell them apart"],
            outside: [
                .attemptTimeout: "the span of an attempt that runs out of time ends as cancelled",
                .decoding: "a decoding failure never reaches the span of its attempt",
                .statusValidation: "the span of an attempt with a status failure ends as a success",
            ]) + [.once(.attemptTracing, reason: "each of them makes a span for each attempt")]
    }

    /// Measures the whole call.
    public static let metrics: Role = Role(builtIn: "metrics") {
        OrderRule.rules(
            .metrics,
            outside: [
                .deadline: "a call that runs out of time is measured as cancelled",
                .retry: "each attempt is measured as if it were a call",
                .decoding: "a call whose content cannot be decoded is measured as a success",
                .statusValidation: "a call with a status failure is measured as a success",
            ]) + [.once(.metrics, reason: "each of them measures each call")]
    }

    /// Measures each attempt.
    public static let attemptMetrics: Role = Role(builtIn: "attemptMetrics") {
        OrderRule.rules(
            .attemptMetrics, inside: [.retry: "all attempts of a call are measured as one"],
            outside: [
                .attemptTimeout: "an attempt that runs out of time is measured as cancelled",
                .decoding: "an attempt whose content cannot be decoded is measured as a success",
                .statusValidation: "an attempt with a status failure is measured as a success",
            ]) + [.once(.attemptMetrics, reason: "each of them measures each attempt")]
    }
}
