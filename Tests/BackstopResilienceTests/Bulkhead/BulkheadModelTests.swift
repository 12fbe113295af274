import BackstopTestSupport
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("A bulkhead's state, against a model of it", .limited)
struct BulkheadModelTests {
    @Test(
        "does what two lists do, whatever the order of calls, ends and cancellations",
        arguments: Seed.ofRun(and: [1, 2]))
    func model(seed: Seed) throws {
        var random = seed.numbers
        for round in 0..<500 {
            let limit = 1 + random.below(4)
            let room = random.below(5)
            let isFair = random.below(2) == 0
            let queue: BulkheadQueue = try isFair ? .firstInFirstOut(room) : .lastInFirstOut(room)
            var state = BulkheadState<Int>(limit: limit, queue: queue)
            var running: [Int] = []
            var waiting: [Int] = []
            for step in 0..<200 {
                let place = "round \(round), step \(step)"
                switch random.below(5) {
                case 0, 1:
                    switch state.enterOrWait(step, number: UInt64(step)) {
                    case .runs:
                        try #require(running.count < limit, "\(place)")
                        running.append(step)
                    case .waits(let displaced):
                        try #require(running.count == limit, "\(place)")
                        if waiting.count == room {
                            try #require(!isFair && displaced == waiting.removeFirst(), "\(place)")
                        } else {
                            try #require(displaced == nil, "\(place)")
                        }
                        waiting.append(step)
                    case .refused:
                        try #require(running.count == limit && waiting.count == room, "\(place)")
                        try #require(isFair || room == 0, "\(place)")
                    }
                case 2, 3:
                    guard !running.isEmpty else {
                        continue
                    }
                    running.remove(at: random.below(running.count))
                    let next = waiting.isEmpty ? nil : isFair ? waiting.removeFirst() : waiting.removeLast()
                    let handed = state.leave()
                    try #require(handed == next, "\(place)")
                    running += next.map { [$0] } ?? []
                default:
                    let gone = random.below(step + 1)
                    let isWaiting = waiting.contains(gone)
                    waiting.removeAll { $0 == gone }
                    let left = state.giveUp(UInt64(gone))
                    try #require(left == (isWaiting ? gone : nil), "\(place)")
                }
                try #require(state.running == running.count && state.waiting == waiting.count, "\(place)")
            }
            while !running.isEmpty {
                running.removeLast()
                if let next = state.leave() {
                    running.append(next)
                }
            }
            #expect(state.running == 0 && state.waiting == 0)
        }
    }
}
