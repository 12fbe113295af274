import BackstopCore
import BackstopTestSupport
import Testing

@Suite("The order of a chain", .limited)
struct OrderIssueTests {
    private func chain(_ interceptors: Stand..., rules: [OrderRule] = []) throws -> AskChain {
        try AskChain(transport: Echo(), interceptors: interceptors, orderRules: rules)
    }

    @Test("is described in words: what is wrong, why it matters, what to do")
    func text() throws {
        // given
        let chain = try chain(Stand(.attemptTimeout), Stand(.retry))
        // when
        let issue = try #require(chain.orderIssues.first)
        // then
        #expect(
            issue.description == """
                Retry is inside AttemptTimeout: the limit of one attempt ends all of them, waits included. Put Retry \
                above AttemptTimeout.
                """)
        #expect(chain.orderIssues.count == 1)
    }

    @Test("says which interceptor there is too many of")
    func once() throws {
        // given
        let chain = try chain(Stand(.retry), Stand(.retry))
        // when
        let issue = try #require(chain.orderIssues.first)
        // then
        #expect(
            issue.description == """
                Retry occurs more than once: the attempts of one multiply with those of the other. \
                Keep one Retry and remove the rest.
                """)
        #expect(issue.rule.severity == .warning)
    }

    @Test("is wrong when any interceptor of a role stands wrong, though another stands right")
    func anyLink() throws {
        // given
        let chain = try chain(Stand(.retry), Stand(.attemptTimeout), Stand(.custom("a")), Stand(.retry))
        // when
        let issue = chain.orderIssues.first { $0.rule.inner == .attemptTimeout }
        // then
        #expect(issue?.outerPosition == 1)
        #expect(issue?.innerPosition == 3)
    }

    @Test("knows rules that the app adds, about roles of its own")
    func ownRule() throws {
        // given
        let rule = OrderRule(
            outer: .authentication, inner: .custom("signing"), severity: .error,
            reason: "the signature would not cover the token", fix: "Put signing inside authentication.")
        // when
        let wrong = try chain(Stand(.custom("signing")), Stand(.authentication), rules: [rule])
        let right = try chain(Stand(.authentication), Stand(.custom("signing")), rules: [rule])
        // then
        #expect(right.orderIssues.isEmpty)
        #expect(
            try #require(wrong.orderIssues.first).description == """
                Authentication is inside signing: the signature would not cover the token. \
                Put signing inside authentication.
                """)
    }

    @Test("knows rules that are added to a finished chain")
    func addedLater() throws {
        // given
        var chain = try chain(Stand(.custom("b")), Stand(.custom("a")))
        #expect(chain.orderIssues.isEmpty)
        // when
        chain.orderRules.append(OrderRule(outer: .custom("a"), inner: .custom("b"), reason: "of a test"))
        // then
        #expect(chain.orderIssues.map(\.rule.fix) == ["Put a above b."])
    }

    @Test("knows rules that its interceptors bring, each once")
    func rulesOfLinks() throws {
        // given
        let rule = OrderRule(outer: .retry, inner: .custom("tenant"), severity: .warning, reason: "of a test")
        let chain = try chain(
            Stand(.custom("tenant"), rules: [rule, rule]), Stand(.retry, rules: [rule]), rules: [rule])
        // then
        #expect(chain.orderIssues.map(\.rule) == [rule])
    }

    @Test("may be that of at most one interceptor of an app's own role")
    func ownOnce() throws {
        // given
        let rule = OrderRule.once(.custom("tenant"), severity: .error, reason: "the inner one decides")
        // then
        #expect(try chain(Stand(.custom("tenant")), rules: [rule]).orderIssues.isEmpty)
        #expect(
            try chain(Stand(.custom("tenant")), Stand(.custom("tenant")), rules: [rule]).orderIssues.map(\.description)
                == ["tenant occurs more than once: the inner one decides. Keep one tenant and remove the rest."])
    }

    @Test("does not mind a role of the app's that is spelt like a built-in one")
    func customRoleWithBuiltInName() throws {
        #expect(try chain(Stand(.attemptTimeout), Stand(.custom("retry"))).orderIssues.isEmpty)
    }
}
