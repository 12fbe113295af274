import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

extension PolicyTests {
    @Test("within another run keeps the error, and the outer one decides anew")
    func nestedRuns() async throws {
        // given
        let inner = try Policy(options: options) { Retry(.never) }
        let outer = try Policy(options: options) { Retry() }
        let runs = Counter()
        // when
        let failure = await outer.result {
            try await inner.run(isIdempotent: true) { () async throws -> Int in
                runs.increment()
                throw ShopError(article: "desk")
            }
        }.failure
        // then
        #expect(runs.value == 3)
        #expect(failure?.error(as: ShopError.self)?.article == "desk")
        #expect(failure?.stopReason == .attemptsUsed(3))
    }

    @Test("that ran an operation only once keeps an outer one from running it again")
    func nestedOnce() async throws {
        // given
        let policy = try Policy(options: options) { Retry() }
        let runs = Counter()
        // when
        let failure = await policy.result {
            try await policy.run { () async throws -> Int in
                runs.increment()
                throw ShopError()
            }
        }.failure
        // then
        #expect(runs.value == 1)
        #expect(failure?.stopReason == .notIdempotent)
    }

    @Test("is not repeated because a request within it was not sent: it may have had an effect before that")
    func unsentWithin() async throws {
        // given
        let policy = try Policy(options: options) { Retry() }
        let orders = Counter()
        @Sendable func order() async throws {
            orders.increment()
            throw TimeoutError(.connection, after: .seconds(1))
        }
        // when
        let failure = await policy.result(isIdempotent: false) { try await order() }.failure
        let nested = await policy.result { try await policy.run { try await order() } }.failure
        // then
        #expect(orders.value == 2)
        #expect(failure?.stopReason == .notIdempotent)
        #expect(nested?.stopReason == .notIdempotent)
    }
}
