import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("What stands at a field", .limited)
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

    @Test("is each call's own, also where two are refused in the same words")
    func calls() async throws {
        presenter.beginInline("userName")
        let client = try Client.standard(
            baseURL: "https://shop.example.com", transport: ScriptedTransport(.status(204).repeated()), logging: nil
        ).withOptions { $0.observers.append(presenter) }
        for name in ["payment", "profile"] {
            presenter.present(Failure(Taken(field: "userName"), name: name))
        }
        #expect(presenter.state.inlines.map(\.count) == [1, 1])

        _ = try await client.withOptions { $0.name = "profile" }.get("check")
        await presenter.wait { $0.inlines.count == 1 }
        #expect(presenter.state.inline("userName")?.presentation.message.text == "The name is taken.")
        _ = try await client.withOptions { $0.name = "payment" }.get("check")
        await presenter.wait { $0.isEmpty }
    }

    @Test("is not taken away by a call that began before it was refused")
    func slow() async throws {
        presenter.beginInline(nil)
        let gate = Gate()
        let transport = ScriptedTransport(
            .respond { request, _ in
                if request.url.path.hasSuffix("slow") { await gate.pass() }
                return HTTP.Response(status: request.url.path.hasSuffix("refused") ? 422 : 204, url: request.url)
            }.repeated())
        let client = try Client.standard(baseURL: "https://shop.example.com", transport: transport, logging: nil)
            .withOptions {
                $0.observers.append(presenter)
                $0.name = "check"
            }
        let slow = Task { try await client.get("slow") }
        await gate.waitForArrivals(1)
        await client.perform(.get("refused")) { presenter }
        #expect(presenter.state.inlines.count == 1)

        gate.open()
        _ = try await slow.value
        for _ in 0..<10 { await Task.yield() }
        #expect(presenter.state.inlines.count == 1)
        _ = try await client.get("again")
        await presenter.wait { $0.isEmpty }
    }

    /// A client whose calls have one name, and are refused but for those of `accepted`; those of `slow` wait.
    private func client(slowUntil gate: Gate) throws -> Client {
        let transport = ScriptedTransport(
            .respond { request, _ in
                if request.headers["Later"] == "accepted" { return HTTP.Response(status: 204, url: request.url) }
                if request.url.path.contains("slow"), request.headers["Later"] == nil { await gate.pass() }
                if request.url.path.hasSuffix("taken") { throw Taken() }
                if request.url.path.hasSuffix("street") { throw Taken(field: "street") }
                if request.url.path.hasSuffix("city") { throw Taken(field: "city") }
                if request.url.path.hasSuffix("address") { throw Address() }
                return HTTP.Response(status: request.url.path.hasSuffix("accepted") ? 204 : 422, url: request.url)
            }.repeated())
        return try Client.standard(baseURL: "https://shop.example.com", transport: transport, logging: nil)
            .withOptions {
                $0.observers.append(presenter)
                $0.name = "check"
            }
    }

    @Test("is kept back if a call of the name that began later was accepted, or refused, before it came")
    func late() async throws {
        presenter.beginInline(nil)
        let gate = Gate()
        let client = try client(slowUntil: gate)
        let slow = Task { await client.perform(.get("slow")) { presenter } }
        await gate.waitForArrivals(1)
        _ = try await client.get("accepted")
        let other = Task { await client.withOptions { $0.name = "other" }.perform(.get("slow")) { presenter } }
        await gate.waitForArrivals(2)
        await client.withOptions { $0.name = "other" }.perform(.get("refused")) { presenter }
        #expect(presenter.state.inlines.map(\.count) == [1])

        gate.open()
        _ = await (slow.value, other.value)
        #expect(presenter.state.inlines.map(\.count) == [1])
        #expect(presenter.state.modals.isEmpty)
        presenter.present(Failure(Taken(field: nil), name: "check"))
        #expect(presenter.state.inlines.count == 2, "one made by hand has no time")
    }

    @Test("is an alert if an order of the name that began later was accepted before it came: this one was not placed")
    func overtaken() async throws {
        presenter.beginInline(nil)
        let gate = Gate()
        let client = try client(slowUntil: gate)
        let slow = Task { await client.perform(.post("slow")) { presenter } }
        await gate.waitForArrivals(1)
        _ = try await client.post("accepted")
        gate.open()
        _ = await slow.value
        #expect(presenter.state.inlines.isEmpty)
        #expect(presenter.state.modals.map(\.count) == [1])
    }

    @Test(
        "is an alert also if that one was refused before, and is counted where the form says the same",
        arguments: ["taken", "refused"])
    func overtakenByRefusal(later: String) async throws {
        presenter.beginInline(nil)
        let gate = Gate()
        let client = try client(slowUntil: gate)
        let slow = Task { await client.perform(.post("slow")) { presenter } }
        await gate.waitForArrivals(1)
        await client.perform(.post(later)) { presenter }
        let words = presenter.state.inlines.map(\.presentation.message.text)
        #expect((words == ["The name is taken."]) == (later == "taken"))
        gate.open()
        _ = await slow.value
        #expect(presenter.state.inlines.map(\.presentation.message.text) == words)
        #expect(presenter.state.modals.map(\.count) == (later == "taken" ? [1] : []))
        #expect(presenter.state.inlines.map(\.count) == (later == "taken" ? [1] : [2]))
        #expect(presenter.state.inlines.map(\.presentation.kind) == [.inline])
    }

    private struct Address: FieldError {
        let field: String? = nil
        var fieldDetails: [FieldDetail] { ["street", "city"].map { FieldDetail($0, detail: "Its \($0) is unknown.") } }
    }

    @Test("is one alert for all fields", arguments: [HTTP.Method.post, .put])
    func overtakenFields(method: HTTP.Method) async throws {
        for field in ["street", "city"] { presenter.beginInline(field) }
        let gate = Gate()
        let client = try client(slowUntil: gate)
        let slow = Task { await client.perform(HTTP.Call(method, "slow/address")) { presenter } }
        await gate.waitForArrivals(1)
        _ = try await client.send(HTTP.Call(method, "accepted"))
        gate.open()
        _ = await slow.value
        #expect(presenter.state.inlines.isEmpty)
        #expect(presenter.state.modals.map(\.count) == [1])
    }

    @Test(
        "is told also if a later change to the same place was accepted, or refused there: its sender may be another",
        arguments: [HTTP.Method.put, .delete, .post], ["accepted", "refused"])
    func samePlace(method: HTTP.Method, end: String) async throws {
        for field in [nil, "city"] { presenter.beginInline(field) }
        let gate = Gate()
        let client = try client(slowUntil: gate)
        let slow = Task { await client.perform(HTTP.Call(method, "slow/city")) { presenter } }
        await gate.waitForArrivals(1)
        await client.perform(HTTP.Call(method, "slow/city", headers: ["Later": end])) { presenter }
        #expect(presenter.state.inlines.map(\.count) == (end == "refused" ? [1] : []))
        gate.open()
        _ = await slow.value
        #expect(presenter.state.inlines.map(\.count) == (end == "refused" ? [2] : []))
        #expect(presenter.state.modals.map(\.count) == (end == "refused" ? [] : [1]))
    }

    @Test("is an alert also if a later one, or a call of another name, was refused in the same words for another field")
    func sameWords() async throws {
        for field in ["street", "city", nil] { presenter.beginInline(field) }
        let gate = Gate()
        let client = try client(slowUntil: gate)
        let slow = Task { await client.perform(.post("slow/city")) { presenter } }
        await gate.waitForArrivals(1)
        let other = client.withOptions { $0.name = "other" }
        await other.perform(.post("city")) { presenter }
        await client.perform(.post("street")) { presenter }
        #expect(presenter.state.inlines.map(\.presentation.field) == ["city", "street"])
        gate.open()
        _ = await slow.value
        #expect(presenter.state.inlines.map(\.presentation.field) == ["city", "street"])
        #expect(presenter.state.modals.map(\.count) == [1])
    }

    @Test("is an alert for each field that no view shows, also in the same words")
    func unseen() {
        for field in ["street", "city"] { presenter.present(Failure(Taken(field: field))) }
        #expect(presenter.state.modals.map(\.count) == [1, 1])
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

@Suite("The fields of a form", .limited)
@MainActor
struct FormFieldTests {
    private struct Invalid: FieldError {
        var field: String? { nil }
        let fieldDetails: [FieldDetail]
        init(_ names: String...) { fieldDetails = names.map { FieldDetail($0) } }
    }

    private let presenter = FailurePresenter(policy: PresentationPolicy(texts: .english))

    @Test("are there as long as the view that declares them, not only while a row is on the screen")
    func lifetime() async {
        var form: FieldRegistration? = FieldRegistration()
        var row: FieldRegistration? = FieldRegistration()
        form?.register([nil, "name", "email"], at: presenter)
        row?.register(["name"], at: presenter)
        row?.register(["name"], at: presenter)
        presenter.present(Failure(Invalid("email", "name")))
        #expect(presenter.state.inlines.count == 2 && presenter.state.modals.isEmpty)
        row = nil
        for _ in 0..<20 { await Task.yield() }
        #expect(presenter.state.inlines.count == 2)
        form = nil
        await presenter.wait { $0.isEmpty }
        presenter.present(Failure(Invalid("email")))
        #expect(presenter.state.alert != nil)
    }

    @Test("may get another name, which then has the messages")
    func renamed() {
        let row = FieldRegistration()
        row.register(["name"], at: presenter)
        presenter.present(Failure(Invalid("name")))
        row.register(["email"], at: presenter)
        #expect(presenter.state.isEmpty)
        presenter.present(Failure(Invalid("email")))
        #expect(presenter.state.inline("email") != nil)
    }

    @Test("have a first one of those that the latest call was refused for: to scroll to")
    func first() async throws {
        /// A call that is refused for some fields.
        func refuse(_ name: String, _ fields: String...) async throws {
            let errors = fields.map { ##"{"detail":"is wrong","pointer":"#/\##($0)"}"## }.joined(separator: ",")
            let body = ##"{"type":"about:blank","title":"Bad.","errors":[\##(errors)]}"##
            let transport = ScriptedTransport(.json(422, body, headers: ["Content-Type": "application/problem+json"]))
            let client = try Client.standard(baseURL: "https://shop.example.com", transport: transport, logging: nil)
                .withOptions { $0.name = name }
            await client.perform(.post("orders", json: ["age": -1])) { presenter }
        }
        for field in [nil, "name", "email", "age", "street"] { presenter.beginInline(field) }
        #expect(presenter.firstField == nil)
        try await refuse("profile", "age", "email")
        #expect(presenter.firstField == "email")
        try await refuse("order", "street", "age")
        #expect(presenter.firstField == "age")
        presenter.clearInline("age")
        #expect(presenter.firstField == "street")
        presenter.clearInline("street")
        #expect(presenter.firstField == "email")
        try await refuse("search", "unknown")
        #expect(presenter.firstField == "email" && presenter.state.inline(nil) != nil)
    }
}
