import BackstopCore
import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The time of a presentation", .limited)
@MainActor
struct PresenterTimeTests {
    private let clock = ManualClock()
    private let presenter: FailurePresenter

    init() {
        presenter = FailurePresenter(policy: PresentationPolicy(texts: .english), clock: clock)
    }

    @Test("a countdown shows each second, and then sends the call again")
    func countdown() async {
        let call = Task { await presenter.handle(refusal(retryAfter: "2")) }
        await presenter.wait { $0.fullScreen?.remaining == .seconds(2) }

        await clock.runNextSleep()
        await presenter.wait { $0.fullScreen?.remaining == .seconds(1) }
        await clock.runNextSleep()

        #expect(await call.value == .retry)
        #expect(presenter.state.isEmpty)
    }

    @Test("a success has a banner that goes away by itself")
    func success() async {
        #expect(presenter.presentSuccess("Your order is on its way.", lasting: .seconds(3)))
        let shown = presenter.state.banners.first?.presentation
        #expect(shown?.isSuccess == true && shown?.message.title == "Your order is on its way.")
        #expect(shown?.decides == false && shown?.actions.map(\.title) == ["Close"])
        await clock.runNextSleep()
        await presenter.wait { $0.isEmpty }
        #expect(clock.now == .seconds(3))
    }

    @Test("a success takes the place of the oldest banner that no call waits for")
    func successes() {
        for number in 1...4 {
            #expect(presenter.presentSuccess("\(number)"))
        }
        #expect(presenter.state.banners.map(\.presentation.message.title) == ["2", "3", "4"])
    }

    @Test("a person need not wait for the countdown, whose clock then stops")
    func impatient() async throws {
        let call = Task { await presenter.handle(refusal(retryAfter: "60")) }
        await clock.waitForSleepers(1)
        presenter.retry(try #require(presenter.state.fullScreen).id)
        #expect(await call.value == .retry)

        let other = Task { await presenter.handle(refusal(retryAfter: "60")) }
        await presenter.wait { $0.fullScreen != nil }
        presenter.dismiss(try #require(presenter.state.fullScreen).id)
        #expect(await other.value == .handled)
        while !clock.sleepers.isEmpty { await Task.yield() }
    }

    @Test("calls that wait together are sent again each at its own time", arguments: [("2", "3"), ("3", "2")])
    func together(one: String, other: String) async {
        let calls = [
            one: Task { await presenter.handle(refusal(retryAfter: one)) },
            other: Task { await presenter.handle(refusal(retryAfter: other)) },
        ]
        await presenter.wait { $0.fullScreen?.count == 2 }
        #expect(presenter.state.fullScreen?.remaining == .seconds(2))

        for _ in 0..<2 { await clock.runNextSleep() }
        #expect(await calls["2"]?.value == .retry)
        #expect(presenter.state.fullScreen?.count == 1)
        #expect(presenter.state.fullScreen?.remaining == .seconds(1))

        await clock.runNextSleep()
        #expect(await calls["3"]?.value == .retry)
        #expect(presenter.state.isEmpty && clock.now == .seconds(3))
    }

    @Test("a call is sent again after its own time, however many fail meanwhile")
    func polled() async {
        let first = Task { await presenter.handle(refusal(retryAfter: "30")) }
        await clock.waitForSleepers(1)
        var polls: [Task<Verdict, Never>] = []
        for count in 2...4 {
            for _ in 0..<8 { await clock.runNextSleep() }
            polls.append(Task { await presenter.handle(refusal(retryAfter: "30")) })
            await presenter.wait { $0.fullScreen?.count == count }
        }
        for _ in 0..<6 { await clock.runNextSleep() }
        #expect(await first.value == .retry)
        #expect(clock.now == .seconds(30))
        #expect(presenter.state.fullScreen?.count == 3)
        for poll in polls {
            poll.cancel()
            #expect(await poll.value == .unhandled)
        }
    }

    @Test("a countdown shows whole seconds again after a call has joined between two of them")
    func joined() async {
        let first = Task { await presenter.handle(refusal(retryAfter: "2")) }
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(500))
        let second = Task { await presenter.handle(refusal(retryAfter: "2")) }
        await presenter.wait { $0.fullScreen?.count == 2 }

        var pauses: [Duration] = []
        for _ in 0..<3 { pauses.append(await clock.runNextSleep()) }

        #expect(pauses == [.milliseconds(500), .seconds(1), .milliseconds(500)])
        #expect(await first.value == .retry)
        #expect(await second.value == .retry)
    }

    @Test("a countdown ends also by a clock that stands still")
    func stopped() async {
        struct Stopped: CallClock {
            var now: Duration { .zero }
            var date: Duration { .zero }
            func sleep(for duration: Duration) async throws { try Task.checkCancellation() }
        }
        let presenter = FailurePresenter(policy: PresentationPolicy(texts: .english), clock: Stopped())
        #expect(await presenter.handle(refusal(retryAfter: "60")) == .retry)
    }

    @Test("a countdown goes on while another alert is shown before it")
    func hidden() async throws {
        presenter.present(Failure(StatusError(404)))
        let call = Task { await presenter.handle(refusal(retryAfter: "1")) }
        await clock.runNextSleep()
        #expect(await call.value == .retry)
        #expect(presenter.state.modals.map(\.presentation.code) == ["status.404"])
    }

    @Test("a countdown ends with the call that waited for it")
    func cancelled() async {
        let call = Task { await presenter.handle(refusal(retryAfter: "60")) }
        await clock.waitForSleepers(1)
        call.cancel()
        #expect(await call.value == .unhandled)
        await presenter.wait { $0.isEmpty }
        while !clock.sleepers.isEmpty { await Task.yield() }
    }

    @Test("a banner goes away after its time, counted from the last failure that is equal")
    func banner() async {
        presenter.present(Failure(StatusError(500)))
        #expect(presenter.state.banners.map(\.remaining) == [nil])
        await clock.waitForSleeper(remaining: .seconds(10))
        await clock.advance(by: .seconds(6))
        presenter.present(Failure(StatusError(500)))
        await clock.advance(by: .seconds(4))
        await clock.waitForSleeper(remaining: .seconds(6))
        #expect(presenter.state.banners.map(\.count) == [2])

        await clock.advance(by: .seconds(6))
        await presenter.wait { $0.isEmpty }
    }
}
