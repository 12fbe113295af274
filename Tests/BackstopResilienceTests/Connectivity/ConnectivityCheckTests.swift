import Backstop
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("ConnectivityCheck", .limited)
struct ConnectivityCheckTests {
    /// Counts what is sent, and fails as often as it is told.
    private final class Line: Transport {
        let sent = Counter()
        let failures: Int

        init(failures: Int = 0) {
            self.failures = failures
        }

        func send(_ request: TestRequest, context: CallContext) async throws -> String {
            guard sent.increment() > failures else { throw TransportError(.lost) }
            return "answer"
        }
    }

    private struct TestRequest: CallRequest {
        var isIdempotent: Bool { true }
        var isReplayable: Bool { true }
        func summary(_ redaction: Redaction) -> String { "request" }
    }

    private let connectivity = ManualConnectivity(.offline)
    private let clock = ManualClock()
    private let line = Line()

    private func options(deadline: Duration? = nil) -> CallOptions {
        var options = CallOptions()
        options.clock = clock
        options.deadline = deadline
        return options
    }

    private func waiting(_ limit: Duration = .seconds(10)) throws -> Chain<TestRequest, String> {
        let check = ConnectivityCheck<TestRequest, String>(connectivity, whenOffline: .wait(upTo: limit))
        return try Chain(transport: line) { check }
    }

    private func failed(_ chain: Chain<TestRequest, String>, _ options: CallOptions) async -> Failure? {
        do throws(Failure) {
            _ = try await chain.call(TestRequest(), options: options)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "lets requests to the device itself pass while it is offline",
        arguments: [
            ("http://localhost:8080/", true), ("http://127.0.0.1/", true),
            ("http://[::1]/", true), ("http://127.0.0.1.example.com/", false),
            ("http://localhost.example.com/", false), ("http://10.0.0.1/", false),
        ])
    func loopback(url: String, passes: Bool) async throws {
        let script = Script<HTTP.Request, HTTP.Response>(.respond { _, _ in HTTP.Response(status: 200) })
        let chain = try HTTP.Chain(transport: script) { ConnectivityCheck(connectivity) }
        let result = await chain.result(try HTTP.Request(.get, url), options: options())
        #expect((result.failure == nil) == passes)
    }

    @Test("fails at once while the device is known to be offline, and sends nothing") func fails() async throws {
        let chain = try Chain<TestRequest, String>(transport: line) { ConnectivityCheck(connectivity) }

        let failure = await failed(chain, options())

        #expect(failure?.code == "transport.offline")
        #expect(failure?.isOffline == true)
        #expect(line.sent.value == 0)
    }

    @Test("sends at once while the device is not known to be offline") func online() async throws {
        connectivity.state = .online

        #expect(try await waiting().call(TestRequest(), options: options()) == "answer")
        let failing = try Chain<TestRequest, String>(transport: line) { ConnectivityCheck(connectivity) }
        #expect(try await failing.call(TestRequest(), options: options()) == "answer")
        #expect(clock.now == .zero)
    }

    @Test("waits for the network, sends, and says in the trace how long it waited") func waits() async throws {
        let observer = RecordingObserver()
        var options = options()
        options.observers = [observer]
        let chain = try waiting()
        let call = Task { [options] in try await chain.call(TestRequest(), options: options) }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(3))
        #expect(line.sent.value == 0)

        connectivity.state = .online

        #expect(try await call.value == "answer")
        #expect(observer.calls.first?.trace.text.contains("waited 3 s for the network") == true)
    }

    @Test("a network that comes and goes before it is seen does not lose the wait") func flaps() async throws {
        let chain = try waiting()
        let call = Task { [options = options()] in try await chain.call(TestRequest(), options: options) }
        await clock.waitForSleepers(1)

        for _ in 0..<100 {
            connectivity.state = .online
            connectivity.state = .offline
        }
        connectivity.state = .online

        #expect(try await call.value == "answer")
    }

    @Test("fails with transport.offline when the limit is over") func limit() async throws {
        let chain = try waiting()
        let call = Task { [options = options()] in await failed(chain, options) }
        await clock.waitForSleeper(remaining: .seconds(10))
        await clock.advance(by: .seconds(10))

        let failure = await call.value

        #expect(failure?.code == "transport.offline")
        #expect(failure?.explanation.contains("offline for 10 s") == true)
        #expect(line.sent.value == 0)
    }

    private struct Late: Interceptor {
        let pause: Duration
        func intercept(
            _ request: TestRequest, context: CallContext, next: Next<TestRequest, String>
        ) async throws -> String {
            try await context.clock.sleep(for: pause)
            return try await next(request)
        }
    }

    @Test(
        "ends at the call's deadline when that does not come later, and names the time of the whole call",
        arguments: [4, 11])
    func deadline(seconds: Int) async throws {
        let check = ConnectivityCheck<TestRequest, String>(connectivity, whenOffline: .wait(upTo: .seconds(10)))
        let chain = try Chain(transport: line) {
            Late(pause: .seconds(1))
            check
        }
        let call = Task { [options = options(deadline: .seconds(seconds))] in await failed(chain, options) }
        for pause in [1, seconds - 1] {
            await clock.waitForSleeper(remaining: .seconds(pause))
            await clock.advance(by: .seconds(pause))
        }

        let failure = await call.value

        #expect(failure?.code == "timeout.deadline")
        #expect(failure?.explanation.contains("\(seconds) s") == true)
        #expect(failure?.stopReason == .deadline(wait: nil))
        #expect(line.sent.value == 0)
    }

    @Test("a call that is cancelled while it waits sends nothing, and leaves nothing behind") func cancelled()
        async throws
    {
        let chain = try waiting()
        let call = Task { [options = options()] in await failed(chain, options) }
        await clock.waitForSleepers(1)

        call.cancel()

        #expect(await call.value?.isCancelled == true)
        #expect(line.sent.value == 0)
        while !clock.sleepers.isEmpty || !connectivity.isAtRest { await Task.yield() }
    }

    @Test(
        "whatever the network, the limit and cancellations do, each call has one outcome and nothing stays behind",
        arguments: Seed.ofRun(and: [1]))
    func races(seed: Seed) async throws {
        var numbers = seed.numbers
        for _ in 0..<300 {
            let connectivity = ManualConnectivity(numbers.below(2) == 0 ? .offline : .online)
            let clock = ManualClock()
            let line = Line()
            var options = CallOptions()
            options.clock = clock
            let check = ConnectivityCheck<TestRequest, String>(connectivity, whenOffline: .wait(upTo: .seconds(1)))
            let chain = try Chain(transport: line) { check }
            let calls = (0..<6).map { _ in Task { [options] in await failed(chain, options)?.code ?? "ok" } }
            for _ in 0..<12 {
                switch numbers.below(4) {
                case 0: connectivity.state = .online
                case 1: connectivity.state = .offline
                case 2: calls[numbers.below(6)].cancel()
                default: for _ in 0..<numbers.below(4) { await Task.yield() }
                }
            }
            if numbers.below(2) == 0 {
                connectivity.state = .online
            } else {
                let over = Counter()
                Task {
                    for call in calls { _ = await call.value }
                    over.increment()
                }
                while over.value == 0 {
                    await clock.advance(by: .seconds(1))
                    await Task.yield()
                }
            }
            var counts: [String: Int] = [:]
            for call in calls { counts[await call.value, default: 0] += 1 }
            #expect(Set(counts.keys).isSubset(of: ["ok", "transport.offline", "cancelled"]))
            #expect(line.sent.value >= counts["ok", default: 0])
            while !clock.sleepers.isEmpty || !connectivity.isAtRest { await Task.yield() }
        }
    }

    @Test("refuses a wait of nothing", arguments: [Duration.zero, .seconds(-1)]) func settings(limit: Duration) {
        let error = #expect(throws: ConfigurationError.self) { _ = try waiting(limit) }
        #expect(error?.setting == "ConnectivityCheck.whenOffline")
    }

    // MARK: The harm of the wrong order

    @Test("inside retry, a call that is known to be offline is retried: it takes the pauses of three attempts")
    func insideRetry() async throws {
        let clock = RecordingClock()
        var options = CallOptions()
        options.clock = clock
        let wrong = try Chain<TestRequest, String>(transport: line) {
            Retry()
            ConnectivityCheck(connectivity)
        }
        let right = try Chain<TestRequest, String>(transport: line) {
            ConnectivityCheck(connectivity)
            Retry()
        }

        let late = await failed(wrong, options)
        let pauses = clock.sleeps.count
        let early = await failed(right, options)

        #expect(late?.attempts.count == 3 && pauses == 2)
        #expect(early?.attempts.count == 1 && clock.sleeps.count == pauses)
        #expect(wrong.orderIssues.map(\.rule.outer) == [.connectivity])
        #expect(right.orderIssues.isEmpty)
    }

    @Test("outside the deadline, the call takes the wait and the deadline together") func outsideDeadline() async throws
    {
        let check = ConnectivityCheck<TestRequest, String>(connectivity, whenOffline: .wait(upTo: .seconds(10)))
        let deadline = Deadline<TestRequest, String>(.seconds(5))
        let chain = try Chain(transport: line) {
            check
            deadline
        }
        let call = Task { [options = options()] in try await chain.call(TestRequest(), options: options) }
        await clock.waitForSleeper(remaining: .seconds(10))
        await clock.advance(by: .seconds(8))

        connectivity.state = .online

        #expect(try await call.value == "answer")
        #expect(clock.now > .seconds(5))
        #expect(chain.orderIssues.map(\.rule.inner) == [.connectivity])
    }

    /// Answers what the rest of the chain cannot: stored responses, or a substitute.
    private struct Substitute: Interceptor {
        let role: Role
        let isAsked: Bool
        func intercept(
            _ request: TestRequest, context: CallContext, next: Next<TestRequest, String>
        ) async throws -> String {
            guard isAsked else { return "stored" }
            do {
                return try await next(request)
            } catch {
                return "substitute"
            }
        }
    }

    @Test("outside cache or fallback, an offline device gets neither", arguments: [Role.cache, .fallback])
    func outsideSubstitute(role: Role) async throws {
        let substitute = Substitute(role: role, isAsked: role == .fallback)
        let wrong = try Chain<TestRequest, String>(transport: line) {
            ConnectivityCheck(connectivity)
            substitute
        }
        let right = try Chain<TestRequest, String>(transport: line) {
            substitute
            ConnectivityCheck(connectivity)
        }

        #expect(await failed(wrong, options())?.code == "transport.offline")
        #expect(await failed(right, options()) == nil)
        #expect(wrong.orderIssues.map(\.rule.severity) == [.error])
    }
}
