import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The handlers of a failed call", .limited)
struct HandlingOrderTests {
    @Test("are asked in order: the call's own, the scopes from the inside out, the defaults")
    func order() async {
        // given
        var fixture = HandlingFixture()
        fixture.handling.scopes = [
            HandlerScope("inner") { [fixture.handler("c"), fixture.handler("d")] },
            HandlerScope("outer") { fixture.handler("e") },
        ]
        // when
        let outcome = await fixture.perform(
            failing: [ShopError()], own: [fixture.own("a"), fixture.own("b")],
            defaults: [fixture.handler("f"), fixture.handler("g")])
        // then
        #expect(fixture.asked.all == ["a", "b", "c", "d", "e", "f", "g"])
        #expect(outcome.word == "unhandled")
    }

    @Test("are asked no further once one has handled the failure", arguments: 0..<5)
    func firstEnds(position: Int) async {
        // given
        var fixture = HandlingFixture()
        func verdict(_ index: Int) -> Verdict { index == position ? .handled : .unhandled }
        fixture.handling.scopes = [
            HandlerScope("inner") { fixture.handler("1", verdict(1)) },
            HandlerScope("outer") { fixture.handler("2", verdict(2)) },
        ]
        // when
        let outcome = await fixture.perform(
            failing: [ShopError()], own: [fixture.own("0", position == 0 ? .handled : .unhandled)],
            defaults: [fixture.handler("3", verdict(3)), fixture.handler("4", verdict(4))])
        // then
        #expect(fixture.asked.all == (0...position).map { "\($0)" })
        let prefix = [1: "inner: ", 2: "outer: "][position] ?? ""
        #expect(outcome.handledBy == "\(prefix)\(position)")
        #expect(outcome.failure?.code == "other")
        #expect(fixture.outcomes == [.handled(by: "\(prefix)\(position)")])
        #expect(fixture.log.entries.isEmpty)
    }

    @Test("are shown the failure itself")
    func failure() async {
        // given
        let fixture = HandlingFixture()
        let seen = Notes<String>()
        let own = Own("own") { failure in
            seen.add(failure.code)
            return .handled
        }
        // when
        _ = await fixture.perform(failing: [StatusError(404)], own: [own])
        // then
        #expect(seen.all == ["status.404"])
    }

    @Test("may give a value instead, when they are the call's own")
    func value() async {
        // given
        let fixture = HandlingFixture()
        // when
        let outcome = await fixture.perform(
            failing: [ShopError()], own: [fixture.own("a"), fixture.own("b", .value(7)), fixture.own("c")])
        // then
        #expect(outcome.value == 7)
        #expect(outcome.failure == nil)
        #expect(fixture.asked.all == ["a", "b"])
        #expect(fixture.outcomes == [.replaced(by: "b")])
    }

    @Test("of any kind may be a call's own, and keep their name")
    func ownFromHandler() async {
        // given
        let fixture = HandlingFixture()
        // when
        let outcome = await fixture.perform(failing: [StatusError(404)], own: [Own(On(status: 404) { _ in })])
        // then
        #expect(outcome.handledBy == "On(status.404)")
    }

    @Test("are not asked when the call succeeds")
    func success() async {
        // given
        var fixture = HandlingFixture()
        fixture.handling.scopes = [HandlerScope("scope") { fixture.handler("b", .handled) }]
        // when
        let outcome = await fixture.perform(
            failing: [], own: [fixture.own("a", .handled)], defaults: [fixture.handler("c", .handled)])
        // then
        #expect(outcome.value == 1)
        #expect(fixture.asked.all.isEmpty)
        #expect(fixture.outcomes.isEmpty)
        #expect(fixture.log.entries.isEmpty)
    }

    @Test("that are none leave the report in the log, once")
    func nobody() async throws {
        // given
        let fixture = HandlingFixture()
        // when
        let outcome = await fixture.perform(failing: [StatusError(500)])
        // then
        let failure = try #require(outcome.failure)
        #expect(outcome.word == "unhandled")
        #expect(outcome.handledBy == nil)
        #expect(fixture.log.entries.map(\.level) == [.error])
        #expect(fixture.log.entries.map(\.callID) == [failure.id])
        #expect(fixture.log.messages == ["No handler handled this failure.\n\(failure.report)"])
        #expect(fixture.outcomes == [.unhandled])
    }

    @Test("do not write to a log that wants no errors")
    func quietLog() async {
        // given
        struct Deaf: LogSink {
            func isEnabled(_ level: LogLevel) -> Bool { false }
            func write(_ entry: LogEntry) { Issue.record("written: \(entry)") }
        }
        var fixture = HandlingFixture()
        fixture.handling.log = Deaf()
        // then
        #expect(await fixture.perform(failing: [ShopError()]).word == "unhandled")
    }

    @Test("are not asked about a cancelled call, and nothing is written")
    func cancelled() async {
        // given
        var fixture = HandlingFixture()
        fixture.handling.scopes = [HandlerScope("scope") { fixture.handler("b", .handled) }]
        // when
        let outcome = await fixture.perform(
            failing: [CancellationError()], own: [fixture.own("a", .value(1))],
            defaults: [fixture.handler("c", .handled)])
        // then
        #expect(outcome.word == "cancelled")
        #expect(fixture.asked.all.isEmpty)
        #expect(fixture.outcomes == [.cancelled])
        #expect(fixture.log.entries.isEmpty)
    }

    @Test("leave a failure that is thrown to its caller to the observers")
    func thrown() async {
        // given
        let fixture = HandlingFixture()
        // when
        await fixture.handling.observeThrown(Failure(ShopError()))
        await fixture.handling.observeThrown(Failure(CancellationError()))
        // then
        #expect(fixture.outcomes == [.thrown, .cancelled])
    }

    @Test("are all observed by every observer")
    func observers() async {
        // given
        var fixture = HandlingFixture()
        let second = RecordingObserver()
        fixture.handling.observers.append(second)
        // when
        _ = await fixture.perform(failing: [ShopError()])
        // then
        #expect(fixture.outcomes == [.unhandled])
        #expect(second.failures.map(\.outcome) == [.unhandled])
        #expect(second.failures.first?.failure.code == "other")
    }

    @Test("may be built with conditions, loops and arrays")
    func builder() {
        // given
        let array: [any FailureHandler] = [Otherwise(name: "d") { _ in }]
        func scope(_ condition: Bool) -> [String] {
            HandlerScope("scope") {
                On(.offline) { _ in }
                if condition {
                    On(.timeout) { _ in }
                }
                if condition {
                    Otherwise(name: "yes") { _ in }
                } else {
                    Otherwise(name: "no") { _ in }
                }
                for status in [401, 403] {
                    On(status: status) { _ in }
                }
                array
            }.handlers.map(\.name)
        }
        // then
        #expect(scope(true) == ["On(offline)", "On(timeout)", "yes", "On(status.401)", "On(status.403)", "d"])
        #expect(scope(false) == ["On(offline)", "no", "On(status.401)", "On(status.403)", "d"])
    }
}
