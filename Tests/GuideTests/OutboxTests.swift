import Backstop
import BackstopTesting
import Foundation
import Testing

@Suite("The recipe for writing offline")
struct OutboxTests {
    private func client(_ transport: ScriptedTransport) throws -> Client {
        try Client.standard(
            baseURL: "https://api.example.com/v1", transport: transport, retry: .never, logging: nil)
    }

    private func withFile(_ body: (URL) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file)
    }

    @Test("what cannot be sent waits, and goes out in order with its own keys") func waits() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(.failure(TransportError(.offline)).repeated(2), .status(201).repeated(2))
            let outbox = try Outbox(file: file, client: client(transport))
            try await outbox.add(AddNote(text: "first", key: "k1"))
            try await outbox.add(AddNote(text: "second", key: "k2"))
            #expect(await outbox.waiting.map(\.key) == ["k1", "k2"])

            try await outbox.send()

            #expect(await outbox.waiting.isEmpty)
            #expect(transport.requests.map { $0.headers[.idempotencyKey] } == ["k1", "k1", "k1", "k2"])
        }
    }

    @Test("what waits outlasts the app") func outlasts() async throws {
        try await withFile { file in
            let offline = ScriptedTransport(.failure(TransportError(.offline)))
            try await Outbox(file: file, client: client(offline)).add(AddNote(text: "first", key: "k1"))

            let online = ScriptedTransport(.status(201))
            try await Outbox(file: file, client: client(online)).send()

            #expect(online.requests.map { $0.headers[.idempotencyKey] } == ["k1"])
            #expect(try await Outbox(file: file, client: client(online)).waiting.isEmpty)
        }
    }

    @Test("what the service refuses comes back, and does not hold up the rest") func refused() async throws {
        try await withFile { file in
            let transport = ScriptedTransport(.failure(TransportError(.offline)), .status(422), .status(201))
            let outbox = try Outbox(file: file, client: client(transport))
            try await outbox.add(AddNote(text: "first"))

            let refused = try await outbox.add(AddNote(text: "second"))

            #expect(refused.map(\.code) == ["status.422"])
            #expect(await outbox.waiting.isEmpty)
        }
    }
}
