extension Retry {
    /// How many attempts it makes, how long it may wait for them, and which refusals it retries.
    public var settings: [InterceptorSetting] {
        guard invalid.isEmpty else {
            return InterceptorSetting.invalid(invalid)
        }
        guard policy.attempts > 1 else {
            return [.attempts(1)]
        }
        let longest = policy.longestWait
        // Whoever does not wait says nothing about jitter.
        let jitter = longest > .zero ? [InterceptorSetting.hasJitter(policy.backoff.jitter.isRandom)] : []
        return [.attempts(policy.attempts), .longestWait(longest)] + jitter + [
            .hasCap(policy.hasCap),
            .retries { [policy] rejection in
                policy.isRetryable(
                    RetryCandidate(
                        reason: .rejected(rejection), error: rejection, sentRequest: UnknownRequest()))
            },
        ]
    }
}

extension RetryPolicy {
    /// Whether the waits stop growing before nobody waits for them any more.
    var hasCap: Bool {
        backoff.growth == .constant || backoff.maximumDelay <= .seconds(3600)
    }

    /// All waits together, each as long as it can be without a `Retry-After`.
    var longestWait: Duration {
        (1..<max(attempts, 2)).reduce(.zero) {
            min($0 + min(backoff.range(failedAttempts: $1).upperBound, .century), .century)
        }
    }
}

extension Role {
    /// Sends the request again after a transient failure.
    public static let retry: Role = Role(builtIn: "retry") {
        [
            .once(.retry, reason: "the attempts of one multiply with those of the other") { retries in
                let attempts = retries.compactMap(\.attempts)
                let product = attempts.reduce(1.0) { $0 * Double($1) }
                guard attempts.count == retries.count, abs(product) < 0x1p53 else {
                    return nil
                }
                return "for up to \(attempts.map { "\($0)" }.joined(separator: " × ")) = \(Int(product)) attempts"
            },
            .settings(
                of: .retry, severity: .warning, when: "its waits have no jitter",
                reason: "clients that failed together come back together",
                fix: "Use a Backoff with jitter."
            ) { retry in
                retry.hasJitter == false ? "Retry waits without jitter" : nil
            },
            .settings(
                of: .retry, severity: .warning, when: "its waits have no cap, or one of more than an hour",
                reason: "each wait is longer than the one before, until nobody waits for it any more",
                fix: "Give the Backoff a maximum delay."
            ) { retry in
                retry.hasCap == false ? "Retry waits without a cap" : nil
            },
        ]
    }
}
