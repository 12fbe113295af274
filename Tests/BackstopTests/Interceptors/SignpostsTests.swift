import BackstopTestSupport
import BackstopTesting
import Testing

@testable import Backstop

@Suite("Signposts", .limited)
struct SignpostsTests {
    /// What began and ended, in its order.
    private let marks = Notes<String>()

    private func signposts(_ subject: RequestLogging.Subject) -> Signposts {
        Signposts(subject) { [marks] subject, text in
            let text = text().replacing(/^#\d+/, with: "#")
            marks.add("begin \(subject) \(text)")
            return { marks.add("end \(subject) \(text): \($0)") }
        }
    }

    private func client(_ rig: Rig) throws -> Client {
        try rig.standard().withChain {
            try $0.inserting(signposts(.attempt), inside: .retry).prepending(signposts(.call))
        }
    }

    @Test("mark a call and each of its attempts, with what came of them")
    func attempts() async throws {
        let rig = Rig(.status(503), .json(200, Book.json))
        _ = try await client(rig).send(BookEndpoint())
        #expect(
            marks.all == [
                "begin call # BookEndpoint",
                "begin attempt # BookEndpoint (attempt 1)", "end attempt # BookEndpoint (attempt 1): status.503",
                "begin attempt # BookEndpoint (attempt 2)", "end attempt # BookEndpoint (attempt 2): ok",
                "end call # BookEndpoint: ok",
            ])
    }

    @Test("end with the code of a failure, and show no secret in a name")
    func failure() async throws {
        let rig = Rig(.status(404))
        let client = try client(rig).withOptions { $0.name = "token=hunter2\nb" }
        await #expect(throws: Failure.self) { _ = try await client.send(BookEndpoint()) }
        let name = "# token=<redacted> b"
        #expect(marks.all.first == "begin call \(name)")
        #expect(marks.all.last == "end call \(name): status.404")
        #expect(marks.all.count == 4)
    }

    @Test("end as cancelled when the call is cancelled")
    func cancelled() async throws {
        let gate = Gate()
        let rig = Rig(
            .respond { _, _ in
                gate.open()
                try await untilCancelled()
                return HTTP.Response(status: 200)
            })
        let client = try client(rig)
        let task = Task { _ = try await client.send(BookEndpoint()) }
        await gate.pass()
        task.cancel()
        _ = await task.result
        #expect(marks.all.suffix(2).allSatisfy { $0.hasSuffix(": cancelled") })
    }

    @Test("only pass calls on where nobody records")
    func off() async throws {
        let rig = Rig(.json(200, Book.json))
        let client = try rig.standard().withChain { $0.prepending(Signposts(.call)) }
        #expect(try await client.send(BookEndpoint()).title.isEmpty == false)
        #expect(try client.withChain { $0.prepending(Signposts(.call)) }.chain.orderIssues.isEmpty)
    }
}
