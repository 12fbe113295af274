import Backstop
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("Hedging to another host", .limited)
struct HedgingHostTests {
    private let clock = ManualClock()

    private func chain(_ transport: ScriptedTransport, host: String = "us.example.com") throws -> HTTP.Chain {
        try HTTP.Chain(transport: transport) {
            Retry(attempts: 2, baseDelay: .zero)
            HTTP.Hedging(after: .milliseconds(300), toHost: host)
            StatusValidation()
        }
    }

    private func call(_ request: HTTP.Request, _ chain: HTTP.Chain) -> Task<HTTP.Response, any Error> {
        Task { try await chain.send(request, context: CallContext(options: .with(clock))) }
    }

    /// Until the copy is due of a request that takes long.
    private func letDelayPass(after sent: Int, _ transport: ScriptedTransport) async {
        await transport.waitForRequests(sent)
        await clock.waitForSleeper(remaining: .milliseconds(300))
        await clock.advance(by: .milliseconds(300))
    }

    private func hosts(_ transport: ScriptedTransport) -> [String?] {
        transport.requests.map(\.url.host)
    }

    @Test("sends the copy there after the delay, without what identifies the caller, and the quicker one answers")
    func slow() async throws {
        let transport = ScriptedTransport(.hang, .status(200))
        var request = try HTTP.Request(.get, "https://eu.example.com/books?page=2&token=s3cret")
        request.headers["Authorization"] = "Bearer s3cret"
        let task = call(request, try chain(transport))
        await letDelayPass(after: 1, transport)
        #expect(try await task.value.status == 200)
        let copy = try #require(transport.requests.last)
        #expect(copy.url.absoluteString == "https://us.example.com/books?page=2")
        #expect(copy.headers["Authorization"] == nil)
        #expect(transport.requests.count == 2)
    }

    @Test("sends the copy there while a limiter further in still holds up the request to the first")
    func held() async throws {
        let transport = ScriptedTransport(.status(200).repeated())
        let chain = try HTTP.Chain(transport: transport) {
            HTTP.Hedging(after: .milliseconds(300), toHost: "us.example.com")
            HTTP.RateLimiter(1, per: .seconds(10), grouping: .origin, log: nil)
        }
        let request = try HTTP.Request(.get, "https://eu.example.com/books")
        _ = try await call(request, chain).value
        let task = call(request, chain)
        await clock.waitForSleeper(remaining: .seconds(10))
        await letDelayPass(after: 1, transport)
        #expect(try await task.value.status == 200)
        #expect(hosts(transport) == ["eu.example.com", "us.example.com"])
    }

    @Test("sends the copy at once where a person has isolated the first")
    func isolated() async throws {
        let transport = ScriptedTransport(.status(200).repeated())
        let breaker = HTTP.CircuitBreaker(grouping: .origin, log: nil)
        breaker.isolate("https://eu.example.com")
        let chain = try HTTP.Chain(transport: transport) {
            HTTP.Hedging(after: .milliseconds(300), toHost: "us.example.com")
            breaker
        }
        let request = try HTTP.Request(.get, "https://eu.example.com/books")
        #expect(try await call(request, chain).value.status == 200)
        #expect(hosts(transport) == ["us.example.com"])
    }

    @Test("sends one copy, at once, where an interceptor further in refuses the request to the first")
    func refused() async throws {
        let gate = Gate()
        let transport = ScriptedTransport(
            .status(200),
            .respond { _, _ in
                await gate.pass()
                return HTTP.Response(status: 200)
            }, .status(200))
        let chain = try HTTP.Chain(transport: transport) {
            HTTP.Hedging(after: .milliseconds(300), toHost: "us.example.com")
            HTTP.RateLimiter(1, per: .seconds(10), maximumWait: .zero, grouping: .origin, log: nil)
        }
        let request = try HTTP.Request(.get, "https://eu.example.com/books")
        _ = try await call(request, chain).value
        let task = call(request, chain)
        await transport.waitForRequests(2)
        await clock.waitForSleeper(remaining: .milliseconds(300))
        await clock.advance(by: .milliseconds(300))
        for _ in 1...100 {
            await Task.yield()
        }
        gate.open()
        #expect(try await task.value.status == 200)
        #expect(hosts(transport) == ["eu.example.com", "us.example.com"])
    }

    @Test(
        "sends the copy at once when the first request has failed in passing",
        arguments: [Stub<HTTP.Request, HTTP.Response>.status(503), .failure(TransportError(.refused))])
    func failed(stub: Stub<HTTP.Request, HTTP.Response>) async throws {
        let transport = ScriptedTransport(stub, .status(200))
        let response = try await call(HTTP.Request(.get, "https://eu.example.com/books"), chain(transport)).value
        #expect(response.status == 200)
        #expect(hosts(transport) == ["eu.example.com", "us.example.com"])
        #expect(clock.now == .zero)
    }

    @Test("sends none after a failure that another host would have, too", arguments: [400, 404, 429])
    func permanent(status: Int) async throws {
        let transport = ScriptedTransport(.status(status).repeated())
        _ = try? await call(
            HTTP.Request(.get, "https://eu.example.com/books"),
            HTTP.Chain(transport: transport) {
                HTTP.Hedging(after: .milliseconds(300), toHost: "us.example.com")
                StatusValidation()
            }
        ).value
        #expect(hosts(transport) == ["eu.example.com"])
    }

    @Test("sends none of a request that changes something, key or not", arguments: [HTTP.Method.post, .put, .delete])
    func changes(method: HTTP.Method) async throws {
        let transport = ScriptedTransport(.failure(TransportError(.lost)), .status(200))
        var request = try HTTP.Request(method, "https://eu.example.com/books")
        request.headers["Idempotency-Key"] = "7"
        _ = try? await call(request, chain(transport)).value
        #expect(hosts(transport).allSatisfy { $0 == "eu.example.com" })
    }

    @Test("takes no retry for the copy, which is no load for the host in trouble")
    func budget() async throws {
        let transport = ScriptedTransport(.status(503), .status(200), .hang, .status(200), .hang, .status(200))
        let chain = try HTTP.Chain(transport: transport) {
            Retry(
                try RetryPolicy(
                    attempts: 2, backoff: .none, budget: RetryBudget(capacity: 0, refill: 0, interval: nil)))
            HTTP.Hedging(after: .milliseconds(300), toHost: "us.example.com")
            StatusValidation()
        }
        let request = try HTTP.Request(.get, "https://eu.example.com/books")
        _ = try await call(request, chain).value
        for sent in [3, 5] {
            let slow = call(request, chain)
            await letDelayPass(after: sent, transport)
            #expect(try await slow.value.status == 200)
        }
        #expect(hosts(transport) == ["eu.", "us.", "eu.", "us.", "eu.", "us."].map { "\($0)example.com" })
    }

    @Test(
        "goes on with the first request where the other host refuses the copy, however it says so",
        arguments: [302, 401, 404, 503], [true, false])
    func refusedElsewhere(status: Int, isThrown: Bool) async throws {
        let gate = Gate()
        let transport = ScriptedTransport(
            .respond { _, _ in
                await gate.pass()
                return HTTP.Response(status: 200)
            }, .status(status))
        let chain = try HTTP.Chain(transport: transport) {
            HTTP.Hedging(after: .milliseconds(300), toHost: "us.example.com")
            if isThrown {
                StatusValidation()
            }
        }
        let task = call(try HTTP.Request(.get, "https://eu.example.com/books"), chain)
        await letDelayPass(after: 1, transport)
        await transport.waitForRequests(2)
        gate.open()
        #expect(try await task.value.status == 200)
    }

    @Test("fails as the first request did, where the other host refuses the copy, and is retried for that")
    func failedBoth() async throws {
        let transport = ScriptedTransport(.status(503), .status(401), .status(200))
        let response = try await call(HTTP.Request(.get, "https://eu.example.com/books"), chain(transport)).value
        #expect(response.status == 200)
        #expect(hosts(transport) == ["eu.example.com", "us.example.com", "eu.example.com"])
    }

    @Test("with both lost, retry begins with the first host")
    func both() async throws {
        let transport = ScriptedTransport(.status(503), .failure(TransportError(.lost)), .status(200))
        let response = try await call(HTTP.Request(.get, "https://eu.example.com/books"), chain(transport)).value
        #expect(response.status == 200)
        #expect(hosts(transport) == ["eu.example.com", "us.example.com", "eu.example.com"])
    }

    @Test("says that the copy answered, to observers and in the trace")
    func told() async throws {
        let observer = RecordingObserver()
        var options = CallOptions.with(clock)
        options.observers = [observer]
        let context = CallContext(options: options)
        let transport = ScriptedTransport(.status(503), .status(200))
        _ = try await chain(transport).send(HTTP.Request(.get, "https://eu.example.com/books"), context: context)
        #expect(context.values.fallback?.name == "us.example.com")
        #expect(context.values.fallback?.reason.code == "status.503")
        #expect("\(context.trace)".contains("started to us.example.com because attempt 1 failed"), "\(context.trace)")
    }

    @Test("is told of only while its answer is the call's")
    func toldOnce() async throws {
        let context = CallContext(options: .with(clock))
        let transport = ScriptedTransport(.status(503), .status(200), .status(200))
        let critic = ClosureInterceptor { request, context, next in
            let response = try await next(request)
            guard context.attempt > 1 else {
                throw TransportError(.lost)
            }
            return response
        }
        let chain = try HTTP.Chain(transport: transport) {
            Retry(try RetryPolicy(attempts: 2, backoff: .none))
            critic
            HTTP.Hedging(after: .milliseconds(300), toHost: "us.example.com")
            StatusValidation()
        }
        _ = try await chain.send(HTTP.Request(.get, "https://eu.example.com/books"), context: context)
        #expect(hosts(transport) == ["eu.example.com", "us.example.com", "eu.example.com"])
        #expect(context.values.fallback == nil)
    }

    @Test("goes only to another host, and from the client's own: neither to the same, nor for a third")
    func ownOrigin() async throws {
        let transport = ScriptedTransport(.status(503).repeated())
        let client = try Client(baseURL: "https://eu.example.com", transport: transport, options: .with(clock)) {
            HTTP.Hedging(after: .milliseconds(300), toHost: "us.example.com")
            StatusValidation()
        }
        _ = try? await client.get("books")
        #expect(hosts(transport) == ["eu.example.com", "us.example.com"])
        _ = try? await client.get("https://pay.example.net/secret/7")
        _ = try? await client.get("https://us.example.com/books")
        #expect(hosts(transport).suffix(2) == ["pay.example.net", "us.example.com"])
        #expect(transport.requests.count == 4)
    }

    @Test("takes no answer to which the other host has redirected the copy")
    func redirectedElsewhere() async throws {
        let gate = Gate()
        let transport = ScriptedTransport(
            .respond { _, _ in
                await gate.pass()
                return HTTP.Response(status: 200, body: Data("good".utf8))
            },
            .respond { _, context in
                context.recordHop(try HTTP.Request(.get, "https://us.example.com/login"))
                return HTTP.Response(status: 200, body: Data("Sign in".utf8))
            })
        let chain = try HTTP.Chain(transport: transport) {
            HTTP.Hedging(after: .milliseconds(300), toHost: "us.example.com")
        }
        let task = call(try HTTP.Request(.get, "https://eu.example.com/books"), chain)
        await letDelayPass(after: 1, transport)
        await transport.waitForRequests(2)
        gate.open()
        #expect(try await task.value.body == Data("good".utf8))
    }

    @Test("refuses what is no host", arguments: ["", "us.example.com/a", "https://us.example.com", "a@us.example.com"])
    func invalid(host: String) throws {
        let error = #expect(throws: ConfigurationError.self) { _ = try chain(ScriptedTransport(), host: host) }
        #expect(error?.setting == "Hedging.toHost")
    }
}
