import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The time limits of the standard client", .limited)
struct StandardLimitsTests {
    private let clock = ManualClock()

    private func client(
        _ transport: ScriptedTransport = ScriptedTransport(), attemptTimeout: Duration? = nil,
        deadline: Duration? = nil, retry: RetryPolicy = .standard
    ) throws -> Client {
        var options = CallOptions()
        options.clock = clock
        options.random = FixedRandom(units: 0.5)
        return try Client.standard(
            baseURL: "https://api.example.com", transport: transport, retry: retry,
            attemptTimeout: attemptTimeout, deadline: deadline, logging: nil, options: options)
    }

    @Test(
        "are 30 s for an attempt, or a deadline that is not longer, unless the app says otherwise",
        arguments: [
            (nil, nil, .seconds(30)), (nil, .seconds(300), .seconds(30)), (nil, .milliseconds(30_001), .seconds(30)),
            (nil, .seconds(30), nil), (nil, .seconds(1), nil), (.seconds(4), nil, .seconds(4)),
            (.seconds(40), nil, .seconds(40)), (.seconds(8), .seconds(10), .seconds(8)),
            // A call may have a longer deadline of its own.
            (.seconds(10), .seconds(10), .seconds(10)),
        ] as [(Duration?, Duration?, Duration?)])
    func limit(attemptTimeout: Duration?, deadline: Duration?, expected: Duration?) throws {
        let chain = try client(attemptTimeout: attemptTimeout, deadline: deadline).chain
        let limits = chain.interceptors.compactMap { $0 as? AttemptTimeout<HTTP.Request, HTTP.Response> }
        #expect(limits.map(\.limit) == (expected.map { [$0] } ?? []))
    }

    @Test(
        "are longer while bodies move, unless the app sets a shorter one than by default",
        arguments: [(nil, 4096), (29_999, nil), (30_000, 4096), (40_000, 4096)] as [(Int?, Int?)])
    func minimumRate(milliseconds: Int?, expected: Int?) throws {
        let chain = try client(attemptTimeout: milliseconds.map { .milliseconds($0) }).chain
        let limits = chain.interceptors.compactMap { $0 as? AttemptTimeout<HTTP.Request, HTTP.Response> }
        #expect(limits.map(\.minimumRate) == [expected])
    }

    @Test("leave a service that answers within the deadline all of its time")
    func slow() async throws {
        // given
        let client = try client(ScriptedTransport(.delay(.seconds(9), then: .status(204))), deadline: .seconds(10))
        let call = Task { try await client.get("books") as HTTP.Response }
        // when
        await clock.waitForSleeper(remaining: .seconds(9))
        await clock.advance(by: .seconds(9))
        // then
        #expect(try await call.value.status == 204)
    }

    @Test("are in order with every deadline", arguments: [5, 10, 30, 59, 60, 61, 600])
    func order(deadline: Int) throws {
        #expect(try client(deadline: .seconds(deadline)).chain.orderIssues.map(\.description) == [])
    }

    @Test("leave time for a second attempt where an attempt may not take all of it")
    func second() async throws {
        for (attemptTimeout, code) in [(.seconds(5), "ok"), (nil, "timeout.deadline")] as [(Duration?, String)] {
            // given
            let transport = ScriptedTransport(.hang, .status(200).repeated())
            let client = try client(
                transport, attemptTimeout: attemptTimeout, deadline: .seconds(10), retry: RetryPolicy())
            let call = Task {
                do throws(Failure) {
                    _ = try await client.get("books") as HTTP.Response
                    return "ok"
                } catch {
                    return error.code
                }
            }
            await transport.waitForRequests(1)
            // when: 5 s for the attempt, and half of the backoff's 0.5 s after it
            await clock.waitForSleeper(remaining: .seconds(10))
            await clock.advance(by: .seconds(5))
            if attemptTimeout != nil {
                await clock.waitForSleeper(remaining: .milliseconds(250))
                await clock.advance(by: .milliseconds(250))
            } else {
                await clock.advance(by: .seconds(5))
            }
            // then
            #expect(await call.value == code)
            #expect(transport.requests.count == (code == "ok" ? 2 : 1))
        }
    }

    @Test("are more than 0", arguments: [(Duration.zero, nil), (nil, Duration.zero)] as [(Duration?, Duration?)])
    func range(attemptTimeout: Duration?, deadline: Duration?) {
        #expect(throws: ConfigurationError.self) {
            _ = try client(attemptTimeout: attemptTimeout, deadline: deadline)
        }
    }
}
