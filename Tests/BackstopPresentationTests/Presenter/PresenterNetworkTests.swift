import BackstopCore
import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("What the network does, as a presenter sees it", .limited)
@MainActor
struct PresenterNetworkTests {
    private let presenter = FailurePresenter(
        policy: PresentationPolicy(texts: .english) {
            Present(.offline) { failure in
                failure.name == "order" ? .banner(.untilSuccess, actions: [.retry, .dismiss]) : nil
            }
        })

    private func client(_ steps: ScriptedTransport.Step...) throws -> Client {
        try Client.standard(
            baseURL: "https://shop.example.com", transport: ScriptedTransport(steps), retry: .never, logging: nil
        ).withOptions { $0.observers.append(presenter) }
    }

    private func failure(_ client: Client) async -> Failure? {
        do throws(Failure) {
            _ = try await client.get("books")
            return nil
        } catch {
            return error
        }
    }

    /// An order that is offline, and waits on its banner.
    private func order(_ method: HTTP.Method = .post) async throws -> Task<Verdict, Never> {
        let url = try #require(URL(string: "https://shop.example.com/orders"))
        let before = presenter.state.banners.map(\.count).reduce(0, +)
        var options = CallOptions()
        options.name = "order"
        let call = Task { [options] in
            await presenter.handle(
                CallContext(options: options).finish(
                    failing: TransportError(.offline), asked: HTTP.Request(method, url: url)))
        }
        await presenter.wait { $0.banners.map(\.count).reduce(0, +) > before }
        return call
    }

    @Test("an order that waits for the network keeps its banner when another call succeeds, until the person decides")
    func kept() async throws {
        let order = try await order()
        presenter.present(Failure(TransportError(.offline)))
        let read = try await self.order(.get)

        _ = try await client(.status(204)).get("books")

        #expect(await read.value == .retry)
        await presenter.wait { $0.banners.count == 1 }
        let kept = try #require(presenter.state.banners.first)
        #expect(kept.count == 1)
        #expect(kept.presentation.message.title == "Connection lost")
        #expect(kept.presentation.actions.map(\.title) == ["Try Again", "Close"])
        _ = try await client(.status(204)).get("books")
        for _ in 0..<10 { await Task.yield() }
        #expect(presenter.state.banners.map(\.id) == [kept.id])

        presenter.retry(kept.id)
        #expect(await order.value == .retry)
    }

    @Test("orders that were kept one after the other share a banner, and a new failure has one of its own")
    func keptTwice() async throws {
        let first = try await order()
        _ = try await client(.status(204)).get("books")
        await presenter.wait { $0.banners.first?.presentation.message.title == "Connection lost" }
        let second = try await order()
        #expect(presenter.state.banners.map(\.presentation.message.title) == ["Connection lost", "You are offline"])

        _ = try await client(.status(204)).get("books")
        await presenter.wait { $0.banners.map(\.count) == [2] }

        presenter.dismiss(try #require(presenter.state.banners.first).id)
        #expect(await first.value == .handled)
        #expect(await second.value == .handled)
    }

    @Test("a banner that a call waits for gives its place to no other")
    func place() async throws {
        let order = try await order()
        for status in [500, 429] { presenter.present(Failure(StatusError(status))) }
        presenter.present(Failure(RejectionError(.limit, "busy")))
        #expect(
            presenter.state.banners.map(\.presentation.code) == ["transport.offline", "status.429", "rejected.limit"])
        order.cancel()
        #expect(await order.value == .unhandled)
    }

    @Test(
        "any answer of a server takes the offline banner away, and tells the truth where a call waits",
        arguments: [500, 404])
    func answered(status: Int) async throws {
        presenter.present(Failure(TransportError(.offline)))
        _ = await failure(try client(.status(status)))
        await presenter.wait { $0.isEmpty }

        let order = try await order()
        _ = await failure(try client(.status(status)))
        await presenter.wait { $0.banners.first?.presentation.message.title == "Connection lost" }
        order.cancel()
        #expect(await order.value == .unhandled)
    }

    @Test("what a cache answers after the network has failed says nothing")
    func cached() async throws {
        struct Kept: HTTP.Interceptor {
            var role: Role { .cache }
            func intercept(
                _ request: HTTP.Request, context: CallContext, next: HTTP.Next
            ) async throws -> HTTP.Response {
                do {
                    return try await next(request)
                } catch {
                    let kept = HTTP.Response(status: 200, url: request.url)
                    context.recordReceived(kept)
                    return kept
                }
            }
        }
        presenter.present(Failure(TransportError(.offline)))
        let client = try client(.failure(TransportError(.offline))).withChain {
            try $0.inserting(Kept(), outside: .retry)
        }
        #expect(try await client.get("books").status == 200)
        for _ in 0..<10 { await Task.yield() }
        #expect(presenter.state.banners.count == 1)
    }

    @Test("a call that succeeded before the banner of an earlier failure could be shown leaves none")
    func overtaken() async throws {
        let success = try await success()
        let presenter = presenter
        let failed = DispatchSemaphore(value: 0)
        let call = Task.detached { await presenter.handle(Failure(TransportError(.offline))) }
        Task.detached {
            // The main actor is busy all the while; the failure comes among the first of these.
            for _ in 0..<2000 {
                presenter.callFinished(success)
                await Task.yield()
            }
            failed.signal()
        }
        Self.keepBusy(until: failed)
        #expect(await call.value == .handled)
        #expect(presenter.state.isEmpty)
    }

    @Test("what stands at a field is shown, though another call succeeded before it could be")
    func inlineOvertaken() async throws {
        let success = try await success()
        let form = FailurePresenter(policy: PresentationPolicy(texts: .english) { Present(.any, as: .inline) })
        form.beginInline(nil)
        let failed = DispatchSemaphore(value: 0)
        let call = Task.detached { await form.handle(Failure(StatusError(422))) }
        Task.detached {
            for _ in 0..<2000 {
                form.callFinished(success)
                await Task.yield()
            }
            failed.signal()
        }
        Self.keepBusy(until: failed)
        #expect(await call.value == .handled)
        #expect(form.state.inlines.map(\.presentation.code) == ["status.422"])
    }

    @Test("a call that no server answered, or only before the network was gone, leaves the offline banner")
    func unanswered() async throws {
        presenter.present(Failure(TransportError(.offline)))
        _ = await failure(try client(.failure(TransportError(.refused))))
        let retrying = try Client.standard(
            baseURL: "https://shop.example.com",
            transport: ScriptedTransport(.status(503), .failure(TransportError(.offline))),
            retry: RetryPolicy(attempts: 2, backoff: Backoff(baseDelay: .zero)), logging: nil
        ).withOptions { $0.observers.append(presenter) }
        _ = await failure(retrying)
        for _ in 0..<50 { await Task.yield() }
        #expect(presenter.state.banners.map(\.presentation.code) == ["transport.offline"])
    }

    private static func keepBusy(until end: DispatchSemaphore) {
        end.wait()
    }

    private struct Seen: CallObserver {
        let calls = Notes<FinishedCall>()
        func callFinished(_ call: FinishedCall) { calls.add(call) }
    }

    /// A call that succeeded, as an observer sees it.
    private func success() async throws -> FinishedCall {
        let seen = Seen()
        _ = try await client(.status(204)).withOptions { $0.observers = [seen] }.get("books")
        return try #require(seen.calls.all.first)
    }
}
