#if Benchmarks
    internal import Foundation

    /// One line of the result.
    struct Figure: CustomStringConvertible, Sendable {
        let name: String
        let value: Double
        /// What the value should not exceed; nil when it is only stated.
        let bound: Double?
        let detail: String

        var isWithinBound: Bool {
            bound.map { value <= $0 } ?? true
        }

        var description: String {
            let verdict = bound.map { " (at most \($0): \(isWithinBound ? "yes" : "NO"))" } ?? ""
            return "\(name): \(rounded(value))\(verdict)  \(detail)"
        }
    }

    func rounded(_ value: Double) -> String {
        let digits = value < 10 ? 1000.0 : 1.0
        return "\((value * digits).rounded() / digits)"
    }

    enum Measure {
        /// The times of two things, in nanoseconds for one repetition, and the median of the ratios of neighbours.
        typealias Pair = (first: Double, second: Double, ratio: Double)

        /// Measures two things in turns, both by the clock and by the processor's time of all threads, for which other
        /// work on the machine does not count.
        static func pairs(
            rounds: Int, repetitions: Int = 1, _ first: () async throws -> Void, _ second: () async throws -> Void
        ) async throws -> (wall: Pair, processor: Pair) {
            var wall: [(Double, Double)] = []
            var processor: [(Double, Double)] = []
            for round in 0..<(rounds + 2) {
                // The order changes each time, so that neither profits from coming second.
                let isFirst = round.isMultiple(of: 2)
                let a = try await both(repetitions, isFirst ? first : second)
                let b = try await both(repetitions, isFirst ? second : first)
                let (one, two) = isFirst ? (a, b) : (b, a)
                // The first two rounds warm up.
                if round >= 2 {
                    wall.append((one.wall, two.wall))
                    processor.append((one.processor, two.processor))
                }
            }
            return (pair(wall), pair(processor))
        }

        /// Puts times of two things together.
        static func pair(_ times: [(Double, Double)]) -> Pair {
            (median(times.map(\.0)), median(times.map(\.1)), median(times.map { $0.0 / $0.1 }))
        }

        private static func both(
            _ repetitions: Int, _ body: () async throws -> Void
        ) async rethrows -> (wall: Double, processor: Double) {
            let start = processorTime()
            let wall = try await time(repetitions, body)
            return (wall, (processorTime() - start) / Double(repetitions))
        }

        static func time(_ repetitions: Int, _ body: () async throws -> Void) async rethrows -> Double {
            let start = ContinuousClock.now
            for _ in 0..<repetitions {
                try await body()
            }
            let parts = start.duration(to: .now).components
            return (Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9) / Double(repetitions)
        }

        /// What this process has used of the processor, in nanoseconds.
        static func processorTime() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
        }

        static func median(_ values: [Double]) -> Double {
            let sorted = values.sorted()
            return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        }
    }
#endif
