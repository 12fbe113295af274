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

        let read = try await order(.get)
        let order = try await order()
        _ = await failure(try client(.status(status)))
        #expect(await read.value == .retry)
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
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, *) else { return }
        let verdict = await fail(TransportError(.offline), with: presenter, thenSucceed: try await success())
        #expect(verdict == .handled)
        #expect(presenter.state.isEmpty)
    }

    @Test("what stands at a field is shown, though another call succeeded before it could be")
    func inlineOvertaken() async throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, *) else { return }
        let form = FailurePresenter(policy: PresentationPolicy(texts: .english) { Present(.any, as: .inline) })
        form.beginInline(nil)
        let verdict = await fail(StatusError(422), with: form, thenSucceed: try await success())
        #expect(verdict == .handled)
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

    /// A failure that reaches the presenter while the main actor is busy, and a success before it is free.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, *)
    private func fail(
        _ error: any Error, with presenter: FailurePresenter, thenSucceed success: FinishedCall
    ) async -> Verdict {
        let failed = DispatchSemaphore(value: 0)
        let executor = FirstStep {
            presenter.callFinished(success)
            failed.signal()
        }
        let call = Task.detached(executorPreference: executor) { await presenter.handle(Failure(error)) }
        Self.keepBusy(until: failed)
        return await call.value
    }

    private static func keepBusy(until end: DispatchSemaphore) {
        end.wait()
    }

    /// Runs a task, and does something when it waits for the first time.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, *)
    private final class FirstStep: TaskExecutor {
        private let queue = DispatchQueue(label: "first step")
        private let whenWaiting: Lock<(@Sendable () -> Void)?>

        init(whenWaiting: @escaping @Sendable () -> Void) {
            self.whenWaiting = Lock(whenWaiting)
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let executor = asUnownedTaskExecutor()
            queue.async {
                job.runSynchronously(on: executor)
                self.whenWaiting.withLock { action in
                    defer { action = nil }
                    return action
                }?()
            }
        }
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
