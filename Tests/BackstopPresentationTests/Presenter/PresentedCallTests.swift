import BackstopAuthentication
import BackstopPresentation
import BackstopSubscriptions
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Calls whose failures a presenter shows", .limited)
@MainActor
struct PresentedCallTests {
    private let presenter: FailurePresenter
    private var options = CallOptions()

    init() {
        options.clock = RecordingClock()
        presenter = FailurePresenter(policy: PresentationPolicy(texts: .english), clock: options.clock)
    }

    private func client(_ transport: ScriptedTransport) throws -> Client {
        try Client.standard(
            baseURL: "https://shop.example.com", transport: transport, retry: .never, logging: nil, options: options
        ).withOptions { $0.observers.append(presenter) }
    }

    private func perform(_ client: Client) async -> Outcome<HTTP.Response> {
        await DefaultHandlers.withHandlers {
            presenter
        } operation: {
            await client.perform(.get("books"))
        }
    }

    /// What the person does with each presentation that comes, until the task is cancelled.
    private func person(_ answer: @escaping @MainActor (PresentedFailure) -> PresentationAction) -> Task<Void, Never> {
        let presenter = presenter
        return Task {
            for await state in presenter.states {
                if let shown = state.modal { presenter.choose(answer(shown), for: shown.id) }
            }
        }
    }

    @Test("ten that fail offline are one banner, until one succeeds")
    func offline() async throws {
        let client = try client(
            ScriptedTransport(
                .on(.get, "/books", .failure(TransportError(.offline)), repeating: 10),
                .on(.get, "/books", .status(204))))
        let calls = (0..<10).map { _ in Task { await perform(client) } }
        for call in calls {
            #expect(await call.value.handledBy == "presenter")
        }
        #expect(presenter.state.banners.map(\.count) == [10])

        #expect(await perform(client).value?.status == 204)
        await presenter.wait { $0.isEmpty }
    }

    @Test("one is sent again when the person says so")
    func retried() async throws {
        let client = try client(ScriptedTransport(.failure(TransportError(.refused)), .status(204)))
        let person = person { _ in .retry }
        #expect(await perform(client).value?.status == 204)
        person.cancel()
    }

    @Test("an order with an interceptor's key can be sent again under it, and has to be checked once that is over")
    func madeKey() async throws {
        let keys = Counter()
        let transport = ScriptedTransport(.failure(TransportError(.lost)).repeated())
        let client = try client(transport).withChain { chain in
            chain.prepending(
                ClosureInterceptor { request, _, next in
                    var request = request
                    request.headers[.idempotencyKey] = request.headers[.idempotencyKey] ?? "key \(keys.increment())"
                    return try await next(request)
                })
        }
        let shown = Notes<(isOffered: Bool, suggestion: String?)>()
        let person = person { one in
            shown.add((one.presentation.offersRetry, one.presentation.message.suggestion))
            return one.presentation.offersRetry ? .retry : .dismiss
        }
        let outcome = await client.perform(.post("orders")) { presenter }
        await presenter.wait { $0.isEmpty }
        person.cancel()
        let check = "Please check whether it worked before you try again."
        #expect(shown.all.map(\.isOffered) == [true, true, true, false])
        #expect(shown.all.map { $0.suggestion == check } == [false, false, false, true])
        let failure = try #require(outcome.failure)
        #expect(failure.message.suggestion == check)
        // A banner has no button to repeat it, so what it says is of the next call.
        let banners = PresentationPolicy(texts: .english) { Present(.any, as: .banner) }
        #expect(banners.presentation(of: failure, canRetry: true).message.suggestion == check)
        #expect(Set(transport.requests.map { $0.headers[.idempotencyKey] }) == ["key 1"])
    }

    @Test("one can be sent again three times; then nothing but \"OK\" is left")
    func exhausted() async throws {
        let transport = ScriptedTransport(.on(.get, "/books", .failure(TransportError(.refused))))
        let client = try client(transport)
        let person = person { shown in shown.presentation.offersRetry ? .retry : .dismiss }
        let outcome = await perform(client)
        person.cancel()
        #expect(outcome.handledBy == "presenter")
        #expect(transport.requests.count == 4)
    }

    @Test("a subscription is made again when the person says so, as long as it has given nothing")
    func subscription() async throws {
        struct Votes: GraphQL.Operation {
            struct Data: Decodable, Sendable { var votes: Int }
            var document: GraphQL.Document { .init(text: "subscription Votes { votes }") }
        }
        let transport = ScriptedTransport(
            .failure(TransportError(.refused)), .subscription([.result(#"{"data":{"votes":1}}"#), .lost]))
        let client = try client(transport)
        let offers = Lock<[Bool]>([])
        let person = person { shown in
            offers.withLock { $0.append(shown.presentation.offersRetry) }
            return shown.presentation.offersRetry ? .retry : .dismiss
        }
        var votes: [Int] = []
        let outcome = await client.perform(Votes(), by: .multipart) { result in
            votes.append(result.data.votes)
        } handlers: {
            presenter
        }
        person.cancel()
        #expect(votes == [1])
        #expect(offers.withLock { $0.first } == true)
        #expect(offers.withLock { $0.dropFirst().contains(true) } == false)
        #expect(outcome.failure?.code == "transport.lost" && outcome.handledBy == "presenter")
        #expect(outcome.failure?.transfer?.elements == 1)
        #expect(transport.requests.count == 2)
    }

    @Test("one that is cancelled while the person decides sends nothing, and takes its alert along")
    func cancelled() async throws {
        let transport = ScriptedTransport(.failure(TransportError(.refused)), .status(204))
        let client = try client(transport)
        let call = Task { await perform(client) }
        await presenter.wait { $0.alert != nil }

        call.cancel()

        guard case .cancelled = await call.value else {
            Issue.record("It was not cancelled.")
            return
        }
        await presenter.wait { $0.isEmpty }
        #expect(transport.requests.count == 1)
    }

    @Test("a server in maintenance is asked again when it said so, without anybody's doing")
    func maintenance() async throws {
        let transport = ScriptedTransport(
            .status(500, headers: ["Retry-After": "17"]), .status(500, headers: ["Retry-After": "17"]), .status(204))
        #expect(await perform(try client(transport)).value?.status == 204)
        #expect(options.clock.now >= .seconds(34))
    }

    @Test(
        "one that a countdown sends again stays that of the account it began with; a person may send it as another's",
        arguments: [true, false])
    func account(isTapped: Bool) async throws {
        let clock = ManualClock()
        let presenter = FailurePresenter(policy: PresentationPolicy(texts: .english), clock: clock)
        let credentials = try Credentials(TokenSet(access: "ann's", account: "ann")) { _ in nil }
        let transport = ScriptedTransport(.status(503, headers: ["Retry-After": "1"]), .status(200))
        let client = try client(transport).withChain {
            try $0.inserting(BearerAuthentication(credentials), outside: .decoding)
        }
        let call = Task { await client.perform(.get("orders")) { presenter } }
        await presenter.wait { $0.fullScreen != nil }
        await clock.waitForSleepers(1)

        try await credentials.signIn(TokenSet(access: "bob's", account: "bob"))
        if isTapped {
            presenter.retry(try #require(presenter.state.fullScreen).id)
        } else {
            await clock.runNextSleep()
        }

        let outcome = await call.value
        #expect(outcome.failure?.code == (isTapped ? nil : "rejected.accountChanged"))
        #expect(
            transport.requests.map { $0.headers[.authorization] }
                == (isTapped ? ["Bearer ann's", "Bearer bob's"] : ["Bearer ann's"]))
        #expect(presenter.state.isEmpty)
    }

    @Test("a failure that `send` throws is shown, and nothing is sent again")
    func thrown() async throws {
        let client = try client(ScriptedTransport(.failure(TransportError(.refused))))
        do throws(Failure) {
            _ = try await client.get("books")
        } catch {
            #expect(presenter.present(error))
        }
        #expect(presenter.state.alert?.presentation.actions == [.dismiss])
    }
}
