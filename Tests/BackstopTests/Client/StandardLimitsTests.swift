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
        "an attempt has 30 s, or half of the deadline, unless the app says otherwise",
        arguments: [
            (nil, nil, .seconds(30)), (nil, .seconds(300), .seconds(30)), (nil, .seconds(60), .seconds(30)),
            (nil, .seconds(59), .milliseconds(29_500)), (nil, .seconds(10), .seconds(5)),
            (.seconds(4), nil, .seconds(4)), (.seconds(40), nil, .seconds(40)),
            (.seconds(8), .seconds(10), .seconds(8)),
        ] as [(Duration?, Duration?, Duration)])
    func limit(attemptTimeout: Duration?, deadline: Duration?, expected: Duration) throws {
        let chain = try client(attemptTimeout: attemptTimeout, deadline: deadline).chain
        let limits = chain.interceptors.compactMap { $0 as? AttemptTimeout<HTTP.Request, HTTP.Response> }
        #expect(limits.map(\.limit) == [expected])
    }

    @Test("are the deadline alone where no attempt may follow", arguments: [1, 60])
    func alone(deadline: Int) throws {
        let chain = try client(deadline: .seconds(deadline), retry: .never).chain
        #expect(!chain.roles.contains(.attemptTimeout))
        #expect(chain.orderIssues.map(\.description) == [])
        let long = try client(deadline: .seconds(61), retry: .never).chain
        #expect(long.roles.contains(.attemptTimeout))
        #expect(try client(retry: .never).chain.roles.contains(.attemptTimeout))
    }

    @Test("are in order with every deadline", arguments: [5, 10, 30, 59, 60, 61, 600])
    func order(deadline: Int) throws {
        #expect(try client(deadline: .seconds(deadline)).chain.orderIssues.map(\.description) == [])
    }

    @Test("leave time for a second attempt, if timeouts are repeated; as long as the deadline, they would not")
    func second() async throws {
        for (attemptTimeout, code) in [(nil, "ok"), (.seconds(10), "timeout.deadline")] as [(Duration?, String)] {
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
            if attemptTimeout == nil {
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
