import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A fixed random source", .limited)
struct FixedRandomTests {
    @Test("gives its numbers over and over")
    func numbers() {
        // given
        let random = FixedRandom(units: 0.0, 0.5, 0.999)
        // when
        let drawn = (0..<4).map { _ in random.unit() }
        // then
        #expect(drawn == [0.0, 0.5, 0.999, 0.0])
    }

    @Test("gives the nearest number for one that is outside, and 0 for none")
    func range() {
        // given
        let random = FixedRandom(units: -1, 1, 7, .nan, .infinity)
        let none = FixedRandom()
        // when
        let drawn = (0..<5).map { _ in random.unit() }
        // then
        let largest = 1.0.nextDown
        let expected: [Double] = [0, largest, largest, 0, largest]
        #expect(drawn == expected)
        #expect(none.unit() == 0)
    }

    @Test("makes jitter exact")
    func jitter() {
        // given
        let random = FixedRandom(units: 0, 0.5)
        // when
        let waits = (0..<2).map { _ in Backoff.standard.wait(failedAttempts: 1, random: random) }
        // then
        #expect(waits == [.zero, .milliseconds(250)])
    }
}
