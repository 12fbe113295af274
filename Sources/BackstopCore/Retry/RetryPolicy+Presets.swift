extension RetryPolicy {
    /// What Alamofire's `RetryPolicy` does by default: two retries after 0.5 s and 1 s, without jitter, without a cap,
    /// and without regard to `Retry-After`.
    ///
    /// It retries 408, 500, 502, 503 and 504, and the connection errors that Alamofire retries: no network, unknown
    /// host, refused, lost, TLS, not allowed, timed out. Where several URL errors share a code of Backstop, the most
    /// common one decides. Backstop's own conditions apply as well: nothing is sent twice that may not be.
    ///
    /// Clients that failed together come back together; ``standard`` spreads them.
    ///
    /// Source: Alamofire 5.12, `Source/Features/RetryPolicy.swift`.
    public static let alamofire = RetryPolicy(
        uncheckedAttempts: 3,
        backoff: Backoff(
            unchecked: .milliseconds(500), maximumDelay: .century, growth: .exponential, jitter: .none),
        maximumRetryAfter: .seconds(60), honorsRetryAfter: false, budget: .unlimited
    ) { candidate in
        if let status = candidate.statusCode, [408, 500, 502, 503, 504].contains(status) {
            return true
        }
        return switch candidate.reason {
        case .transport(let error):
            [.offline, .dns, .refused, .lost, .truncated, .tls, .notAllowed].contains(error.code)
        case .timeout(let error): error.kind.isTransient
        default: false
        }
    }

    /// What the standard retry mode of the AWS SDKs does: two retries after `random(0, min(20 s, 1 s × 2ⁿ⁻¹))`.
    ///
    /// It retries 429, 500, 502, 503 and 504, connection errors and timeouts. It does without `Retry-After`, which the
    /// SDKs do not read, and has their bucket of tokens (``RetryBudget/awsStandard``).
    ///
    /// Source: botocore 1.43, `retries/standard.py` and `retries/quota.py`.
    public static let awsStandard = RetryPolicy(
        uncheckedAttempts: 3,
        backoff: Backoff(
            unchecked: .seconds(1), maximumDelay: .seconds(20), growth: .exponential, jitter: .full),
        maximumRetryAfter: .seconds(60), honorsRetryAfter: false, budget: .awsStandard
    ) { candidate in
        if let status = candidate.statusCode {
            return [429, 500, 502, 503, 504].contains(status)
        }
        return switch candidate.reason {
        case .transport, .timeout: candidate.isTransient
        default: false
        }
    }

    /// What the service configuration in gRPC's design of retries does: four attempts, with waits of
    /// `min(1 s, 0.1 s × 2ⁿ⁻¹) × random(0.8, 1.2)`.
    ///
    /// gRPC itself has no default: a service switches retries on, and clients make five attempts at most.
    /// `UNAVAILABLE`, which that configuration retries, is what gRPC makes of connection errors and of 429, 502, 503
    /// and 504. Timeouts are not retried. A server's pushback is obeyed, as `Retry-After` is here. Retries are
    /// throttled: ``RetryBudget/grpc``.
    ///
    /// Source: gRFC A6, as of August 2024 (before, the waits were `random(0, bound)`), and gRPC's
    /// `http-grpc-status-mapping`.
    public static let grpc = RetryPolicy(
        uncheckedAttempts: 4,
        backoff: Backoff(
            unchecked: .milliseconds(100), maximumDelay: .seconds(1), growth: .exponential, jitter: .around(0.2)),
        maximumRetryAfter: .seconds(60), honorsRetryAfter: true, budget: .grpc
    ) { candidate in
        if let status = candidate.statusCode {
            return [429, 502, 503, 504].contains(status)
        }
        guard case .transport = candidate.reason else {
            return false
        }
        return candidate.isTransient
    }
}
