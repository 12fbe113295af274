import BackstopCore
import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

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
        let client = try client(ScriptedTransport(.failure(TransportError(.offline)), .status(204)))
        presenter.present(Failure(StatusError(404)))
        do throws(Failure) {
            _ = try await client.get("books")
        } catch {
            presenter.present(error)
        }
        #expect(presenter.state.banners.map(\.presentation.code) == ["transport.offline"])

        _ = try await client.get("books")

        await presenter.wait { $0.banners.isEmpty }
        #expect(presenter.state.modals.count == 1)
    }

    @Test("makes \"You are offline\" a lost connection for an order that waits, which is to be checked as before")
    func offlineOrder() async throws {
        let policy = PresentationPolicy(texts: .english) {
            Present(.offline, as: .banner(.untilSuccess, actions: [.retry, .dismiss]))
        }
        let presenter = FailurePresenter(policy: policy)
        let order = try client(ScriptedTransport(.failure(TransportError(.offline, phase: .waiting))))
        let call = Task { await order.perform(.post("orders")) { presenter } }
        await presenter.wait { !$0.banners.isEmpty }
        let check = "Please check whether it worked before you try again."
        #expect(presenter.state.banners.first?.presentation.message.suggestion == check)
        let other = try Client.standard(
            baseURL: "https://shop.example.com", transport: ScriptedTransport(.status(404)), logging: nil
        ).withOptions { $0.observers.append(presenter) }
        _ = try? await other.get("books")
        await presenter.wait { $0.banners.first?.presentation.message.title == "Connection lost" }
        #expect(presenter.state.banners.first?.presentation.message.suggestion == check)
        presenter.dismiss(try #require(presenter.state.banners.first).id)
        #expect(await call.value.handledBy == "presenter")
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

    @Test("sends calls again that wait for the network and may be repeated; others keep their banner")
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
        await presenter.wait { $0.banners.map(\.count) == [1] }
        // What is left is for the person to decide, whatever succeeds next.
        #expect(presenter.state.banners.first?.presentation.lifetime == .untilDismissed)
        presenter.dismiss(try #require(presenter.state.banners.first).id)
        #expect(await calls[1].value == .handled)
    }

    @Test(
        "leaves what stands at a field when it began before the latest refusal, though an older refusal came after that"
    )
    func lateReport() async throws {
        presenter.beginInline(nil)
        let gates = [Gate(), Gate()]
        let client = try client(
            ScriptedTransport(
                .respond { _, _ in
                    await gates[0].pass()
                    return HTTP.Response(status: 422)
                },
                .respond { _, _ in
                    await gates[1].pass()
                    return HTTP.Response(status: 204)
                },
                .status(422)
            )
        ).withOptions { $0.name = "Check" }
        let form = FailurePresenter(policy: PresentationPolicy(texts: .english) { Present(.any, as: .inline) })
        form.beginInline(nil)
        let calls = client.withOptions { $0.observers = [form] }
        let oldest = Task { await calls.perform(.get("check")) { form } }
        await gates[0].waitForArrivals(1)
        let slow = Task { try await calls.get("check") }
        await gates[1].waitForArrivals(1)
        await calls.perform(.get("check")) { form }
        #expect(form.state.inlines.map(\.count) == [1])
        gates[0].open()
        _ = await oldest.value
        #expect(form.state.inlines.map(\.count) == [1], "what the later call was told stands for both")
        gates[1].open()
        _ = try await slow.value
        for _ in 0..<50 { await Task.yield() }
        #expect(form.state.inlines.count == 1)
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
