import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("The races of a bulkhead", .limited)
struct BulkheadRaceTests {
    /// Counts how many calls run, and takes a few turns.
    private final class Counting: Transport {
        /// Running calls, and the most there were, guarded by the lock.
        let running = Lock((now: 0, most: 0))

        func send(_ request: Ask, context: CallContext) async throws -> Answer {
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer {
                running.withLock { $0.now -= 1 }
            }
            for _ in 0..<((Int(request.text) ?? 0) % 5) {
                await Task.yield()
            }
            try Task.checkCancellation()
            return Answer(request.text)
        }
    }

    @Test(
        "lose no place and no waiting call when calls end, time out and are cancelled at the same moments",
        arguments: Seed.ofRun)
    func storm(seed: Seed) async throws {
        var random = seed.numbers
        for round in 0..<150 {
            let limit = 1 + random.below(3)
            let clock = RecordingClock()
            let queue: BulkheadQueue =
                try random.below(2) == 0
                ? .firstInFirstOut(random.below(8), timeout: .milliseconds(2))
                : .lastInFirstOut(random.below(8), timeout: .milliseconds(2))
            let bulkhead = Bulkhead<Ask, Answer>(
                limit: limit, queue: queue, grouping: round % 2 == 0 ? .all : .by { String($0.text.suffix(1)) },
                keys: 2,
                lifetime: .milliseconds(1))
            let transport = Counting()
            let chain = try AskChain(transport: transport) { bulkhead }
            let numbers = (0..<40).map { _ in random.below(1000) }
            let ends = await withTaskGroup(of: String.self) { group in
                for number in numbers {
                    group.addTask {
                        let call = Task { await chain.result(Ask("\(number)"), options: .with(clock)) }
                        if number % 3 == 0 {
                            for _ in 0..<(number % 7) {
                                await Task.yield()
                            }
                            call.cancel()
                        }
                        if number % 11 == 0 {
                            clock.advance(by: .milliseconds(1))
                        }
                        return await call.value.failure?.code ?? "ok"
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            // then: each call ended in one way, and nothing is left
            #expect(ends.count == numbers.count)
            #expect(Set(ends).isSubset(of: ["ok", "cancelled", "rejected.limit"]), "round \(round)")
            let total = bulkhead.places.total
            try #require(total.running == 0 && total.waiting == 0, "round \(round)")
            if round % 2 == 0 {
                try #require(transport.running.withLock { $0.most } <= limit, "round \(round)")
            }
            // and the places can be taken again
            #expect(await chain.result(Ask("0"), options: .with(clock)).failure == nil)
        }
    }

    @Test("hand a place on when its call is cancelled at the handover, thousands of times", arguments: Seed.ofRun)
    func handover(seed: Seed) async throws {
        var random = seed.numbers
        let clock = ManualClock()
        let bulkhead = Bulkhead<Ask, Answer>(limit: 1)
        let chain = try AskChain(transport: Echo()) {
            bulkhead
            Step { request, _, next in
                await Task.yield()
                return try await next(request)
            }
        }
        for round in 0..<2000 {
            let turns = random.below(12)
            let calls = (0..<3).map { _ in Task { await chain.result(Ask(), options: .with(clock)).failure?.code } }
            for _ in 0..<turns {
                await Task.yield()
            }
            calls[1].cancel()
            let ends = [await calls[0].value, await calls[1].value, await calls[2].value]
            try #require(ends[0] == nil && ends[2] == nil, "round \(round)")
            try #require(bulkhead.places.total == (0, 0, 0), "round \(round)")
        }
        #expect(clock.sleepers.isEmpty)
    }
}
