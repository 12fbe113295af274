import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Testing

/// Whatever happens in whatever order, each call gets one verdict, and nothing is left in the end.
@Suite("A presenter among random calls, choices and cancellations", .limited)
@MainActor
struct PresenterRandomTests {
    private static let failures: [Failure] = [
        Failure(TransportError(.offline)), Failure(TransportError(.refused)), Failure(TransportError(.lost)),
        Failure(StatusError(404)), Failure(StatusError(401)), Failure(StatusError(500)), refusal(retryAfter: "1"),
        refusal(retryAfter: "3"), refusal(), Failure(RejectionError(.limit, "busy")), Failure(StatusError(422)),
    ]

    private static let policy = PresentationPolicy(texts: .english) {
        Present(
            status: 401,
            as: .alert(actions: [
                PresentationAction("signIn", title: "Sign In") {
                    await Task.yield()
                    return .retry
                }, .dismiss,
            ]))
        Present(.rejected, as: .banner(.untilSuccess, actions: [.retry, .dismiss]))
    }

    @Test("gives each call one verdict", arguments: Seed.ofRun(and: Array(1...40)))
    func random(seed: Seed) async throws {
        let success = try await success()
        var numbers = seed.numbers
        let clock = ManualClock()
        let presenter = FailurePresenter(policy: Self.policy, clock: clock, maximumModals: 4, maximumBanners: 2)
        var calls: [Task<Verdict, Never>] = []

        for _ in 0..<60 {
            switch numbers.below(10) {
            case 0...3:
                let failure = Self.failures[numbers.below(Self.failures.count)]
                calls.append(Task { await presenter.handle(failure) })
            case 4 where !calls.isEmpty:
                calls[numbers.below(calls.count)].cancel()
            case 5:
                await clock.advance(by: .milliseconds(numbers.below(2500)))
            case 6:
                presenter.callFinished(success)
            default:
                let state = presenter.state
                let shown = state.modals + state.banners
                if !shown.isEmpty {
                    let one = shown[numbers.below(shown.count)]
                    let actions = one.presentation.actions
                    #expect(one.count > 0)
                    presenter.choose(actions[numbers.below(actions.count)], for: one.id)
                }
            }
            for _ in 0..<numbers.below(4) { await Task.yield() }
            #expect(presenter.state.modals.count <= 4 && presenter.state.banners.count <= 2)
            let all = presenter.state.modals + presenter.state.banners + presenter.state.inlines
            #expect(Set(all.map(\.id)).count == all.count)
        }

        // The person answers whatever is left; a call that nobody wakes would let the test run into its limit.
        let answers = Task {
            while !Task.isCancelled {
                for shown in presenter.state.modals + presenter.state.banners { presenter.dismiss(shown.id) }
                await Task.yield()
            }
        }
        for call in calls {
            let verdict = await call.value
            #expect([.handled, .unhandled, .retry].contains(verdict))
        }
        answers.cancel()
        await answers.value
        for shown in presenter.state.modals + presenter.state.banners { presenter.dismiss(shown.id) }
        #expect(presenter.state.isEmpty)
        while !clock.sleepers.isEmpty { await Task.yield() }
    }

    private struct Kept: CallObserver {
        let calls = Notes<FinishedCall>()
        func callFinished(_ call: FinishedCall) { calls.add(call) }
    }

    /// A call that succeeded, as an observer sees it.
    private func success() async throws -> FinishedCall {
        let kept = Kept()
        let client = try Client.standard(
            baseURL: "https://shop.example.com", transport: ScriptedTransport(.status(204)), logging: nil
        ).withOptions { $0.observers.append(kept) }
        _ = try await client.get("books")
        return try #require(kept.calls.all.first)
    }
}
