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

    @Test("calls that wait together are sent again when the last of them may be", arguments: [("2", "3"), ("3", "2")])
    func together(one: String, other: String) async {
        let first = Task { await presenter.handle(refusal(retryAfter: one)) }
        await clock.waitForSleepers(1)
        let second = Task { await presenter.handle(refusal(retryAfter: other)) }
        await presenter.wait { $0.fullScreen?.count == 2 }
        #expect(presenter.state.fullScreen?.remaining == .seconds(3))

        for _ in 0..<3 { await clock.runNextSleep() }

        #expect(await first.value == .retry)
        #expect(await second.value == .retry)
        #expect(clock.now == .seconds(3))
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

        #expect(pauses == [.milliseconds(500), .milliseconds(500), .seconds(1)])
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

@Suite("A call that succeeds", .limited)
@MainActor
struct PresenterSuccessTests {
    private let presenter = FailurePresenter(
        policy: PresentationPolicy(texts: .english) {
            Present(.code("rejected.limit"), as: .banner(.untilSuccess, actions: [.retry, .dismiss]))
        })

    private func client(_ transport: ScriptedTransport) throws -> Client {
        try Client.standard(baseURL: "https://shop.example.com", transport: transport, retry: .never, logging: nil)
            .withOptions { $0.observers.append(presenter) }
    }

    @Test("takes the offline banner away")
    func offline() async throws {
        let client = try client(
            ScriptedTransport(.failure(TransportError(.offline)), .status(404), .status(204)))
        for expected in ["transport.offline", "status.404"] {
            do throws(Failure) {
                _ = try await client.get("books")
            } catch {
                #expect(error.code == expected)
                presenter.present(error)
            }
        }
        #expect(presenter.state.banners.count == 1)

        _ = try await client.get("books")

        await presenter.wait { $0.banners.isEmpty }
        #expect(presenter.state.modals.count == 1)
    }

    @Test("without asking the server, as from a cache, says nothing of the network")
    func cached() async throws {
        struct Answers: HTTP.Interceptor {
            func intercept(
                _ request: HTTP.Request, context: CallContext, next: HTTP.Next
            ) async throws -> HTTP.Response {
                HTTP.Response(status: 204, url: request.url)
            }
        }
        presenter.present(Failure(TransportError(.offline)))
        let cached = try client(ScriptedTransport(.status(204))).withChain {
            try $0.inserting(Answers(), outside: .retry)
        }
        _ = try await cached.get("books")
        for _ in 0..<10 { await Task.yield() }
        #expect(presenter.state.banners.count == 1)
    }

    @Test("sends calls again that wait for the network and may be repeated; others count as handled")
    func waiting() async throws {
        let url = try #require(URL(string: "https://shop.example.com/orders"))
        let calls = [HTTP.Method.get, .post].map { method in
            Task {
                await presenter.handle(
                    CallContext().finish(
                        failing: RejectionError(.limit, "busy"), asked: HTTP.Request(method, url: url)))
            }
        }
        await presenter.wait { $0.banners.first?.count == 2 }

        _ = try await client(ScriptedTransport(.status(204))).get("books")

        #expect(await calls[0].value == .retry)
        #expect(await calls[1].value == .handled)
    }

    @Test("of the same name takes away what stood at a field")
    func inline() async throws {
        presenter.beginInline("userName")
        let policy = PresentationPolicy(texts: .english) { Present(.any, as: .inline(field: "userName")) }
        let form = FailurePresenter(policy: policy)
        form.beginInline("userName")
        let client = try Client.standard(
            baseURL: "https://shop.example.com", transport: ScriptedTransport(.status(422), .status(204), .status(204)),
            logging: nil
        ).withOptions { $0.observers.append(form) }
        await client.withOptions { $0.name = "Check" }.perform(.get("check")) { form }
        #expect(form.state.inline("userName")?.presentation.code == "status.422")

        _ = try await client.withOptions { $0.name = "Other" }.get("other")
        for _ in 0..<10 { await Task.yield() }
        #expect(form.state.inlines.count == 1)
        _ = try await client.withOptions { $0.name = "Check" }.get("check")
        await form.wait { $0.isEmpty }
    }
}

@Suite("What stands at a field")
@MainActor
struct InlineTests {
    private struct Taken: FieldError {
        var field: String?
        var failureMessage: String? { "The name is taken." }
    }

    private let presenter = FailurePresenter(policy: PresentationPolicy(texts: .german))

    @Test("is shown there where a view shows it, at the form as a whole else, and as an alert where neither is")
    func placed() {
        presenter.present(Failure(Taken(field: "userName")))
        #expect(presenter.state.alert?.presentation.message.text == "The name is taken.")
        #expect(presenter.state.alert?.presentation.actions.map(\.title) == ["OK"])

        presenter.beginInline(nil)
        presenter.present(Failure(Taken(field: "userName")))
        #expect(presenter.state.inline(nil)?.presentation.message.text == "The name is taken.")

        presenter.beginInline("userName")
        presenter.present(Failure(Taken(field: "userName")))
        #expect(presenter.state.inline("userName")?.count == 1)
        #expect(presenter.state.modals.count == 1)
    }

    @Test("is the latest, until it is cleared or its last view has gone")
    func replaced() {
        presenter.beginInline("userName")
        presenter.beginInline("userName")
        presenter.present(Failure(Taken(field: "userName")))
        presenter.present(Failure(StatusError(500)))
        struct Short: FieldError {
            var field: String? { "userName" }
        }
        presenter.present(Failure(Short()))
        #expect(presenter.state.inlines.map(\.presentation.code) == ["service.Short"])

        presenter.clearInline("password")
        #expect(presenter.state.inlines.count == 1)
        presenter.endInline("userName")
        #expect(presenter.state.inlines.count == 1)
        presenter.endInline("userName")
        presenter.endInline("userName")
        #expect(presenter.state.inlines.isEmpty && presenter.state.banners.count == 1)
    }

    @Test("has no end of fields, and keeps fifty")
    func bounded() {
        presenter.beginInline(nil)
        for number in 0..<60 {
            presenter.beginInline("\(number)")
            presenter.present(Failure(Taken(field: "\(number)")))
        }
        #expect(presenter.state.inlines.count == 50)
        #expect(presenter.state.inlines.first?.presentation.field == "10")
    }
}
