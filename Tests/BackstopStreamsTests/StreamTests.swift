import BackstopStreams
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A stream", .limited)
struct StreamTests {
    struct Row: Codable, Sendable, Equatable { var id: Int }

    /// What a loop over a stream got, and how it ended.
    static func read<Element: Sendable>(
        _ client: Client, as format: StreamFormat<Element>, options: StreamOptions = .standard
    ) async -> (elements: [Element], failure: Failure?) {
        var elements: [Element] = []
        do throws(Failure) {
            for try await element in try await client.stream("rows", as: format, options: options) {
                elements.append(element)
            }
            return (elements, nil)
        } catch {
            return (elements, error)
        }
    }

    static func client(
        _ transport: ScriptedTransport, clock: any CallClock = RecordingClock(), log: RecordingLog? = nil,
        retry: RetryPolicy = .standard
    ) throws -> Client {
        var options = CallOptions()
        options.clock = clock
        var handling = FailureHandling()
        handling.log = RecordingLog()
        return try Client(
            baseURL: "https://api.example.com", transport: transport, options: options, handling: handling
        ) {
            if let log {
                RequestLogging(.call, to: log)
            }
            Retry(retry)
            Decoding()
            StatusValidation()
            APIErrorDecoding(ProblemDetails.self)
        }
    }

    @Test("gives its elements in order and ends")
    func elements() async throws {
        let transport = ScriptedTransport(
            .stream([.bytes("{\"id\":1}\n{\"id\""), .bytes(":2}\n\n"), .bytes("{\"id\":3}")]))
        let (rows, failure) = await Self.read(try Self.client(transport), as: .jsonLines(of: Row.self))
        #expect(rows.map(\.id) == [1, 2, 3])
        #expect(failure == nil)
        #expect(transport.requests.first?.headers["Accept"]?.contains("application/jsonl") == true)
    }

    @Test(
        "expects what a length of the server says about it, and nothing else",
        arguments: [
            (["Content-Length": "4"], 4), (["Content-Length": "4, 4"], nil), (["Content-Length": "-4"], nil),
            (["Content-Length": "+4"], nil), (["Content-Length": "4", "Content-Encoding": "gzip"], nil),
            (["Content-Length": "4", "Content-Encoding": "identity"], 4), ([:], nil),
        ] as [([String: String], Int64?)])
    func expected(fields: [String: String], length: Int64?) async throws {
        var headers = HTTP.Headers()
        for (name, value) in fields {
            headers[HTTP.Headers.Name(name)] = value
        }
        let transport = ScriptedTransport(.stream([.bytes("a\nb\n")], headers: headers))
        let stream = try await Self.client(transport).stream("rows", as: .lines)
        for try await _ in stream {}
        #expect(stream.report == TransferReport(bytes: 4, elements: 2, expected: length))
    }

    @Test("of lines begins behind the byte order mark of a file, which is text anywhere else")
    func byteOrderMark() async throws {
        for pieces in [["\u{FEFF}a\n\u{FEFF}b"], ["\u{FEFF}", "a", "\n", "\u{FEFF}b"]] {
            let transport = ScriptedTransport(.stream(pieces.map { .bytes($0) }))
            #expect(await Self.read(try Self.client(transport), as: .lines).0 == ["a", "\u{FEFF}b"])
        }
    }

    @Test("that is cut gives what had arrived, and then one failure that says how much that was")
    func cut() async throws {
        let log = RecordingLog()
        let transport = ScriptedTransport(.stream([.bytes("a\nb\nc"), .lost]), .status(500))
        let (lines, failure) = await Self.read(try Self.client(transport, log: log), as: .lines)
        #expect(lines == ["a", "b"])
        #expect(failure?.code == "transport.lost")
        #expect(failure?.transfer == TransferReport(bytes: 5, elements: 2))
        #expect(failure?.stopReason == .begun)
        #expect(failure?.statusCode == 200)
        #expect(failure?.attempts.count == 1)
        #expect(failure?.report.contains("5 bytes had been handed over, and 2 elements were made of them") == true)
        #expect(transport.requests.count == 1)
        #expect(log.messages.count == 1)
        #expect(log.messages.first?.contains("transport.lost") == true)
        #expect(log.messages.first?.contains("200 OK, no content type, 5 bytes") == true)
        #expect(failure?.report.contains(" 0 bytes") == false)
    }

    @Test("is retried until its head is accepted")
    func retried() async throws {
        let transport = ScriptedTransport(.status(503), .failure(TransportError(.lost)), .stream([.bytes("a\n")]))
        let (lines, failure) = await Self.read(try Self.client(transport), as: .lines)
        #expect(lines == ["a"])
        #expect(failure == nil)
        #expect(transport.requests.count == 3)
    }

    @Test("that is refused fails with its status and the error in its body")
    func refused() async throws {
        let transport = ScriptedTransport(
            .stream(
                [.bytes(#"{"title":"No"#), .bytes(#" rows"}"#)], status: 404,
                headers: ["Content-Type": "application/problem+json"]))
        let (lines, failure) = await Self.read(try Self.client(transport), as: .lines)
        #expect(lines.isEmpty)
        #expect(failure?.statusCode == 404)
        #expect(failure?.error(as: ProblemDetails.self)?.title == "No rows")
        #expect(failure?.transfer == nil)
    }

    @Test("that is refused fails with its status, though its body never ends")
    func refusedSilently() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(.stream([.bytes("no"), .wait(.seconds(3600))], status: 404))
        let client = try Self.client(transport, clock: clock)
        let reading = Task { await Self.read(client, as: .lines) }
        await clock.waitForSleeper(remaining: .seconds(3600))
        await clock.waitForSleeper(remaining: .seconds(5))
        await clock.advance(by: .seconds(5))
        let failure = await reading.value.failure
        #expect(failure?.code == "status.404")
        #expect(failure?.response?.body == Data("no".utf8))
    }

    @Test("has a head whose body is to come, and a failure that says how much of it did")
    func head() async throws {
        let stream = try await Self.client(ScriptedTransport(.stream([.bytes("a\n"), .lost]))).stream(
            "rows", as: .lines)
        #expect(stream.response.description.contains("200 OK, no content type, its body to come"))
        let failure = await #expect(throws: Failure.self) { for try await _ in stream {} }
        #expect(failure?.report.contains("200 OK, no content type, 2 bytes") == true)
    }

    @Test("is made of a whole response as well")
    func whole() async throws {
        let transport = ScriptedTransport(.status(200, body: "a\nb\n"))
        let (lines, failure) = await Self.read(try Self.client(transport), as: .lines)
        #expect(lines == ["a", "b"])
        #expect(failure == nil)
    }

    @Test("with a wrong line fails there, after the lines before it")
    func wrongLine() async throws {
        let transport = ScriptedTransport(.stream([.bytes("{\"id\":1}\n{\"id\":\"x\"}\n{\"id\":3}\n")]))
        let (rows, failure) = await Self.read(try Self.client(transport), as: .jsonLines(of: Row.self))
        #expect(rows.map(\.id) == [1])
        #expect(failure?.code == "decoding")
        #expect(failure?.transfer?.elements == 1)
        guard case .decoding(let error)? = failure?.reason else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.path == "$.id")
    }

    @Test(
        "says which line could not be read, and not that the response is cut",
        arguments: [
            ("{\"id\":\"x\"}", "Line 4 of the stream could not be read: $.id should be", "$.id, at byte 6 of line 4"),
            (
                "{\"id\":",
                "Line 4 of the stream could not be read: JSON (StreamTests.Row) was expected, but the line is JSON", ""
            ),
            (
                "nonsense",
                "Line 4 of the stream could not be read: JSON (StreamTests.Row) was expected, but the line is ", ""
            ),
        ])
    func numbered(line: String, explanation: String, place: String) async throws {
        for end in ["\n{\"id\":3}\n", ""] {
            let transport = ScriptedTransport(.stream([.bytes("{\"id\":1}\n\n{\"id"), .bytes("\":2}\n" + line + end)]))
            let (rows, failure) = await Self.read(try Self.client(transport), as: .jsonLines(of: Row.self))
            #expect(rows.map(\.id) == [1, 2])
            #expect(failure?.code == "decoding")
            #expect(failure?.explanation.hasPrefix(explanation) == true, "\(failure?.explanation ?? "")")
            let report = failure?.report ?? ""
            #expect(report.contains(place + (place.isEmpty ? "of line 4" : "") + " of the stream"), "\(report)")
            for word in ["truncated", "body is", "its response ends", "line 1"] {
                #expect(!report.contains(word), "\(report)")
            }
            #expect(failure?.message.title != "Incomplete answer")
        }
    }

    @Test("with a line that is too long says how to accept it", arguments: [true, false])
    func tooLong(isJSON: Bool) async throws {
        let client = try Self.client(ScriptedTransport(.stream([.bytes("{\"id\":1}\n{\"id\":100000}\n")])))
        let failure =
            isJSON
            ? await Self.read(client, as: .jsonLines(of: Row.self, longest: 8)).failure
            : await Self.read(client, as: .lines(longest: 8)).failure
        #expect(failure?.code == "transport.tooLarge")
        #expect(failure?.explanation == "A line of the stream has more than the 8 bytes accepted.")
        #expect(failure?.nextStep?.contains(".lines(longest:)") == true)
        #expect(failure?.report.contains("responseLimit") == false)
    }

    @Test("has one reader")
    func second() async throws {
        let stream = try await Self.client(ScriptedTransport(.stream([.bytes("a\n")]))).stream("rows", as: .lines)
        for try await _ in stream {}
        await #expect(throws: Failure.self) {
            for try await _ in stream {}
        }
    }

    @Test("outlives the limit of an attempt and that of the call's chain, but not the call's own deadline")
    func limits() async throws {
        func outcome(deadline: Duration?, steps: [Int]) async throws -> String {
            let clock = ManualClock()
            var options = CallOptions()
            options.clock = clock
            options.deadline = deadline
            let transport = ScriptedTransport(
                .stream([.bytes("a\n"), .wait(.seconds(20)), .bytes("b\n"), .wait(.seconds(20)), .bytes("c\n")]))
            let client = try Client(baseURL: "https://a.example", transport: transport, options: options) {
                Deadline(.seconds(10))
                Retry()
                Decoding()
                StatusValidation()
                AttemptTimeout(.seconds(5))
            }
            let reading = Task { await Self.read(client, as: .lines) }
            for step in steps {
                await clock.waitForSleeper(remaining: .seconds(20))
                await clock.advance(by: .seconds(step))
            }
            let (lines, failure) = await reading.value
            return lines.joined() + (failure.map { " " + $0.code } ?? "")
        }
        #expect(try await outcome(deadline: nil, steps: [20, 20]) == "abc")
        #expect(try await outcome(deadline: .seconds(30), steps: [20, 10]) == "ab timeout.deadline")
        #expect(try await outcome(deadline: .seconds(8), steps: [8]) == "a timeout.deadline")
    }

    @Test("ends as cancelled when it is dropped")
    func dropped() async throws {
        let log = RecordingLog()
        let transport = ScriptedTransport(.stream([.bytes("a\n"), .wait(.seconds(3600))]))
        do {
            let client = try Self.client(transport, clock: ManualClock(), log: log)
            var lines = try await client.stream("rows", as: .lines).makeAsyncIterator()
            #expect(try await lines.next() == "a")
        }
        await transport.waitForCancellations(1)
    }

    @Test("ends as cancelled when its reader's task is")
    func cancelled() async throws {
        let transport = ScriptedTransport(.stream([.bytes("a\n"), .wait(.seconds(3600))]))
        let client = try Self.client(transport, clock: ManualClock())
        let reading = Task { await Self.read(client, as: .lines) }
        await transport.waitForRequests(1)
        reading.cancel()
        let failure = await reading.value.failure
        #expect(failure?.code == "cancelled")
    }

    @Test("makes the call wait while nobody reads")
    func backPressure() async throws {
        let piece = String(repeating: "x", count: 1023) + "\n"
        let transport = ScriptedTransport(.stream(Array(repeating: .bytes(piece), count: 1000)))
        let client = try Self.client(transport)
        let stream = try await client.stream("rows", as: .lines, options: StreamOptions(window: 4096))
        for _ in 0..<500 { await Task.yield() }
        #expect(stream.report.bytes <= 6144)
        var count = 0
        for try await _ in stream { count += 1 }
        #expect(count == 1000)
    }

    @Test("that is performed ends in one outcome, with what it handed over")
    @MainActor func performed() async throws {
        var lines: [String] = []
        let good = try Self.client(ScriptedTransport(.stream([.bytes("a\nb\n")])))
        let outcome = await good.perform("rows", as: .lines) { lines.append($0) }
        #expect(outcome.value == TransferReport(bytes: 4, elements: 2))
        #expect(lines == ["a", "b"])

        let asked = Lock<[Bool]>([])
        let bad = try Self.client(ScriptedTransport(.stream([.bytes("a\n"), .lost]), .stream([.bytes("again\n")])))
        let failed = await bad.perform("rows", as: .lines) {
            lines.append($0)
        } handlers: {
            On(.any) { (failure: Failure) -> Verdict in
                asked.withLock { $0.append(FailureHandling.canRetry) }
                return .retry
            }
        }
        #expect(failed.failure?.code == "transport.lost")
        #expect(asked.withLock { $0 } == [false])
        #expect(lines == ["a", "b", "a"])
    }

    @Test("that is performed ends with the error of its reader, through the whole chain")
    func readerError() async throws {
        struct Full: Error {}
        let log = RecordingLog()
        let transport = ScriptedTransport(
            .stream([.bytes("a\n"), .wait(.seconds(3600)), .bytes("b\n")]))
        let client = try Self.client(transport, clock: ManualClock(), log: log)
        let outcome = await client.perform("rows", as: .lines) { _ in throw Full() }
        #expect(outcome.failure?.error(as: Full.self) != nil)
        #expect(outcome.failure?.transfer != nil)
        // The server was silent, and nothing has waited for it.
        #expect(log.messages.count == 1)
    }

    @Test("ends when the server is silent for too long, but not when its reader is slow")
    func silence() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(.stream([.bytes("a\n"), .wait(.seconds(100)), .bytes("b\n")]))
        let client = try Self.client(transport, clock: clock)
        let reading = Task { await Self.read(client, as: .lines, options: try StreamOptions(silence: .seconds(30))) }
        await clock.waitForSleeper(remaining: .seconds(100))
        await clock.waitForSleeper(remaining: .seconds(30))
        await clock.advance(by: .seconds(31))
        let (lines, failure) = try await reading.value
        #expect(lines == ["a"])
        #expect(failure?.code == "timeout.attempt")
        #expect(failure?.report.contains("StreamOptions.silence") == true)
    }

    @Test("ends after a silence by a clock that never waits as well", arguments: [(59, nil), (61, "timeout.attempt")])
    func recordedSilence(seconds: Int, code: String?) async throws {
        let transport = ScriptedTransport(.stream([.bytes("a\n"), .wait(.seconds(seconds)), .bytes("b\n")]))
        let (lines, failure) = await Self.read(try Self.client(transport), as: .lines)
        #expect(lines == (code == nil ? ["a", "b"] : ["a"]))
        #expect(failure?.code == code)
    }

    @Test("that is cancelled while its call ends is no whole one")
    func cancelledAtTheEnd() async throws {
        let (gate, atTheEnd) = (Gate(), Gate())
        let slow = ClosureInterceptor { request, _, next in
            let response = try await next(request)
            atTheEnd.open()
            await gate.pass()
            return response
        }
        let client = try Client(
            baseURL: "https://a.example", transport: ScriptedTransport(.stream([.bytes("a\nb\n")]))
        ) {
            slow
            Decoding()
            StatusValidation()
        }
        let stream = try await client.stream("rows", as: .lines)
        await atTheEnd.pass()
        stream.cancel()
        gate.open()
        let failure = await #expect(throws: Failure.self) {
            for try await line in stream { Issue.record("\(line)") }
        }
        #expect(failure?.code == "cancelled")
    }

    @Test("that a limit ends while it waits for its reader still gives what had arrived")
    func limitInTheWindow() async throws {
        let clock = ManualClock()
        var options = CallOptions()
        options.clock = clock
        options.deadline = .seconds(10)
        let piece = String(repeating: "x", count: 1023) + "\n"
        let transport = ScriptedTransport(.stream(Array(repeating: .bytes(piece), count: 10)))
        let client = try Client(baseURL: "https://a.example", transport: transport, options: options) {
            Deadline()
            Decoding()
            StatusValidation()
        }
        let stream = try await client.stream("rows", as: .lines, options: StreamOptions(window: 1024))
        while stream.report.elements == 0 { await Task.yield() }
        await clock.advance(by: .seconds(11))
        var count: Int64 = 0
        let failure = await #expect(throws: Failure.self) {
            for try await _ in stream { count += 1 }
        }
        #expect(failure?.code == "timeout.deadline")
        #expect(count == 1)
        #expect(failure?.transfer?.elements == count)
    }

    @Test("throws its failure once, and has nothing more after it")
    func once() async throws {
        let client = try Self.client(ScriptedTransport(.stream([.bytes("a\n"), .lost])))
        var lines = try await client.stream("rows", as: .lines).makeAsyncIterator()
        #expect(try await lines.next() == "a")
        await #expect(throws: Failure.self) { _ = try await lines.next() }
        #expect(try await lines.next() == nil)
    }

    @Test(
        "has lines of up to the longest length, their ends not counted",
        arguments: [("abcde\n", true), ("abcde\r\n", true), ("abcde", true), ("abcdef\n", false), ("abcdef", false)])
    func longest(text: String, isAccepted: Bool) async throws {
        for cut in 0...text.utf8.count {
            let pieces = [text.utf8.prefix(cut), text.utf8.dropFirst(cut)].map { StreamPiece.data(Data($0)) }
            let client = try Self.client(ScriptedTransport(.stream(pieces)))
            let (lines, failure) = await Self.read(client, as: .lines(longest: 5))
            #expect(lines == (isAccepted ? ["abcde"] : []))
            #expect(failure?.code == (isAccepted ? nil : "transport.tooLarge"))
        }
    }
}
