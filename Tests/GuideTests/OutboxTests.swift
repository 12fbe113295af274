import Backstop
import BackstopAuthentication
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The recipe for writing offline", .limited)
struct OutboxTests {
    private static let saved = #"{"id":1}"#

    private func client(_ transport: ScriptedTransport) throws -> Client {
        try Client.standard(
            baseURL: "https://api.example.com/v1", transport: transport, retry: .never, logging: nil
        ).withOptions { $0.clock = RecordingClock() }
    }

    private func withFile(_ body: (URL) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file)
    }

    @Test("what cannot be sent waits, and goes out in order with its own keys") func waits() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(
                .failure(TransportError(.offline)).repeated(2), .json(201, Self.saved).repeated(2))
            let outbox = try Outbox(file: file, client: client(transport))
            try await outbox.add(AddNote(text: "first", key: "k1"))
            try await outbox.add(AddNote(text: "second", key: "k2"))
            #expect(await outbox.waiting.map(\.key) == ["k1", "k2"])

            await outbox.send()

            #expect(await outbox.waiting.isEmpty)
            #expect(transport.requests.map { $0.headers[.idempotencyKey] } == ["k1", "k1", "k1", "k2"])
        }
    }

    @Test("what waits outlasts the app") func outlasts() async throws {
        try await withFile { file in
            let offline = ScriptedTransport(.failure(TransportError(.offline)))
            try await Outbox(file: file, client: client(offline)).add(AddNote(text: "first", key: "k1"))

            let online = ScriptedTransport(.json(201, Self.saved))
            try await Outbox(file: file, client: client(online)).send()

            #expect(online.requests.map { $0.headers[.idempotencyKey] } == ["k1"])
            #expect(try await Outbox(file: file, client: client(online)).waiting.isEmpty)
        }
    }

    @Test("what cannot be stored is not sent, neither now nor with the next note") func unstored() async throws {
        try await withFile { folder in
            let transport = ScriptedTransport(.json(201, Self.saved))
            let outbox = try Outbox(file: folder.appendingPathComponent("notes"), client: client(transport))
            await #expect(throws: CocoaError.self) { try await outbox.add(AddNote(text: "first", key: "k1")) }
            #expect(await outbox.waiting.isEmpty)

            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try await outbox.add(AddNote(text: "first", key: "k2"))

            #expect(transport.requests.map { $0.headers[.idempotencyKey] } == ["k2"])
        }
    }

    @Test("what was sent has been added, even where the file cannot be written any more") func unremoved() async throws
    {
        try await withFile { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let transport = ScriptedTransport(
                .respond { _, _ in
                    try FileManager.default.removeItem(at: folder)
                    return HTTP.Response(status: 201, body: Data(Self.saved.utf8))
                })
            let outbox = try Outbox(file: folder.appendingPathComponent("notes"), client: client(transport))

            #expect(try await outbox.add(AddNote(text: "first")).isEmpty)

            #expect(await outbox.waiting.isEmpty)
        }
    }

    @Test("what an account wrote waits until it is signed in again") func account() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(.json(201, Self.saved))
            let credentials = try Credentials(TokenSet(access: "b", account: "bob")) { _ in nil }
            let client = try Client.standard(
                baseURL: "https://api.example.com/v1", transport: transport, retry: .never,
                authentication: BearerAuthentication(credentials), logging: nil
            ).withOptions {
                $0.values.account = "ann"
                $0.clock = RecordingClock()
            }
            let outbox = try Outbox(file: file, client: client)

            try await outbox.add(AddNote(text: "first"))
            #expect(await outbox.obstacle?.code == "rejected.accountChanged")
            try await credentials.signIn(TokenSet(access: "a", account: "ann"))
            await outbox.send()

            #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer a"])
            #expect(await outbox.waiting.isEmpty)
        }
    }

    @Test("what the service refuses comes back, and does not hold up the rest", arguments: [400, 413, 422])
    func refused(status: Int) async throws {
        try await withFile { file in
            let transport = ScriptedTransport(
                .failure(TransportError(.offline)), .status(status), .json(201, Self.saved))
            let outbox = try Outbox(file: file, client: client(transport))
            try await outbox.add(AddNote(text: "first"))

            let refused = try await outbox.add(AddNote(text: "second"))

            #expect(refused.map(\.code) == ["status.\(status)"])
            #expect(await outbox.waiting.isEmpty)
            #expect(await outbox.obstacle == nil)
        }
    }

    @Test("what the service refuses with an error body comes back as well") func refusedByService() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(
                .json(422, #"{"title":"Too long"}"#, headers: ["Content-Type": "application/problem+json"]))

            let refused = try await Outbox(file: file, client: client(transport)).add(AddNote(text: "first"))

            #expect(refused.map(\.code) == ["service.problem"])
            #expect(try await Outbox(file: file, client: client(transport)).waiting.isEmpty)
        }
    }

    @Test(
        "what nobody refused stays, whatever went wrong",
        arguments: [
            .failure(TransportError(.notAllowed)), .failure(TransportError(.certificate)),
            .failure(TransportError(.clientCertificate)), .failure(TransportError(.tls)),
            .failure(TransportError(.badResponse)), .failure(TransportError(.redirectRefused)),
            .failure(TransportError(.system)), .failure(TransportError(.unknown)),
            .failure(TimeoutError(.deadline, after: .seconds(60))), .failure(CancellationError()),
            .failure(RejectionError("renewal", "No.")), .failure(RejectionError(.breakerOpen, "No.")),
            .status(302), .status(401), .status(402), .status(403), .status(404), .status(407), .status(408),
            .status(409), .status(423), .status(425), .status(426), .status(429), .status(451), .status(500),
            .status(501), .status(503), .status(511),
            .json(401, #"{"title":"Sign in"}"#, headers: ["Content-Type": "application/problem+json"]),
            .status(200, headers: ["Content-Type": "text/html"], body: "<html>Sign in</html>"), .status(200),
        ] as [ScriptedTransport.Step])
    func stays(step: ScriptedTransport.Step) async throws {
        try await withFile { file in
            let transport = ScriptedTransport(step, .json(201, Self.saved).repeated(2))
            let outbox = try Outbox(file: file, client: client(transport))

            #expect(try await outbox.add(AddNote(text: "first", key: "k1")).isEmpty)

            #expect(await outbox.waiting.map(\.key) == ["k1"])
            #expect(await outbox.obstacle != nil)
            #expect(try await Outbox(file: file, client: client(transport)).waiting.map(\.key) == ["k1"])
            #expect(try await outbox.add(AddNote(text: "second", key: "k2")).isEmpty)
            #expect(await outbox.waiting.isEmpty)
            #expect(await outbox.obstacle == nil)
            #expect(transport.requests.map { $0.headers[.idempotencyKey] } == ["k1", "k1", "k2"])
        }
    }
}
