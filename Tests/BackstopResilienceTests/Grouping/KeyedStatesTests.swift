import BackstopTestSupport
import Testing

@testable import BackstopResilience

@Suite("States by key", .limited)
struct KeyedStatesTests {
    private struct Mark: KeyedState, Equatable {
        var stateUse = StateUse.atRest
        var number = 0

        func use(at now: Duration) -> StateUse { stateUse }
    }

    @Test("are those of the keys used last, against a model", arguments: Seed.ofRun)
    func leastRecentlyUsed(seed: Seed) throws {
        var random = seed.numbers
        var states = KeyedStates<Mark>(limit: 5, lifetime: .seconds(1_000_000))
        var model: [String] = []  // the oldest first
        for step in 0..<5000 {
            let key = "\(random.below(9))"
            _ = states.entry(for: key, now: .seconds(step)) { Mark() }
            model.removeAll { $0 == key }
            model.append(key)
            model = model.suffix(5)
            try #require(Set(states.all.map(\.key)) == Set(model), "step \(step)")
        }
    }

    @Test("in use are forgotten last, and only when there are too many")
    func inUse() {
        var states = KeyedStates<Mark>(limit: 4, lifetime: .seconds(1000))
        let busy = states.entry(for: "busy", now: .zero) { Mark(stateUse: .inUse) }
        for number in 0..<20 {
            _ = states.entry(for: "\(number)", now: .zero) { Mark() }
        }
        #expect(states.existing("busy") === busy)
        #expect(states.count == 4)
        // when all are in use, the number still holds
        for number in 0..<20 {
            _ = states.entry(for: "other \(number)", now: .zero) { Mark(stateUse: .inUse) }
        }
        #expect(states.count == 4)
        #expect(states.existing("busy") == nil)
    }

    @Test("in use may have a limit of their own, beside which those at rest are forgotten as before")
    func limitInUse() {
        var states = KeyedStates<Mark>(limit: 4, inUse: 10, lifetime: .seconds(1000))
        for number in 0..<20 {
            _ = states.entry(for: "busy \(number)", now: .zero) { Mark(stateUse: .inUse) }
            #expect(states.count == min(number + 1, 10))
        }
        #expect(states.existing("busy 9") == nil && states.existing("busy 10") != nil)
        for number in 10..<20 {
            states.existing("busy \(number)")?.state.stateUse = .atRest
        }
        _ = states.entry(for: "new", now: .zero) { Mark() }
        _ = states.entry(for: "newer", now: .zero) { Mark() }
        #expect(states.count == 4)
    }

    @Test("that must be kept exceed the number, and no others")
    func kept() {
        var states = KeyedStates<Mark>(limit: 4, lifetime: .seconds(1000))
        for number in 0..<10 {
            _ = states.entry(for: "kept \(number)", now: .zero) { Mark(stateUse: .kept) }
        }
        for number in 0..<100 {
            _ = states.entry(for: "\(number)", now: .zero) { Mark() }
        }
        #expect(states.count <= 12)
        for number in 0..<10 {
            #expect(states.existing("kept \(number)") != nil)
        }
    }

    @Test("are forgotten after their time, unless they are in use")
    func lifetime() {
        var states = KeyedStates<Mark>(limit: 100, lifetime: .seconds(10))
        _ = states.entry(for: "idle", now: .zero) { Mark() }
        _ = states.entry(for: "busy", now: .zero) { Mark(stateUse: .inUse) }
        for second in 1...30 {
            _ = states.entry(for: "new", now: .seconds(second)) { Mark() }
            #expect((states.existing("idle") != nil) == (second <= 10))
        }
        #expect(states.existing("busy") != nil)
        #expect(states.existing("new") != nil)
    }

    @Test("are as old as their latest use, though a call that read the clock before is counted after it")
    func readBefore() {
        for others in [[], ["b"]] {
            var states = KeyedStates<Mark>(limit: 100, lifetime: .seconds(10))
            for (key, second) in [("a", 100)] + others.map({ ($0, 100) }) + [("a", 50), ("b", 105), ("b", 106)] {
                _ = states.entry(for: key, now: .seconds(second)) { Mark() }
            }
            #expect(states.existing("a") != nil)
        }
    }
}
