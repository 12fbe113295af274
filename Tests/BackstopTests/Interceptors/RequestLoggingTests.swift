import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Logging", .limited)
struct LoggingTests {
    /// A log that wants no level; what is written all the same is kept.
    private struct Disabled: LogSink {
        let kept = RecordingLog()
        func isEnabled(_ level: LogLevel) -> Bool { false }
        func write(_ entry: LogEntry) { kept.write(entry) }
    }

    /// A chain as the standard one, with logging for each attempt as well.
    private static func client(_ rig: Rig, attempts: RequestLogging) throws -> Client {
        try rig.standard().withChain { try $0.inserting(attempts, inside: .retry) }
    }

    @Test("of a call is one line with request, response, size and time")
    func success() async throws {
        // given
        let rig = Rig(.delay(.milliseconds(120), then: .json(200, Book.json)))
        // when
        _ = try await rig.standard().send(BookEndpoint())
        // then
        let entry = try #require(rig.log.entries.first)
        let id = try #require(rig.observer.calls.first?.id)
        let url = "https://api.example.com/v1/books/1"
        #expect(rig.log.entries.count == 1)
        #expect(entry.level == .debug)
        #expect(entry.callID == id)
        #expect(entry.message == "#\(id) BookEndpoint: GET \(url) -> 200 OK, application/json, 23 bytes in 120 ms")
    }

    @Test("says where the response came from, when that is not where the request went")
    func redirected() async throws {
        // given
        let moved = URL(string: "https://other.example.com/1?token=hunter2")
        let rig = Rig(.respond { _, _ in HTTP.Response(status: 200, body: Data(Book.json.utf8), url: moved) })
        // when
        _ = try await rig.standard().send(BookEndpoint())
        // then
        let message = try #require(rig.log.messages.first)
        #expect(message.contains("23 bytes, from https://other.example.com/1?token=<redacted> in 0 ms"))
    }

    @Test("shows a name on one line, and no more than so much of it")
    func longName() async throws {
        // given
        let rig = Rig(.status(200))
        let client = try rig.standard().withOptions { $0.name = "a\nb" + String(repeating: "c", count: 1000) }
        // when
        _ = try await client.send(RawEndpoint { try HTTP.Request(.get, "a") })
        // then
        let message = try #require(rig.log.messages.first)
        #expect(message.contains(" a bccc"))
        #expect(message.contains("ccc…: GET https://"))
        #expect(message.count < 300)
    }

    @Test("of a call is one line for all its attempts")
    func attempts() async throws {
        // given
        let rig = Rig(.status(503), .failure(TransportError(.lost)), .json(200, Book.json))
        // when
        _ = try await rig.standard().send(BookEndpoint())
        // then
        #expect(rig.log.entries.count == 1)
        #expect(rig.log.messages.first?.contains("books/1 (3 attempts) -> 200 OK") == true)
        #expect(rig.log.messages.first?.hasSuffix(" in 750 ms") == true)
    }

    @Test("of a failed call says the code, what came, and in how many attempts")
    func failure() async throws {
        // given
        let rig = Rig(.status(503, body: "busy").repeated(3), .failure(TransportError(.tls)))
        let client = try rig.standard()
        // when
        _ = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        _ = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        // then
        #expect(rig.log.entries.map(\.level) == [.warning, .warning])
        let first = try #require(rig.log.messages.first)
        #expect(
            first.contains(
                "(3 attempts) -> status.503 in 750 ms, response 503 Service Unavailable, no content type, 4 bytes"))
        #expect(rig.log.messages.last?.hasSuffix("books/1 -> transport.tls in 0 ms") == true)
    }

    @Test("of a failed call shows the response that was judged, as an interceptor had changed it")
    func changedResponse() async throws {
        // given
        let rig = Rig(.status(200, body: "fine"))
        let client = try rig.client {
            RequestLogging(bodyLimit: 100, to: rig.log)
            StatusValidation()
            ClosureInterceptor { request, _, next in
                _ = try await next(request)
                return HTTP.Response(status: 500, body: Data("broken".utf8))
            }
        }
        // when
        _ = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        // then
        let line = try #require(rig.log.messages.first)
        #expect(line.contains("response 500 Internal Server Error"))
        #expect(line.hasSuffix(": broken"))
    }

    @Test("of attempts is one line for each, with its number")
    func eachAttempt() async throws {
        // given
        let rig = Rig(.status(503), .json(200, Book.json))
        let log = RecordingLog()
        // when
        _ = try await Self.client(rig, attempts: RequestLogging(.attempt, to: log)).send(BookEndpoint())
        // then
        #expect(log.entries.map(\.level) == [.warning, .debug])
        #expect(log.messages.first?.contains("books/1 (attempt 1) -> status.503 in 0 ms") == true)
        #expect(log.messages.last?.contains("books/1 (attempt 2) -> 200 OK") == true)
        #expect(rig.log.entries.count == 1)
    }

    @Test("has a role for calls and one for attempts")
    func roles() {
        #expect(RequestLogging().role == .logging)
        #expect(RequestLogging(.attempt).role == .attemptLogging)
    }

    @Test("uses the levels that it is given, the one of success for what was cancelled")
    func levels() async throws {
        // given
        let rig = Rig(
            .status(200), .status(404),
            .respond { _, _ in
                withUnsafeCurrentTask { $0?.cancel() }
                throw CancellationError()
            }, .failure(CancellationError()))
        let client = try rig.client {
            RequestLogging(successLevel: .info, failureLevel: .error, to: rig.log)
            StatusValidation()
        }
        // when
        _ = try await client.get("a")
        _ = await #expect(throws: Failure.self) { try await client.get("b") as HTTP.Response }
        await Task {
            _ = await #expect(throws: Failure.self) { try await client.get("c") as HTTP.Response }
        }.value
        _ = await #expect(throws: Failure.self) { try await client.get("d") as HTTP.Response }
        // then
        #expect(rig.log.entries.map(\.level) == [.info, .error, .info, .error])
        #expect(rig.log.messages.dropLast().last?.contains("-> cancelled in") == true)
        // Nobody cancelled this call.
        #expect(rig.log.messages.last?.contains("-> other in") == true)
    }

    @Test(
        "asks the sink before it writes, for success and failure apart",
        arguments: [[], [.info], [.error], [.info, .error]] as [Set<LogLevel>])
    func wanted(levels: Set<LogLevel>) async throws {
        // given
        let sink = PickyLog(wanted: levels)
        let rig = Rig(.status(200), .status(404))
        let client = try rig.client {
            RequestLogging(successLevel: .info, failureLevel: .error, to: sink)
            StatusValidation()
        }
        // when
        _ = try await client.get("a")
        _ = await #expect(throws: Failure.self) { try await client.get("b") as HTTP.Response }
        // then
        #expect(sink.kept.all.map(\.level) == [.info, .error].filter(levels.contains))
    }

    @Test("says how many attempts a call took, when there were two or more", arguments: [0, 1, 2])
    func attempts(failures: Int) async throws {
        // given
        let rig = Rig(steps: Array(repeating: .status(503), count: failures) + [.status(200)])
        let client = try rig.standard()
        // when
        _ = try await client.get("a") as HTTP.Response
        // then
        let line = try #require(rig.log.messages.first)
        #expect(line.contains("attempts)") == (failures > 0))
        #expect(failures == 0 || line.contains("GET https://api.example.com/v1/a (\(failures + 1) attempts) -> 200"))
    }

    @Test("says nothing of what was sent where bodies are not wanted")
    func noSentBody() async throws {
        // given
        let rig = Rig(.status(200))
        // when
        _ = try await rig.standard().post("a", body: .text("hello")) as HTTP.Response
        // then
        #expect(rig.log.messages.map { $0.contains("sent") } == [false])
    }

    @Test(
        "cuts a body to its limit, and shows one that just fits whole",
        arguments: [("abcdef", "abcde…"), ("abcde", "abcde")])
    func exactLimit(body: String, shown: String) async throws {
        // given
        let rig = Rig(.status(404, headers: ["Content-Type": "text/plain"], body: body))
        let client = try rig.standard(bodyLimit: 5)
        // when
        _ = await #expect(throws: Failure.self) { try await client.get("a") as HTTP.Response }
        // then
        #expect(rig.log.messages.first?.hasSuffix(": \(shown)") == true)
    }

    @Test("shows that a body went on where only its secret is left out")
    func cutSecret() async throws {
        // given
        let secret = String(repeating: "s", count: 20_000)
        let rig = Rig(.json(404, #"{"password":"\#(secret)","id":1}"#))
        let client = try rig.standard(bodyLimit: 200)
        // when
        _ = await #expect(throws: Failure.self) { try await client.get("a") as HTTP.Response }
        // then
        #expect(rig.log.messages.first?.hasSuffix(#"{"password":"<redacted>…"#) == true)
    }

    @Test("hides what was sent under a sensitive name where the answer quotes it, also before a cut")
    func quotedSecret() async throws {
        // given
        let rig = Rig(.json(422, #"{"rejectedValue":"hunter2","field":"password"}"#))
        let client = try rig.standard(bodyLimit: 26)
        // when
        _ = await #expect(throws: Failure.self) {
            try await client.post("a", json: ["password": "hunter2"]) as HTTP.Response
        }
        // then
        #expect(rig.log.messages.first?.contains(#"{"rejectedValue":"<redact"#) == true)
        #expect(rig.log.messages.first?.contains("hunter2") == false)
    }

    @Test("forms and writes nothing for a sink that wants no level")
    func disabled() async throws {
        // given
        let sink = Disabled()
        let rig = Rig(.status(200), .status(404))
        let client = try rig.client {
            RequestLogging(bodyLimit: 100, curl: .always, to: sink)
            StatusValidation()
        }
        // when
        _ = try await client.get("a")
        _ = await #expect(throws: Failure.self) { try await client.get("b") as HTTP.Response }
        // then
        #expect(sink.kept.entries.isEmpty)
    }

    @Test("shows no bodies unless it is told how much of them")
    func noBodies() async throws {
        // given
        let rig = Rig(.json(200, Book.json))
        // when
        try await rig.standard().post("books", json: Book.dune)
        // then
        #expect(rig.log.messages.joined().contains("Dune") == false)
    }

    @Test("shows so many characters of the bodies, on one line and redacted")
    func bodies() async throws {
        // given
        let answer = "{\"token\":\"hunter2\",\n\"text\":\"" + String(repeating: "x", count: 1000) + "\"}"
        let rig = Rig(.json(200, answer), .json(404, answer))
        let client = try rig.standard(bodyLimit: 60)
        // when
        try await client.post("books", json: ["password": "hunter2", "user": "ann"])
        _ = await #expect(throws: Failure.self) { try await client.post("books", json: ["a": "b"]) }
        // then
        #expect(rig.log.messages.count == 2)
        for message in rig.log.messages {
            #expect(!message.contains("hunter2"))
            #expect(!message.contains("\n"))
            #expect(message.contains(#": {"token":"<redacted>", "text":"xxx"#))
            #expect(message.contains("…, sent: {"))
            #expect(message.count < 400)
        }
        #expect(rig.log.messages.first?.contains(#""user":"ann""#) == true)
    }

    @Test("says nothing about a body that was not there, and does not print bytes")
    func emptyAndBinary() async throws {
        // given
        let rig = Rig(.status(204), .data(200, Data([0xFF, 0, 1])))
        let client = try rig.standard(bodyLimit: 100)
        // when
        _ = try await client.send(RawEndpoint { try HTTP.Request(.put, "a", body: .data(Data())) })
        _ = try await client.send(RawEndpoint { try HTTP.Request(.put, "b", body: .data(Data([0, 1]))) })
        // then
        #expect(rig.log.messages.first?.hasSuffix("in 0 ms") == true)
        #expect(rig.log.messages.last?.hasSuffix("(not text), sent (not text)") == true)
    }

    @Test(
        "keeps its limit of bodies from 0 to 10,000",
        arguments: [(-1, 0), (0, 0), (500, 500), (10_000, 10_000), (.max, 10_000)])
    func limit(given: Int, kept: Int) {
        #expect(RequestLogging(bodyLimit: given).bodyLimit == kept)
    }

    @Test(
        "adds a curl command when it is told to",
        arguments: [(RequestLogging.Curl.never, 0), (.onFailure, 1), (.always, 2)])
    func curl(curl: RequestLogging.Curl, count: Int) async throws {
        // given
        let rig = Rig(.json(200, Book.json), .status(404))
        let client = try rig.standard(curl: curl)
        let endpoint = BookEndpoint(headers: ["Authorization": "Bearer hunter2"])
        // when
        _ = try await client.send(endpoint)
        _ = await #expect(throws: Failure.self) { try await client.send(endpoint) }
        // then
        let command =
            "\n  curl 'https://api.example.com/v1/books/1' -H 'Authorization: <redacted>' -H 'Accept: application/json'"
        #expect(rig.log.messages.filter { $0.hasSuffix(command) }.count == count)
        #expect(rig.log.messages.filter { $0.contains("curl") }.count == count)
        #expect(!rig.log.messages.joined().contains("hunter2"))
    }

    @Test("gives the command for the first request as it was sent, and not for where a redirect led")
    func curlOfRedirect() async throws {
        // given
        let rig = Rig(
            .respond { request, context in
                context.recordHop(try HTTP.Request(.get, "https://other.example.com/elsewhere"))
                return HTTP.Response(status: 404)
            })
        let client = try rig.standard(curl: .always).withChain {
            try $0.inserting(
                ClosureInterceptor(role: .custom("tenant")) { request, _, next in
                    var request = request
                    request.headers["X-Tenant"] = "blue"
                    return try await next(request)
                }, inside: .retry)
        }
        // when
        _ = await #expect(throws: Failure.self) { try await client.post("orders", json: 1) as HTTP.Response }
        // then
        let message = try #require(rig.log.messages.first)
        #expect(message.contains("\n  curl -X POST 'https://api.example.com/v1/orders'"))
        #expect(message.contains("-H 'X-Tenant: blue'"))
        #expect(!message.contains("elsewhere'"))
    }

    @Test("shows no secret of a name, and neither does the trace")
    func secretName() async throws {
        // given
        let rig = Rig(.status(200))
        let client = try rig.standard().withOptions {
            $0.name = "login token=hunter2 iban=OWN"
            $0.redaction = .standard.adding("iban")
        }
        // when
        _ = try await client.send(RawEndpoint { try HTTP.Request(.get, "a") })
        // then
        let call = try #require(rig.observer.calls.first)
        for text in rig.log.messages + [call.trace.json, dumped(call.trace)] {
            #expect(text.contains("login token=<redacted> iban=<redacted>") || text == dumped(call.trace))
            #expect(!text.contains("hunter2"))
            #expect(!text.contains("OWN"))
        }
    }

    @Test("is one line, whatever the server sends")
    func oneLine() async throws {
        // given
        let rig = Rig(
            .respond { request, _ in
                var headers = HTTP.Headers()
                headers.addReceived("text/\u{1B}[2Jplain\r\n#1 GET forged", for: "Content-Type")
                return HTTP.Response(status: 200, headers: headers, body: Data("a\r\n#2 forged\u{9B}".utf8))
            })
        // when
        _ = try await rig.standard(bodyLimit: 100).get("a")
        // then
        let message = try #require(rig.log.messages.first)
        #expect(!hasControls(message))
        #expect(!message.contains("\n"))
    }
}
