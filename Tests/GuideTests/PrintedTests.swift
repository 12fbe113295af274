import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("What the guides show as printed", .limited)
struct PrintedTests {
    private struct Books: JSONEndpoint {
        struct Envelope: Decodable { var data: [Book] }
        func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books", query: ["page": 2]) }
        func content(from root: Envelope) throws -> [Book] { root.data }
    }

    /// Stands for what the system threw.
    private struct SystemError: Error {}

    private let clock = RecordingClock()

    private func client(
        _ base: String, _ transport: ScriptedTransport, log: RecordingLog = RecordingLog()
    ) throws -> Client {
        var options = CallOptions()
        options.clock = clock
        options.random = FixedRandom(units: 0.9, 0.8)
        var handling = FailureHandling()
        handling.log = log
        return try Client.standard(
            baseURL: base, transport: transport, logging: RequestLogging(.call, to: log), options: options,
            handling: handling)
    }

    private func expectShown(_ printed: String, in path: String) throws {
        #expect(try Guide(path).shows(printed), "\(path) should show:\n\(printed)\n")
    }

    @Test("Testing: a matrix whose exceptions are all that the handlers leave") func matrix() async throws {
        let matrix = await FailureMatrix.run {
            On(.offline) { _ in }
            On(status: 401) { _ in }
            On(status: 409) { _ in }
            On(.transient) { _ in .retry(after: .seconds(1)) }
            On(.decoding) { _ in }
            On(.timeout.or(.rejected)) { _ in }
        }
        let exceptions = ["request.*", "transport.*", "status.*", "service.*", "storage.*", "other"]
        try matrix.requireAllHandled(except: exceptions)
        let shown = exceptions.map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(try Guide("Docs/Testing.md").text.contains("requireAllHandled(except: \(shown))"))
    }

    @Test("Failures: a host that does not exist") func unknownHost() async throws {
        let error = TransportError(
            .dns, phase: .connecting, detail: "Could not resolve host: shop.example.com", underlying: SystemError())
        let transport = ScriptedTransport(
            .delay(.milliseconds(13), then: .failure(error)), .delay(.milliseconds(4), then: .failure(error)),
            .delay(.milliseconds(2), then: .failure(error)))

        let failure = await #expect(throws: Failure.self) {
            _ = try await client("https://shop.example.com/api", transport).get("books", as: [Book].self)
        }

        try expectShown("\(try #require(failure))", in: "Docs/Failures.md")
    }

    @Test("README: a list with a typing error") func misspeltKey() async throws {
        let transport = ScriptedTransport(
            .delay(.milliseconds(48), then: .json(200, #"[{"id":1,"title":"Dune"},{"id":2,"titel":"Emma"}]"#)))

        let failure = await #expect(throws: Failure.self) {
            _ = try await client("https://shop.example.com/api", transport).get("books", as: [Book].self)
        }

        try expectShown("\(try #require(failure))", in: "README.md")
    }

    /// The body behind the failure that the guide to handlers shows.
    private static let body = #"{"data":[{"id":1,"title":"Dune"},{"id":2,"titel":"Emma"}]}"#

    @Test("Handlers: what nobody handled") func unhandled() async throws {
        let log = RecordingLog()
        let client = try client("https://api.example.com/v1", ScriptedTransport(.json(200, Self.body)), log: log)

        _ = await DefaultHandlers.withHandlers {
        } operation: {
            await client.perform(Books())
        }

        let lines = try #require(log.entries.last).message.split(separator: "\n").prefix(5)
        try expectShown(lines.joined(separator: "\n"), in: "Docs/Handlers.md")
    }

    @Test("Getting started: the line of a call that was sent three times") func logLine() async throws {
        let log = RecordingLog()
        let transport = ScriptedTransport(
            .status(503, headers: ["Retry-After": "2"]).repeated(2), .json(200, #"{"data":[]}"#))

        _ = try await client("https://api.example.com/v1", transport, log: log).send(Books())

        let entry = try #require(log.entries.last)
        let message = entry.message.replacing(/#\d+/, with: "#2")
        try expectShown("\(entry.level): \(message)", in: "Docs/GettingStarted.md")
    }

    @Test(
        "Failures: explanations",
        arguments: [
            (200, "application/json", #"{"id":"one","title":"Dune"}"#),
            (200, "text/html", "<html><head><title>Sign in</title></head><body></body></html>"),
        ])
    func explanation(status: Int, type: String, body: String) async throws {
        let transport = ScriptedTransport(.status(status, headers: [.contentType: type], body: body))

        let failure = await #expect(throws: Failure.self) {
            _ = try await client("https://api.example.com/v1", transport).get("books/1", as: Book.self)
        }

        guard case .decoding(let decoding) = failure?.reason else {
            Issue.record("no decoding failure")
            return
        }
        #expect(
            try Guide("Docs/Failures.md").text.replacing("\n", with: " ").contains(decoding.explanation),
            "\(decoding.explanation)")
    }

    @Test("Failures: the picture of the attempts") func attempts() async throws {
        let transport = ScriptedTransport(.status(503, headers: ["Retry-After": "2"]).repeated())

        let failure = await #expect(throws: Failure.self) {
            _ = try await client("https://api.example.com/v1", transport).send(Books())
        }

        try expectShown(try #require(failure).trace.text, in: "Docs/Failures.md")
    }

    @Test("Testing: the order of a chain", arguments: ["Docs/Testing.md"]) func order(path: String) throws {
        let chain = try HTTP.Chain(transport: ScriptedTransport()) {
            Deadline()
            Retry()
            Decoding()
            APIErrorDecoding(ProblemDetails.self)
            StatusValidation()
            AttemptTimeout()
        }

        let error = #expect(throws: (any Error).self) { try chain.requireOrder() }

        let lines = "\(try #require(error))".split(separator: "\n").map(String.init)
        try expectShown(lines[0], in: path)
        let issue = try #require(chain.orderIssues.first).description
        #expect(try Guide("Docs/Interceptors.md").text.replacing("\n", with: " ").contains(issue))
    }

    @Test("Troubleshooting: a stub of a script that was not used up") func unusedStub() throws {
        let error = #expect(throws: ScriptError.self) { try ScriptedTransport(.status(200)).checkFinished() }

        let sentence = error?.description.split(separator: ":").first ?? ""
        #expect(try Guide("Docs/Troubleshooting.md").text.contains("`\(sentence)`"))
    }

    @Test("GraphQL: the hash of the document") func documentHash() throws {
        let guide = try Guide("Docs/GraphQL.md")
        // SHA-256 of the text between the quotes, by sha256sum.
        let hash = "45d2bec21196f9c5fc48f109c0127de52ccda1ef26e3fa2ff06a687395652403"

        #expect(
            guide.blocks.contains { $0.text.contains(#""query Hero { hero { name } }""#) && $0.text.contains(hash) })
    }

    @Test("README: no more than 120 lines") func readmeLength() throws {
        #expect(try Guide("README.md").text.split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
    }

    @Test("there is no release yet, so no manifest asks for one") func manifests() throws {
        let docs = try FileManager.default
            .contentsOfDirectory(atPath: Guide.package.appendingPathComponent("Docs").path)
            .filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }
        for path in docs + ["README.md"] {
            for block in try Guide(path).blocks where block.text.hasPrefix("// swift-tools-version") {
                #expect(block.text.contains("branch: \"main\""), "\(path)")
            }
        }
    }
}
