import BackstopCore
import BackstopTestSupport
import Foundation
import Testing

@Suite("The clock of the machine", .limited)
struct SystemClockTests {
    private let clock = SystemClock()

    @Test("never goes back")
    func monotonic() {
        var last = clock.now
        for _ in 0..<1000 {
            let now = clock.now
            #expect(now >= last)
            last = now
        }
    }

    @Test("tells the date that the system tells")
    func date() {
        // when
        let before = Date().timeIntervalSince1970
        let date = clock.date.seconds
        let after = Date().timeIntervalSince1970
        // then
        #expect(date >= before - 0.001)
        #expect(date <= after + 0.001)
    }

    @Test("is the same as any other of its kind")
    func same() {
        let first = clock.now
        let second = SystemClock().now
        #expect(second >= first)
        #expect(second - first < .seconds(30))
    }

    @Test("does not wait for zero or less", arguments: [0, -1, Int64.min / 4])
    func zero(seconds: Int64) async throws {
        try await clock.sleep(for: .seconds(seconds))
    }

    @Test("does not wait in a task that is cancelled", arguments: [0, 3600, Int64.max])
    func cancelled(seconds: Int64) async {
        // given
        let clock = clock
        let gate = Gate()
        let task = Task {
            await gate.pass()
            try await clock.sleep(for: .seconds(seconds))
        }
        // when
        task.cancel()
        gate.open()
        // then
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(
        "waits as long as a duration can say, and ends when its task is cancelled", arguments: [1_000_000, Int64.max])
    func longest(seconds: Int64) async {
        // given
        let clock = clock
        let task = Task { try await clock.sleep(for: .seconds(seconds)) }
        await Task.yield()
        // when
        task.cancel()
        // then
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
