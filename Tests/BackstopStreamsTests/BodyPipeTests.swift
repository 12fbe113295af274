import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopStreams

@Suite("A body on its way to its stream", .limited)
struct BodyPipeTests {
    /// A manual clock that counts how often it is read.
    private final class ReadClock: CallClock {
        let manual = ManualClock()
        /// Guarded by the lock.
        let reads = Lock(0)

        var now: Duration {
            reads.withLock { $0 += 1 }
            return manual.now
        }

        var date: Duration { manual.date }

        func sleep(for duration: Duration) async throws {
            try await manual.sleep(for: duration)
        }
    }

    @Test("is not ended by waits that are shorter than the limit together longer, but by one that is longer")
    func silence() async throws {
        let clock = ReadClock()
        let silence = Silence(limit: .seconds(30), clock: clock, setting: "StreamOptions.silence")
        let pipe = BodyPipe()
        let first = Task { try await pipe.next(within: silence) }
        await clock.manual.waitForSleeper(remaining: .seconds(30))
        await clock.manual.advance(by: .seconds(20))
        pipe.push(Data("a".utf8)) {}
        #expect(try await first.value == Data("a".utf8))

        let isOver = Lock(false)
        let second = Task {
            defer { isOver.withLock { $0 = true } }
            return try await pipe.next(within: silence)
        }
        while clock.reads.withLock({ $0 }) < 2 { await Task.yield() }
        while !isOver.withLock({ $0 }), clock.manual.now < .seconds(100) {
            await clock.manual.advance(by: .seconds(1))
            for _ in 0..<100 { await Task.yield() }
        }
        let error = await #expect(throws: TimeoutError.self) { try await second.value }
        #expect(error?.kind == .streamSilence("StreamOptions.silence"))
        // It began at 20 s; 60 s is the end of the next look.
        #expect((.seconds(50)...(.seconds(61))).contains(clock.manual.now))
    }

    @Test("looks after its waits with one timer, which is gone with its end")
    func timer() async throws {
        let clock = ManualClock()
        let silence = Silence(limit: .seconds(30), clock: clock, setting: "StreamOptions.silence")
        let pipe = BodyPipe()
        for _ in 1...10 {
            let part = Task { try await pipe.next(within: silence) }
            await clock.waitForSleeper(remaining: .seconds(30))
            pipe.push(Data("a".utf8)) {}
            _ = try await part.value
            #expect(clock.sleepers.count == 1)
        }
        pipe.end(.success(()))
        #expect(try await pipe.next(within: silence) == nil)
        while !clock.sleepers.isEmpty { await Task.yield() }
    }
}
