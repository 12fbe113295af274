internal import Foundation
internal import Testing

/// The seed of all random tests of a run.
///
/// It is the argument of each of them, so that a failed test shows it, and the environment variable `BACKSTOP_SEED` gives
/// it back:
///
///     @Test("any text is read back", arguments: Seed.ofRun)
///     func roundTrip(seed: Seed) { var random = seed.numbers ... }
///
///     ✘ Test roundTrip(seed:) recorded an issue with 1 argument seed → BACKSTOP_SEED=42 at ...
///     $ BACKSTOP_SEED=42 swift test --filter roundTrip
package struct Seed: Sendable, CustomTestStringConvertible {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    /// The one seed of the run, as a list of arguments: that of the environment, or a new one.
    package static let ofRun = [Seed(given(in: ProcessInfo.processInfo.environment) ?? .random(in: 0 ... .max))]

    /// Seeds that are the same in every run, and the one of the run.
    package static func ofRun(and fixed: [UInt64]) -> [Seed] {
        fixed.map { Seed($0) } + ofRun
    }

    /// The seed that an environment gives, if it gives one.
    package static func given(in environment: [String: String]) -> UInt64? {
        environment["BACKSTOP_SEED"].flatMap { UInt64($0) }
    }

    /// The numbers of this seed, from the first.
    package var numbers: SeededNumbers {
        SeededNumbers(seed: number)
    }

    package var testDescription: String {
        "BACKSTOP_SEED=\(number)"
    }
}

/// Numbers that are the same for the same seed (SplitMix64).
package struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to one below the bound.
    package mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<max(1, bound), using: &self)
    }
}
