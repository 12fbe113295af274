import BackstopTestSupport
import BackstopTesting
import Testing

@testable import BackstopCore
@testable import BackstopResilience

@Suite("The words about a call that a time limit ends while something holds it up", .limited)
struct HeldCallTests {
    private let clock = ManualClock()

    private func call(_ chain: AskChain) -> Task<Result<Answer, Failure>, Never> {
        let options = CallOptions.with(clock)
        return Task { await chain.result(Ask("hello"), options: options) }
    }

    private func line(_ name: String, of failure: Failure) -> String {
        let lines = failure.report.split(separator: "\n").filter { $0.hasPrefix("  \(name): ") }
        return lines.map { $0.dropFirst(12) }.joined(separator: "|")
    }

    @Test("name the bulkhead in whose queue it was, and nobody blames the server", arguments: [true, false])
    func bulkhead(isDeadline: Bool) async throws {
        // given: one place, taken
        let gate = Gate()
        let bulkhead = try Bulkhead<Ask, Answer>(limit: 1, queue: .firstInFirstOut(5))
        let first = call(
            try AskChain(
                transport: Script<Ask, Answer>(
                    .respond { _, _ in
                        await gate.pass(); return Answer()
                    })
            ) {
                bulkhead
            })
        await gate.waitForArrivals(1)
        let chain = try AskChain(transport: Echo()) {
            if isDeadline { Deadline(.milliseconds(150)) } else { AttemptTimeout(.milliseconds(150)) }
            bulkhead
        }
        let second = call(chain)
        while bulkhead.waitingCalls() == 0 {
            await Task.yield()
        }
        // The limit, and that of the queue.
        await clock.waitForSleepers(2)
        // when
        await clock.advance(by: .milliseconds(150))
        // then
        let failure = try #require(await second.value.failure)
        let limit = isDeadline ? "the deadline" : "the limit of AttemptTimeout"
        #expect(line("where", of: failure) == "while waiting for a place in Bulkhead: 1 call is running")
        #expect(
            failure.nextStep == "Allow more calls at once in Bulkhead, or raise \(limit): "
                + "the call was still waiting for a place in Bulkhead.")
        #expect(failure.trace.events.map(\.text) == ["waits for a place: 1 call is running"])
        #expect(line("sent", of: failure) == "nothing")
        gate.open()
        _ = try await first.value.get()
        #expect(bulkhead.places.total == (0, 0, 0))
    }

    @Test("name the rate limiter for whose next call it waited")
    func rateLimiter() async throws {
        // given: a token in 10 s, and an attempt of 1 s
        let limiter = RateLimiter<Ask, Answer>(1, per: .seconds(10), burst: 1, maximumWait: .seconds(60))
        let chain = try AskChain(transport: Echo()) {
            AttemptTimeout(.seconds(1))
            limiter
        }
        _ = try await call(chain).value.get()
        let second = call(chain)
        // The wait for a token: any other sleeper may be the limit of the first call, which is over.
        await clock.waitForSleeper(remaining: .seconds(10))
        // when
        await clock.advance(by: .seconds(1))
        // then
        let failure = try #require(await second.value.failure)
        #expect(line("where", of: failure) == "while waiting for its turn in RateLimiter: 1 call per 10 s is allowed")
        #expect(
            failure.nextStep == "Allow more calls in RateLimiter, or raise the limit of AttemptTimeout: "
                + "the call was still waiting for its turn in RateLimiter.")
        #expect(failure.trace.events.map(\.text) == ["waits for its turn: 1 call per 10 s is allowed"])
    }

    @Test("say nothing of a wait that is over")
    func waitIsOver() async throws {
        // given: a place that comes after 1 s, and a server that hangs
        let (gate, hanging) = (Gate(), Gate())
        let bulkhead = try Bulkhead<Ask, Answer>(limit: 1, queue: .firstInFirstOut(5))
        let first = call(
            try AskChain(
                transport: Script<Ask, Answer>(
                    .respond { _, _ in
                        await gate.pass(); return Answer()
                    })
            ) {
                bulkhead
            })
        await gate.waitForArrivals(1)
        let chain = try AskChain(
            transport: Script<Ask, Answer>(
                .respond { _, _ in
                    await hanging.pass(); return Answer()
                })
        ) {
            Deadline(.seconds(2))
            bulkhead
        }
        let second = call(chain)
        while bulkhead.waitingCalls() == 0 {
            await Task.yield()
        }
        // The deadline, and the limit of the queue.
        await clock.waitForSleepers(2)
        gate.open()
        _ = try await first.value.get()
        await hanging.waitForArrivals(1)
        // when
        await clock.advance(by: .seconds(2))
        // then
        let failure = try #require(await second.value.failure)
        #expect(line("where", of: failure) == "in the transport, which does not report its progress")
        #expect(failure.nextStep == "Find out why the server is slow, or raise the deadline for this call.")
        hanging.open()
    }

    @Test("say nothing of a place or a token that has come, though nothing is sent yet", arguments: [true, false])
    func turnHasCome(isBulkhead: Bool) async throws {
        // given: one that is let through, and one that waits for it, and then further in
        let (first, second) = (Gate(), Gate())
        let limit: any Interceptor<Ask, Answer> =
            isBulkhead ? Bulkhead(limit: 1) : RateLimiter(1, per: .seconds(1), burst: 1)
        let chain = try AskChain(transport: Echo()) {
            Deadline(.seconds(5))
            limit
            Step { request, _, next in
                await (request.text == "hello" ? second : first).pass()
                return try await next(request)
            }
        }
        let before = Task { [options = CallOptions.with(clock)] in await chain.result(Ask("before"), options: options) }
        await first.waitForArrivals(1)
        let task = call(chain)
        // Two deadlines, and the wait.
        await clock.waitForSleepers(3)
        first.open()
        _ = try await before.value.get()
        await clock.advance(by: .seconds(1))
        await second.waitForArrivals(1)
        // when
        await clock.advance(by: .seconds(4))
        // then
        let failure = try #require(await task.value.failure)
        #expect(line("where", of: failure) == "before anything was sent")
        #expect(
            failure.nextStep == "Find out which interceptor held the call back, or raise the deadline for this call.")
        second.open()
    }

    @Test("name the fallback that used up the time, not the attempts before it", arguments: [1, 2])
    func fallback(attempts: Int) async throws {
        // given
        let gate = Gate()
        let chain = try AskChain(transport: Script<Ask, Answer>(.failure(TransportError(.lost)).repeated())) {
            Deadline(.milliseconds(300))
            Fallback("cache", log: nil) { _, _ in
                await gate.pass()
                return Answer()
            }
            Retry(try RetryPolicy(attempts: attempts, backoff: .none))
        }
        let task = call(chain)
        await gate.waitForArrivals(1)
        await clock.waitForSleepers(1)
        // when
        await clock.advance(by: .milliseconds(300))
        // then
        let failure = try #require(await task.value.failure)
        #expect(failure.code == "timeout.deadline")
        #expect(failure.stopReason == .deadline(wait: nil))
        #expect(line("where", of: failure) == "while waiting for the fallback \"cache\"")
        #expect(
            failure.nextStep == "Let the fallback \"cache\" answer sooner, or raise the deadline: "
                + "the call was still waiting for the fallback \"cache\".")
        #expect(failure.trace.events.map(\.text) == ["cache asked because of transport.lost"])
        gate.open()
    }

    @Test("blame attempts and waits only if they used up most of the time", arguments: [(10, false), (290, true)])
    func attempts(spent: Int, isBlamed: Bool) {
        let attempts = [
            Attempt(number: 1, result: .failed(code: "status.503")),
            Attempt(number: 2, duration: .milliseconds(spent), result: .failed(code: "status.503")),
        ]
        let failure = Failure(TimeoutError(.deadline, after: .milliseconds(300)), request: Ask(), attempts: attempts)
        #expect(failure.nextStep?.contains("attempts and waits used it up") == isBlamed)
    }

    @Test("name the network for which it waited, known to be away")
    func connectivity() async throws {
        // given
        let network = ManualConnectivity(.offline)
        let chain = try AskChain(transport: Echo()) {
            Deadline(.seconds(1))
            ConnectivityCheck(network, whenOffline: .wait(upTo: .seconds(10)))
        }
        let task = call(chain)
        // The deadline, and the limit of the wait for the network.
        await clock.waitForSleepers(2)
        // when
        await clock.advance(by: .seconds(1))
        // then
        let failure = try #require(await task.value.failure)
        #expect(
            line("where", of: failure)
                == "while waiting for the network in ConnectivityCheck: the device is known to be offline")
        #expect(failure.nextStep?.hasPrefix("Tell the person that the device is offline") == true)
    }

    @Test("say nothing of a wait for the network that is over, with or without it", arguments: [true, false])
    func networkIsBack(isBack: Bool) async throws {
        // given: after the wait, an interceptor further in hangs, or one further out
        let network = ManualConnectivity(.offline)
        let gate = Gate()
        let chain = try AskChain(transport: Echo()) {
            Deadline(.seconds(5))
            Step { request, _, next in
                do {
                    return try await next(request)
                } catch is TransportError {
                    await gate.pass()
                    return Answer()
                }
            }
            ConnectivityCheck(network, whenOffline: .wait(upTo: .seconds(1)))
            Step { request, _, next in
                await gate.pass()
                return try await next(request)
            }
        }
        let task = call(chain)
        await clock.waitForSleepers(2)
        // when
        if isBack {
            network.state = .online
        } else {
            await clock.advance(by: .seconds(1))
        }
        await gate.waitForArrivals(1)
        await clock.advance(by: .seconds(5))
        // then
        let failure = try #require(await task.value.failure)
        #expect(failure.code == "timeout.deadline")
        #expect(line("where", of: failure) == "before anything was sent")
        gate.open()
    }

    @Test("blame no server for an order that an interceptor held back, and say why it was not retried")
    func heldOrder() async throws {
        let gate = Gate()
        let chain = try AskChain(transport: Echo()) {
            Retry()
            AttemptTimeout(.seconds(1))
            Step { request, _, next in
                await gate.pass()
                return try await next(request)
            }
        }
        var order = Ask("order")
        order.isIdempotent = false
        let task = Task { [order, options = CallOptions.with(clock)] in await chain.result(order, options: options) }
        await gate.waitForArrivals(1)
        // when
        await clock.advance(by: .seconds(1))
        // then
        let failure = try #require(await task.value.failure)
        #expect(line("where", of: failure) == "before anything was sent")
        #expect(
            line("stopped", of: failure)
                == "the request is not idempotent, and could still have been sent beside a retry")
        #expect(
            failure.nextStep
                == "Find out which interceptor held the call back, or raise the limit of AttemptTimeout for this call.")
        gate.open()
    }

    @Test("say that nothing was sent by a call that failed because the device was known to be offline")
    func offline() async throws {
        let chain = try AskChain(transport: Echo()) { ConnectivityCheck(ManualConnectivity(.offline)) }
        let failure = try #require(await call(chain).value.failure)
        #expect(failure.code == "transport.offline")
        #expect(line("where", of: failure) == "before anything was sent")
    }

    @Test("say in the report why a fallback did not answer")
    func unusedFallback() async throws {
        func report(_ fallback: Fallback<Ask, Answer>, idempotent: Bool = true) async throws -> String {
            let chain = try AskChain(transport: Script<Ask, Answer>(.failure(TransportError(.lost)).repeated())) {
                fallback
            }
            var ask = Ask("hello")
            ask.isIdempotent = idempotent
            return line("fallback", of: try #require(await chain.result(ask, options: .with(clock)).failure))
        }
        #expect(
            try await report(Fallback("cache", log: nil) { _, _ in throw ShopError() }) == "cache failed: other")
        #expect(try await report(Fallback("cache", log: nil) { _, _ in nil }) == "cache had no response")
        #expect(try await report(Fallback("backup", log: nil, sending: { _ in nil })) == "backup had no request")
        #expect(
            try await report(Fallback("backup", when: { $0.isTransient }, log: nil, sending: { $0 }), idempotent: false)
                == "backup was not used: the request may have been executed, and another server could execute it again")
    }
}
