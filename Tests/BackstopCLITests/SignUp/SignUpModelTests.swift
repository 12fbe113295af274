#if Demo
    import Backstop
    import BackstopCombine
    import BackstopCore
    import BackstopPresentation
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @testable import BackstopCLI

    @Suite("The model of the sign-up form", .limited)
    @MainActor
    struct SignUpModelTests {
        /// A model with a script in the place of the server, and a clock that stands still.
        @MainActor
        private struct Rig {
            let transport: ScriptedTransport
            let clock = ManualClock()
            let presenter: FailurePresenter
            let model: SignUpModel

            init(_ steps: ScriptedTransport.Step...) throws {
                transport = ScriptedTransport(steps)
                var options = CallOptions()
                options.clock = clock
                presenter = FailurePresenter(policy: .signUp(texts: .english), clock: clock)
                let client = try Client.signUp(
                    baseURL: "http://auth.example", transport: transport, options: options)
                model = SignUpModel(client: client, presenter: presenter, scheduler: ClockScheduler(clock: clock))
                presenter.beginInline(UserNameCheck.field)
                presenter.beginInline(nil)
            }

            /// Types a name, and waits until the pause after it has begun.
            func type(_ name: String) async {
                model.userName = name
                await clock.waitForSleeper(remaining: .milliseconds(800))
            }

            /// Types a name and pauses, so that a check begins.
            func pause(after name: String) async {
                await type(name)
                await clock.advance(by: .milliseconds(800))
                await wait { model.checkedName == name }
            }

            /// Waits until the model, or what is shown, is as a test wants it.
            func wait(until isReached: () -> Bool) async {
                let (changes, change) = AsyncStream.makeStream(of: Void.self)
                let subscription = model.objectWillChange.sink { change.yield() }
                let follower = Task { [presenter] in
                    for await _ in presenter.states { change.yield() }
                }
                change.yield()
                for await _ in changes where isReached() {
                    break
                }
                follower.cancel()
                subscription.cancel()
            }

            /// The names that were asked for, in order.
            var asked: [String?] {
                transport.requests.map { request in
                    URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems?.first?.value
                }
            }

            var inline: String? { presenter.state.inline(UserNameCheck.field)?.presentation.message.text }
        }

        private nonisolated static func free(_ name: String) -> ScriptedTransport.Step {
            .json(200, #"{"isAvailable":true,"userName":"\#(name)"}"#)
        }

        private nonisolated static func taken(_ name: String) -> ScriptedTransport.Step {
            .json(200, #"{"isAvailable":false,"userName":"\#(name)"}"#)
        }

        private nonisolated static func refusal(
            _ status: Int, _ reason: String, retryAfter: String? = nil
        ) -> ScriptedTransport.Step {
            let headers: HTTP.Headers = retryAfter.map { ["Retry-After": $0] } ?? [:]
            return .json(status, #"{"error":true,"reason":"\#(reason)"}"#, headers: headers)
        }

        @Test("asks once, 0.8 s after the last of several keys")
        func debounced() async throws {
            let rig = try Rig(Self.free("ada.l"))
            for name in ["a", "ad", "ada", "ada."] {
                await rig.type(name)
                await rig.clock.advance(by: .milliseconds(799))
            }
            #expect(rig.transport.requests.isEmpty)
            await rig.type("ada.l")
            await rig.clock.advance(by: .milliseconds(799))
            #expect(rig.transport.requests.isEmpty)
            await rig.clock.advance(by: .milliseconds(1))
            await rig.wait { rig.model.status == .free }
            #expect(rig.asked == ["ada.l"])
        }

        @Test("does not ask again about the name that was just checked, and still knows the answer")
        func duplicates() async throws {
            let rig = try Rig(Self.free("ada.l"), Self.taken("johndoe"))
            await rig.pause(after: "ada.l")
            await rig.wait { rig.model.status == .free }
            await rig.type("ada.lo")
            #expect(rig.model.status == .unknown)
            await rig.type("ada.l")
            #expect(rig.model.status == .free)
            await rig.clock.advance(by: .seconds(5))
            await rig.pause(after: "johndoe")
            await rig.wait { rig.inline != nil }
            #expect(rig.asked == ["ada.l", "johndoe"])
        }

        @Test("does not ask about an empty name by itself")
        func empty() async throws {
            let rig = try Rig(Self.free("ada.l"))
            await rig.type("a")
            await rig.type("")
            await rig.clock.advance(by: .seconds(5))
            await rig.pause(after: "ada.l")
            await rig.wait { rig.model.status == .free }
            #expect(rig.asked == ["ada.l"])
        }

        @Test("counts only the latest answer: a check that is overtaken is cancelled")
        func latest() async throws {
            let rig = try Rig(.delay(.seconds(4), then: Self.taken("first1")), Self.free("second"))
            await rig.pause(after: "first1")
            await rig.clock.waitForSleeper(remaining: .seconds(4))
            #expect(rig.model.status == .checking)
            await rig.pause(after: "second")
            await rig.wait { rig.model.status == .free }
            await rig.clock.advance(by: .seconds(10))
            #expect(rig.model.status == .free)
            #expect(rig.presenter.state.isEmpty)
            #expect(rig.transport.cancellations == 1)
        }

        struct Row: Sendable, CustomTestStringConvertible {
            let step: ScriptedTransport.Step
            let name: String
            let kind: Presentation.Kind
            let text: String
            var testDescription: String { name }
        }

        private nonisolated static let rows = [
            Row(step: taken("johndoe"), name: "johndoe", kind: .inline, text: "“johndoe” is taken."),
            Row(
                step: refusal(400, "Username is too short."), name: "abc", kind: .inline, text: "Username is too short."
            ),
            Row(
                step: refusal(400, "Username is not valid: admin."), name: "admin", kind: .inline,
                text: "Username is not valid: admin."),
            Row(
                step: .json(200, #"{"isAvailable":false}"#), name: "illegalresponse", kind: .alert,
                text: "This version of the app does not understand the server any more."),
            Row(
                step: refusal(500, "The database is corrupted"), name: "servererror", kind: .banner,
                text: "The service has a problem."),
            Row(
                step: refusal(500, "Temporarily unavailable for maintenance", retryAfter: "17"), name: "maintenance",
                kind: .fullScreen, text: "We are improving the sign-up."),
        ]

        @Test("each answer has its look, and is asked for once", arguments: rows)
        func looks(row: Row) async throws {
            let rig = try Rig(row.step)
            await rig.pause(after: row.name)
            await rig.wait { !rig.presenter.state.isEmpty }
            let state = rig.presenter.state
            let shown = state.modals + state.banners + state.inlines
            #expect(shown.map(\.presentation.kind) == [row.kind])
            #expect(shown.map(\.presentation.message.text) == [row.text])
            #expect(rig.asked == [row.name])
        }

        @Test("counts down in maintenance, asks again by itself, and has the answer in the end")
        func maintenance() async throws {
            let closed = Self.refusal(500, "Temporarily unavailable for maintenance", retryAfter: "2")
            let rig = try Rig(closed, closed, Self.free("maintenance"))
            await rig.pause(after: "maintenance")
            for attempt in 1...2 {
                await rig.wait { rig.presenter.state.fullScreen?.remaining == .seconds(2) }
                #expect(rig.transport.requests.count == attempt)
                await rig.clock.waitForSleeper(remaining: .seconds(1))
                await rig.clock.advance(by: .seconds(1))
                await rig.wait { rig.presenter.state.fullScreen?.remaining == .seconds(1) }
                #expect(rig.transport.requests.count == attempt)
                await rig.clock.waitForSleeper(remaining: .seconds(1))
                await rig.clock.advance(by: .seconds(1))
            }
            await rig.wait { rig.model.status == .free }
            #expect(rig.presenter.state.isEmpty)
            #expect(rig.transport.requests.count == 3)
        }

        @Test("takes the countdown away when another name is checked")
        func otherName() async throws {
            let rig = try Rig(
                Self.refusal(500, "Temporarily unavailable for maintenance", retryAfter: "17"), Self.free("ada.l"))
            await rig.pause(after: "maintenance")
            await rig.wait { rig.presenter.state.fullScreen != nil }
            await rig.pause(after: "ada.l")
            await rig.wait { rig.model.status == .free && rig.presenter.state.isEmpty }
            await rig.clock.advance(by: .seconds(60))
            #expect(rig.asked == ["maintenance", "ada.l"])
        }

        @Test("says nothing of a server that is gone while somebody types, and says so when they sign up")
        func stopped() async throws {
            let gone = ScriptedTransport.Step.failure(TransportError(.refused, phase: .connecting))
            let rig = try Rig(gone, gone, Self.free("ada.l"))
            await rig.pause(after: "ada.l")
            await rig.wait { rig.model.latestStatus == .unknown }
            #expect(rig.presenter.state.isEmpty)

            rig.model.submit()
            await rig.wait { rig.presenter.state.alert != nil }
            let alert = try #require(rig.presenter.state.alert)
            #expect(alert.presentation.actions == [.retry, .dismiss])

            rig.presenter.retry(alert.id)
            await rig.wait { rig.model.status == .signedUp }
            #expect(rig.asked == ["ada.l", "ada.l", "ada.l"])
        }

        @Test("welcomes nobody who types the name of an account that was just made")
        func secondAccount() async throws {
            let rig = try Rig(Self.free("ada.l"), Self.free("ada.l"))
            rig.model.userName = "ada.l"
            rig.model.submit()
            await rig.wait { rig.model.status == .signedUp }
            rig.model.userName = ""
            #expect(rig.model.status == .unknown)
            await rig.type("ada.l")
            #expect(rig.model.status == .unknown)
            await rig.clock.advance(by: .milliseconds(800))
            await rig.wait { rig.model.status == .free }
            #expect(rig.asked == ["ada.l", "ada.l"])
        }

        @Test("asks again about a name when another was submitted since, however soon it is typed again")
        func submittedBetween() async throws {
            let rig = try Rig(
                Self.taken("johndoe"), Self.refusal(400, "Username is not valid: admin."), Self.taken("johndoe"))
            await rig.pause(after: "johndoe")
            await rig.wait { rig.inline == "“johndoe” is taken." }
            rig.model.userName = "admin"
            rig.model.submit()
            await rig.wait { rig.inline == "Username is not valid: admin." }
            await rig.type("johndoe")
            await rig.clock.advance(by: .milliseconds(800))
            await rig.wait { rig.inline == "“johndoe” is taken." }
            #expect(rig.asked == ["johndoe", "admin", "johndoe"])
        }

        private nonisolated static let fruitless: [ScriptedTransport.Step] = [
            .failure(TransportError(.refused, phase: .connecting)), refusal(500, "The database is corrupted"),
            .json(200, #"{"isAvailable":false}"#),
        ]

        @Test("asks again about a name when its check failed", arguments: fruitless.indices)
        func failedCheck(index: Int) async throws {
            let rig = try Rig(Self.fruitless[index], Self.free("ada.l"))
            await rig.pause(after: "ada.l")
            await rig.wait { rig.model.latestStatus == .unknown }
            await rig.type("")
            await rig.clock.advance(by: .milliseconds(800))
            await rig.type("ada.l")
            await rig.clock.advance(by: .milliseconds(800))
            await rig.wait { rig.model.status == .free }
            #expect(rig.asked == ["ada.l", "ada.l"])
        }

        @Test("submits once, however often the button is pressed")
        func presses() async throws {
            let rig = try Rig(.delay(.seconds(4), then: Self.free("ada.l")), Self.free("ada.l"))
            rig.model.userName = "ada.l"
            rig.model.submit()
            await rig.clock.waitForSleeper(remaining: .seconds(4))
            for _ in 1...5 {
                rig.model.submit()
                await rig.clock.advance(by: .milliseconds(100))
            }
            #expect(rig.model.status == .submitting)
            await rig.clock.advance(by: .seconds(4))
            await rig.wait { rig.model.status == .signedUp }
            rig.model.submit()
            #expect(rig.model.status == .signedUp)
            #expect(rig.asked == ["ada.l"])
            #expect(rig.transport.cancellations == 0)
        }

        @Test("lets no check take the place of a submission, and welcomes whoever was signed up")
        func typedMeanwhile() async throws {
            let rig = try Rig(.delay(.seconds(4), then: Self.free("ada.l")), Self.free("ada.lo"))
            rig.model.userName = "ada.l"
            rig.model.submit()
            await rig.clock.waitForSleeper(remaining: .seconds(4))
            await rig.type("ada.lo")
            await rig.clock.advance(by: .milliseconds(800))
            #expect(rig.model.status == .submitting)
            await rig.clock.advance(by: .milliseconds(3200))
            await rig.wait { rig.model.status == .signedUp }
            #expect(rig.model.checkedName == "ada.l")
            #expect(rig.asked == ["ada.l"])
            #expect(rig.transport.cancellations == 0)
        }

        @Test("checks what was typed during a submission that was refused")
        func typedDuringRefusal() async throws {
            let rig = try Rig(.delay(.seconds(4), then: Self.taken("johndoe")), Self.free("ada.l"))
            rig.model.userName = "johndoe"
            rig.model.submit()
            await rig.clock.waitForSleeper(remaining: .seconds(4))
            await rig.type("ada.l")
            await rig.clock.advance(by: .seconds(4))
            await rig.wait { rig.model.latestStatus != .submitting }
            await rig.clock.waitForSleeper(remaining: .milliseconds(800))
            await rig.clock.advance(by: .milliseconds(800))
            await rig.wait { rig.model.status == .free }
            #expect(rig.asked == ["johndoe", "ada.l"])
        }

        @Test("is not asked a second time when the pause after the last key ends behind the button")
        func submitted() async throws {
            let rig = try Rig(Self.free("ada.l"))
            await rig.type("ada.l")
            rig.model.submit()
            await rig.wait { rig.model.status == .signedUp }
            await rig.clock.advance(by: .seconds(5))
            #expect(rig.model.status == .signedUp)
            #expect(rig.asked == ["ada.l"])
        }
    }
#endif
