import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore

@Suite("What a retry says of its settings", .limited)
struct RetrySettingsTests {
    private func policy(attempts: Int, jitter: Backoff.Jitter) throws -> RetryPolicy {
        try RetryPolicy(
            attempts: attempts, backoff: Backoff(baseDelay: .seconds(2), growth: .constant, jitter: jitter))
    }

    @Test("its longest wait is that of all its waits, with all of their jitter")
    func longestWait() throws {
        #expect(try policy(attempts: 4, jitter: .full).longestWait == .seconds(6))
        #expect(try policy(attempts: 4, jitter: .around(0.5)).longestWait == .seconds(9))
    }

    @Test(
        "waits without anything random are named, unless there are none",
        arguments: [(.none, 3, 1), (.around(0), 3, 1), (.around(0.1), 3, 0), (.none, 1, 0)]
            as [(Backoff.Jitter, Int, Int)])
    func jitter(jitter: Backoff.Jitter, attempts: Int, issues: Int) throws {
        let retry = Retry<Ask, Answer>(try policy(attempts: attempts, jitter: jitter))
        let chain = try AskChain(transport: Script<Ask, Answer>(), interceptors: [retry])
        #expect(chain.orderIssues.count == issues)
    }
}
