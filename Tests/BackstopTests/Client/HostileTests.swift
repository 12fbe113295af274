import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A hostile server", .limited)
struct HostileTests {
    @Test("that sends a header of 100,000 characters gets a bounded report")
    func longHeader() async throws {
        // given
        let rig = Rig(
            .respond { _, _ in
                var headers: HTTP.Headers = ["Content-Type": "text/\(String(repeating: "t", count: 100_000))"]
                headers.addReceived(String(repeating: "v", count: 100_000), for: "X-Long")
                headers.addReceived("a" + String(repeating: "\u{301}", count: 50_000), for: "X-Accents")
                headers.addReceived("1", for: String(repeating: "n", count: 100_000))
                headers.addReceived(String(repeating: "9", count: 100_000), for: "Retry-After")
                return HTTP.Response(status: 503, headers: headers)
            })
        let client = try rig.standard(bodyLimit: 10_000)
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) })
        // then
        #expect(failure.stopReason.code == "retryAfterTooLong")
        #expect(failure.report.utf8.count < 20_000)
        #expect(rig.log.messages.joined().utf8.count < 20_000)
    }

    private static func long(_ begin: String, _ piece: String, _ end: String = "", bytes: Int) -> Data {
        Data((begin + String(repeating: piece, count: bytes / piece.utf8.count) + end).utf8)
    }

    /// One million bytes of each kind.
    private static let garbage = [
        long("", "A", bytes: 1_000_000), Data(repeating: 0xFF, count: 1_000_000), long("", "[", bytes: 1_000_000),
        long(#"{"error":true,"reason":""#, "x", #""}"#, bytes: 1_000_000),
        long(#"{"error":1,"reason":""#, "x", #""}"#, bytes: 1_000_000), long(#"{"password":""#, "x", bytes: 1_000_000),
        long("<html><title>", "x", bytes: 1_000_000), long("a", "\u{301}", bytes: 1_000_000),
    ]

    @Test("that sends a million bytes of garbage gets a bounded report", arguments: garbage.indices, [200, 404])
    func million(index: Int, status: Int) async throws {
        try await Self.expectBounds(Self.garbage[index], status)
    }

    @Test("that sends 10 MB of garbage gets a bounded report")
    func tenMillion() async throws {
        try await Self.expectBounds(Self.long("", "garbage ", bytes: 10_000_000), 200)
    }

    private static func expectBounds(_ body: Data, _ status: Int) async throws {
        // given
        let rig = Rig(.data(status, body))
        let client = try rig.standard(bodyLimit: 1000)
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) })
        // then
        #expect(failure.report.utf8.count < 20_000)
        #expect(failure.unredactedReport.utf8.count < 20_000)
        #expect(failure.message.text.utf8.count < 20_000)
        #expect(failure.trace.json.utf8.count < 20_000)
        #expect(rig.log.messages.joined().utf8.count < 20_000)
        #expect(try #require(failure.response).body.count <= 65_536)
    }

    @Test("that sends anything at all gets a value or a failure, and a bounded report", arguments: Seed.ofRun)
    func random(seed: Seed) async throws {
        // given
        var numbers = RandomAnswers(numbers: seed.numbers)
        for round in 0..<400 {
            let response = numbers.response()
            let rig = Rig(.response(response).repeated())
            let client = try rig.standard(bodyLimit: 300, curl: .always)
            // when
            do throws(Failure) {
                _ = try await client.send(BookEndpoint())
            } catch {
                // then
                let texts = [
                    error.report, error.trace.text, error.trace.json, error.message.text, "\(error as NSError)",
                ]
                let comment: Comment = "round \(round)"
                #expect(texts.allSatisfy { $0.utf8.count < 20_000 }, comment)
                let json = Data(error.jsonReport(details: true).utf8)
                #expect(throws: Never.self, comment) { try JSONSerialization.jsonObject(with: json) }
                #expect(!hasControls(error.report), comment)
                #expect(!hasControls(error.trace.text), comment)
                #expect(!error.code.isEmpty && error.attempts.count <= 3, comment)
            }
            #expect(rig.log.messages.count == 1)
            #expect(!hasControls(rig.log.messages.joined()))
        }
    }
}

/// Answers of any kind.
private struct RandomAnswers {
    var numbers: SeededNumbers

    mutating func bytes(upTo count: Int) -> Data {
        let length = Int.random(in: 0...count, using: &numbers)
        return Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) })
    }

    mutating func text(upTo count: Int) -> String {
        String(decoding: bytes(upTo: count), as: UTF8.self)
    }

    /// Pieces that look like what the client reads, in any order, with bytes of any kind between them.
    mutating func pieces() -> Data {
        let known = [
            "{", "}", "[", "]", ":", ",", "\"", "\\", "\"error\"", "\"reason\"", "true", "null", "\"id\":1",
            "\"title\":\"Dune\"",
            "<html>", "<title>", "\u{1B}[2J", "\u{9B}", "\r\n", "\"password\":\"", "1e999", "-", "\\ud800", "Bearer ",
            "&", "=",
        ]
        return (0..<Int.random(in: 0...30, using: &numbers)).reduce(into: Data()) { data, _ in
            data +=
                Bool.random(using: &numbers) ? Data((known.randomElement(using: &numbers) ?? "").utf8) : bytes(upTo: 3)
        }
    }

    mutating func response() -> HTTP.Response {
        var headers = HTTP.Headers()
        let names = ["Content-Type", "Retry-After", "Location", "Set-Cookie", "X-A"]
        for _ in 0..<Int.random(in: 0...6, using: &numbers) {
            let name = names.randomElement(using: &numbers) ?? text(upTo: 20)
            headers.addReceived(text(upTo: 60), for: Bool.random(using: &numbers) ? name : text(upTo: 20))
        }
        let statuses = [200, 200, 204, 304, 401, 422, 503, Int.random(in: 0...999, using: &numbers), -1, .max, .min]
        return HTTP.Response(
            status: statuses.randomElement(using: &numbers) ?? 200, headers: headers,
            body: Bool.random(using: &numbers) ? pieces() : bytes(upTo: 500))
    }
}
