import BackstopTestSupport
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("The times of attempts", .limited)
struct LatencyRecordTests {
    private func filled(_ times: [Int], at now: Duration = .zero) -> LatencyRecord {
        let record = LatencyRecord()
        for time in times {
            record.add(.milliseconds(time), to: "", at: now)
        }
        return record
    }

    private func time(_ record: LatencyRecord, _ share: Double, minimum: Int = 1, at now: Duration = .zero) -> Int? {
        record.time(of: share, minimumSamples: minimum, key: "", at: now).map { Int($0.milliseconds) }
    }

    @Test("give the nearest rank, whatever their order")
    func rank() {
        let record = filled([50, 10, 40, 20, 30])
        #expect(time(record, 0.5) == 30)
        #expect(time(record, 0.6) == 30)
        #expect(time(record, 0.61) == 40)
        #expect(time(record, 0.99) == 50)
        #expect(time(filled([7]), 0.5) == 7)
        #expect(time(filled([]), 0.5) == nil)
    }

    @Test("are not used while there are too few")
    func minimum() {
        let record = filled([1, 2, 3])
        #expect(time(record, 0.5, minimum: 3) == 2)
        #expect(time(record, 0.5, minimum: 4) == nil)
    }

    @Test("are the last hundred")
    func bounded() {
        let record = filled(Array(1...250))
        #expect(time(record, 0.5, minimum: 100) == 200)
        #expect(time(record, 0.5, minimum: 101) == nil)
    }

    @Test("count for ten minutes")
    func age() {
        let record = filled([10, 20], at: .zero)
        record.add(.milliseconds(90), to: "", at: .seconds(300))
        #expect(time(record, 0.5, at: .seconds(600)) == 20)
        #expect(time(record, 0.5, at: .seconds(601)) == 90)
        #expect(time(record, 0.5, at: .seconds(901)) == nil)
    }

    @Test("are kept for a bounded number of keys")
    func keys() {
        let record = LatencyRecord()
        for key in 0..<3000 {
            record.add(.seconds(1), to: "\(key)", at: .milliseconds(key))
        }
        #expect(record.keyCount == 1000)
        #expect(record.time(of: 0.5, minimumSamples: 1, key: "2999", at: .seconds(3)) == .seconds(1))
        #expect(record.time(of: 0.5, minimumSamples: 1, key: "1", at: .seconds(3)) == nil)
    }

    @Test("agree with a sorted list, whatever is added when", arguments: Seed.ofRun)
    func model(seed: Seed) {
        // given
        var random = seed.numbers
        let record = LatencyRecord()
        var model: [(added: Int, time: Int)] = []
        var now = 0
        for _ in 0..<3000 {
            now += random.below(random.below(50) == 0 ? 400 : 12)
            let time = random.below(40)
            // when
            record.add(.milliseconds(time), to: "", at: .seconds(now))
            model = (model + [(now, time)]).suffix(100).filter { now - $0.added <= 600 }
            // then
            let hundredths = 50 + random.below(50)
            let sorted = model.map(\.time).sorted()
            let rank = sorted.indices.first { ($0 + 1) * 100 >= hundredths * sorted.count }
            #expect(self.time(record, Double(hundredths) / 100, at: .seconds(now)) == rank.map { sorted[$0] })
        }
    }
}
