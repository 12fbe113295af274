import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The waterfall of a trace", .limited)
struct TraceTextTests {
    /// A call on a manual clock: 100 ms lost, 200 ms wait, 100 ms answered with 404, of which 50 ms before a note.
    private func trace(tracesInterceptors: Bool = false) async throws -> Trace {
        let clock = ManualClock()
        var options = CallOptions.with(clock, random: FixedRandom(units: 0.4))
        options.tracesInterceptors = tracesInterceptors
        let transport = Script<Ask, Answer>(
            .delay(.milliseconds(100), then: .failure(TransportError(.lost))),
            .delay(.milliseconds(50), then: .response(Answer(status: 404))))
        let chain = try AskChain(transport: transport) {
            Retry(.standard)
            Judge()
            Step { request, context, next in
                if context.attempt == 2 {
                    try await context.clock.sleep(for: .milliseconds(50))
                    context.note("cache", "miss")
                }
                return try await next(request)
            }
        }
        let task = Task { [options] in await chain.result(Ask(), options: options) }
        for milliseconds in [100, 200, 50, 50] {
            #expect(await clock.runNextSleep() == .milliseconds(milliseconds))
        }
        return try #require(await task.value.failure).trace
    }

    /// A clock that goes back by decades when it has been read so often.
    private struct SetBack: CallClock {
        let reads = Counter()
        let last: Int

        var now: Duration { reads.increment() > last ? .zero : .seconds(1_800_000_000) }
        var date: Duration { .zero }

        func sleep(for duration: Duration) async throws {}
    }

    @Test("is drawn whenever the clock of the call goes back by decades", arguments: 1...12)
    func clockBack(reads: Int) async throws {
        let transport = Script<Ask, Answer>(.failure(TransportError(.lost)))
        let chain = try AskChain(transport: transport) {
            Step { request, context, next in
                context.note("cache", "miss")
                return try await next(request)
            }
        }
        let failure = await chain.result(Ask(), options: .with(SetBack(last: reads))).failure
        #expect(try #require(failure).trace.text.contains("transport.lost"))
    }

    @Test("draws attempts, waits and notes, each where and as long as it was")
    func golden() async throws {
        let text = try await trace().text
        #expect(
            text == """
                attempt 1  ██████████                                100 ms  transport.lost
                wait                 ░░░░░░░░░░░░░░░░░░░░            200 ms  backoff
                attempt 2                                ██████████  100 ms  status.404
                  cache                                       •      350 ms  miss
                """)
    }

    @Test("draws the interceptors that were traced, inner ones further in")
    func interceptors() async throws {
        // given
        var style = Trace.TextStyle()
        style.barWidth = 20
        // when
        let text = try await trace(tracesInterceptors: true).text(style: style)
        // then
        #expect(
            text == """
                attempt 1            █████                 100 ms  transport.lost
                  retry              ────────────────────  400 ms  status.404
                   statusValidation  ─────                 100 ms  transport.lost
                    Step             ─────                 100 ms  transport.lost
                     transport       ─────                 100 ms  transport.lost
                wait                      ░░░░░░░░░░       200 ms  backoff
                attempt 2                           █████  100 ms  status.404
                   statusValidation                 ─────  100 ms  status.404
                    Step                            ─────  100 ms  ok
                     transport                        ───   50 ms  ok
                  cache                               •    350 ms  miss
                """)
    }

    @Test(
        "may be of any sensible width, and no other",
        arguments: [(40, 40), (10, 10), (0, 10), (-5, 10), (200, 200), (999, 200)])
    func width(given: Int, expected: Int) async throws {
        // given
        var style = Trace.TextStyle()
        style.barWidth = given
        // when
        let lines = try await trace().text(style: style).split(separator: "\n")
        // then
        #expect(
            lines.map(\.count)
                == ["transport.lost", "backoff", "status.404", "miss"].map { 9 + 2 + expected + 2 + 6 + 2 + $0.count })
    }

    @Test("is coloured when asked for, and the text is the same")
    func color() async throws {
        // given
        var style = Trace.TextStyle()
        style.color = true
        let trace = try await trace()
        // when
        let colored = trace.text(style: style)
        // then
        #expect(!trace.text.contains("\u{1B}"))
        #expect(colored.contains("\u{1B}[31m"))
        #expect(colored.contains("\u{1B}[33m"))
        var plain = colored
        for code in ["32", "31", "33", "36", "2", "0"] {
            plain = plain.replacing("\u{1B}[\(code)m", with: "")
        }
        #expect(plain == trace.text)
    }

    @Test("can be drawn of a failure that was made by hand")
    func byHand() {
        // given
        let failure = Failure(
            StatusError(503),
            attempts: [
                Attempt(number: 1, duration: .seconds(1), result: .failed(code: "transport.lost")),
                Attempt(
                    number: 2, start: .seconds(2), duration: .seconds(2), wait: .seconds(1), waitReason: "backoff",
                    result: .failed(code: "status.503")),
            ])
        var style = Trace.TextStyle()
        style.barWidth = 12
        // then
        #expect(failure.trace.duration == .seconds(4))
        #expect(
            failure.trace.text(style: style) == """
                attempt 1  ███           1 s  transport.lost
                wait          ░░░        1 s  backoff
                attempt 2        ██████  2 s  status.503
                """)
    }

    @Test("is empty of a failure without attempts")
    func empty() {
        #expect(Failure(ShopError()).trace.text.isEmpty)
    }

    @Test("can be drawn of attempts of any length")
    func extremes() {
        let longest = Duration.seconds(Int64.max / 4)
        let failure = Failure(
            ShopError(),
            attempts: [
                Attempt(number: 1, start: longest, duration: longest, wait: longest, result: .running),
                Attempt(number: 2, start: .seconds(-5), duration: .seconds(-1), result: .ok),
            ])
        #expect(failure.trace.text.split(separator: "\n").count == 3)
    }
}
