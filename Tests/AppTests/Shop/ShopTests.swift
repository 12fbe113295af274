import BackstopAuthentication
import BackstopPresentation
import BackstopTesting
import Testing

@MainActor
struct ShopTests {
    /// The clock of banners and countdowns, which stands still.
    private let clock = ManualClock()

    /// A shop without a network, without waits, and with English texts.
    private func shop(_ transport: ScriptedTransport) throws -> Shop {
        var options = CallOptions()
        options.clock = RecordingClock()
        return try Shop(transport: transport, options: options, clock: clock, texts: .english)
    }

    /// What a person does: taps the first button of the alert that comes.
    private func tap(_ presenter: FailurePresenter) -> Task<Void, Never> {
        Task {
            for await state in presenter.states {
                if let shown = state.alert { return presenter.choose(shown.presentation.actions[0], for: shown.id) }
            }
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test("a refusal stands at its field") func refusal() async throws {
        let shop = try shop(
            ScriptedTransport(.json(422, #"{"error": true, "reason": "Only 3 left.", "field": "quantity"}"#)))
        shop.presenter.beginInline("quantity")

        await DefaultHandlers.withHandlers {
            shop.presenter
        } operation: {
            await CatalogModel(client: shop.client).buy(Book(id: 1, title: "Dune"), quantity: 5)
        }

        #expect(shop.presenter.state.inline("quantity")?.presentation.message.text == "Only 3 left.")
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test("an order goes on after the sign-in") func signIn() async throws {
        // The token has expired, and so has the refresh token.
        let transport = ScriptedTransport(
            .status(401), .json(400, #"{"error": "invalid_grant"}"#), .json(201, #"{"number": 7}"#))
        let shop = try shop(transport)
        try await shop.session.credentials.signIn(TokenSet(access: "old", refresh: "r1", account: "ann"))
        shop.session.signIn = { TokenSet(access: "new", account: "ann") }
        let model = CatalogModel(client: shop.client)

        let tap = tap(shop.presenter)
        await DefaultHandlers.withHandlers {
            shop.presenter
        } operation: {
            await model.buy(Book(id: 1, title: "Dune"), quantity: 1)
        }
        await tap.value

        #expect(model.lastOrder == Order(number: 7))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old", nil, "Bearer new"])
        #expect(transport.requests[0].headers[.idempotencyKey] == transport.requests[2].headers[.idempotencyKey])
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test("an order is never sent as somebody else's") func otherAccount() async throws {
        let transport = ScriptedTransport(
            .status(401), .json(400, #"{"error": "invalid_grant"}"#), .json(201, #"{"number": 7}"#))
        let shop = try shop(transport)
        try await shop.session.credentials.signIn(TokenSet(access: "old", refresh: "r1", account: "ann"))
        shop.session.signIn = { TokenSet(access: "bob's", account: "bob") }
        let model = CatalogModel(client: shop.client)

        let tap = tap(shop.presenter)
        await DefaultHandlers.withHandlers {
            shop.presenter
        } operation: {
            await model.buy(Book(id: 1, title: "Dune"), quantity: 1)
        }
        await tap.value

        #expect(model.lastOrder == nil && transport.requests.count == 2)
        // Nobody is told: who is there now has not ordered.
        #expect(shop.presenter.state.isEmpty)
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test("a banner goes away after ten seconds") func banner() async throws {
        let shop = try shop(ScriptedTransport(.status(500).repeated()))
        await DefaultHandlers.withHandlers {
            shop.presenter
        } operation: {
            await CatalogModel(client: shop.client).buy(Book(id: 1, title: "Dune"), quantity: 1)
        }
        #expect(shop.presenter.state.banners.count == 1)

        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(10))
        for await state in shop.presenter.states where state.isEmpty { break }
    }

    @Test("whatever fails is shown") func everyFailure() async throws {
        let shop = try shop(ScriptedTransport())
        let matrix = await FailureMatrix.run { shop.presenter }
        try matrix.requireAllHandled()
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test("what is only recommended is not missed") func recommendations() async throws {
        let shop = try shop(
            ScriptedTransport(
                .on(.get, "/api/books", .json(200, #"[{"id": 1, "title": "Dune"}]"#)),
                .on(.get, "/api/books/recommended", .status(404))))
        let model = CatalogModel(client: shop.client)

        await DefaultHandlers.withHandlers {
            shop.presenter
        } operation: {
            await model.load()
        }

        #expect(model.books == .loaded([Book(id: 1, title: "Dune")]))
        #expect(model.recommendations.failure?.statusCode == 404)
        #expect(shop.presenter.state.isEmpty)
    }
}
