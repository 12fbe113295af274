import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The recipe for following a log", .limited)
struct LogTailTests {
    private let clock = RecordingClock()

    private func client(_ transport: ScriptedTransport) throws -> Client {
        try Client.standard(
            baseURL: "https://api.example.com/v1", transport: transport, retry: .never, logging: nil
        ).withOptions { [clock] in $0.clock = clock }
    }

    @Test("a log is shown as it is written, however long it is silent, and its loss is told") func log() async throws {
        let transport = ScriptedTransport(
            .stream([.bytes("one\n"), .wait(.seconds(899)), .bytes("two\nthr"), .lost]))
        var shown: [String] = []

        let failure = try await follow("logs/today", with: client(transport)) { shown.append($0) }

        #expect(shown == ["one", "two"])
        #expect(failure?.code == "transport.lost")
    }
}
