#if Demo
    internal import BackstopCore

    /// A retry policy with its name in the results.
    struct StormPolicy {
        let name: String
        let title: String
        let policy: RetryPolicy

        /// The names of all, in order.
        static let names = ["none", "immediate3", "exponential", "alamofire", "polly", "aws", "grpc", "backstop"]

        /// All that are compared.
        static func all() throws -> [StormPolicy] {
            [
                StormPolicy(name: "none", title: "no retry", policy: .never),
                StormPolicy(
                    name: "immediate3", title: "3 attempts at once",
                    policy: try RetryPolicy(attempts: 3, backoff: .none, budget: .unlimited)),
                StormPolicy(
                    name: "exponential", title: "3 attempts, exponential, no jitter",
                    policy: try RetryPolicy(
                        attempts: 3, backoff: Backoff(baseDelay: .milliseconds(500), jitter: .none),
                        budget: .unlimited)),
                StormPolicy(name: "alamofire", title: "Alamofire's RetryPolicy", policy: .alamofire),
                StormPolicy(
                    name: "polly", title: "Polly's RetryStrategyOptions",
                    policy: try RetryPolicy(
                        attempts: 4, backoff: Backoff(baseDelay: .seconds(2), growth: .constant, jitter: .none),
                        budget: .unlimited)),
                StormPolicy(name: "aws", title: "AWS SDKs, standard mode", policy: .awsStandard),
                StormPolicy(name: "grpc", title: "gRPC's retry policy", policy: .grpc),
                StormPolicy(name: "backstop", title: "Backstop's standard", policy: .standard),
            ]
        }
    }
#endif
