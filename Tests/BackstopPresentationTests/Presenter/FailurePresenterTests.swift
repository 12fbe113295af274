import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Foundation
import Observation
import Testing

/// A failure that may be sent again by itself.
func refusal(_ code: Int = 503, retryAfter: String? = nil, name: String = "") -> Failure {
    let url = URL(string: "https://shop.example.com/books")
    let headers: HTTP.Headers = retryAfter.map { ["Retry-After": $0] } ?? [:]
    return Failure(
        StatusError(code), request: url.map { HTTP.Request(.get, url: $0) },
        response: HTTP.Response(status: code, headers: headers, url: url), name: name)
}

extension FailurePresenter {
    /// Waits until the state is as a test wants it.
    func wait(until isReached: (PresenterState) -> Bool) async {
        for await state in states where isReached(state) {
            return
        }
    }
}

@Suite("A failure presenter", .limited)
@MainActor
struct FailurePresenterTests {
    private let presenter = FailurePresenter(policy: PresentationPolicy(texts: .english))
    private let offline = Failure(TransportError(.offline))
    private let refused = Failure(TransportError(.refused))

    @Test("shows nothing of what is ignored, and has handled it")
    func ignored() async {
        #expect(await presenter.handle(Failure(CancellationError())) == .handled)
        #expect(presenter.state.isEmpty)
    }

    @Test("makes one banner of ten calls that fail offline, and keeps none of them waiting")
    func counted() async {
        for _ in 0..<10 {
            #expect(await presenter.handle(offline) == .handled)
        }
        #expect(presenter.state.banners.map(\.count) == [10])
        #expect(presenter.state.modal == nil)
    }

    @Test("shows an alert without \"Try Again\" and has handled it")
    func told() async {
        #expect(await presenter.handle(Failure(StatusError(404))) == .handled)
        #expect(presenter.state.alert?.presentation.message.title == "Not found")
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test("tells those that observe it of each change")
    func observed() {
        let changes = Notes<Int>()
        withObservationTracking {
            _ = (presenter.state, presenter.firstField)
        } onChange: {
            changes.add(1)
        }
        presenter.dismiss(7)
        #expect(changes.all.isEmpty)
        presenter.present(Failure(StatusError(404)))
        #expect(changes.all.count == 1)
    }

    @Test("for a preview shows failures at once, with \"Try Again\", and until it is left")
    func preview() {
        struct Taken: FieldError { var field: String? { "name" } }
        let presenter = FailurePresenter.preview(
            refused, Failure(StatusError(500)), Failure(Taken()), fields: ["name"],
            policy: PresentationPolicy(texts: .english))
        #expect(presenter.state.alert?.presentation.offersRetry == true)
        #expect(presenter.state.banners.count == 1 && presenter.state.inline("name") != nil)
    }

    @Test("sends every call again that waits, once the person says so")
    func retried() async throws {
        let calls = (0..<3).map { _ in Task { await presenter.handle(refused) } }
        await presenter.wait { $0.alert?.count == 3 }

        presenter.retry(try #require(presenter.state.alert).id)

        for call in calls {
            #expect(await call.value == .retry)
        }
        #expect(presenter.state.isEmpty)
    }

    @Test("tells which action a person chose, and of nothing that the app takes away")
    func chosen() async throws {
        var chosen: [String] = []
        presenter.onChoice = { action, shown in chosen.append("\(action.name) \(shown.presentation.code)") }
        let call = Task { await presenter.handle(refused) }
        await presenter.wait { $0.alert != nil }
        presenter.retry(try #require(presenter.state.alert).id)
        #expect(await call.value == .retry)
        presenter.present(Failure(StatusError(404)))
        let told = try #require(presenter.state.alert).id
        presenter.retry(told)
        presenter.choose(.dismiss, for: told)
        presenter.choose(.dismiss, for: told)
        presenter.present(Failure(StatusError(404)))
        presenter.dismiss(try #require(presenter.state.alert).id)
        #expect(chosen == ["retry transport.refused", "dismiss status.404"])
    }

    @Test("has handled every call that waits, once the person dismisses it")
    func dismissed() async throws {
        let calls = (0..<3).map { _ in Task { await presenter.handle(refused) } }
        await presenter.wait { $0.alert?.count == 3 }

        presenter.choose(.dismiss, for: try #require(presenter.state.alert).id)

        for call in calls {
            #expect(await call.value == .handled)
        }
    }

    @Test("takes a presentation away when the last call that waits for it is cancelled, and sends nothing")
    func cancelled() async {
        let calls = (0..<2).map { _ in Task { await presenter.handle(refused) } }
        await presenter.wait { $0.alert?.count == 2 }

        calls[0].cancel()
        #expect(await calls[0].value == .unhandled)
        await presenter.wait { $0.alert?.count == 1 }
        calls[1].cancel()
        #expect(await calls[1].value == .unhandled)
        await presenter.wait { $0.isEmpty }
    }

    @Test("counts those that wait and those that do not as one, offers \"Try Again\" to both, and outlives the first")
    func mixed() async {
        for isWaitingFirst in [true, false] {
            let presenter = FailurePresenter(policy: PresentationPolicy(texts: .english))
            if !isWaitingFirst { presenter.present(refused) }
            let call = Task { await presenter.handle(refused) }
            await presenter.wait { $0.alert?.presentation.offersRetry == true }
            if isWaitingFirst { presenter.present(refused) }
            #expect(presenter.state.modals.map(\.count) == [2])
            #expect(presenter.state.alert?.presentation.actions.map(\.title) == ["Try Again", "Cancel"])

            call.cancel()
            #expect(await call.value == .unhandled)
            await presenter.wait { $0.alert?.count == 1 }
        }
    }

    @Test("shows nothing for a call that was cancelled before, not even for a moment")
    func cancelledBefore() async {
        for failure in [refused, offline] {
            let gate = Gate()
            let call = Task {
                await gate.pass()
                return await presenter.handle(failure)
            }
            await gate.waitForArrivals(1)
            call.cancel()
            let looks = Task {
                var isShown = false
                while !Task.isCancelled {
                    isShown = isShown || !presenter.state.isEmpty
                    await Task.yield()
                }
                return isShown
            }
            gate.open()
            #expect(await call.value == .unhandled)
            looks.cancel()
            #expect(await !looks.value)
        }
        #expect(presenter.state.isEmpty)
    }

    @Test("shows one alert after the other, and banners beside them")
    func queue() async throws {
        presenter.present(Failure(StatusError(404)))
        presenter.present(Failure(StatusError(503)))
        presenter.present(Failure(StatusError(403)))
        presenter.present(offline)
        #expect(presenter.state.modals.map(\.presentation.code) == ["status.404", "status.503", "status.403"])
        #expect(presenter.state.alert?.presentation.code == "status.404" && presenter.state.fullScreen == nil)
        #expect(presenter.state.banners.map(\.presentation.code) == ["transport.offline"])

        presenter.dismiss(try #require(presenter.state.modal).id)
        #expect(presenter.state.fullScreen?.presentation.code == "status.503" && presenter.state.alert == nil)
    }

    @Test("leaves to the next handler what it has no room for")
    func full() async {
        let small = FailurePresenter(policy: PresentationPolicy(texts: .english), maximumModals: 1)
        #expect(small.present(Failure(StatusError(404))))
        #expect(!small.present(Failure(StatusError(403))))
        #expect(await small.handle(refused) == .unhandled)
        #expect(small.present(Failure(StatusError(404))))
        #expect(small.state.modals.map(\.count) == [2])
    }

    @Test("gives the place of the oldest banner to a new one")
    func banners() async {
        let policy = PresentationPolicy(texts: .english) {
            Present(.any) {
                .banner(.untilDismissed, message: FailureMessage(title: $0.code, text: "", suggestion: nil))
            }
        }
        let small = FailurePresenter(policy: policy, maximumBanners: 2)
        for status in [500, 501, 502] {
            #expect(small.present(Failure(StatusError(status))))
        }
        #expect(small.state.banners.map(\.presentation.code) == ["status.501", "status.502"])
    }

    @Test("offers no second try where none counts, and does not wait then")
    func exhausted() async throws {
        var handling = FailureHandling()
        handling.maximumHandlerRetries = 0
        let failure = refused
        let outcome: Outcome<Int> = await DefaultHandlers.withHandlers {
            presenter
        } operation: {
            await handling.perform(clock: SystemClock()) { () async throws(Failure) -> Int in throw failure }
        }
        #expect(outcome.handledBy == "presenter")
        #expect(presenter.state.alert?.presentation.actions == [.dismiss])
    }

    @Test("leaves as it is what is no longer shown, and what does not offer the choice")
    func stale() async throws {
        presenter.present(Failure(StatusError(404)))
        let id = try #require(presenter.state.alert).id
        presenter.retry(id)
        #expect(presenter.state.alert?.id == id)
        presenter.dismiss(id)
        presenter.dismiss(id)
        presenter.choose(.retry, for: 99)
        #expect(presenter.state.isEmpty)
    }

    @Test("follows each change, from the state at the time, and nothing that changes nothing")
    func states() async {
        presenter.present(offline)
        var counts: [Int] = []
        for await state in presenter.states {
            counts.append(state.banners.first?.count ?? 0)
            presenter.dismiss(99)
            switch counts.count {
            case 1: Task { presenter.present(offline) }
            case 2: Task { presenter.dismiss(state.banners[0].id) }
            default: break
            }
            guard counts.count < 3 else {
                break
            }
        }
        #expect(counts == [1, 2, 0])
    }

    @Test("ends its followers when it goes away")
    func released() async {
        var short: FailurePresenter? = FailurePresenter()
        weak let seen = short
        let states = short?.states
        short = nil
        #expect(seen == nil)
        var count = 0
        if let states {
            for await _ in states { count += 1 }
        }
        #expect(count <= 1)
    }
}

@Suite("An action of the app's own", .limited)
@MainActor
struct OwnActionTests {
    private func presenter(
        _ perform: @escaping @MainActor @Sendable () async -> Verdict
    ) -> FailurePresenter {
        FailurePresenter(
            policy: PresentationPolicy(texts: .english) {
                Present(
                    status: 401,
                    as: .alert(actions: [PresentationAction("signIn", title: "Sign In", perform: perform), .dismiss]))
            })
    }

    @Test(
        "decides what becomes of the calls, after the presentation has gone",
        arguments: [
            Verdict.retry, .handled, .unhandled, .retry(after: .seconds(2)),
        ])
    func decides(verdict: Verdict) async throws {
        let gate = Gate()
        let presenter = presenter {
            await gate.pass()
            return verdict
        }
        let calls = (0..<2).map { _ in Task { await presenter.handle(refusal(401)) } }
        await presenter.wait { $0.alert?.count == 2 }
        let shown = try #require(presenter.state.alert)

        presenter.choose(shown.presentation.actions[0], for: shown.id)
        #expect(presenter.state.isEmpty)
        gate.open()

        for call in calls {
            #expect(await call.value == verdict)
        }
    }

    @Test("is not waited for by a call that is cancelled meanwhile")
    func cancelled() async throws {
        let gate = Gate()
        let presenter = presenter {
            await gate.pass()
            return .retry
        }
        let calls = (0..<2).map { _ in Task { await presenter.handle(refusal(401)) } }
        await presenter.wait { $0.alert?.count == 2 }
        let shown = try #require(presenter.state.alert)
        presenter.choose(shown.presentation.actions[0], for: shown.id)
        await gate.waitForArrivals(1)

        calls[0].cancel()
        #expect(await calls[0].value == .unhandled)
        gate.open()
        #expect(await calls[1].value == .retry)
    }

    @Test(
        "is joined by calls that fail while it is carried out, so that nobody is asked twice", arguments: [true, false])
    func joined(isCancelled: Bool) async throws {
        let gate = Gate()
        var asked = 0
        let presenter = presenter {
            asked += 1
            await gate.pass()
            return .retry
        }
        let first = Task { await presenter.handle(refusal(401)) }
        await presenter.wait { $0.alert != nil }
        let shown = try #require(presenter.state.alert)
        presenter.choose(shown.presentation.actions[0], for: shown.id)
        await gate.waitForArrivals(1)

        let second = Task { await presenter.handle(refusal(401)) }
        for _ in 0..<20 { await Task.yield() }
        #expect(presenter.state.isEmpty)
        if isCancelled {
            second.cancel()
            #expect(await second.value == .unhandled)
        }
        gate.open()
        #expect(await first.value == .retry)
        if !isCancelled {
            #expect(await second.value == .retry)
        }
        #expect(asked == 1)

        // Once it is over, the next failure asks again.
        let third = Task { await presenter.handle(refusal(401)) }
        await presenter.wait { $0.alert?.count == 1 }
        third.cancel()
        #expect(await third.value == .unhandled)
    }

    @Test("that wants the call repeated has handled it where nothing can repeat it")
    func withoutRetry() async throws {
        let presenter = presenter { .retry }
        var handling = FailureHandling()
        handling.maximumHandlerRetries = 0
        let log = RecordingLog()
        handling.log = log
        let call = Task { [handling] in
            await DefaultHandlers.withHandlers {
                presenter
            } operation: { () -> Outcome<Int> in
                await handling.perform(clock: SystemClock()) { () async throws(Failure) -> Int in throw refusal(401) }
            }
        }
        await presenter.wait { $0.alert != nil }
        let shown = try #require(presenter.state.alert)
        presenter.choose(shown.presentation.actions[0], for: shown.id)
        #expect(await call.value.handledBy == "presenter")
        #expect(log.entries.isEmpty)
    }
}
