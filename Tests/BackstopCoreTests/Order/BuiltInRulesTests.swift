import BackstopCore
import Testing

@Suite("The built-in order rules")
struct BuiltInRulesTests {
    @Test("speak when their roles stand the wrong way round", arguments: OrderRule.builtIn)
    func broken(rule: OrderRule) {
        // given: for rules of "at most one" the same role twice
        let roles = [rule.inner, rule.outer]
        // when
        let issues = OrderIssue.issues(in: roles)
        // then
        #expect(issues.contains { $0.rule == rule && $0.outerPosition == 0 && $0.innerPosition == 1 })
    }

    @Test("are silent when their roles stand the right way round", arguments: OrderRule.builtIn)
    func kept(rule: OrderRule) {
        // given
        let roles = rule.outer == rule.inner ? [rule.outer] : [rule.outer, rule.inner]
        // then
        #expect(OrderIssue.issues(in: roles).isEmpty)
    }

    @Test("are silent when only one of their roles is there", arguments: OrderRule.builtIn)
    func alone(rule: OrderRule) {
        #expect(OrderIssue.issues(in: [rule.outer]).isEmpty)
        #expect(OrderIssue.issues(in: [rule.inner]).isEmpty)
    }

    @Test("speak also when other interceptors stand in between", arguments: OrderRule.builtIn)
    func apart(rule: OrderRule) {
        // given
        let roles = [.custom("a"), rule.inner, .custom("b"), .custom("c"), rule.outer, .custom("d")]
        // when
        let issue = OrderIssue.issues(in: roles).first { $0.rule == rule }
        // then
        #expect(issue?.outerPosition == 1)
        #expect(issue?.innerPosition == 4)
    }

    @Test("are all kept by the standard order")
    func standardOrder() {
        #expect(OrderIssue.issues(in: Role.builtIn).isEmpty)
    }

    @Test("are all kept by the standard order of an HTTP chain")
    func standardHTTPOrder() {
        let roles: [Role] = [
            .logging, .deadline, .retry, .authentication, .decoding, .statusValidation, .apiErrorDecoding,
            .persistedQueries, .attemptTimeout,
        ]
        #expect(OrderIssue.issues(in: roles).isEmpty)
    }

    @Test("are each broken by the standard order turned round, but for those of one role")
    func turnedRound() {
        let broken = Set(OrderIssue.issues(in: Role.builtIn.reversed()).map(\.rule))
        #expect(broken == Set(OrderRule.builtIn.filter { $0.outer != $0.inner }))
    }

    @Test("say what goes wrong and what to do", arguments: OrderRule.builtIn)
    func texts(rule: OrderRule) throws {
        // when
        let issue = try #require(OrderIssue.issues(in: [rule.inner, rule.outer]).first { $0.rule == rule })
        // then
        #expect(!rule.reason.isEmpty)
        #expect(!rule.reason.hasSuffix("."), "the reason is the second half of a sentence")
        #expect(rule.fix.hasSuffix("."), "the fix is a sentence")
        #expect(issue.description.contains(rule.reason))
        #expect(issue.description.hasSuffix(rule.fix))
        #expect(!issue.description.contains(".."))
    }

    @Test("are no two about the same roles")
    func unique() {
        let pairs = OrderRule.builtIn.map { [$0.outer, $0.inner] }
        #expect(Set(pairs).count == pairs.count)
    }

    @Test("do not contradict each other: of two roles, one is outside")
    func consistent() {
        for rule in OrderRule.builtIn where rule.outer != rule.inner {
            #expect(!OrderRule.builtIn.contains { $0.outer == rule.inner && $0.inner == rule.outer }, "\(rule)")
        }
    }
}
