import BackstopCore
import BackstopResilience
import BackstopTestSupport
import Testing

@Suite("Several order issues", .limited)
struct OrderIssueTests {
    @Test("are reported with errors first, then warnings, each from the outside in")
    func sorting() {
        // given
        let roles: [Role] = [.attemptTimeout, .hedging, .circuitBreaker, .retry, .cache, .fallback, .deadline]
        // when
        let issues = OrderIssue.issues(in: roles)
        // then
        let severities = issues.map(\.rule.severity)
        #expect(severities.contains(.error))
        #expect(severities.contains(.warning))
        #expect(severities == severities.filter { $0 == .error } + severities.filter { $0 == .warning })
        for severity in [OrderRule.Severity.error, .warning] {
            let positions = issues.filter { $0.rule.severity == severity }.map { [$0.outerPosition, $0.innerPosition] }
            #expect(positions == positions.sorted { $0.lexicographicallyPrecedes($1) })
        }
    }
}
