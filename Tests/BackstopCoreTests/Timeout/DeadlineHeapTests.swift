import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("The heap of deadlines", .limited)
struct DeadlineHeapTests {
    @Test("has the earliest at hand, whatever came and went in between", arguments: Seed.ofRun(and: [1, 2]))
    func random(seed: Seed) {
        var random = seed.numbers
        var heap = DeadlineHeap()
        var expected: [UInt64: Duration] = [:]
        for ticket in UInt64(0)..<2000 {
            switch random.below(10) {
            case 0..<6:
                let deadline = Duration.milliseconds(random.below(500))
                heap.insert(deadline, ticket)
                expected[ticket] = deadline
            case 6..<9:
                heap.earliest.map { expected[$0.ticket] = nil }
                heap.removeEarliest()
            default:
                let divisor = UInt64(2 + random.below(5))
                heap.keep { $0 % divisor != 0 }
                expected = expected.filter { $0.key % divisor != 0 }
            }
            #expect(heap.count == expected.count)
            #expect(heap.earliest?.deadline == expected.values.min())
            #expect(heap.earliest.map { expected[$0.ticket] == $0.deadline } != false)
        }
    }
}
