public import Backstop

/// Over what a circuit breaker counts: the last calls, or those of the last while.
///
/// Time slides in tenths of the window, so it covers between nine and ten tenths of its length.
public struct CircuitWindow: Sendable, Hashable {
    /// How many cells there are: one a call, or ten.
    let cells: Int
    /// How long a cell lasts in nanoseconds; nil when it is one call.
    let cellNanoseconds: Int64?

    /// The time that it covers; nil when it counts calls.
    package var duration: Duration? {
        cellNanoseconds.map { .nanoseconds($0 * Int64(cells)) }
    }

    /// The last calls. A failure counts until so many calls have followed, or none for 10 minutes. If they are 100 or
    /// more, a breaker opens when too many of them have failed for two seconds: at hundreds a second, they are a moment.
    ///
    /// - Parameter count: How many, from 1 to 10,000.
    /// - Throws: `ConfigurationError` for another number.
    public static func calls(_ count: Int) throws(ConfigurationError) -> CircuitWindow {
        try ConfigurationError.require(
            (1...10_000).contains(count), "CircuitWindow.calls", "must be from 1 to 10000, but is \(count)",
            fix: "Set how many calls count, for example 20")
        return CircuitWindow(cells: count, cellNanoseconds: nil)
    }

    /// The calls that ended in the last while. Right where there are many calls a second.
    ///
    /// - Parameter duration: How long, from 10 ms to a day.
    /// - Throws: `ConfigurationError` for another duration.
    public static func time(_ duration: Duration) throws(ConfigurationError) -> CircuitWindow {
        try ConfigurationError.require(
            duration >= .milliseconds(10) && duration <= .seconds(86_400), "CircuitWindow.time",
            "must be from 10 ms to a day, but is \(duration.text)",
            fix: "Set how long a call counts, for example .seconds(30)")
        return CircuitWindow(cells: 10, cellNanoseconds: Int64((duration.seconds * 1e8).rounded()))
    }

    /// The last 100 calls.
    static let standard = CircuitWindow(cells: 100, cellNanoseconds: nil)
    /// The last 3 calls.
    static let lastThree = CircuitWindow(cells: 3, cellNanoseconds: nil)
}

/// The counts of a window. Adding a call has constant cost and allocates nothing.
struct CircuitCounts: Sendable {
    private struct Cell: Sendable {
        var calls: Int32 = 0
        var failures: Int32 = 0
        var slow: Int32 = 0
    }

    private let window: CircuitWindow
    private var cells: [Cell]
    /// The cell of a window of calls that is written next.
    private var position = 0
    /// The number of the newest cell of a window of time.
    private var tick: Int64 = 0

    /// When the last call was added to a window of calls.
    private var last = Duration.zero

    /// Whether it has all the calls that it counts, and they are many.
    var isFullOfMany: Bool {
        window.cellNanoseconds == nil && calls == window.cells && calls >= CircuitWindow.standard.cells
    }

    /// How many calls count.
    private(set) var calls = 0
    /// How many of them failed.
    private(set) var failures = 0
    /// How many of them were slow.
    private(set) var slow = 0

    init(_ window: CircuitWindow) {
        self.window = window
        cells = Array(repeating: Cell(), count: window.cells)
    }

    /// Forgets all calls.
    mutating func clear() {
        guard calls > 0 else {
            return
        }
        for index in cells.indices {
            cells[index] = Cell()
        }
        (calls, failures, slow, position) = (0, 0, 0, 0)
    }

    /// How long calls count in a window of calls if no other comes: what was yesterday says nothing about today.
    private static let memory = Duration.seconds(600)

    /// Adds a call.
    mutating func add(isFailure: Bool, isSlow: Bool, now: Duration) {
        let index: Int
        if let length = window.cellNanoseconds {
            advance(to: Self.nanoseconds(of: now) / length)
            index = Int(tick % Int64(window.cells))
        } else {
            if now.subtracting(last) > Self.memory { clear() }
            last = max(last, now)
            index = position
            drop(index)
            position = position + 1 == window.cells ? 0 : position + 1
        }
        calls += 1
        cells[index].calls += 1
        if isFailure {
            failures += 1
            cells[index].failures += 1
        }
        if isSlow {
            slow += 1
            cells[index].slow += 1
        }
    }

    /// Drops what is older than the window. Time never goes back: a call that read the clock before another one may be
    /// added after it, and counts as of the same moment.
    /// Only when the clock itself went back, by more than the window, it begins anew.
    private mutating func advance(to next: Int64) {
        guard next > tick else {
            if tick - next > Int64(window.cells) {
                clear()
                tick = next
            }
            return
        }
        for step in 0..<min(next - tick, Int64(window.cells)) {
            drop(Int((next - step) % Int64(window.cells)))
        }
        tick = next
    }

    private mutating func drop(_ index: Int) {
        calls -= Int(cells[index].calls)
        failures -= Int(cells[index].failures)
        slow -= Int(cells[index].slow)
        cells[index] = Cell()
    }

    /// The nanoseconds of a time, from 0 up to about 290 years.
    private static func nanoseconds(of time: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(time, .zero), .seconds(9_000_000_000)).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
