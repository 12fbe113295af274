import BackstopCore
import BackstopTestSupport
import Testing

@Suite("A random source", .limited)
struct RandomSourceTests {
    @Test("with a seed gives the same numbers again")
    func reproducible() {
        // given
        let first = SeededRandom(seed: 42)
        let second = SeededRandom(seed: 42)
        // then
        #expect((0..<100).map { _ in first.next() } == (0..<100).map { _ in second.next() })
    }

    @Test("gives the numbers that SplitMix64 is known for")
    func known() {
        // given
        let random = SeededRandom(seed: 1_234_567)
        // then
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect((0..<5).map { _ in random.next() } == expected)
    }

    @Test("with another seed gives other numbers")
    func seeds() {
        #expect(SeededRandom(seed: 1).next() != SeededRandom(seed: 2).next())
    }

    @Test("gives units from 0 up to, but not including, 1")
    func units() {
        // given
        struct Bits: RandomSource {
            let bits: UInt64
            func next() -> UInt64 { bits }
        }
        // then
        #expect(Bits(bits: 0).unit() == 0)
        #expect(Bits(bits: .max).unit() < 1)
        #expect(Bits(bits: .max).unit() > 0.999_999_999)
        #expect(Bits(bits: 1 << 63).unit() == 0.5)
        let system = SystemRandom()
        #expect((0..<1000).allSatisfy { _ in (0..<1).contains(system.unit()) })
    }

    @Test("of the system gives different numbers")
    func system() {
        let random = SystemRandom()
        #expect(Set((0..<10).map { _ in random.next() }).count == 10)
    }
}
