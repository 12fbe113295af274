import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Where a presenter's failures are drawn", .limited)
@MainActor
struct HostTests {
    private let clock = ManualClock()
    private let presenter: FailurePresenter

    init() {
        presenter = FailurePresenter(policy: PresentationPolicy(texts: .english), clock: clock)
    }

    private func drawing(_ hosts: Int...) -> [Int] {
        hosts.filter { presenter.draws($0) }
    }

    @Test(
        "is the sheet while it is there, and then the window again, wherever the sheet is attached", arguments: [0, 1])
    func sheet(level: Int) {
        let window = presenter.beginHost(level: 0)
        #expect(drawing(window) == [window])
        let sheet = presenter.beginHost(level: level)
        #expect(drawing(window, sheet) == [sheet])
        presenter.endHost(sheet)
        #expect(drawing(window, sheet) == [window])
        #expect(!presenter.draws(nil))
    }

    @Test("is the window at once when the sheet goes that covered it")
    func covered() {
        let window = presenter.beginHost(level: 0)
        presenter.coverHost(window, true)
        #expect(drawing(window) == [])
        let sheet = presenter.beginHost(level: 1)
        presenter.coverHost(window, true)
        presenter.endHost(sheet)
        #expect(drawing(window) == [window])
        presenter.coverHost(window, true)
        presenter.coverHost(window, false)
        #expect(drawing(window) == [window])
    }

    @Test("stays the sheet when another tab appears below it")
    func tab() {
        let first = presenter.beginHost(level: 0)
        let sheet = presenter.beginHost(level: 1)
        let second = presenter.beginHost(level: 0)
        presenter.endHost(first)
        #expect(drawing(first, sheet, second) == [sheet])
    }

    @Test("is the window in the foreground, and in the background the one that was it")
    func windows() {
        let (one, two) = (presenter.beginHost(level: 0), presenter.beginHost(level: 0))
        for window in [one, two] { presenter.moveHost(window, toBackground: false) }
        #expect(drawing(one, two) == [two])
        presenter.moveHost(two, toBackground: true)
        #expect(drawing(one, two) == [one])
        presenter.moveHost(one, toBackground: true)
        presenter.moveHost(two, toBackground: false)
        #expect(drawing(one, two) == [two])
    }

    @Test("is told to those that follow the states")
    func followers() async {
        var states = presenter.states.makeAsyncIterator()
        _ = await states.next()
        _ = presenter.beginHost(level: 0)
        #expect(await states.next()?.isEmpty == true)
    }

    @Test("may be nowhere for a second, after which the next handler is asked about what waits")
    func nowhere() async {
        let window = presenter.beginHost(level: 0)
        let call = Task { await presenter.handle(Failure(TransportError(.refused))) }
        await presenter.wait { $0.alert != nil }
        presenter.endHost(window)
        await clock.waitForSleeper(remaining: .seconds(1))
        await clock.advance(by: .seconds(1))
        #expect(await call.value == .unhandled)
        #expect(presenter.state.isEmpty)

        // One that fails only then, and one that a sheet without a host covers.
        let later = Task { await presenter.handle(Failure(TransportError(.refused))) }
        await clock.runNextSleep()
        #expect(await later.value == .unhandled)
        presenter.coverHost(presenter.beginHost(level: 0), true)
        let covered = Task { await presenter.handle(Failure(TransportError(.refused))) }
        await clock.runNextSleep()
        #expect(await covered.value == .unhandled)
    }

    @Test("may change in less than a second, and nothing happens to what waits")
    func replaced() async throws {
        let window = presenter.beginHost(level: 0)
        let call = Task { await presenter.handle(Failure(TransportError(.refused))) }
        await presenter.wait { $0.alert != nil }
        presenter.endHost(window)
        await clock.waitForSleeper(remaining: .seconds(1))
        let next = presenter.beginHost(level: 0)
        while !clock.sleepers.isEmpty { await Task.yield() }
        #expect(presenter.draws(next))
        presenter.retry(try #require(presenter.state.alert).id)
        #expect(await call.value == .retry)
    }

    @Test("may be nowhere for what only tells something, which then waits to be seen")
    func told() async {
        presenter.endHost(presenter.beginHost(level: 0))
        #expect(await presenter.handle(Failure(StatusError(404))) == .handled)
        #expect(await presenter.handle(Failure(StatusError(500))) == .handled)
        await clock.advance(by: .seconds(3600))
        for _ in 0..<20 { await Task.yield() }
        #expect(presenter.state.modals.count == 1 && presenter.state.banners.count == 1 && clock.sleepers.isEmpty)
        _ = presenter.beginHost(level: 0)
        await clock.waitForSleeper(remaining: .seconds(10))
        await clock.advance(by: .seconds(10))
        await presenter.wait { $0.banners.isEmpty && !$0.modals.isEmpty }
    }

    @Test("may be nowhere for an alert that a call shares with what only tells something: that stays")
    func shared() async {
        presenter.endHost(presenter.beginHost(level: 0))
        presenter.present(Failure(TransportError(.refused)))
        let call = Task { await presenter.handle(Failure(TransportError(.refused))) }
        await presenter.wait { $0.alert?.count == 2 }
        await clock.runNextSleep()
        #expect(await call.value == .unhandled)
        #expect(presenter.state.alert?.count == 1 && presenter.state.alert?.presentation.offersRetry == false)
    }

    @Test("may be nowhere for a countdown, which goes on")
    func countdown() async {
        presenter.endHost(presenter.beginHost(level: 0))
        let call = Task { await presenter.handle(refusal(retryAfter: "3")) }
        for _ in 0..<3 { await clock.runNextSleep() }
        #expect(await call.value == .retry)
    }

    @Test("may be in the background, and the time of a banner stops until it returns")
    func background() async {
        let window = presenter.beginHost(level: 0)
        presenter.moveHost(window, toBackground: false)
        presenter.present(Failure(StatusError(500)))
        await clock.waitForSleeper(remaining: .seconds(10))
        await clock.advance(by: .seconds(4))

        presenter.moveHost(window, toBackground: true)
        while !clock.sleepers.isEmpty { await Task.yield() }
        await clock.advance(by: .seconds(3600))
        #expect(presenter.state.banners.count == 1)

        presenter.moveHost(window, toBackground: false)
        await clock.waitForSleeper(remaining: .seconds(6))
        await clock.advance(by: .seconds(6))
        await presenter.wait { $0.isEmpty }
    }

    @Test("may be in the background from the start, as SwiftUI says inside of UIKit: time then goes on")
    func unknownPhase() async {
        presenter.moveHost(presenter.beginHost(level: 0), toBackground: true)
        presenter.present(Failure(StatusError(500)))
        await clock.waitForSleeper(remaining: .seconds(10))
    }

    @Test("says a failure once to a screen reader, in however many windows, and each further one again")
    func spoken() throws {
        for count in 1...3 {
            presenter.present(Failure(StatusError(500)))
            let id = try #require(presenter.state.banners.first).id
            #expect([presenter.isNews(id, count: count), presenter.isNews(id, count: count)] == [true, false])
        }
        let id = try #require(presenter.state.banners.first).id
        // A window that was late.
        #expect([presenter.isNews(id, count: 2), presenter.isNews(id, count: 3)] == [false, false])
        presenter.dismiss(id)
        #expect(!presenter.isNews(id, count: 4))
    }
}

@Suite("The alert of a host", .limited)
@MainActor
struct AlertStageTests {
    private let presenter = FailurePresenter(policy: PresentationPolicy(texts: .english))
    private var wanted: PresentedFailure? { presenter.state.alert }

    init() {
        for status in [404, 410] { presenter.present(Failure(StatusError(status))) }
    }

    @Test("is followed by the next only after it has gone")
    func next() throws {
        var stage = AlertStage()
        stage.turn(to: wanted)
        let first = try #require(stage.shown)
        #expect(first.id == wanted?.id)

        presenter.choose(first.presentation.actions[0], for: first.id)
        stage.close()
        stage.turn(to: wanted)
        #expect(stage.isLeaving && stage.shown == nil)
        #expect(stage.settle(wanted: wanted) == nil)
        stage.turn(to: wanted)
        #expect(stage.shown?.id == wanted?.id && wanted?.id != first.id)
    }

    @Test("goes with what it is about, also when the app takes that away")
    func taken() {
        var stage = AlertStage()
        stage.turn(to: wanted)
        presenter.removeAll()
        stage.turn(to: wanted)
        #expect(stage.shown == nil && stage.isLeaving)
        #expect(stage.settle(wanted: wanted) == nil)
        stage.turn(to: wanted)
        #expect(stage.shown == nil && !stage.isLeaving)
    }

    @Test("is shown again when it goes without an answer, three times, and then counts as dismissed")
    func vanishes() async throws {
        presenter.removeAll()
        let call = Task { await presenter.handle(Failure(TransportError(.refused))) }
        await presenter.wait { $0.alert != nil }
        var stage = AlertStage()
        var shown = 0
        while wanted != nil {
            stage.turn(to: wanted)
            shown += 1
            stage.close()
            stage.close()
            if let id = stage.settle(wanted: wanted) { presenter.vanished(id) }
        }
        #expect(shown == 4)
        #expect(await call.value == .handled)
    }
}
