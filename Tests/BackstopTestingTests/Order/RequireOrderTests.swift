import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A required order", .limited)
struct RequireOrderTests {
    private func chain(_ roles: Role...) throws -> HTTP.Chain {
        try HTTP.Chain(transport: ScriptedTransport()) {
            for role in roles {
                Sample.Plain(role: role)
            }
        }
    }

    @Test("is met by a chain that breaks no rule")
    func noIssues() throws {
        try chain(.logging, .retry, .statusValidation, .attemptTimeout).requireOrder()
    }

    @Test("throws each issue with reason and fix, and the chain")
    func issues() throws {
        // given
        let wrong = try chain(.attemptTimeout, .statusValidation, .retry)
        // when
        let error = #expect(throws: ChainOrderError.self) { try wrong.requireOrder() }
        // then
        let text = try #require(error?.description)
        #expect(text.contains("2 rules are broken"))
        #expect(text.contains("error: Retry is inside StatusValidation: Retry never sees a status failure"))
        #expect(text.contains("Put Retry above StatusValidation."))
        #expect(text.contains(wrong.description))
        #expect(error?.issues == wrong.orderIssues)
        #expect(error?.localizedDescription == text)
    }

    @Test("may allow warnings")
    func warnings() throws {
        // given
        let chain = try chain(.retry, .logging)
        // then
        try chain.requireOrder(allowingWarnings: true)
        #expect(throws: ChainOrderError.self) { try chain.requireOrder() }
    }

    @Test("throws both orders with a mark at the first difference")
    func comparison() throws {
        // given
        let chain = try chain(.logging, .statusValidation, .retry, .custom("tenant"))
        // when
        let error = #expect(throws: ChainOrderError.self) {
            try chain.requireOrder(.logging, .retry, .statusValidation)
        }
        // then
        #expect(
            error?.description == """
                The chain does not have the required interceptors in this order:
                    required          found
                 1  logging           logging
                 2  retry             statusValidation  <- the first difference
                 3  statusValidation  retry
                 4  (none)            custom(tenant)
                """)
        try chain.requireOrder(.logging, .statusValidation, .retry, .custom("tenant"))
    }

    @Test("marks where the chain is too short")
    func tooShort() {
        // when
        let error = #expect(throws: ChainOrderError.self) { try chain(.logging).requireOrder(.logging, .retry) }
        // then
        #expect(error?.description.hasSuffix(" 2  retry     (none)  <- the first difference") == true)
    }

    @Test("of two roles holds for each of their interceptors, and both have to be there")
    func outer() throws {
        // given
        let good = try chain(.retry, .logging, .statusValidation)
        let double = try chain(.retry, .statusValidation, .retry)
        // then
        try good.requireOuter(.retry, to: .statusValidation)
        #expect(throws: ChainOrderError.self) { try good.requireOuter(.statusValidation, to: .retry) }
        #expect(throws: ChainOrderError.self) { try double.requireOuter(.retry, to: .statusValidation) }
        let missing = #expect(throws: ChainOrderError.self) { try good.requireOuter(.retry, to: .cache) }
        #expect(missing?.description.contains("no interceptor has the role cache") == true)
    }
}
