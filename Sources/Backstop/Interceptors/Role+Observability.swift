public import BackstopCore

// The roles of interceptors that show operators what calls do. Those of `BackstopObservability` have them, and so may an
// app's own.

extension Role {
    /// Makes a span for the whole call.
    public static let tracing: Role = Role(builtIn: "tracing") {
        [
            OrderRule(
                outer: .tracing, inner: .logging, severity: .warning,
                reason: "the line of a call is written without the identifiers of its span"),
            OrderRule(
                outer: .tracing, inner: .deadline, severity: .warning,
                reason: "the span of a call that runs out of time ends as cancelled"),
            OrderRule(
                outer: .tracing, inner: .retry, severity: .warning,
                reason: "each attempt gets a span, as if it were a call"),
            OrderRule(
                outer: .tracing, inner: .attemptTracing, severity: .warning,
                reason: "the spans of the attempts do not belong to the span of their call"),
            OrderRule(
                outer: .tracing, inner: .decoding, severity: .warning,
                reason: "a decoding failure never reaches the span of its call"),
            OrderRule(
                outer: .tracing, inner: .statusValidation, severity: .warning,
                reason: "the span of a call with a status failure ends as a success"),
            .once(.tracing, reason: "each of them makes a span for each call"),
        ]
    }

    /// Makes a span for each attempt, and passes its context on to the server.
    public static let attemptTracing: Role = Role(builtIn: "attemptTracing") {
        [
            OrderRule(
                outer: .retry, inner: .attemptTracing, severity: .warning,
                reason: "all attempts share a span, so the server cannot tell them apart"),
            OrderRule(
                outer: .attemptTracing, inner: .attemptTimeout, severity: .warning,
                reason: "the span of an attempt that runs out of time ends as cancelled"),
            OrderRule(
                outer: .attemptTracing, inner: .decoding, severity: .warning,
                reason: "a decoding failure never reaches the span of its attempt"),
            OrderRule(
                outer: .attemptTracing, inner: .statusValidation, severity: .warning,
                reason: "the span of an attempt with a status failure ends as a success"),
            .once(.attemptTracing, reason: "each of them makes a span for each attempt"),
        ]
    }

    /// Measures the whole call.
    public static let metrics: Role = Role(builtIn: "metrics") {
        [
            OrderRule(
                outer: .metrics, inner: .deadline, severity: .warning,
                reason: "a call that runs out of time is measured as cancelled"),
            OrderRule(
                outer: .metrics, inner: .retry, severity: .warning,
                reason: "each attempt is measured as if it were a call"),
            OrderRule(
                outer: .metrics, inner: .decoding, severity: .warning,
                reason: "a call whose content cannot be decoded is measured as a success"),
            OrderRule(
                outer: .metrics, inner: .statusValidation, severity: .warning,
                reason: "a call with a status failure is measured as a success"),
            .once(.metrics, reason: "each of them measures each call"),
        ]
    }

    /// Measures each attempt.
    public static let attemptMetrics: Role = Role(builtIn: "attemptMetrics") {
        [
            OrderRule(
                outer: .retry, inner: .attemptMetrics, severity: .warning,
                reason: "all attempts of a call are measured as one"),
            OrderRule(
                outer: .attemptMetrics, inner: .attemptTimeout, severity: .warning,
                reason: "an attempt that runs out of time is measured as cancelled"),
            OrderRule(
                outer: .attemptMetrics, inner: .decoding, severity: .warning,
                reason: "an attempt whose content cannot be decoded is measured as a success"),
            OrderRule(
                outer: .attemptMetrics, inner: .statusValidation, severity: .warning,
                reason: "an attempt with a status failure is measured as a success"),
            .once(.attemptMetrics, reason: "each of them measures each attempt"),
        ]
    }
}
