/// A source of random numbers, for jitter.
///
/// ```swift
/// let random: any RandomSource = SeededRandom(seed: 42)
/// let first = random.unit()  // the same in every run
/// ```
public protocol RandomSource: Sendable {
    /// The next 64 random bits.
    func next() -> UInt64
}

extension RandomSource {
    /// A number from 0 up to, but not including, 1.
    public func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}

/// The system's random numbers.
public struct SystemRandom: RandomSource {
    /// Makes the source.
    public init() {}

    /// 64 bits from `SystemRandomNumberGenerator`.
    public func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}

/// Reproducible random numbers from a seed (SplitMix64), for tests and replays. Not for secrets.
public final class SeededRandom: RandomSource {
    /// The generator's state, guarded by the lock.
    private let state: Lock<UInt64>

    /// Makes a source; the same seed gives the same numbers.
    public init(seed: UInt64) {
        state = Lock(seed)
    }

    /// The next 64 bits of the sequence.
    public func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
