#if Demo
    internal import BackstopCore
    internal import BackstopResilience

    /// A retry policy with its name in the results.
    struct StormPolicy {
        let name: String
        let title: String
        let policy: RetryPolicy
        /// That of a circuit breaker inside; nil for none.
        var breaker: CircuitBreakerPolicy?
        /// Whether a bulkhead inside has a limit that adapts.
        var isLimited = false

        /// The names of all, in order.
        static let names = ["none", "alamofire", "polly", "aws", "grpc", "backstop", "breaker", "adaptive"]

        /// All that are compared.
        static func all() throws -> [StormPolicy] {
            [
                StormPolicy(name: "none", title: "no retry", policy: .never),
                StormPolicy(name: "alamofire", title: "Alamofire's RetryPolicy", policy: .alamofire),
                StormPolicy(
                    name: "polly", title: "Polly's RetryStrategyOptions",
                    policy: try RetryPolicy(
                        attempts: 4, backoff: Backoff(baseDelay: .seconds(2), growth: .constant, jitter: .none),
                        budget: .unlimited)),
                StormPolicy(name: "aws", title: "AWS SDKs, standard mode", policy: .awsStandard),
                StormPolicy(name: "grpc", title: "gRPC's retry policy", policy: .grpc),
                StormPolicy(name: "backstop", title: "Backstop's standard", policy: .standard),
                StormPolicy(
                    name: "breaker", title: "Backstop's standard, with CircuitBreaker.forTimeouts()",
                    policy: .standard, breaker: .timeouts),
                StormPolicy(
                    name: "adaptive", title: "Backstop's standard, with Bulkhead.adaptive()", policy: .standard,
                    isLimited: true),
            ]
        }
    }
#endif
