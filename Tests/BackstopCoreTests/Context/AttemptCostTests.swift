import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("Many attempts of one call", .limited)
struct AttemptCostTests {
    /// How long it takes to send in each of a number of attempts.
    ///
    /// - Parameter isNested: Whether each is started by what ran in the one before, and not beside it.
    private func time(_ count: Int, isNested: Bool) throws -> Duration {
        try cpuTime {
            let outer = CallContext().firstAttempt()
            var context = outer
            for _ in 0..<count {
                _ = try context.send(Ask("poll"))
                context = (isNested ? context : outer).nextAttempt(after: ShopError(), waited: .zero, because: "poll")
            }
        }
    }

    @Test("do not look through the whole tree at each request", arguments: [true, false])
    func cost(isNested: Bool) throws {
        let few = try (0..<3).map { _ in try time(100, isNested: isNested) }.min() ?? .zero
        let many = try time(400, isNested: isNested)
        // 4 times as many: each looks at those before it, and at none of them twice.
        #expect(many < few * 40)
    }
}
