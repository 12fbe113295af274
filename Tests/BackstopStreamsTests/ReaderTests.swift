import BackstopAuthentication
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopStreams

@Suite("The reader of a stream", .limited)
struct ReaderTests {
    private static let lines = (1...100).map { "\($0)\n" }.joined()

    private static func client(
        _ transport: ScriptedTransport, _ outside: [any HTTP.Interceptor] = [], clock: any CallClock = RecordingClock(),
        observer: RecordingObserver? = nil
    ) throws -> Client {
        var options = CallOptions()
        options.clock = clock
        var handling = FailureHandling()
        handling.log = RecordingLog()
        handling.observers = observer.map { [$0] } ?? []
        let chain = try HTTP.Chain(
            transport: transport, interceptors: [Retry()] + outside + [Decoding(), StatusValidation()])
        return try Client(
            baseURL: URL(string: "https://api.example.com"), chain: chain, options: options, handling: handling)
    }

    /// A stream whose call has ended.
    private static func ended(_ client: Client) async throws -> HTTP.Stream<String> {
        let stream = try await client.stream(.post("rows", json: [1]), as: .lines)
        while stream.reader.handoff.end == nil { await Task.yield() }
        return stream
    }

    /// A failure that comes after the end of the call shows all of it.
    private static func check(_ failure: Failure?, code: String, at location: SourceLocation = #_sourceLocation) {
        #expect(failure?.code == code, sourceLocation: location)
        #expect(failure?.transfer?.elements == 100, sourceLocation: location)
        #expect(failure?.request?.method == .post, sourceLocation: location)
        #expect(failure?.statusCode == 200, sourceLocation: location)
        #expect(failure?.attempts.count == 1, sourceLocation: location)
        #expect(failure?.name == "POST rows", sourceLocation: location)
        #expect(failure?.stopReason == (code == "cancelled" ? .cancelled : .begun), sourceLocation: location)
        #expect(failure?.report.contains("nothing was sent") == false, sourceLocation: location)
        #expect(failure?.report.contains("no response") == false, sourceLocation: location)
    }

    @Test("gets no element of an account that has left, whatever had arrived", arguments: [false, true])
    func account(performs: Bool) async throws {
        let credentials = try Credentials(TokenSet(access: "ann's", account: "ann")) { _ in nil }
        let client = try Self.client(
            ScriptedTransport(.stream([.bytes(Self.lines)])), [BearerAuthentication(credentials)])
        var count = 0
        if performs {
            let outcome = await client.perform(.post("rows", json: [1]), as: .lines) { _ in
                count += 1
                if count == 3 { try await credentials.signIn(TokenSet(access: "bob's", account: "bob")) }
            }
            Self.check(outcome.failure, code: "rejected.accountChanged")
        } else {
            let stream = try await Self.ended(client)
            let failure = await #expect(throws: Failure.self) {
                for try await _ in stream {
                    count += 1
                    if count == 3 { try await credentials.signIn(TokenSet(access: "bob's", account: "bob")) }
                }
            }
            Self.check(failure, code: "rejected.accountChanged")
        }
        #expect(count == 3)
    }

    @Test("goes on when somebody signs in elsewhere")
    func otherAccount() async throws {
        let credentials = try Credentials(TokenSet(access: "ann's", account: "ann")) { _ in nil }
        let others = try Credentials(TokenSet(access: "eve's", account: "eve")) { _ in nil }
        let client = try Self.client(
            ScriptedTransport(.stream([.bytes(Self.lines)])), [BearerAuthentication(credentials)])
        var count = 0
        for try await _ in try await Self.ended(client) {
            count += 1
            if count == 3 { try await others.signOut() }
        }
        #expect(count == 100)
    }

    @Test("hears at once that its account has left, though the server is silent")
    func silent() async throws {
        let credentials = try Credentials(TokenSet(access: "ann's", account: "ann")) { _ in nil }
        let transport = ScriptedTransport(.stream([.bytes("a\n"), .wait(.seconds(3600)), .bytes("b\n")]))
        let client = try Self.client(transport, [BearerAuthentication(credentials)], clock: ManualClock())
        var lines = try await client.stream("rows", as: .lines).makeAsyncIterator()
        #expect(try await lines.next() == "a")
        try await credentials.signOut()
        let failure = await #expect(throws: Failure.self) { _ = try await lines.next() }
        #expect(failure?.code == "rejected.accountChanged")
        #expect(failure?.transfer?.elements == 1)
    }

    @Test("that fails after the end of the call is no reason to make it again")
    func each() async throws {
        struct Full: Error {}
        let asked = Lock<[Bool]>([])
        let transport = ScriptedTransport(.stream([.bytes(Self.lines)]).repeated())
        let client = try Self.client(transport)
        var count = 0
        let outcome = await client.perform(.post("rows", json: [1]), as: .lines) { _ in
            count += 1
            for _ in 0..<100 { await Task.yield() }
            throw Full()
        } handlers: {
            On(.any) { (_: Failure) -> Verdict in
                asked.withLock { $0.append(FailureHandling.canRetry) }
                return .retry
            }
        }
        Self.check(outcome.failure, code: "other")
        #expect(outcome.failure?.error(as: Full.self) != nil)
        #expect(asked.withLock { $0 } == [false])
        #expect(transport.requests.count == 1)
        #expect(count == 1)
    }

    @Test("gets nothing more once it has cancelled the stream, though all had arrived")
    func cancelled() async throws {
        let observer = RecordingObserver()
        let stream = try await Self.ended(
            try Self.client(ScriptedTransport(.stream([.bytes(Self.lines)])), observer: observer))
        var count = 0
        let failure = await #expect(throws: Failure.self) {
            for try await _ in stream {
                count += 1
                if count == 3 { stream.cancel() }
            }
        }
        Self.check(failure, code: "cancelled")
        #expect(count == 3)
        #expect(observer.failures.count == 1)
    }

    @Test("gets nothing more once its task is cancelled, though all had arrived", arguments: [false, true])
    func cancelledTask(performs: Bool) async throws {
        let client = try Self.client(ScriptedTransport(.stream([.bytes(Self.lines)])))
        let count = Lock(0)
        let read = Gate()
        let cancelled = Gate()
        let task = Task {
            if performs {
                let outcome = await client.perform(.post("rows", json: [1]), as: .lines) { _ in
                    if count.withLock({
                        $0 += 1; return $0
                    }) == 3 {
                        read.open()
                        while !Task.isCancelled { await Task.yield() }
                    }
                }
                if case .cancelled = outcome { return }
                Issue.record("\(outcome)")
            } else {
                let stream = try await Self.ended(client)
                let failure = await #expect(throws: Failure.self) {
                    for try await _ in stream {
                        if count.withLock({
                            $0 += 1; return $0
                        }) == 3 {
                            read.open()
                            while !Task.isCancelled { await Task.yield() }
                        }
                    }
                }
                Self.check(failure, code: "cancelled")
            }
        }
        await read.pass()
        task.cancel()
        cancelled.open()
        try await task.value
        #expect(count.withLock { $0 } == 3)
    }

    @Test("who reads all is not told of a cancellation after it")
    func cancelledAfterAll() async throws {
        let stream = try await Self.ended(try Self.client(ScriptedTransport(.stream([.bytes(Self.lines)]))))
        var count = 0
        var lines = stream.makeAsyncIterator()
        while try await lines.next() != nil { count += 1 }
        stream.cancel()
        #expect(try await lines.next() == nil)
        #expect(count == 100)
    }

    @Test("is one: a second one is told so, with the call, and the first reads on")
    func second() async throws {
        let observer = RecordingObserver()
        let client = try Self.client(
            ScriptedTransport(.stream([.bytes("a\nb\n"), .wait(.seconds(5)), .bytes("c\n")])), clock: ManualClock(),
            observer: observer)
        let stream = try await client.stream("rows", as: .lines)
        var first = stream.makeAsyncIterator()
        #expect(try await first.next() == "a")
        let failure = await #expect(throws: Failure.self) {
            for try await _ in stream {}
        }
        #expect(failure?.code == "other")
        #expect(failure?.request?.url.path == "/rows")
        #expect(failure?.report.contains("The stream is read already") == true)
        #expect(failure?.report.contains("nothing was sent") == false)
        #expect(failure?.transfer?.elements == 2)
        #expect(observer.failures.map(\.failure.code) == ["other"])
        #expect(try await first.next() == "b")
    }

    @Test("may copy its iterator: both go on in one place")
    func copied() async throws {
        let stream = try await Self.ended(try Self.client(ScriptedTransport(.stream([.bytes("a\nb\nc\n")]))))
        var first = stream.makeAsyncIterator()
        var second = first
        #expect(try await first.next() == "a")
        #expect(try await second.next() == "b")
        #expect(try await first.next() == "c")
        #expect(try await second.next() == nil)
        #expect(try await first.next() == nil)
    }

    @Test("that leaves its loop ends the call, though the stream is held")
    func left() async throws {
        let transport = ScriptedTransport(.stream([.bytes("a\n"), .wait(.seconds(3600))]))
        let stream = try await Self.client(transport, clock: ManualClock()).stream("rows", as: .lines)
        for try await _ in stream { break }
        await transport.waitForCancellations(1)
        #expect(stream.response.status == 200)
    }

    @Test("shows no element in a dump")
    func dumped() async throws {
        let stream = try await Self.ended(
            try Self.client(ScriptedTransport(.stream([.bytes("tom's secret\nhis other secret\n")]))))
        var lines = stream.makeAsyncIterator()
        func text(_ value: Any) -> String {
            var text = "\(value) \(String(reflecting: value)) "
            dump(value, to: &text)
            return text
        }
        for value in [stream, lines, [lines]] as [Any] {
            #expect(!text(value).contains("secret"))
        }
        #expect(try await lines.next() == "tom's secret")
        for value in [stream, lines, lines.reading, stream.reader, stream.reader.handoff] as [Any] {
            #expect(!text(value).contains("secret"))
        }
        #expect("\(stream)" == "a stream of String: 30 bytes had been handed over, and 2 elements were made of them")
    }
}
