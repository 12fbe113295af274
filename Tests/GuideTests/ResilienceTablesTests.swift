import Backstop
import BackstopAuthentication
import BackstopCore
import BackstopGraphQL
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Docs/Resilience.md", .limited)
struct ResilienceTablesTests {
    private typealias HTTPBulkhead = Bulkhead<HTTP.Request, HTTP.Response>
    private typealias HTTPHedging = Hedging<HTTP.Request, HTTP.Response>
    private typealias HTTPLimiter = RateLimiter<HTTP.Request, HTTP.Response>
    private typealias HTTPCheck = ConnectivityCheck<HTTP.Request, HTTP.Response>

    private static let columns = ["setting", "default", "range"]

    private let guide: Guide

    init() throws {
        guide = try Guide("Docs/Resilience.md")
    }

    private func rows() throws -> [[String]] {
        try guide.table(Self.columns, under: "All defaults")
    }

    // MARK: Defaults

    /// Code that is written as a default, if the default is that.
    private func code(_ text: String, _ holds: Bool) -> String {
        holds ? "`\(text)`" : "not `\(text)`"
    }

    private func retryDefaults() throws -> [(String, String)] {
        let policy = try RetryPolicy()
        let budget = try RetryBudget()
        let interval = try #require(budget.interval)
        let own = try [3, 5].allSatisfy { attempts in
            let budget = try RetryPolicy(attempts: attempts).budget
            return try budget == RetryBudget(capacity: Double(2 * (attempts - 1)))
        }
        return [
            ("RetryPolicy.attempts", "\(policy.attempts)"),
            ("RetryPolicy.backoff", code("Backoff.standard", policy.backoff == .standard)),
            ("RetryPolicy.maximumRetryAfter", policy.maximumRetryAfter.text),
            ("RetryPolicy.honorsRetryAfter", "\(policy.honorsRetryAfter)"),
            (
                "RetryPolicy.budget",
                "`.standard`: \(code("RetryBudget.standard", RetryPolicy.standard.budget == .standard))"
                    + "; your own: \(code("capacity", own)) 2 × (`attempts` − 1)"
            ),
            (
                "RetryPolicy.timeouts",
                "`.standard`: \(code(".onceIfAnswered", RetryPolicy.standard.timeouts == .onceIfAnswered))"
                    + "; your own: \(code(".always", policy.timeouts == .always))"
            ),
            ("RetryPolicy.isRetryable", code("$0.isRetryable", retriesTransientFailures(policy))),
            ("Backoff.baseDelay", "`.standard`: \(Backoff.standard.baseDelay.text); your own: none"),
            ("Backoff.maximumDelay", Backoff.standard.maximumDelay.text),
            ("Backoff.growth", code(".exponential", Backoff.standard.growth == .exponential)),
            ("Backoff.jitter", code(".full", Backoff.standard.jitter == .full)),
            ("RetryBudget.capacity", "\(Int(budget.capacity))"), ("RetryBudget.refill", "\(budget.refill)"),
            ("RetryBudget.interval", interval.text),
        ]
    }

    private func retriesTransientFailures(_ policy: RetryPolicy) -> Bool {
        let statuses = (400...599).filter { retries(policy, status: $0) }
        return statuses == (400...599).filter { Failure(StatusError($0)).isTransient }
    }

    private func breakerDefaults() throws -> [(String, String)] {
        let policy = try CircuitBreakerPolicy()
        let window = try CircuitWindow.calls(100)
        let breaker = HTTP.CircuitBreaker(log: nil)
        breaker.isolate("https://api.example.com:443")
        return [
            ("CircuitBreakerPolicy.failureRatio", "\(policy.failureRatio)"),
            ("CircuitBreakerPolicy.window", code(".calls(100)", policy.window == window)),
            ("CircuitBreakerPolicy.minimumThroughput", "\(policy.minimumThroughput)"),
            ("CircuitBreakerPolicy.slowCallDuration", policy.slowCallDuration?.text ?? "none"),
            ("CircuitBreakerPolicy.slowCallRatio", "\(policy.slowCallRatio)"),
            ("CircuitBreakerPolicy.breakDuration", policy.breakDuration.text),
            ("CircuitBreakerPolicy.growth", code(".exponential", policy.growth == .exponential)),
            ("CircuitBreakerPolicy.maximumBreakDuration", policy.maximumBreakDuration.text),
            ("CircuitBreakerPolicy.jitter", "\(policy.jitter)"), ("CircuitBreakerPolicy.probes", "\(policy.probes)"),
            ("CircuitBreakerPolicy.probeLease", policy.probeLease.text),
            ("CircuitBreakerPolicy.admitsPeople", "\(policy.admitsPeople)"),
            ("CircuitBreakerPolicy.refusesCalls", "\(policy.refusesCalls)"),
            ("CircuitBreakerPolicy.outcome", "`$0.standardOutcome`"),
            ("CircuitBreaker.grouping", code(".destination", breaker.state(of: "another") == .closed)),
        ]
    }

    /// Whether one that adapts refuses calls only from so many on.
    private func leastLimit(_ count: Int) -> Bool {
        HTTPBulkhead.adaptive().settings.contains { setting in
            guard case .rejection(let error) = setting.value else { return false }
            return error.detail == "\(count) calls are running"
        }
    }

    private func limitDefaults() throws -> [(String, String)] {
        let queue = BulkheadQueue.standard
        let limiter = HTTPLimiter(600, per: .seconds(60))
        let honoring = HTTPLimiter(600, per: .seconds(60), honorsServerLimit: true)
        return [
            ("BulkheadQueue.order", code(".firstInFirstOut", queue.order == .firstInFirstOut)),
            ("BulkheadQueue.limit", "\(queue.limit)"), ("BulkheadQueue.timeout", queue.timeout.text),
            ("Bulkhead.adaptive(minimum:)", leastLimit(10) ? "10" : "another"),
            ("RateLimiter.burst", code("count", limiter.burst == limiter.count)),
            (
                "RateLimiter.maximumWait",
                "\(limiter.maximumWait.text) (\(honoring.maximumWait.text) with `honorsServerLimit`)"
            ),
            ("RateLimiter.tokens", "1"),
            ("CallGrouping.maximumKeys", CallGrouping<HTTP.Request>.maximumKeys == 1000 ? "1,000" : "another number"),
            ("CallGrouping.lifetime", CallGrouping<HTTP.Request>.lifetime == .seconds(600) ? "10 min" : "another time"),
        ]
    }

    private func otherDefaults() throws -> [(String, String)] {
        let hedging = HTTPHedging(afterPercentile: 0.95)
        guard case .percentile(_, let samples, let initially) = hedging.delay else {
            Issue.record("the delay is no percentile")
            return []
        }
        let credentials = try Credentials { _ in nil }
        let limit = credentials.refreshLimit
        let check = HTTPCheck(ManualConnectivity())
        return [
            ("Hedging.attempts", "\(hedging.attempts)"), ("Hedging.minimumSamples", "\(samples)"),
            ("Hedging.initially", initially?.text ?? "none"),
            ("Hedging.repeatsUnsafeRequests", "\(hedging.repeatsUnsafeRequests)"),
            ("Fallback.when", "`$0.mayFallBack`"),
            ("Credentials.refreshLimit", "\(limit.count) in \(limit.window.text)"),
            ("Credentials.refreshMargin", credentials.refreshMargin.text),
            ("Credentials.refreshTimeout", credentials.refreshTimeout.text),
            ("BearerAuthentication.origins", BearerAuthentication(credentials).origins.isEmpty ? "none" : "some"),
            ("ConnectivityCheck.whenOffline", code(".fail", check.whenOffline == .fail)),
        ]
    }

    @Test("has each default as the code has it, and nothing else")
    func defaults() throws {
        let timeout = AttemptTimeout<HTTP.Request, HTTP.Response>()
        let deadline = Deadline<HTTP.Request, HTTP.Response>()
        let limits = [
            ("AttemptTimeout.limit", timeout.limit.text), ("Deadline.limit", deadline.limit?.text ?? "none"),
        ]
        let wanted = try retryDefaults() + limits + breakerDefaults() + limitDefaults() + otherDefaults()
        let found = try rows().map { "\($0[0]): \($0[1])" }
        #expect(found == wanted.map { "`\($0.0)`: \($0.1)" })
    }

    @Test(
        "has each setting of the policies",
        arguments: ["RetryPolicy", "Backoff", "RetryBudget", "CircuitBreakerPolicy", "BulkheadQueue"])
    func settings(type: String) throws {
        let body = try #require(
            Guide(source: "\(type).swift").text.components(separatedBy: "public struct \(type):").dropFirst().first)
        let end = body.range(of: "\n}\n")?.lowerBound ?? body.endIndex
        let declared = body[..<end].matches(of: /\n    public let (\w+):/).map { String($0.output.1) }
        let listed = try rows().compactMap { row in
            row[0].wholeMatch(of: /`(\w+)\.(\w+)`/).flatMap { $0.output.1 == type ? String($0.output.2) : nil }
        }
        #expect(!declared.isEmpty)
        #expect(listed.sorted() == declared.sorted())
    }

    // MARK: Ranges

    /// A range of the guide, with values at its ends and beyond them.
    struct Range: Sendable, CustomTestStringConvertible {
        let setting: String
        let text: String
        let accepted: [@Sendable () throws -> Void]
        let refused: [@Sendable () throws -> Void]
        var testDescription: String { setting }

        init<Value: Sendable>(
            _ setting: String, _ text: String, _ accepted: [Value], not refused: [Value],
            _ make: @escaping @Sendable (Value) throws -> Void
        ) {
            self.setting = setting
            self.text = text
            self.accepted = accepted.map { value in { try make(value) } }
            self.refused = refused.map { value in { try make(value) } }
        }
    }

    private static let moment = Duration.nanoseconds(1)
    private static let day = Duration.seconds(86_400)
    private static let dayAndMore = day + moment
    private static let retryRanges = [
        Range("RetryPolicy.attempts", "1 to 100", [1, 100], not: [0, 101]) { _ = try RetryPolicy(attempts: $0) },
        Range("RetryPolicy.maximumRetryAfter", "0 or more", [.zero], not: [.zero - moment]) {
            _ = try RetryPolicy(maximumRetryAfter: $0)
        },
        Range("Backoff.baseDelay", "0 or more", [.zero], not: [.zero - moment]) { _ = try Backoff(baseDelay: $0) },
        Range("Backoff.maximumDelay", "`baseDelay` or more", [.seconds(2)], not: [.seconds(1)]) {
            _ = try Backoff(baseDelay: .seconds(2), maximumDelay: $0)
        },
        Range("Backoff.growth", "factor 1 to 10", [1.0, 10], not: [0.99, 10.01]) {
            _ = try Backoff(baseDelay: .zero, growth: .exponential(factor: $0))
        },
        Range("Backoff.jitter", "share 0 to 1", [0.0, 1], not: [-0.01, 1.01]) {
            _ = try Backoff(baseDelay: .zero, jitter: .around($0))
        },
        Range("RetryBudget.capacity", "0 to 1,000,000", [0, 1_000_000], not: [-0.01, 1_000_000.01]) {
            _ = try RetryBudget(capacity: $0)
        },
        Range("RetryBudget.refill", "0 to 1", [0, 1], not: [-0.01, 1.01]) { _ = try RetryBudget(refill: $0) },
        Range("RetryBudget.interval", "1 ms to a day", [.milliseconds(1), day], not: [.microseconds(999), dayAndMore]) {
            _ = try RetryBudget(interval: $0)
        },
        Range("AttemptTimeout.limit", "more than 0", [moment], not: [.zero]) {
            try requireValid(AttemptTimeout<HTTP.Request, HTTP.Response>($0))
        },
        Range("Deadline.limit", "more than 0", [moment], not: [.zero]) {
            try requireValid(Deadline<HTTP.Request, HTTP.Response>($0))
        },
    ]
    private static let breakerRanges = [
        Range("CircuitBreakerPolicy.failureRatio", "more than 0, up to 1", [0.001, 1], not: [0, 1.001]) {
            _ = try CircuitBreakerPolicy(failureRatio: $0)
        },
        Range(
            "CircuitBreakerPolicy.window", "1 to 10,000 calls, 10 ms to a day",
            [(1, .milliseconds(10)), (10_000, day)],
            not: [(0, day), (10_001, day), (1, .milliseconds(9)), (1, dayAndMore)]
        ) { _ = try (CircuitWindow.calls($0.0), CircuitWindow.time($0.1)) },
        Range("CircuitBreakerPolicy.minimumThroughput", "1 to the calls of the window", [1, 100], not: [0, 101]) {
            _ = try CircuitBreakerPolicy(minimumThroughput: $0)
        },
        Range("CircuitBreakerPolicy.slowCallDuration", "more than 0", [moment], not: [.zero]) {
            _ = try CircuitBreakerPolicy(slowCallDuration: $0)
        },
        Range("CircuitBreakerPolicy.slowCallRatio", "more than 0, up to 1", [0.001, 1], not: [0, 1.001]) {
            _ = try CircuitBreakerPolicy(slowCallRatio: $0)
        },
        Range(
            "CircuitBreakerPolicy.breakDuration", "more than 0, up to a day", [moment, day], not: [.zero, dayAndMore]
        ) {
            _ = try CircuitBreakerPolicy(breakDuration: $0)
        },
        Range("CircuitBreakerPolicy.growth", "factor 1 to 10", [1.0, 10], not: [0.99, 10.01]) {
            _ = try CircuitBreakerPolicy(growth: .exponential(factor: $0))
        },
        Range(
            "CircuitBreakerPolicy.maximumBreakDuration", "`breakDuration` to a day", [.seconds(5), day],
            not: [.milliseconds(4999), dayAndMore]
        ) { _ = try CircuitBreakerPolicy(maximumBreakDuration: $0) },
        Range("CircuitBreakerPolicy.probes", "1 to 100", [1, 100], not: [0, 101]) {
            _ = try CircuitBreakerPolicy(probes: $0)
        },
        Range("CircuitBreakerPolicy.probeLease", "more than 0, up to a day", [moment, day], not: [.zero, dayAndMore]) {
            _ = try CircuitBreakerPolicy(probeLease: $0)
        },
    ]
    private static let otherRanges = [
        Range("BulkheadQueue.limit", "0 to 100,000", [0, 100_000], not: [-1, 100_001]) {
            _ = try BulkheadQueue.firstInFirstOut($0)
        },
        Range("BulkheadQueue.timeout", "more than 0, up to a day", [moment, day], not: [.zero, dayAndMore]) {
            _ = try BulkheadQueue.lastInFirstOut(1, timeout: $0)
        },
        Range("Bulkhead.adaptive(minimum:)", "1 to 100,000", [1, 100_000], not: [0, 100_001]) {
            try requireValid(HTTPBulkhead.adaptive(minimum: $0))
        },
        Range("RateLimiter.burst", "1 to 1,000,000", [1, 1_000_000], not: [0, 1_000_001]) {
            try requireValid(HTTPLimiter(1, per: .seconds(1), burst: $0))
        },
        Range("RateLimiter.maximumWait", "0 to a day", [.zero, day], not: [.zero - moment, dayAndMore]) {
            try requireValid(HTTPLimiter(1, per: .seconds(1), maximumWait: $0))
        },
        Range("Hedging.attempts", "2 to 10", [2, 10], not: [1, 11]) {
            try requireValid(HTTPHedging(after: .seconds(1), attempts: $0))
        },
        Range("Hedging.minimumSamples", "1 to 100", [1, 100], not: [0, 101]) {
            try requireValid(HTTPHedging(afterPercentile: 0.95, minimumSamples: $0))
        },
        Range("Hedging.initially", "more than 0", [moment], not: [.zero]) {
            try requireValid(HTTPHedging(afterPercentile: 0.95, initially: $0))
        },
        Range("Credentials.refreshLimit", "1 to 1,000", [1, 1000], not: [0, 1001]) {
            _ = try TokenRefreshLimit($0, per: .seconds(30))
        },
        Range("Credentials.refreshMargin", "0 or more", [.zero], not: [.zero - moment]) {
            _ = try Credentials(refreshMargin: $0) { _ in nil }
        },
        Range("Credentials.refreshTimeout", "more than 0", [moment], not: [.zero]) {
            _ = try Credentials(refreshMargin: .zero, refreshTimeout: $0) { _ in nil }
        },
        Range("ConnectivityCheck.whenOffline", "a wait of more than 0", [moment], not: [.zero]) {
            try requireValid(HTTPCheck(ManualConnectivity(), whenOffline: .wait(upTo: $0)))
        },
    ]
    /// What the paragraph after the table says of settings without a default.
    private static let requiredRanges = [
        Range("`Bulkhead.limit` (1 to 100,000)", "", [1, 100_000], not: [0, 100_001]) {
            try requireValid(HTTPBulkhead(limit: $0))
        },
        Range("`RateLimiter.count` (1 to 1,000,000)", "", [1, 1_000_000], not: [0, 1_000_001]) {
            try requireValid(HTTPLimiter($0, per: .seconds(1)))
        },
        Range("`period` (1 ms to a day)", "", [.milliseconds(1), day], not: [.microseconds(999), dayAndMore]) {
            try requireValid(HTTPLimiter(1, per: $0))
        },
        Range("the delay of `Hedging` (more than 0)", "", [moment], not: [.zero]) {
            try requireValid(HTTPHedging(after: $0))
        },
        Range("its percentile (0.5 to less than 1)", "", [0.5, 0.999], not: [0.499, 1]) {
            try requireValid(HTTPHedging(afterPercentile: $0))
        },
    ]
    static let ranges = retryRanges + breakerRanges + otherRanges

    @Test("has each range, and nothing else")
    func rangesOfTable() throws {
        let found = try rows().filter { !$0[2].isEmpty }.map { "\($0[0]): \($0[2])" }
        #expect(found == Self.ranges.map { "`\($0.setting)`: \($0.text)" })
        let words = guide.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for range in Self.requiredRanges {
            #expect(words.contains(range.setting))
        }
    }

    @Test("has ranges that begin and end where the code says", arguments: ranges + requiredRanges)
    func ends(of range: Range) {
        for make in range.accepted {
            #expect(throws: Never.self) { try make() }
        }
        for make in range.refused {
            #expect(throws: ConfigurationError.self) { try make() }
        }
    }

    // MARK: Chains and presets

    @Test("builds chains in which the order rules find nothing")
    func chains() throws {
        let waits = [
            "Bulkhead(limit: 20, queue: .firstInFirstOut(100, timeout: .seconds(2)))",
            "RateLimiter(600, per: .seconds(60), burst: 20, maximumWait: .seconds(2))",
            "Client.standard(baseURL: \"https://api.example.com/v1\", deadline: .seconds(20))",
            "Bulkhead(limit: 10, queue: .none)",
        ]
        for wait in waits {
            #expect(guide.text.contains(wait))
        }
        let client = try Client.standard(baseURL: "https://api.example.com/v1", deadline: .seconds(20))
            .withChain {
                try $0.inserting(
                    [
                        Bulkhead(limit: 20, queue: .firstInFirstOut(100, timeout: .seconds(2))),
                        RateLimiter(600, per: .seconds(60), burst: 20, maximumWait: .seconds(2)),
                        CircuitBreaker(grouping: .origin),
                    ], inside: .retry)
            }
        #expect(client.chain.orderIssues.isEmpty, "\(client.chain.orderIssues)")
        let policy = try Policy {
            Deadline(.seconds(5))
            Retry()
            Bulkhead(limit: 10, queue: .none)
            CircuitBreaker()
            AttemptTimeout(.seconds(1))
        }
        #expect(policy.chain.orderIssues.isEmpty, "\(policy.chain.orderIssues)")
    }

    private struct Sent: CallRequest {
        var isIdempotent: Bool { true }
        var isReplayable: Bool { true }
        func summary(_ redaction: Redaction) -> String { "" }
    }

    private func retries(_ policy: RetryPolicy, status: Int) -> Bool {
        let error = StatusError(status)
        return policy.isRetryable(
            RetryCandidate(
                reason: .status(error), error: error, attempt: 1, attempts: [],
                sentRequest: Sent(), receivedResponse: nil))
    }

    @Test("says of each preset how many attempts it makes, which statuses it retries, and whether it obeys Retry-After")
    func presets() throws {
        let presets: [(String, RetryPolicy)] = [
            (".standard", .standard), (".alamofire", .alamofire), (".awsStandard", .awsStandard), (".grpc", .grpc),
            (".never", .never),
        ]
        let rows = try guide.table(
            ["`RetryPolicy`", "attempts", "waits", "retried", "`Retry-After`", "budget"], under: "Presets")
        #expect(rows.map { $0[0] } == presets.map { "`\($0.0)`" })
        for (row, (_, policy)) in zip(rows, presets) {
            #expect(row[1] == "\(policy.attempts)")
            let statuses = row[3].matches(of: /\d{3}/).compactMap { Int($0.output) }
            let retried = (400...599).filter { retries(policy, status: $0) }
            #expect(
                statuses.isEmpty ? retried.isEmpty || row[3].hasPrefix("transient failures") : statuses == retried,
                "\(row)")
            if policy.attempts > 1 {
                #expect(row[4] == (policy.honorsRetryAfter ? "obeyed" : "ignored"))
            }
        }
    }
}
