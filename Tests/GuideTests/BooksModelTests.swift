import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The recipe for SwiftUI", .limited)
@MainActor
struct BooksModelTests {
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    private func model(_ transport: ScriptedTransport) throws -> BooksModel {
        BooksModel(
            client: try Client.standard(
                baseURL: "https://api.example.com/v1", transport: transport, retry: .never, logging: nil
            ).withOptions { $0.clock = RecordingClock() })
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test("it shows the books") func loaded() async throws {
        let model = try model(ScriptedTransport(.json(200, #"[{"id":1,"title":"Dune"}]"#)))

        await model.load()

        guard case .loaded(let books) = model.state else {
            Issue.record("the state is \(model.state)")
            return
        }
        #expect(books == [Book(id: 1, title: "Dune")])
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test("it says what went wrong, and whether trying again is of use", arguments: [(503, true), (422, false)])
    func failed(status: Int, expected: Bool) async throws {
        let model = try model(ScriptedTransport(.status(status)))

        await model.load()

        guard case .failed(let message, let canRetry) = model.state else {
            Issue.record("the state is \(model.state)")
            return
        }
        #expect(!message.text.isEmpty)
        #expect(canRetry == expected)
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test("no books yet is an empty list") func none() async throws {
        let model = try model(ScriptedTransport(.status(404)))

        await model.load()

        guard case .loaded(let books) = model.state else {
            Issue.record("the state is \(model.state)")
            return
        }
        #expect(books.isEmpty)
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test("a 401 is left to the defaults") func signIn() async throws {
        let model = try model(ScriptedTransport(.status(401)))
        let asked = RecordingLog()

        await DefaultHandlers.withHandlers {
            On(status: 401) { failure in asked.write(LogEntry(.info, failure.code, callID: 0)) }
        } operation: {
            await model.load()
        }

        #expect(asked.entries.map(\.message) == ["status.401"])
        guard case .loading = model.state else {
            Issue.record("the state is \(model.state)")
            return
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test("leaving the screen ends the call and shows nothing") func cancelled() async throws {
        let transport = ScriptedTransport(.hang)
        let model = try model(transport)

        let task = Task { await model.load() }
        await transport.waitForRequests(1)
        task.cancel()
        await task.value

        guard case .loading = model.state else {
            Issue.record("the state is \(model.state)")
            return
        }
    }
}
