import BackstopAuthentication
import BackstopStreams
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopResilience

@Suite("A stream through each interceptor", .limited)
struct InterceptorTests {
    typealias Breaker = CircuitBreaker<HTTP.Request, HTTP.Response>

    /// A client with some interceptors outside those that every stream needs.
    private func client(
        _ transport: ScriptedTransport, clock: any CallClock = RecordingClock(),
        _ outside: [any HTTP.Interceptor]
    ) throws -> Client {
        var options = CallOptions()
        options.clock = clock
        var handling = FailureHandling()
        handling.log = RecordingLog()
        let chain = try HTTP.Chain(transport: transport, interceptors: outside + [Decoding(), StatusValidation()])
        return try Client(
            baseURL: URL(string: "https://api.example.com"), chain: chain, options: options, handling: handling)
    }

    /// A breaker with the standard ratio, and few calls to see.
    private static func breaker(ratio: Double = 0.9) throws -> Breaker {
        Breaker(try CircuitBreakerPolicy(failureRatio: ratio, window: .calls(4), minimumThroughput: 4), log: nil)
    }

    @Test("that is kept by a cache is never given again as a whole response without its body")
    func keptResponse() async throws {
        // given: a cache that knows nothing of streams
        let kept = Lock<HTTP.Response?>(nil)
        let cache = ClosureInterceptor { request, _, next in
            if let response = kept.withLock({ $0 }) { return response }
            let response = try await next(request)
            kept.withLock { $0 = response }
            return response
        }
        let client = try client(ScriptedTransport(.stream([.bytes("a\nb\n")])), [cache])
        #expect(await StreamTests.read(client, as: .lines).elements == ["a", "b"])
        // when
        let (lines, failure) = await StreamTests.read(client, as: .lines)
        let whole = await #expect(throws: Failure.self) { _ = try await client.get("rows") as HTTP.Response }
        // then
        #expect(lines.isEmpty)
        for failure in [failure, whole] {
            #expect(failure?.code == "other")
            #expect(failure?.report.contains("has 0 of the 4 bytes of its body") == true)
            #expect(failure?.nextStep?.contains("context.isStream") == true)
        }
    }

    @Test("is read as the server sent it, whatever an interceptor makes of its body")
    func madeBody() async throws {
        let making = ClosureInterceptor { request, _, next in
            var response = try await next(request)
            #expect(response.body.isEmpty)
            response.body = Data("made\n".utf8)
            return response
        }
        let client = try client(ScriptedTransport(.stream([.bytes("a\nb\n")])), [making])
        let (lines, failure) = await StreamTests.read(client, as: .lines)
        #expect(lines == ["a", "b"] && failure == nil)
    }

    @Test("counts once for a breaker, which opens when all are lost")
    func breaker() async throws {
        let breaker = try Self.breaker()
        let transport = ScriptedTransport(.stream([.bytes("a\n"), .lost]).repeated())
        let client = try client(transport, [breaker])
        for _ in 0..<4 {
            #expect(breaker.state() == .closed)
            #expect(await StreamTests.read(client, as: .lines).failure?.code == "transport.lost")
        }
        #expect(breaker.state() != .closed)
        #expect(await StreamTests.read(client, as: .lines).failure?.code == "rejected.breakerOpen")
    }

    @Test(
        "counts for a breaker as a success when it ends well, is dropped, or is lost after a minute",
        arguments: [
            [.bytes("a\n")], [.bytes("a\n"), .wait(.seconds(59)), .bytes("b\n"), .wait(.seconds(2)), .lost],
        ] as [[StreamPiece]])
    func breakerSuccess(pieces: [StreamPiece]) async throws {
        let breaker = try Self.breaker(ratio: 0.25)
        let client = try client(ScriptedTransport(.stream(pieces).repeated()), [breaker])
        for _ in 0..<8 {
            _ = await StreamTests.read(client, as: .lines)
            #expect(breaker.state() == .closed)
        }
        for _ in 0..<8 {
            for try await _ in try await client.stream("rows", as: .lines) { break }
            while breaker.circuits.running > 0 { await Task.yield() }
            #expect(breaker.state() == .closed)
        }
    }

    @Test("tells a limiter that the service's limit is used up when it is refused")
    func serverLimit() async throws {
        let limiter = HTTP.RateLimiter(100, per: .seconds(1), maximumWait: .zero, honorsServerLimit: true, log: nil)
        let transport = ScriptedTransport(.stream([.bytes("a\n")], status: 429, headers: ["Retry-After": "30"]))
        let client = try client(transport, clock: ManualClock(), [limiter])
        var ends: [Failure?] = []
        for _ in 1...2 {
            ends.append(await StreamTests.read(client, as: .lines).failure)
        }
        #expect(ends.map { $0?.code } == ["status.429", "rejected.rateLimit"])
        #expect(ends.map { $0?.retryAfter } == [.seconds(30), .seconds(30)])
    }

    @Test("that falls silent counts for a breaker as a failure, however long the silence is")
    func breakerSilence() async throws {
        let breaker = try Self.breaker()
        let clock = ManualClock()
        let client = try client(
            ScriptedTransport(.stream([.bytes("a\n"), .wait(.seconds(3600))]).repeated()), clock: clock, [breaker])
        for _ in 0..<4 {
            let reading = Task { await StreamTests.read(client, as: .lines) }
            await clock.waitForSleeper(remaining: .seconds(3600))
            await clock.waitForSleeper(remaining: .seconds(60))
            await clock.advance(by: .seconds(60))
            #expect(await reading.value.failure?.code == "timeout.attempt")
        }
        #expect(breaker.state() != .closed)
    }

    /// Takes a body that begins with an error for an answer in the place of lines.
    private struct Answers: StreamParser {
        mutating func parse(_ chunk: Data, _ put: (String) -> Void) throws {
            guard chunk != Data("error".utf8) else {
                throw WholeAnswer(HTTP.Response(status: 200, body: chunk), saying: TransportError(.unknown))
            }
            put(String(decoding: chunk, as: UTF8.self))
        }

        mutating func end(_ put: (String) -> Void) throws {}
    }

    @Test("has not begun for a breaker when it turns out to be an answer, and is asked for again")
    func breakerAnswer() async throws {
        let breaker = try Self.breaker()
        let clock = ManualClock()
        let asking = ClosureInterceptor { request, _, next in
            _ = try await next(request)
            // What comes a minute after the answer has not lasted for a minute.
            await clock.advance(by: .seconds(61))
            return try await next(request)
        }
        let step = ScriptedTransport.Step.stream([.bytes("error")])
        let transport = ScriptedTransport(
            [Int](0..<4).flatMap { _ in [step, .failure(TransportError(.lost))] } + [step, .stream([.bytes("a")])])
        let client = try client(transport, clock: clock, [breaker, asking])
        for _ in 0..<4 {
            #expect(breaker.state() == .closed)
            let (lines, failure) = await StreamTests.read(client, as: StreamFormat { _ in Answers() })
            #expect(lines.isEmpty)
            #expect(failure?.code == "transport.lost")
        }
        #expect(breaker.state() != .closed)
        #expect(breaker.circuits.running == 0)
    }

    /// A client whose breaker opened after two failures, and lets a probe through.
    private func probing(
        _ clock: ManualClock, _ steps: ScriptedTransport.Step..., inside: (any HTTP.Interceptor)? = nil
    ) async throws -> (client: Client, breaker: Breaker) {
        let breaker = Breaker(
            try CircuitBreakerPolicy(
                failureRatio: 1, window: .calls(2), minimumThroughput: 2, breakDuration: .seconds(1)), log: nil)
        let lost = ScriptedTransport.Step.failure(TransportError(.lost))
        let client = try client(
            ScriptedTransport([lost, lost] + steps), clock: clock, [breaker] + (inside.map { [$0] } ?? []))
        for _ in 0..<2 {
            #expect(breaker.state() == .closed)
            #expect(await StreamTests.read(client, as: .lines).failure?.code == "transport.lost")
        }
        #expect(breaker.state() != .closed)
        await clock.advance(by: .seconds(10))
        return (client, breaker)
    }

    @Test("frees the place of a probe as soon as it begins")
    func probe() async throws {
        let clock = ManualClock()
        let (client, breaker) = try await probing(
            clock, .stream([.bytes("a\n"), .wait(.seconds(3600))]).repeated())
        let probe = try await client.stream("rows", as: .lines)
        #expect(breaker.state() == .closed)
        let other = try await client.stream("rows", as: .lines)
        withExtendedLifetime((probe, other)) {}
    }

    @Test("that turns out to be a failure is no success of a probe")
    func probeAnswer() async throws {
        let failing = ClosureInterceptor { request, _, next in
            let response = try await next(request)
            guard response.body.isEmpty else { throw TransportError(.lost) }
            return response
        }
        let (client, breaker) = try await probing(
            ManualClock(), .stream([.bytes("error")]), .stream([.bytes("a")]), inside: failing)
        let format = StreamFormat { _ in Answers() }
        #expect(await StreamTests.read(client, as: format).failure?.code == "transport.lost")
        #expect(breaker.state() != .closed)
        #expect(await StreamTests.read(client, as: format).failure?.code == "rejected.breakerOpen")
        #expect(breaker.circuits.running == 0)
    }

    /// As a transport whose streams share a connection, where they begin without a word of the server.
    private static let sharing = ClosureInterceptor { request, context, next in
        try await context.whenOpen({ context.note(.used) }) { try await next(request) }
    }

    @Test(
        "is a failure of a probe when the connection that it shares is lost, if the server had not said anything",
        arguments: [true, false])
    func probeSharing(isAnswered: Bool) async throws {
        let clock = ManualClock()
        let (client, breaker) = try await probing(
            clock, .stream((isAnswered ? [.bytes("a\n")] : []) + [.wait(.seconds(5)), .lost]), .stream([.bytes("b\n")]),
            inside: Self.sharing)
        let reading = Task { await StreamTests.read(client, as: .lines) }
        await clock.waitForSleeper(remaining: .seconds(5))
        // Others need not wait for it.
        #expect(breaker.state() == .closed)
        await clock.advance(by: .seconds(5))
        #expect(await reading.value.failure?.code == "transport.lost")
        let next = await StreamTests.read(client, as: .lines)
        #expect(next.failure?.code == (isAnswered ? nil : "rejected.breakerOpen"))
    }

    @Test("is no success on a connection that it shares when it is left before the server has said anything")
    func leftSharing() async throws {
        let breaker = Breaker(
            try CircuitBreakerPolicy(failureRatio: 0.9, window: .calls(4), minimumThroughput: 2), log: nil)
        let lost = ScriptedTransport.Step.failure(TransportError(.lost))
        let client = try client(
            ScriptedTransport(lost, .stream([.wait(.seconds(5))]), lost), clock: ManualClock(), [breaker, Self.sharing])
        _ = await StreamTests.read(client, as: .lines)
        _ = try await client.stream("rows", as: .lines)
        while breaker.circuits.running > 0 { await Task.yield() }
        _ = await StreamTests.read(client, as: .lines)
        #expect(breaker.state() != .closed)
    }

    @Test("holds its place in a bulkhead to its end")
    func bulkhead() async throws {
        let bulkhead = Bulkhead<HTTP.Request, HTTP.Response>(limit: 1)
        let client = try client(
            ScriptedTransport(.stream([.bytes("a\n"), .wait(.seconds(3600))])), clock: ManualClock(), [bulkhead])
        do {
            var lines = try await client.stream("rows", as: .lines).makeAsyncIterator()
            #expect(try await lines.next() == "a")
            #expect(bulkhead.runningCalls() == 1)
        }
        while bulkhead.runningCalls() > 0 { await Task.yield() }
    }

    @Test("has a fallback until it begins, and none later")
    func fallback() async throws {
        let fallback = Fallback<HTTP.Request, HTTP.Response>(
            "kept", value: HTTP.Response(status: 200, body: Data("kept\n".utf8)), log: nil)
        let refused = await StreamTests.read(
            try client(ScriptedTransport(.failure(TransportError(.lost))), [fallback]), as: .lines)
        #expect(refused.elements == ["kept"])
        #expect(refused.failure == nil)
        let cut = await StreamTests.read(
            try client(ScriptedTransport(.stream([.bytes("a\n"), .lost])), [fallback]), as: .lines)
        #expect(cut.elements == ["a"])
        #expect(cut.failure?.code == "transport.lost")
    }

    @Test("is not sent twice by hedging")
    func hedging() async throws {
        let transport = ScriptedTransport(.stream([.wait(.seconds(20)), .bytes("a\n")]).repeated())
        let hedging = Hedging<HTTP.Request, HTTP.Response>(after: .milliseconds(1))
        #expect(await StreamTests.read(try client(transport, [hedging]), as: .lines).elements == ["a"])
        #expect(transport.requests.count == 1)
    }

    @Test("that is cut is never whole, whatever an interceptor makes of the failure")
    func swallowed() async throws {
        let swallowing = ClosureInterceptor { request, _, next in
            (try? await next(request)) ?? HTTP.Response(status: 200)
        }
        let transport = ScriptedTransport(.stream([.bytes("a\n"), .lost]))
        let (lines, failure) = await StreamTests.read(try client(transport, [swallowing]), as: .lines)
        #expect(lines == ["a"])
        #expect(failure?.code == "transport.lost")
    }

    @Test("is given to nobody once its account has left")
    func account() async throws {
        let clock = ManualClock()
        let credentials = try Credentials(TokenSet(access: "ann's", account: "ann")) { _ in nil }
        let transport = ScriptedTransport(
            .stream([.bytes("a\n"), .wait(.seconds(5)), .bytes("b\n"), .wait(.seconds(3600))]))
        let client = try client(transport, clock: clock, [BearerAuthentication(credentials)])
        var lines = try await client.stream("rows", as: .lines).makeAsyncIterator()
        #expect(try await lines.next() == "a")
        try await credentials.signOut()
        await clock.waitForSleeper(remaining: .seconds(5))
        await clock.advance(by: .seconds(5))
        let failure = await #expect(throws: Failure.self) { _ = try await lines.next() }
        #expect(failure?.code == "rejected.accountChanged")
    }

    @Test("is not given out of the window either once its account has left")
    func buffered() async throws {
        let credentials = try Credentials(TokenSet(access: "ann's", account: "ann")) { _ in nil }
        let client = try client(
            ScriptedTransport(.stream([.bytes("a\n")])), [BearerAuthentication(credentials)])
        let stream = try await client.stream("rows", as: .lines)
        while stream.report.elements == 0 { await Task.yield() }
        try await credentials.signOut()
        let failure = await #expect(throws: Failure.self) {
            for try await line in stream { Issue.record("\(line)") }
        }
        #expect(failure?.code == "rejected.accountChanged")
    }

    @Test("gets a new token for a refused one, and begins")
    func renewal() async throws {
        let credentials = try Credentials(TokenSet(access: "old", refresh: "r", account: "ann")) { _ in
            TokenSet(access: "new", refresh: "r", account: "ann")
        }
        let transport = ScriptedTransport(.status(401), .stream([.bytes("a\n")]))
        let (lines, failure) = await StreamTests.read(
            try client(transport, [BearerAuthentication(credentials)]), as: .lines)
        #expect(lines == ["a"])
        #expect(failure == nil)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
    }

    @Test("tells observers how it ended, once")
    func observers() async throws {
        let observer = RecordingObserver()
        var client = try client(ScriptedTransport(.stream([.bytes("a\n"), .lost])), [])
        client.options.observers = [observer]
        client.handling.observers = [observer]
        _ = await StreamTests.read(client, as: .lines)
        #expect(observer.calls.map { $0.failure?.code } == ["transport.lost"])
        #expect(observer.failures.count == 1)
    }

    @Test("is cut, slow or refused by an injected fault as by the network, and nothing is sent for it")
    func faults() async throws {
        let transport = ScriptedTransport(.stream([.bytes("c\n")]))
        let faults = FaultInjection(to: RecordingLog())
        let client = try client(transport, []).withChain { $0.appending(faults) }
        faults.add(.stream([.bytes("a\nb"), .lost]))
        faults.add(.status(503))
        let cut = await StreamTests.read(client, as: .lines)
        #expect(cut.elements == ["a"])
        #expect(cut.failure?.code == "transport.lost")
        #expect(cut.failure?.report.contains("injected by FaultInjection") == true)
        #expect(await StreamTests.read(client, as: .lines).failure?.code == "status.503")
        #expect(transport.requests.isEmpty)
        faults.next = .delay(.seconds(3), then: .network)
        #expect(await StreamTests.read(client, as: .lines).elements == ["c"])
    }
}
