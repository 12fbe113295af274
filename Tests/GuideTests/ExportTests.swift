import Backstop
import BackstopStreams
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The recipe for rows of an export", .limited)
struct ExportTests {
    private let clock = RecordingClock()

    private func client(_ transport: ScriptedTransport) throws -> Client {
        try Client.standard(
            baseURL: "https://api.example.com/v1", transport: transport, retry: .never, logging: nil
        ).withOptions { [clock] in $0.clock = clock }
    }

    private func lines(_ ids: ClosedRange<Int>) -> String {
        ids.map { "{\"id\":\($0)}\n" }.joined()
    }

    @Test("an export that fails in the middle has saved what came before, and goes on there") func export() async throws
    {
        let transport = ScriptedTransport(
            .stream([.bytes(lines(1...7_000) + "{\"id\":\n" + lines(7_002...9_000))]),
            .stream([.bytes(lines(7_001...9_000))]))
        let client = try client(transport)
        var saved: [[ExportedRow]] = []

        let (last, failure) = try await importRows(from: client, after: 0) { saved.append($0) }

        #expect(last == 7_000)
        #expect(saved.joined().map(\.id) == Array(1...7_000))
        #expect(saved.allSatisfy { $0.count <= 1_000 })
        #expect(failure?.code == "decoding")
        #expect(failure?.transfer?.elements == 7_000)
        #expect(failure?.explanation.hasPrefix("Line 7001 of the stream could not be read") == true)

        let rest = try await importRows(from: client, after: last) { saved.append($0) }
        #expect(rest.last == 9_000)
        #expect(rest.failure == nil)
        #expect(saved.joined().map(\.id) == Array(1...9_000))
        #expect(transport.requests.map(\.url.query) == ["after=0", "after=7000"])
    }
}
