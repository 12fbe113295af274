extension Backoff {
    /// How the upper bound of a wait grows from one wait to the next, up to the maximum.
    ///
    /// | growth | bound of the n-th wait |
    /// |---|---|
    /// | ``constant`` | base |
    /// | ``linear`` | base × n |
    /// | ``exponential`` | base × 2ⁿ⁻¹ |
    /// | ``decorrelated`` | 3 × the wait before |
    public struct Growth: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: Hashable {
            case constant, linear, decorrelated
            case exponential(Double)
        }

        private let kind: Kind

        /// How much longer than the wait before a decorrelated one may be, as its inventor has it.
        static let decorrelation = 3.0

        /// The same bound each time: for a poll, or a queue that empties at a steady rate.
        public static let constant = Growth(kind: .constant)

        /// The base delay more each time: for a local service that is soon back.
        public static let linear = Growth(kind: .linear)

        /// Twice the bound each time: for anything that others use too.
        public static let exponential = Growth(kind: .exponential(2))

        /// A wait from the base delay up to three times the wait before.
        ///
        /// The waits of two clients drift apart more with every attempt, and none is shorter than the base delay. A
        /// `Retry-After` that was waited for counts as a wait.
        ///
        /// Source: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015; with the maximum applied before
        /// drawing.
        public static let decorrelated = Growth(kind: .decorrelated)

        /// A multiple of the bound each time.
        ///
        /// - Parameter factor: From 1 (the same each time) to 10.
        public static func exponential(factor: Double) -> Growth {
            Growth(kind: .exponential(factor))
        }

        /// What is wrong with it; nil for nothing.
        package var problem: String? {
            guard case .exponential(let factor) = kind, !(1...10).contains(factor) else {
                return nil
            }
            return "must have a factor from 1 to 10, but it is \(factor)"
        }

        /// What is wrong with it where no wait is random: that of a decorrelated one depends on the one before.
        package var problemWithoutJitter: String? {
            kind == .decorrelated ? "must not be decorrelated, whose bound depends on the wait before" : problem
        }

        /// The bound after a number of failed attempts, in base delays; for decorrelated growth the longest that there
        /// can be.
        ///
        /// - Parameter failed: 1 or more; infinite where it is beyond all numbers.
        package func multiple(at failed: Int) -> Double {
            switch kind {
            case .constant: 1
            case .linear: Double(failed)
            case .exponential(let factor): Self.power(factor, failed - 1)
            case .decorrelated: Self.power(Self.decorrelation, failed)
            }
        }

        /// Without Foundation's `pow`. It ends after a thousand steps, however many attempts a caller counts.
        private static func power(_ factor: Double, _ exponent: Int) -> Double {
            var product = 1.0
            for _ in 0..<min(exponent, 1000) {
                product *= factor
            }
            return product
        }

        /// `constant`, `linear`, `exponential(2.0)` or `decorrelated`.
        public var description: String {
            switch kind {
            case .constant: "constant"
            case .linear: "linear"
            case .exponential(let factor): "exponential(\(factor))"
            case .decorrelated: "decorrelated"
            }
        }
    }

    /// Which part of a wait is random, so that clients that failed together do not return together.
    public enum Jitter: Sendable, Hashable {
        /// All of it: from 0 up to the bound.
        case full
        /// The second half: from half the bound up to the bound, for a service that needs a rest in any case.
        case equal
        /// A share below and above the bound, which may then be exceeded: `.around(0.2)` is from 80 % to 120 %, as gRPC
        /// has it. Range: 0 to 1.
        case around(Double)
        /// Nothing: the bound itself. Clients that failed together return together.
        case none

        /// Whether anything is random.
        var isRandom: Bool {
            self != .none && self != .around(0)
        }
    }
}
