import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("The log of refusals", .limited)
struct RefusalLogTests {
    private typealias Hull = Bulkhead<Ask, Answer>
    private typealias Limiter = RateLimiter<Ask, Answer>
    private let clock = RecordingClock()
    private let log = RecordingLog()

    init() {
        // No clock of a real call begins at zero.
        clock.advance(by: .seconds(1000))
    }

    private func call(_ chain: AskChain, _ text: String = "hello") async -> Failure? {
        await chain.result(Ask(text), options: .with(clock)).failure
    }

    private func written(_ level: LogLevel) -> [String] {
        log.entries.filter { $0.level == level }.map(\.message)
    }

    /// A limiter of one call in 15 s that nobody waits for.
    private func limited(_ grouping: CallGrouping<Ask> = .all) throws -> AskChain {
        let limiter = Limiter(
            1, per: .seconds(15), burst: 1, maximumWait: .zero, grouping: grouping, log: log)
        return try AskChain(transport: Script(.response(Answer()).repeated())) { limiter }
    }

    @Test("has one warning when a rate limiter begins to refuse, and one line with the number when it admits again")
    func rateLimiter() async throws {
        // given
        let chain = try limited()
        #expect(await call(chain) == nil)
        #expect(log.entries.isEmpty)
        // when
        for _ in 0..<3 {
            #expect(await call(chain)?.code == "rejected.rateLimit")
        }
        // then
        #expect(
            written(.warning) == [
                "The rate limiter: begins to refuse calls: 1 call per 15 s is allowed, and the next may start in 15 s"
            ])
        #expect(log.entries.count == 1)
        // when it admits again
        clock.advance(by: .seconds(15))
        #expect(await call(chain) == nil)
        // then
        #expect(written(.info) == ["The rate limiter: admits calls again: 3 calls were refused"])
        #expect(log.entries.count == 2)
        // and it begins anew
        #expect(await call(chain) != nil)
        clock.advance(by: .seconds(15))
        #expect(await call(chain) == nil)
        #expect(written(.warning).count == 2)
        #expect(written(.info).last == "The rate limiter: admits calls again: 1 call was refused")
    }

    @Test("is not flooded by a limiter that refuses and admits in turn")
    func flapping() async throws {
        // given: one call admitted in 5 s, and one refused
        let limiter = Limiter(1, per: .seconds(5), burst: 1, maximumWait: .zero, log: log)
        let chain = try AskChain(transport: Script(.response(Answer()).repeated())) { limiter }
        // when
        for _ in 0..<100 {
            #expect(await call(chain) == nil)
            #expect(await call(chain) != nil)
            clock.advance(by: .seconds(5))
        }
        // then
        #expect(log.entries.map(\.level) == [.warning])
        // when nobody is refused for a little less than the quiet, and for the whole
        clock.advance(by: Refusals.quiet - .seconds(5) - .nanoseconds(1))
        #expect(await call(chain) == nil)
        #expect(log.entries.count == 1)
        clock.advance(by: .seconds(5))
        #expect(await call(chain) == nil)
        #expect(written(.info) == ["The rate limiter: admits calls again: 100 calls were refused"])
    }

    @Test("counts the quiet from the latest refusal, though one that read the clock before is counted after it")
    func readBefore() {
        let refusing = RefusalLog("The gate", to: log)
        var refusals = Refusals()
        for second in [10, 5] {
            refusing.refuse(&refusals, of: "", "No.", at: .seconds(second))
        }
        let isOver = [16, 20].map { refusing.admit(&refusals, of: "", at: .seconds($0)) }
        #expect(isOver == [false, true])
    }

    /// Refuses once more while it writes.
    private final class Reentrant: LogSink {
        let written = Notes<String>()
        let again = Lock<(@Sendable () -> Void)?>(nil)

        func write(_ entry: LogEntry) {
            written.add(entry.message)
            let refuse = again.withLock { again in
                defer { again = nil }
                return again
            }
            refuse?()
        }
    }

    @Test("has its lines in the order of the refusals, also of those that come while it is written")
    func reentrant() {
        let sink = Reentrant()
        let refusing = RefusalLog("The gate", to: sink)
        @Sendable func refuse(_ keys: String...) {
            for key in keys {
                var refusals = Refusals()
                refusing.refuse(&refusals, of: key, "No.", at: .zero)
            }
            refusing.write()
        }
        sink.again.withLock { $0 = { refuse("c") } }
        refuse("a", "b")
        #expect(sink.written.all == ["a", "b", "c"].map { "The gate for \($0): begins to refuse calls: No." })
    }

    @Test("tells keys apart, without secrets, and bounded")
    func keys() async throws {
        // given
        let chain = try limited(.by { $0.text })
        let secret = "https://user:hunter22@api.example.com\nforged"
        let long = "https://" + String(repeating: "a", count: 10_000) + ".example.com"
        // when
        for key in [secret, long, "calm"] {
            #expect(await call(chain, key) == nil)
        }
        for key in [secret, long] {
            #expect(await call(chain, key) != nil)
        }
        clock.advance(by: .seconds(15))
        for key in [secret, long, "calm"] {
            #expect(await call(chain, key) == nil)
        }
        // then
        #expect(log.entries.map(\.level) == [.warning, .warning, .info, .info])
        #expect(log.messages[0].contains("api.example.com forged: begins to refuse calls"))
        #expect(log.messages[2].contains("api.example.com forged: admits calls again: 1 call was refused"))
        for message in log.messages {
            #expect(!message.contains("hunter22"))
            #expect(message.utf8.count < 400)
            #expect(!message.contains("\n"))
        }
    }

    @Test("says how many calls ran and waited when a bulkhead begins to refuse, and how many it refused")
    func bulkhead() async throws {
        // given
        let gate = Gate()
        let hull = Hull(limit: 1, queue: .none, grouping: .by { $0.text }, log: log)
        let chain = try AskChain(
            transport: Script(
                .respond { _, _ in
                    await gate.pass()
                    return Answer()
                }.repeated())
        ) { hull }
        let options = CallOptions.with(clock)
        let first = Task { await chain.result(Ask("a"), options: options) }
        await gate.waitForArrivals(1)
        #expect(log.entries.isEmpty)
        // when
        for _ in 0..<5 {
            #expect(await call(chain, "a")?.code == "rejected.limit")
        }
        // then
        #expect(log.entries.map(\.level) == [.warning])
        #expect(log.messages == ["The bulkhead for a: begins to refuse calls: 1 call is running"])
        // when a call is admitted too early, and when one is after a while
        gate.open()
        _ = await first.value
        #expect(await call(chain, "a") == nil)
        #expect(log.entries.count == 1)
        clock.advance(by: Refusals.quiet)
        #expect(await call(chain, "b") == nil)
        #expect(log.entries.count == 1)
        #expect(await call(chain, "a") == nil)
        // then
        #expect(log.entries.map(\.level) == [.warning, .info])
        #expect(log.messages[1] == "The bulkhead for a: admits calls again: 5 calls were refused")
    }

    @Test("counts calls that waited in vain, and ends with one that waited for its place; none with a cancelled one")
    func queue() async throws {
        // given: a place that is taken, and a queue of one in which the newest comes first
        let clock = ManualClock()
        await clock.advance(by: .seconds(1000))
        let options = CallOptions.with(clock)
        let gate = Gate()
        let hull = try Hull(limit: 1, queue: .lastInFirstOut(1, timeout: .seconds(20)), log: log)
        let chain = try AskChain(
            transport: Script(
                .respond { _, _ in
                    await gate.pass()
                    return Answer()
                }.repeated())
        ) { hull }
        let first = Task { await chain.result(Ask(), options: options) }
        await gate.waitForArrivals(1)
        func waiting(_ text: String) async -> Task<Result<Answer, Failure>, Never> {
            let before = clock.sleepers.count
            let task = Task { await chain.result(Ask(text), options: options) }
            while clock.sleepers.count == before {
                await Task.yield()
            }
            return task
        }
        // when: one is cancelled, one displaced, one not served in time
        let cancelled = await waiting("cancelled")
        cancelled.cancel()
        #expect(await cancelled.value.failure?.code == "cancelled")
        #expect(log.entries.isEmpty)
        let displaced = Task { await chain.result(Ask("displaced"), options: options) }
        while hull.waitingCalls() != 1 {
            await Task.yield()
        }
        let late = Task { await chain.result(Ask("late"), options: options) }
        #expect(await displaced.value.failure?.code == "rejected.limit")
        while clock.sleepers.count != 1 {
            await Task.yield()
        }
        await clock.advance(by: .seconds(20))
        #expect(await late.value.failure?.code == "rejected.limit")
        // then
        #expect(
            log.messages == [
                "The bulkhead: begins to refuse calls: a newer call took its place in the queue after 0 ms: "
                    + "1 call is running and 1 is waiting"
            ])
        // when one waits for its place and gets it
        let served = await waiting("served")
        await clock.advance(by: Refusals.quiet)
        gate.open()
        #expect(await served.value.failure == nil)
        _ = await first.value
        // then
        #expect(log.messages.last == "The bulkhead: admits calls again: 2 calls were refused")
        #expect(log.entries.count == 2)
    }

    @Test("has beginnings and ends in turn, whatever runs at once, and loses no refusal")
    func race() async throws {
        // given
        let limiter = Limiter(5, per: .seconds(20), maximumWait: .zero, log: log)
        let chain = try AskChain(transport: Script(.response(Answer()).repeated())) { limiter }
        // when
        for _ in 0..<20 {
            await withTaskGroup { group in
                for _ in 0..<50 {
                    group.addTask { _ = await call(chain) }
                }
            }
            clock.advance(by: .seconds(20))
        }
        #expect(await call(chain) == nil)
        // then
        #expect(log.entries.map(\.level) == (0..<20).flatMap { _ in [LogLevel.warning, .info] })
        #expect(Set(written(.info)) == ["The rate limiter: admits calls again: 45 calls were refused"])
    }

    @Test("is silent without a sink, and for a level that the sink does not want")
    func sinks() async throws {
        struct Errors: LogSink {
            let log: RecordingLog
            func isEnabled(_ level: LogLevel) -> Bool { level >= .error }
            func write(_ entry: LogEntry) { log.write(entry) }
        }
        for sink in [nil, Errors(log: log)] as [(any LogSink)?] {
            let limiter = Limiter(1, per: .seconds(15), burst: 1, maximumWait: .zero, log: sink)
            let chain = try AskChain(transport: Script(.response(Answer()).repeated())) { limiter }
            for _ in 0..<3 {
                _ = await call(chain)
            }
            clock.advance(by: .seconds(15))
            #expect(await call(chain) == nil)
        }
        #expect(log.entries.isEmpty)
    }
}
