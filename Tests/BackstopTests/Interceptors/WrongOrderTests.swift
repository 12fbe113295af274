import Backstop
import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// What a wrong order costs: each chain runs beside the right one.
@Suite("A chain in the wrong order", .limited)
struct WrongOrderTests {
    private let slow = Step.delay(.seconds(4), then: .status(503))
    /// Answers with what no decoder reads, as a captive portal does.
    private let garbled = Step.json(200, "<html>")

    @Test("status validation outside retry: a 503 is not retried")
    func statusOutsideRetry() async throws {
        let wrong = try await ChainRun(.get, .status(503), .status(200)) {
            StatusValidation()
            Retry()
        }
        let right = try await ChainRun(.get, .status(503), .status(200)) {
            Retry()
            StatusValidation()
        }
        #expect(wrong.outcome == "status.503")
        #expect(wrong.requests.count == 1)
        #expect(wrong.issues == ["error: Retry is inside StatusValidation"])
        #expect(right.outcome == "ok")
        #expect(right.issues.isEmpty)
    }

    @Test("API errors outside retry: a transient one is not retried")
    func apiErrorsOutsideRetry() async throws {
        let busy = Step.json(200, #"{"error": true, "reason": "busy"}"#)
        let wrong = try await ChainRun(.get, busy, .status(200)) {
            APIErrorDecoding(Busy.self)
            Retry()
        }
        let right = try await ChainRun(.get, busy, .status(200)) {
            Retry()
            APIErrorDecoding(Busy.self)
        }
        #expect(wrong.outcome == "service.Busy")
        #expect(wrong.requests.count == 1)
        #expect(wrong.issues == ["error: Retry is inside APIErrorDecoding"])
        #expect(right.outcome == "ok")
        #expect(right.issues.isEmpty)
    }

    private struct Busy: APIError {
        static let identifyingKeys = ["error", "reason"]
        static let comesWithSuccess = true
        let reason: String
        var isTransient: Bool? { true }
    }

    @Test("decoding outside retry: a policy that retries garbled content has no effect")
    func decodingOutsideRetry() async throws {
        // given
        let policy = try RetryPolicy { candidate in
            guard case .decoding = candidate.reason else {
                return candidate.isTransient
            }
            return true
        }
        func requests(_ interceptors: [any HTTP.Interceptor]) async throws -> (Int, [OrderIssue]) {
            let transport = ScriptedTransport(garbled, .json(200, "[1]"))
            let client = try Client(
                baseURL: nil, chain: try HTTP.Chain(transport: transport, interceptors: interceptors)
            )
            .withOptions { $0.clock = RecordingClock() }
            _ = try? await client.get("https://api.example.com/numbers", as: [Int].self)
            return (transport.requests.count, client.chain.orderIssues)
        }
        // when
        let wrong = try await requests([Decoding(), Retry(policy)])
        let right = try await requests([Retry(policy), Decoding()])
        // then
        #expect(wrong.0 == 1)
        #expect(wrong.1.map(\.finding) == ["Retry is inside Decoding"])
        #expect(right.0 == 2)
        #expect(right.1.isEmpty)
    }

    @Test("a deadline inside retry: each attempt gets the time of the call")
    func deadlineInsideRetry() async throws {
        let hanging = Step.delay(.seconds(4), then: .hang)
        let wrong = try await ChainRun(.get, slow, slow, slow) {
            Retry()
            Deadline(.seconds(5))
            StatusValidation()
        }
        let right = try await ChainRun(.get, slow, hanging) {
            Deadline(.seconds(5))
            Retry()
            StatusValidation()
        }
        #expect(wrong.outcome == "status.503")
        #expect(wrong.sleeps.filter { $0 > .zero } == [.seconds(4), .seconds(4), .seconds(4)])
        #expect(wrong.issues == ["error: Deadline is inside Retry"])
        #expect(right.outcome == "timeout.deadline")
        #expect(right.requests.count == 2)
        #expect(right.issues.isEmpty)
    }

    @Test("the limit of an attempt outside retry: it ends all attempts")
    func attemptTimeoutOutsideRetry() async throws {
        let hanging = Step.delay(.seconds(4), then: .hang)
        let wrong = try await ChainRun(.get, slow, hanging) {
            AttemptTimeout(.seconds(5))
            Retry()
            StatusValidation()
        }
        let right = try await ChainRun(.get, slow, slow, .status(200)) {
            Retry()
            StatusValidation()
            AttemptTimeout(.seconds(5))
        }
        #expect(wrong.outcome == "timeout.attempt")
        #expect(wrong.requests.count == 2)
        #expect(wrong.issues == ["error: Retry is inside AttemptTimeout"])
        #expect(right.outcome == "ok")
        #expect(right.issues.isEmpty)
    }

    @Test("a fallback inside retry: nothing is retried")
    func fallbackInsideRetry() async throws {
        let spare = Fallback<HTTP.Request, HTTP.Response>(value: HTTP.Response(status: 200), log: nil)
        let wrong = try await ChainRun(.get, .status(503), .status(200)) {
            Retry()
            spare
            StatusValidation()
        }
        let right = try await ChainRun(.get, .status(503), .status(200)) {
            spare
            Retry()
            StatusValidation()
        }
        #expect(wrong.requests.count == 1)
        #expect(wrong.issues == ["error: Fallback is inside Retry"])
        #expect(right.requests.count == 2)
        #expect(right.issues.isEmpty)
    }

    @Test("two retries: nine requests in the place of three")
    func twoRetries() async throws {
        // Without a budget, which would end this sooner.
        let policy = try RetryPolicy(budget: .unlimited)
        let wrong = try await ChainRun(.get, .status(503).repeated()) {
            Retry(policy)
            Retry(policy)
            StatusValidation()
        }
        let right = try await ChainRun(.get, .status(503).repeated()) {
            Retry(policy)
            StatusValidation()
        }
        #expect(wrong.requests.count == 9)
        #expect(wrong.issues == ["warning: Retry occurs more than once, for up to 3 × 3 = 9 attempts"])
        #expect(right.requests.count == 3)
        #expect(right.issues.isEmpty)
    }

    /// Sends the token that it has when a request passes, and renews it every time.
    private struct Tokens: HTTP.Interceptor {
        let issued = Counter()
        var role: Role { .authentication }

        func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
            var request = request
            request.headers[.authorization] = "Bearer \(issued.increment())"
            do {
                return try await next(request)
            } catch let error as StatusError where error.code == 401 {
                request.headers[.authorization] = "Bearer \(issued.increment())"
                return try await next(request)
            }
        }
    }

    @Test("authentication outside retry: all attempts have the first token")
    func authenticationOutsideRetry() async throws {
        let wrong = try await ChainRun(.get, .status(503), .status(200)) {
            Tokens()
            Retry()
            StatusValidation()
        }
        let right = try await ChainRun(.get, .status(503), .status(200)) {
            Retry()
            Tokens()
            StatusValidation()
        }
        #expect(wrong.requests.map { $0.headers[.authorization] } == ["Bearer 1", "Bearer 1"])
        #expect(wrong.issues == ["warning: Retry is inside Authentication"])
        #expect(right.requests.map { $0.headers[.authorization] } == ["Bearer 1", "Bearer 2"])
        #expect(right.issues.isEmpty)
    }

    @Test("authentication inside status validation: a token that is refused is not renewed")
    func authenticationInsideStatus() async throws {
        let wrong = try await ChainRun(.get, .status(401), .status(200)) {
            StatusValidation()
            Tokens()
        }
        let right = try await ChainRun(.get, .status(401), .status(200)) {
            Tokens()
            StatusValidation()
        }
        #expect(wrong.outcome == "status.401")
        #expect(wrong.requests.count == 1)
        #expect(wrong.issues == ["error: Authentication is inside StatusValidation"])
        #expect(right.outcome == "ok")
        #expect(right.issues.isEmpty)
    }

    /// Counts how often it is asked, and has an answer or not.
    private struct Shelf: HTTP.Interceptor {
        let asked = Counter()
        let isFull: Bool
        var role: Role { .cache }

        func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
            asked.increment()
            return isFull ? HTTP.Response(status: 200) : try await next(request)
        }
    }

    @Test("a cache inside retry: it is asked for each attempt")
    func cacheInsideRetry() async throws {
        let (inside, outside) = (Shelf(isFull: false), Shelf(isFull: false))
        let wrong = try await ChainRun(.get, .status(503).repeated()) {
            Retry()
            inside
            StatusValidation()
        }
        let right = try await ChainRun(.get, .status(503).repeated()) {
            outside
            Retry()
            StatusValidation()
        }
        #expect(inside.asked.value == 3)
        #expect(wrong.issues == ["warning: Cache is inside Retry"])
        #expect(outside.asked.value == 1)
        #expect(right.issues.isEmpty)
    }

    @Test("a cache inside authentication: a token is spent on what needs no request")
    func cacheInsideAuthentication() async throws {
        let (spent, unspent) = (Tokens(), Tokens())
        let wrong = try await ChainRun(.get) {
            spent
            Shelf(isFull: true)
        }
        let right = try await ChainRun(.get) {
            Shelf(isFull: true)
            unspent
        }
        #expect(spent.issued.value == 1)
        #expect(wrong.issues == ["warning: Cache is inside Authentication"])
        #expect(unspent.issued.value == 0)
        #expect(right.issues.isEmpty)
    }

    @Test("hedging outside retry: each copy is retried")
    func hedgingOutsideRetry() async throws {
        func requests(_ interceptors: [any HTTP.Interceptor]) async throws -> (count: Int, issues: [String]) {
            let clock = ManualClock()
            let transport = ScriptedTransport(Step.delay(.seconds(3), then: .status(503)).repeated())
            let chain = try HTTP.Chain(transport: transport, interceptors: interceptors)
            var options = CallOptions()
            options.clock = clock
            options.random = FixedRandom(units: 0)
            let request = try HTTP.Request(.get, "https://api.example.com/numbers")
            let call = Task { [options] in try? await chain.call(request, options: options) }
            let watch = Task {
                _ = await call.value
                return true
            }
            let isOver = Flag()
            Task {
                _ = await watch.value
                isOver.raise()
            }
            while !isOver.isRaised {
                if clock.sleepers.isEmpty {
                    await Task.yield()
                } else {
                    await clock.runNextSleep()
                }
            }
            return (transport.requests.count, chain.orderIssues.map(\.finding))
        }
        // A budget would hide it: each copy costs a retry.
        let retry = Retry<HTTP.Request, HTTP.Response>(try RetryPolicy(budget: .unlimited))
        let wrong = try await requests([Hedging(after: .seconds(1)), retry, StatusValidation()])
        let right = try await requests([retry, Hedging(after: .seconds(1)), StatusValidation()])
        #expect(wrong.count > 3)
        #expect(wrong.issues == ["Retry is inside Hedging"])
        #expect(right.issues.isEmpty)
    }

    private final class Flag: Sendable {
        private let flag = Lock(false)
        var isRaised: Bool { flag.withLock { $0 } }
        func raise() { flag.withLock { $0 = true } }
    }

}
