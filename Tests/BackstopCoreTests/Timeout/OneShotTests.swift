import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore

@Suite("A result that comes once", .limited)
struct OneShotTests {
    @Test("is the first of all, whether the wait begins before or after it", arguments: [false, true])
    func first(isEarly: Bool) async throws {
        let shot = OneShot<Int, Int>(0)
        let ends = {
            for number in 1...3 {
                let end = shot.end(with: .success(number)) { state in
                    defer { state = 9 }
                    return state
                }
                #expect(end?.rest == (number == 1 ? 7 : nil))
                end?.resume()
            }
        }
        #expect(shot.update { $0 = 7 } != nil)
        if isEarly {
            ends()
        }
        var begins = 0
        let value = try await shot.value {
            begins += 1
            ends()
        } onCancel: {
        }
        #expect(value == 1)
        #expect(begins == (isEarly ? 0 : 1))
        #expect(shot.isOver)
        #expect(shot.update { $0 = 8 } == nil)
        #expect(shot.withLock { $0 } == 9)
    }

    @Test("is the end of the time, when that is first, and otherwise leaves no timer behind")
    func time() async throws {
        let clock = ManualClock()
        let shots = [OneShot<String, Void>(), OneShot<String, Void>()]
        let waits = shots.map { shot in
            Task { try await shot.value(within: .seconds(7), clock: clock, or: .success("late")) }
        }
        await clock.waitForSleepers(2)
        shots[0].end(with: .success("in time"))
        #expect(try await waits[0].value == "in time")
        await clock.advance(by: .seconds(7))
        #expect(try await waits[1].value == "late")
        #expect(!shots[1].end(with: .success("later")))
        #expect(clock.sleepers.isEmpty)
    }

    @Test("has left the line when the cancellation returns, and before it is over")
    func leaving() async throws {
        let shot = OneShot<Int, Void>()
        let (begun, left) = (Counter(), Notes<Bool>())
        let wait = Task { try await shot.value({ begun.increment() }, leaving: { left.add(shot.isOver) }) }
        while begun.value == 0 { await Task.yield() }
        wait.cancel()
        #expect(left.all == [false])
        await #expect(throws: CancellationError.self) { try await wait.value }
    }

    @Test("has left the line when the time is over")
    func leavingLate() async throws {
        let (clock, left) = (ManualClock(), Notes<Bool>())
        let shot = OneShot<String, Void>()
        let wait = Task {
            try await shot.value(
                within: .seconds(7), clock: clock, or: .success("late"), leaving: { left.add(shot.isOver) })
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(7))
        #expect(try await wait.value == "late")
        #expect(left.all == [false])
    }

    @Test("comes from one of many, whatever the order of ends and cancellations", arguments: Seed.ofRun)
    func race(seed: Seed) async {
        var random = seed.numbers
        for round in 0..<500 {
            let shot = OneShot<Int, Void>()
            let wait = Task { try await shot.value() }
            let turns = (0..<4).map { _ in random.below(6) }
            let wins = await withTaskGroup(of: Int?.self) { group in
                for (number, count) in turns.enumerated() {
                    group.addTask {
                        for _ in 0..<count {
                            await Task.yield()
                        }
                        guard number > 0 else {
                            wait.cancel()
                            return nil
                        }
                        return shot.end(with: .success(number)) ? number : nil
                    }
                }
                return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
            }
            switch await wait.result {
            case .success(let number): #expect(wins == [number], "seed \(seed), round \(round)")
            case .failure(let error):
                #expect(error is CancellationError && wins.isEmpty, "seed \(seed), round \(round)")
            }
        }
    }
}
