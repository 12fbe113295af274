import BackstopTestSupport
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("A key of any length", .limited)
struct KeyTextTests {
    private struct Number: KeyedState {
        var number = 0
        func use(at now: Duration) -> StateUse { .inUse }
    }

    private let long = String(repeating: "ä", count: 50_000)

    @Test(
        "is kept as it is while it is short",
        arguments: ["", "https://a.example:443", String(repeating: "k", count: 256)])
    func short(key: String) {
        #expect(KeyText.bounded(key) == key)
    }

    @Test("is kept short, with its beginning, and stays the same when it is used again")
    func bounded() {
        let kept = KeyText.bounded(long)
        #expect(kept.utf8.count <= 256)
        #expect(kept.hasPrefix(String(repeating: "ä", count: 100)))
        #expect(KeyText.bounded(long) == kept)
        #expect(KeyText.bounded(kept) == kept)
        // Cut in the middle of a character.
        #expect(KeyText.bounded("a" + long).utf8.count <= 256)
    }

    @Test("has a state of its own, even if only its end is different")
    func states() {
        var states = KeyedStates<Number>(limit: 100, lifetime: .seconds(9))
        for number in 0..<50 {
            states.entry(for: long + "\(number)", now: .zero) { Number() }.state.number = number
        }
        #expect(states.count == 50)
        #expect((0..<50).allSatisfy { states.existing(long + String($0))?.state.number == $0 })
        #expect(states.all.allSatisfy { $0.key.utf8.count <= 256 && states.existing($0.key) === $0 })
    }

    @Test("finds the same circuit by what the caller knows and by what a change says")
    func circuit() async throws {
        // given
        let policy = try CircuitBreakerPolicy(window: .calls(1), minimumThroughput: 1)
        let breaker = CircuitBreaker<Ask, Answer>(policy, grouping: .by(\.text), log: nil)
        // when
        breaker.isolate(long)
        // then
        let kept = try #require(breaker.states.keys.first)
        #expect(kept.utf8.count <= 256)
        #expect(breaker.state(of: long) == .isolated)
        #expect(breaker.state(of: kept) == .isolated)
        breaker.reset(long)
        #expect(breaker.state(of: kept) == .closed)
    }
}
