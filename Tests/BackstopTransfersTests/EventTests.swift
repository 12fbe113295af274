import BackstopAuthentication
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopTransfers

@Suite("A stream of events", .limited)
struct EventTests {
    static let head: HTTP.Headers = ["Content-Type": "text/event-stream"]

    static func stream(_ pieces: StreamPiece..., headers: HTTP.Headers = head) -> Stub<HTTP.Request, HTTP.Response> {
        .stream(pieces, headers: headers)
    }

    static func client(
        _ transport: ScriptedTransport, _ clock: any CallClock = RecordingClock(),
        retry: Retry<HTTP.Request, HTTP.Response>? = Retry(),
        _ inside: [any HTTP.Interceptor] = []
    ) throws -> Client {
        var options = CallOptions()
        options.clock = clock
        options.random = FixedRandom(units: 0.999)
        var handling = FailureHandling()
        handling.log = RecordingLog()
        let interceptors: [any HTTP.Interceptor] =
            (retry.map { [$0] } ?? []) + [Decoding()] + inside + [StatusValidation()]
        return try Client(
            baseURL: URL(string: "https://api.example.com"),
            chain: HTTP.Chain(transport: transport, interceptors: interceptors), options: options, handling: handling)
    }

    static func read(
        _ client: Client, _ format: StreamFormat<ServerEvent> = .events, body: HTTP.Call<HTTP.Response> = .get("prices")
    ) async -> (events: [ServerEvent], failure: Failure?) {
        var events: [ServerEvent] = []
        do throws(Failure) {
            for try await event in try await client.stream(body, as: format) { events.append(event) }
            return (events, nil)
        } catch {
            return (events, error)
        }
    }

    @Test("with an event that is too long says how to accept it")
    func tooLong() async throws {
        let client = try Self.client(ScriptedTransport(Self.stream(.bytes("data: 12345\n\n"))))
        let failure = await Self.read(client, .events(longest: 10)).failure
        #expect(failure?.explanation == "An event of the stream has more than the 10 bytes accepted.")
        #expect(failure?.nextStep?.contains(".events(longest:)") == true)
        #expect(failure?.report.contains("responseLimit") == false)
    }

    @Test("goes on after its end and after a loss with the last id, after the wait that the server asks for, until 204")
    func series() async throws {
        let clock = RecordingClock()
        let transport = ScriptedTransport(
            Self.stream(.bytes("retry: 2500\nid: 1\ndata: a\n\nid: 2\ndata: half")),
            Self.stream(.bytes("id: 3\ndata: b\n\n"), .lost),
            .status(503), Self.stream(.bytes("data: c\n\n")), .status(204))
        let (events, failure) = await Self.read(try Self.client(transport, clock))
        #expect(failure == nil)
        #expect(events.map(\.data) == ["a", "b", "c"])
        #expect(events.map(\.id) == ["1", "3", "3"])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", "3", "3", "3"])
        #expect(transport.requests.allSatisfy { $0.headers["Accept"] == "text/event-stream" })
        #expect(clock.sleeps.filter { $0 == .milliseconds(2500) }.count == 3)
        #expect(clock.sleeps.count == 4)
    }

    @Test("goes on where a later connection announces the last number there is for a length")
    func announced() async throws {
        var head = Self.head
        head[.contentLength] = "\(Int64.max)"
        let transport = ScriptedTransport(
            Self.stream(.bytes("data: a\n\n")), Self.stream(.bytes("data: b\n\n"), .lost, headers: head), .status(404))
        let (events, failure) = await Self.read(try Self.client(transport))
        #expect(events.map(\.data) == ["a", "b"])
        #expect(failure?.code == "status.404")
        #expect(failure?.report.isEmpty == false)
    }

    @Test("sends an id with a tab back, and none that no field can have", arguments: ["a\tb", "a\u{1}b"])
    func unusualID(_ id: String) async throws {
        let transport = ScriptedTransport(Self.stream(.bytes("id: \(id)\ndata: a\n\n")), .status(204))
        #expect(await Self.read(try Self.client(transport)).events.map(\.id) == [id])
        #expect(transport.requests.last?.headers["Last-Event-ID"] == (id.contains("\t") ? id : nil))
    }

    @Test("waits three seconds unless the server says otherwise, and never more than an hour for it")
    func waits() async throws {
        let clock = RecordingClock()
        let transport = ScriptedTransport(
            Self.stream(.bytes("data: a\n\n")), Self.stream(.bytes("retry: 99999999999999999999\ndata: b\n\n")),
            .status(204))
        #expect(await Self.read(try Self.client(transport, clock)).failure == nil)
        #expect(clock.sleeps == [.seconds(3), .seconds(3600)])
    }

    @Test("gives up on a server that ends each connection at once, after the attempts of the policy")
    func storm() async throws {
        let transport = ScriptedTransport(Self.stream(.bytes(": nothing\n\n")).repeated())
        let (events, failure) = await Self.read(try Self.client(transport))
        #expect(events.isEmpty)
        #expect(failure?.code == "transport.lost")
        #expect(failure?.explanation.contains("without an event") == true)
        #expect(failure?.name == "GET prices")
        #expect(failure?.stopReason == .attemptsUsed(3))
        #expect(transport.requests.count == 3)
    }

    @Test("does not say that no event came, where some did before the deadline")
    func deadlineAfterEvents() async throws {
        let transport = ScriptedTransport(Self.stream(.bytes("data: a\n\n")).repeated())
        let client = try Self.client(transport).withOptions { $0.deadline = .seconds(10) }
        let (events, failure) = await Self.read(client)
        #expect(!events.isEmpty)
        #expect(failure?.code == "transport.lost")
        #expect(failure?.explanation.contains("The server ended the stream") == true)
        #expect(failure?.explanation.contains("without an event") == false)
    }

    @Test("counts what each call sent again as attempts of the whole")
    func repeatedStorm() async throws {
        let storm = [Stub.status(503), Self.stream(.bytes(": nothing\n\n"))]
        let transport = ScriptedTransport(storm + storm + storm)
        let retry = try RetryPolicy(attempts: 3, budget: .unlimited)
        let client = try Self.client(transport).withOptions { $0.retry = retry }
        let (_, failure) = await Self.read(client)
        #expect(failure?.stopReason == .attemptsUsed(4))
        #expect(failure?.attempts.count == 4)
        #expect(transport.requests.count == 4)
    }

    @Test("does not count a call with a renewed token as another attempt")
    func renewed() async throws {
        let transport = ScriptedTransport(.status(401), Self.stream(.bytes(": nothing\n\n")).repeated())
        let credentials = try Credentials(TokenSet(access: "old", refresh: "r")) { _ in TokenSet(access: "new") }
        let (_, failure) = await Self.read(
            try Self.client(transport, RecordingClock(), [BearerAuthentication(credentials)]))
        #expect(failure?.stopReason == .attemptsUsed(3))
        #expect(transport.requests.count == 4)
    }

    @Test("gives up on a server that takes long to open what it ends at once")
    func slowStorm() async throws {
        let transport = ScriptedTransport((0..<4).map { _ in .delay(.seconds(11), then: Self.stream(.lost)) })
        let (_, failure) = await Self.read(try Self.client(transport))
        #expect(failure?.stopReason == .attemptsUsed(3))
        #expect(transport.requests.count == 3)
    }

    @Test("does not give up on one that is quiet for long")
    func quiet() async throws {
        let pieces: [StreamPiece] = [.bytes(": still here\n"), .wait(.seconds(20)), .bytes(": and here\n")]
        let transport = ScriptedTransport(
            Stub.stream(pieces, headers: Self.head).repeated(8), .status(204))
        let (events, failure) = await Self.read(try Self.client(transport))
        #expect(events.isEmpty)
        #expect(failure == nil)
        #expect(transport.requests.count == 9)
    }

    @Test("ends with its response when the request does more than read")
    func post() async throws {
        let transport = ScriptedTransport(Self.stream(.bytes("data: a\n\n")), Self.stream(.bytes("data: b\n\n"), .lost))
        let client = try Self.client(transport)
        let whole = await Self.read(client, body: .post("answers", json: ["ask": "why"]))
        #expect(whole.events.map(\.data) == ["a"])
        #expect(whole.failure == nil)
        let cut = await Self.read(client, body: .post("answers", json: ["ask": "why"]))
        #expect(cut.events.map(\.data) == ["b"])
        #expect(cut.failure?.code == "transport.lost")
        #expect(transport.requests.count == 2)
    }

    @Test("ends with its response when it is not to reconnect, or the policy never retries")
    func once() async throws {
        let transport = ScriptedTransport(Self.stream(.bytes("data: a\n\n")).repeated())
        let client = try Self.client(transport)
        #expect(await Self.read(client, .events(reconnects: false)).failure == nil)
        let never = await Self.read(try Self.client(transport, retry: Retry(.never)))
        #expect(never.failure == nil)
        #expect(never.events.map(\.data) == ["a"])
        #expect(transport.requests.count == 2)
    }

    @Test("fails for good with what is no stream of events", arguments: ["text/html", nil])
    func contentType(type: String?) async throws {
        let headers: HTTP.Headers = type.map { ["Content-Type": $0] } ?? [:]
        let transport = ScriptedTransport(Self.stream(.bytes("<p>data: a</p>\n\n"), headers: headers).repeated())
        let (events, failure) = await Self.read(try Self.client(transport))
        #expect(events.isEmpty)
        #expect(failure?.code == "decoding")
        #expect(transport.requests.count == 1)
    }

    @Test("is not carried on for another account")
    func account() async throws {
        let clock = ManualClock()
        let credentials = try Credentials(TokenSet(access: "ann's", account: "ann")) { _ in nil }
        let transport = ScriptedTransport(Self.stream(.bytes("data: a\n\n")).repeated())
        let client = try Self.client(transport, clock, [BearerAuthentication(credentials)])
        var events = try await client.stream("prices", as: .events).makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        await clock.waitForSleeper(remaining: .seconds(3))
        // when: nobody waits for the 3 s
        try await credentials.signIn(TokenSet(access: "bob's", account: "bob"))
        // then
        let failure = await #expect(throws: Failure.self) { _ = try await events.next() }
        #expect(failure?.code == "rejected.accountChanged")
        #expect(transport.requests.count == 1)
    }

    @Test("ends in a wait when its reader leaves, and asks no more")
    func cancelled() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(Self.stream(.bytes("data: a\n\n")).repeated())
        let client = try Self.client(transport, clock)
        do {
            var events = try await client.stream("prices", as: .events).makeAsyncIterator()
            #expect(try await events.next()?.data == "a")
            await clock.waitForSleeper(remaining: .seconds(3))
        }
        await clock.advance(by: .seconds(60))
        #expect(transport.requests.count == 1)
    }

    @Test("ends at once with the error of its reader, also in a wait")
    func readerError() async throws {
        struct Enough: Error {}
        let clock = ManualClock()
        let transport = ScriptedTransport(Self.stream(.bytes("data: a\n\n")).repeated())
        let outcome = try await Self.client(transport, clock).perform("prices", as: .events) { _ in
            await clock.waitForSleeper(remaining: .seconds(3))
            throw Enough()
        }
        #expect(outcome.failure?.error(as: Enough.self) != nil)
        #expect(transport.requests.count == 1)
    }

    @Test("ends at the deadline of the call, over all its connections")
    func deadline() async throws {
        let clock = RecordingClock()
        let transport = ScriptedTransport(
            Stub.stream([.bytes("data: a\n\n"), .wait(.seconds(20))], headers: Self.head).repeated())
        let client = try Self.client(transport, clock).withOptions { $0.deadline = .seconds(60) }
        let (events, failure) = await Self.read(client)
        #expect(events.count == 3)
        #expect(failure?.code == "timeout.deadline")
        #expect(failure?.stopReason.description == "the call's time was used up")
        #expect(clock.now <= .seconds(70))
    }

    @Test("sends no id that a header cannot have", arguments: ["a\u{1}b", String(repeating: "x", count: 5000)])
    func id(_ id: String) async throws {
        let transport = ScriptedTransport(Self.stream(.bytes("id: \(id)\ndata: a\n\n")), .status(204))
        #expect(await Self.read(try Self.client(transport)).failure == nil)
        #expect(transport.requests.last?.headers["Last-Event-ID"] == nil)
        #expect(transport.requests.count == 2)
    }
}

@Suite("The parser of events", .limited)
struct EventParserTests {
    private func parse(_ parts: [Data], longest: Int = 1 << 20) throws -> (events: [ServerEvent], memory: EventMemory) {
        let memory = EventMemory(longest: longest)
        var parser = EventParser(longest: longest, memory: memory)
        var events: [ServerEvent] = []
        for part in parts { try parser.parse(part) { events.append($0) } }
        try parser.end { events.append($0) }
        return (events, memory)
    }

    /// Texts of WHATWG HTML, 9.2, and what they mean.
    static let table: [(text: String, events: [ServerEvent], id: String)] = [
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [ServerEvent(data: "YHOO\n+2\n10")], ""),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n",
            [ServerEvent(data: "first event", id: "1"), ServerEvent(data: "second event")], ""
        ),
        ("data\n\ndata\ndata\n\ndata:", [ServerEvent(data: ""), ServerEvent(data: "\n")], ""),
        ("data:test\n\ndata: test\n\n", [ServerEvent(data: "test"), ServerEvent(data: "test")], ""),
        ("\u{FEFF}data: a\r\n\r\ndata: b\r\rdata: c\n\r\n", ["a", "b", "c"].map { ServerEvent(data: $0) }, ""),
        ("event: add\nid: 7\n\ndata: x\n\n", [ServerEvent(data: "x", id: "7")], "7"),
        ("event: add\ndata: 73857293\n\n", [ServerEvent(type: "add", data: "73857293")], ""),
        ("id: 4\ndata: a\n\nid: 5\u{0}\ndata: b\n\n", ["a", "b"].map { ServerEvent(data: $0, id: "4") }, "4"),
        ("id: 4\ndata: a\n\nid: 5\ndata: b", [ServerEvent(data: "a", id: "4")], "4"),
        ("data : a\nDATA: b\nfoo: c\ndata: ä😀\n\n", [ServerEvent(data: "ä😀")], ""),
    ]

    @Test("makes the events that the standard says, however the bytes are split", arguments: table.indices)
    func rules(_ index: Int) throws {
        let (text, events, id) = Self.table[index]
        let bytes = Data(text.utf8)
        for first in 0...bytes.count {
            for second in Set([first, min(first + 1, bytes.count), bytes.count]) {
                let parts = [bytes[..<first], bytes[first..<second], bytes[second...]].filter { !$0.isEmpty }
                let (made, memory) = try parse(parts)
                #expect(made == events, "split at \(first) and \(second)")
                #expect(memory.lastID == id, "split at \(first) and \(second)")
            }
        }
        #expect(try parse(bytes.map { Data([$0]) }).events == events)
    }

    @Test("refuses an event that is too long, in one line or in many")
    func long() throws {
        #expect(try parse([Data("data: 1234\n\n".utf8)], longest: 10).events.count == 1)
        for text in ["data: 12345\n\n", "data: 1\ndata: 2\ndata: 3\ndata: 4\n\n"] {
            let error = #expect(throws: TransportError.self) { try parse([Data(text.utf8)], longest: 10) }
            #expect(error?.code == .tooLarge)
        }
    }
}
