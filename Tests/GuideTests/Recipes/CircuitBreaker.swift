import BackstopResilience

func makeClientWithBreaker(transport: any HTTP.Transport = URLSessionTransport()) throws -> Client {
    // Opens when half of the last ten calls to an origin failed, or of the first five. The standard policy waits for
    // ten calls, which suits apps that make many.
    let policy = try CircuitBreakerPolicy(
        window: .calls(10), minimumThroughput: 5, breakDuration: .seconds(30), maximumBreakDuration: .seconds(60))
    // One breaker for all calls of the client, just inside retry, so that it sees each attempt.
    return try Client.standard(baseURL: "https://api.example.com/v1", transport: transport)
        .withChain { try $0.inserting(CircuitBreaker(policy, grouping: .origin), inside: .retry) }
}

/// The time until a call may be accepted again, for a countdown; nil when the failure says nothing about it.
func countdown(after failure: Failure) -> Duration? {
    failure.isTransient ? failure.retryAfter : nil
}
