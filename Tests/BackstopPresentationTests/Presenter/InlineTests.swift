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
