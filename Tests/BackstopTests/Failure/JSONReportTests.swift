import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A report in JSON", .limited)
struct JSONReportTests {
    private static let keys: Set = [
        "version", "code", "fingerprint", "name", "id", "dateMs", "explanation", "next", "request", "response",
        "status", "phase", "isTransient", "isRetryable", "durationMs", "attemptCount", "attempts", "stopReason",
        "stopped",
    ]

    private struct Refusal: ServiceError, CustomStringConvertible {
        var failureCode: String
        var description: String
        var failureNextStep: String? { description }
    }

    private static func object(_ json: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    @Test("has these keys and values; a change to one of them is a new version")
    func literal() throws {
        // given
        let request = try HTTP.Request(
            .get, "https://api.example.com/v1/books/1?token=hunter2", headers: ["Authorization": "Bearer hunter2-x"])
        let response = HTTP.Response(status: 503, headers: ["Content-Type": "text/plain"], body: Data("hunter2-x".utf8))
        let failure = Failure(
            StatusError(503, detail: "\"hunter2-x\"\nis down"), request: request, response: response,
            attempts: [
                Attempt(number: 1, duration: .milliseconds(120), result: .failed(code: "status.503")),
                Attempt(
                    number: 2, start: .microseconds(620_500), duration: .milliseconds(80), wait: .microseconds(500_500),
                    waitReason: "backoff", result: .failed(code: "status.503")),
            ], stopReason: .attemptsUsed(2), name: "BookDetails")
        // then
        #expect(
            failure.jsonReport
                == #"""
                {"version":1,"code":"status.503","fingerprint":"status.503 BookDetails","name":"BookDetails","id":0,
                "dateMs":\#(Int64(failure.date.milliseconds)),
                "explanation":"The server answered 503 Service Unavailable: \"<redacted>\" is down",
                "next":"Call again later: the server is overloaded or under maintenance.",
                "request":"GET https://api.example.com/v1/books/1?token=<redacted>",
                "response":"503 Service Unavailable, text/plain, 9 bytes","status":503,"phase":null,
                "isTransient":true,"isRetryable":true,"durationMs":700.5,"attemptCount":2,
                "attempts":[{"number":1,"startMs":0,"waitMs":0,"waitReason":null,"durationMs":120,"result":"status.503"},
                {"number":2,"startMs":620.5,"waitMs":500.5,"waitReason":"backoff","durationMs":80,"result":"status.503"}],
                "stopReason":"attemptsUsed","stopped":"all 2 attempts were used"}
                """#.replacingOccurrences(of: "\n", with: ""))
        #expect(
            failure.jsonReport(details: true).hasSuffix(
                #","requestDetails":["Authorization: <redacted>"],"#
                    + #""responseDetails":["Content-Type: text/plain","body: <redacted>"]}"#))
    }

    @Test("has all keys, and says what the text says, of every kind of failure")
    func samples() throws {
        for sample in FailureSamples.all {
            let failure = sample.failure
            let object = try Self.object(failure.jsonReport)
            #expect(Set(object.keys) == Self.keys)
            #expect(object["code"] as? String == failure.code)
            #expect(object["explanation"] as? String == failure.explanation)
            #expect(object["attemptCount"] as? Int == failure.attempts.count)
            #expect(object["status"] as? Int == failure.statusCode)
            #expect(object["isRetryable"] as? Bool == failure.isRetryable)
            #expect(failure.report.contains("  stopped:  \(object["stopped"] as? String ?? "?")"))
            if let request = failure.sentRequest {
                #expect(object["request"] as? String == request.summary(.standard))
            }
            #expect(!failure.jsonReport.contains("\n"))
            let whole = try Self.object(failure.jsonReport(details: true))
            #expect(Set(whole.keys) == Self.keys.union(["requestDetails", "responseDetails"]))
        }
    }

    @Test("says when it was created, and how long the call took, by the clock of the call")
    func times() async throws {
        let rig = Rig(ScriptedTransport.Step.status(503).repeated())
        let client = try rig.standard()
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) })
        let object = try Self.object(failure.jsonReport)
        #expect(object["dateMs"] as? Double == rig.clock.date.milliseconds.rounded(.down))
        #expect(object["durationMs"] as? Double == failure.trace.duration.milliseconds)
        #expect(object["id"] as? UInt64 == failure.id)
    }

    private static let hostileTexts = [
        "\u{0}\u{1}\u{8}\u{C}\u{1F}\u{7F}\u{9B}", "a\u{2028}b\u{2029}c\r\nd\te", "\"\\/\\u0000\\ud800 \\\"",
        String(decoding: [0xED, 0xA0, 0x80, 0xFF, 0xC0, 0x80, 0xF4, 0x90, 0x80, 0x80], as: UTF8.self),
        "\u{FFFF}\u{10FFFF}\u{FEFF}\u{202E}", String(repeating: "\u{1F469}\u{200D}", count: 50_000),
        String(repeating: "\"", count: 10_000_000), "{\"password\":\"", "</script>]]>",
    ]

    @Test("can be read whatever a server put into texts, and has at most 64 KiB", arguments: hostileTexts.indices)
    func hostile(index: Int) throws {
        // given
        let text = Self.hostileTexts[index]
        let field = String(text.prefix(100_000))
        var headers: HTTP.Headers = [:]
        headers.addReceived(field, for: "Content-Type")
        headers.addReceived(field, for: "X-\(field)")
        let url = try #require(URL(string: "https://api.example.com/\(String(repeating: "%22", count: 3000))"))
        let failure = Failure(
            Refusal(failureCode: text, description: text), request: HTTP.Request(.get, url: url),
            response: HTTP.Response(status: 418, headers: headers, body: Data(text.utf8), url: url),
            attempts: (1...1000).map { number in
                Attempt(
                    number: number, duration: .seconds(Int64.max), waitReason: text, result: .failed(code: text))
            }, stopReason: .custom(text), name: text)
        // then
        for (json, limit) in [(failure.jsonReport, 65_536), (failure.jsonReport(details: true), 524_288)] {
            let object = try Self.object(json)
            #expect(object["status"] as? Int == 418)
            #expect(object["attemptCount"] as? Int == 1000)
            #expect((object["attempts"] as? [[String: Any]])?.map { $0["number"] as? Int } == Array(981...1000))
            #expect(json.utf8.count <= limit)
            #expect(!hasControls(json) && !json.contains("\u{2028}"))
            #expect(try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))["version"]?.int == 1)
        }
    }

    @Test("hides secrets even if the client's redaction is off, because others read it")
    func off() async throws {
        let rig = Rig(ScriptedTransport.Step.json(500, #"{"token":"hunter2-x"}"#).repeated())
        let client = try rig.standard().withOptions { $0.redaction = .off }
        let endpoint = BookEndpoint(target: "books/1?token=hunter2-x", headers: ["Authorization": "Bearer hunter2-x"])
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(endpoint) })
        #expect(failure.report.contains("hunter2"))
        #expect(!failure.jsonReport(details: true).contains("hunter2"))
        #expect(!"\((failure as NSError).userInfo)".contains("hunter2"))
    }

    @Test("has no header and nothing of a body unless it is asked for them")
    func bodies() async throws {
        let rig = Rig(ScriptedTransport.Step.json(500, #"{"owner":"Ann"}"#).repeated())
        let client = try rig.standard()
        let endpoint = BookEndpoint(headers: ["X-Person": "Ann"])
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(endpoint) })
        #expect(!failure.jsonReport.contains("Ann"))
        #expect(failure.jsonReport(details: true).components(separatedBy: "Ann").count == 3)
    }
}
