public import BackstopCore

/// A random source that repeats given numbers, for exact assertions about jitter.
///
/// ```swift
/// let random: any RandomSource = FixedRandom(units: 0, 0.5)
/// let wait = Backoff.standard.wait(failedAttempts: 1, random: random)   // 0 s, the least
/// let second = Backoff.standard.wait(failedAttempts: 1, random: random)  // 0.25 s, half of the bound
/// ```
/// The core's `SeededRandom` produces varied numbers that are the same in every run.
public final class FixedRandom: RandomSource {
    private let numbers: [UInt64]
    /// The position of the next number, guarded by the lock.
    private let position = Lock(0)

    /// Makes a source of the numbers that `unit()` returns.
    ///
    /// - Parameter units: From 0 up to, but not including, 1; others are clamped. Without any, the source returns 0.
    public init(units: Double...) {
        numbers = units.map { unit in
            let inside = unit.isNaN ? 0 : min(max(unit, 0), 1 - 0x1p-53)
            // The 53 bits that `unit()` reads.
            return UInt64(inside * 0x1p53) << 11
        }
    }

    /// The bits of the next number.
    public func next() -> UInt64 {
        guard !numbers.isEmpty else {
            return 0
        }
        return position.withLock { position in
            defer { position = (position + 1) % numbers.count }
            return numbers[position]
        }
    }
}
