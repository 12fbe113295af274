import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("What failures share", .limited)
@MainActor
struct PresenterSharingTests {
    private let asked = Notes<String>()

    /// A presenter that offers each call an action of its own.
    private func presenter(title: @escaping @Sendable (String) -> String) -> FailurePresenter {
        FailurePresenter(
            policy: PresentationPolicy(texts: .english) { [asked] in
                Present(.any) { failure in
                    let name = failure.name
                    let call = PresentationAction("call", title: title(name)) { () async -> Verdict in
                        asked.add(name)
                        return .retry
                    }
                    return .alert(actions: [call, .dismiss])
                }
            })
    }

    @Test("is no action that another failure made, whatever its label says", arguments: [true, false])
    func ownActions(isSameLabel: Bool) async throws {
        let presenter = presenter { isSameLabel ? "Call" : "Call \($0)" }
        let calls = ["Ann", "Bob"].map { name in Task { await presenter.handle(refusal(name: name)) } }
        await presenter.wait { $0.modals.count == 2 }
        #expect(presenter.state.modals.map(\.count) == [1, 1])

        for _ in 0..<2 {
            let shown = try #require(presenter.state.alert)
            presenter.choose(shown.presentation.actions[0], for: shown.id)
        }

        #expect(await calls[0].value == .retry)
        #expect(await calls[1].value == .retry)
        #expect(asked.all.sorted() == ["Ann", "Bob"])
    }

    @Test("is an action that was made once")
    func sharedAction() async throws {
        let signIn = PresentationAction("signIn", title: "Sign In") { () async -> Verdict in .retry }
        let presenter = FailurePresenter(
            policy: PresentationPolicy { Present(.any) { _ in .alert(actions: [signIn, .dismiss]) } })
        let calls = ["Ann", "Bob"].map { name in Task { await presenter.handle(refusal(name: name)) } }
        await presenter.wait { $0.modals.map(\.count) == [2] }
        presenter.choose(signIn, for: try #require(presenter.state.alert).id)
        for call in calls { #expect(await call.value == .retry) }
    }

    @Test("is no \"Try Again\" that helps nobody any more")
    func deadButton() async throws {
        let presenter = FailurePresenter(policy: PresentationPolicy(texts: .english))
        let refused = Failure(TransportError(.refused))
        presenter.present(refused)
        let call = Task { await presenter.handle(refused) }
        await presenter.wait { $0.alert?.presentation.offersRetry == true }

        call.cancel()
        #expect(await call.value == .unhandled)

        await presenter.wait { $0.alert?.presentation.offersRetry == false }
        #expect(presenter.state.alert?.presentation.actions.map(\.title) == ["OK"])
        #expect(presenter.state.alert?.count == 1)
    }

    @Test("goes away altogether when the account does, also what an action is carried out for")
    func removed() async throws {
        let gate = Gate()
        let signIn = PresentationAction("signIn", title: "Sign In") { () async -> Verdict in
            await gate.pass()
            return .retry
        }
        let presenter = FailurePresenter(
            policy: PresentationPolicy(texts: .english) {
                Present(status: 401, as: .alert(actions: [signIn, .dismiss]))
            })
        let order = Task { await presenter.handle(refusal(401)) }
        await presenter.wait { $0.alert != nil }
        presenter.choose(signIn, for: try #require(presenter.state.alert).id)
        await gate.waitForArrivals(1)
        let other = Task { await presenter.handle(Failure(TransportError(.refused))) }
        await presenter.wait { $0.alert != nil }
        presenter.present(Failure(TransportError(.offline)))

        presenter.removeAll()

        #expect(presenter.state.isEmpty)
        #expect(await order.value == .handled)
        #expect(await other.value == .handled)
        gate.open()
        for _ in 0..<10 { await Task.yield() }
        #expect(presenter.state.isEmpty)
    }

    @Test("is not offered after so many tries: an action that only leads to the same failure")
    func usedUp() async throws {
        var signIns = 0
        let signIn = PresentationAction("signIn", title: "Sign In") { () async -> Verdict in
            signIns += 1
            return .retry
        }
        let help = PresentationAction("help", title: "Help") { () async -> Void in }
        let presenter = FailurePresenter(
            policy: PresentationPolicy(texts: .english) {
                Present(status: 401, as: .alert(actions: [signIn, help, .dismiss]))
            })
        let transport = ScriptedTransport(.status(401).repeated())
        let client = try Client.standard(
            baseURL: "https://shop.example.com", transport: transport, retry: .never, logging: nil)
        let person = Task { () -> [[String]] in
            var offered: [[String]] = []
            for await state in presenter.states {
                guard let shown = state.alert else { continue }
                offered.append(shown.presentation.actions.map(\.title))
                presenter.choose(shown.presentation.actions.first { $0 == signIn } ?? .dismiss, for: shown.id)
                if offered.count == 4 { break }
            }
            return offered
        }
        let outcome = await DefaultHandlers.withHandlers {
            presenter
        } operation: {
            await client.perform(.get("orders"))
        }
        #expect(outcome.handledBy == "presenter")
        #expect(await person.value.last == ["Help", "Cancel"])
        #expect(signIns == 3 && transport.requests.count == 4)
    }
}
