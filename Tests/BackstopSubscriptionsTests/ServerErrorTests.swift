import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopSubscriptions

@Suite("Errors that a subscription ends with", .limited)
struct ServerErrorTests {
    typealias Carrier = SubscriptionTests.Carrier
    typealias Counter = SubscriptionTests.Counter

    private static let codes = ["SERVICE_UNAVAILABLE", "RATE_LIMITED", "TIMEOUT", "INTERNAL_SERVER_ERROR"]

    private static func errors(_ code: String) -> String {
        "\"errors\":[{\"message\":\"later\",\"extensions\":{\"code\":\"\(code)\"}}]"
    }

    private static func stream(_ carrier: Carrier, _ pieces: StreamPiece...) -> Stub<HTTP.Request, HTTP.Response> {
        .stream([.bytes(carrier.first)] + pieces + [.bytes(carrier.last)], headers: carrier.headers)
    }

    /// Errors without data, and how they are written.
    private static func words(_ carrier: Carrier, _ code: String) -> [String] {
        let whole =
            carrier.name == "events"
            ? "event: error\ndata: {\(errors(code))}\n\n"
            : "\r\nContent-Type: application/json\r\n\r\n{\"payload\":null,\(errors(code))}\r\n--graphql"
        return [
            carrier.payload("{\(errors(code))}"), carrier.payload("{\"data\":null,\(errors(code))}"), whole,
        ]
    }

    @Test("behind a result end it, whatever their code", arguments: SubscriptionTests.carriers, codes)
    func behind(carrier: Carrier, code: String) async throws {
        for words in Self.words(carrier, code) {
            let transport = ScriptedTransport(Self.stream(carrier, carrier.result(1), .bytes(words)))
            let (results, failure) = await SubscriptionTests.read(
                try SubscriptionTests.client(transport), Counter(), by: carrier.delivery)
            #expect(results.map(\.data.number) == [1])
            #expect(failure?.graphQLErrors.map(\.code) == [code])
            #expect(failure?.stopReason == .notRetryable)
            #expect(transport.requests.count == 1)
        }
    }

    @Test("beside null in the first result end it as well", arguments: SubscriptionTests.carriers)
    func null(carrier: Carrier) async throws {
        let transport = ScriptedTransport(
            Self.stream(carrier, .bytes(carrier.payload("{\"data\":null,\(Self.errors("TIMEOUT"))}"))))
        let (_, failure) = await SubscriptionTests.read(
            try SubscriptionTests.client(transport), Counter(), by: carrier.delivery)
        #expect(failure?.graphQLErrors.map(\.code) == ["TIMEOUT"])
        #expect(transport.requests.count == 1)
    }

    @Test("in the place of the first result are retried as in plain JSON", arguments: SubscriptionTests.carriers)
    func first(carrier: Carrier) async throws {
        let body = "{\(Self.errors("SERVICE_UNAVAILABLE"))}"
        for answer in [.json(200, body), Self.stream(carrier, .bytes(carrier.payload(body)))] {
            let transport = ScriptedTransport(answer, Self.stream(carrier, carrier.result(1)), answer.repeated())
            let client = try SubscriptionTests.client(transport, retry: RetryPolicy(attempts: 3, budget: .unlimited))
            let (results, none) = await SubscriptionTests.read(client, Counter(), by: carrier.delivery)
            #expect(none == nil)
            #expect(results.map(\.data.number) == [1])
            let (_, failure) = await SubscriptionTests.read(client, Counter(), by: carrier.delivery)
            #expect(failure?.stopReason == .attemptsUsed(3))
            #expect(transport.requests.count == 5)
        }
    }

    @Test("in the place of the first result are no success", arguments: SubscriptionTests.carriers)
    func budget(carrier: Carrier) async throws {
        let body = "{\(Self.errors("SERVICE_UNAVAILABLE"))}"
        for answer in [.json(200, body), Self.stream(carrier, .bytes(carrier.payload(body)))] {
            let transport = ScriptedTransport(answer.repeated())
            let policy = try RetryPolicy(attempts: 3, budget: RetryBudget(capacity: 1, refill: 1, interval: nil))
            let (_, failure) = await SubscriptionTests.read(
                try SubscriptionTests.client(transport, retry: policy), Counter(), by: carrier.delivery)
            #expect(failure?.stopReason == .budget)
            #expect(transport.requests.count == 2)
        }
    }

    @Test("in the place of the first result show what came, and no stream", arguments: SubscriptionTests.carriers)
    func shown(carrier: Carrier) async throws {
        let body = "{\"errors\":[{\"message\":\"not you\"}]}"
        let transport = ScriptedTransport(Self.stream(carrier, .bytes(carrier.payload(body))))
        let (_, failure) = await SubscriptionTests.read(
            try SubscriptionTests.client(transport), Counter(), by: carrier.delivery)
        #expect(failure?.response?.headers["Content-Type"] == carrier.headers["Content-Type"])
        #expect(failure?.response?.body == Data(body.utf8))
        #expect(failure?.transfer == nil)
    }

    @Test("after a loss leave what had arrived in the failure", arguments: SubscriptionTests.carriers)
    func lost(carrier: Carrier) async throws {
        let lost = carrier.first + carrier.payload("{\"data\":{\"number\":1}}")
        let transport = ScriptedTransport(
            .stream([.bytes(lost), .lost], headers: carrier.headers),
            Self.stream(carrier, .bytes(carrier.payload("{\"errors\":[{\"message\":\"not you\"}]}"))))
        let (_, failure) = await SubscriptionTests.read(
            try SubscriptionTests.client(transport), Counter(), by: carrier.delivery)
        #expect(failure?.graphQLErrors.map(\.message) == ["not you"])
        #expect(failure?.transfer?.bytes == Int64(lost.utf8.count))
        #expect(failure?.transfer?.elements == 1)
    }

    @Test(
        "in the place of the first result leave the next request what is left of the call's time",
        arguments: SubscriptionTests.carriers)
    func deadline(carrier: Carrier) async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(
            .stream(
                [
                    .bytes(carrier.first), .wait(.seconds(60)),
                    .bytes(carrier.payload("{\"errors\":[{\"message\":\"PersistedQueryNotFound\"}]}")),
                ], headers: carrier.headers), .hang)
        let client = try SubscriptionTests.client(
            transport, clock: clock, outside: [Deadline(.seconds(20))], inside: [PersistedQueries()])
        let reading = Task {
            let results = try await client.subscribe(
                Counter(), by: carrier.delivery, streamOptions: StreamOptions(silence: .seconds(600)))
            for try await _ in results {}
        }
        // The head came at once, and the time of the stream that was none does not count.
        await clock.waitForSleeper(remaining: .seconds(60))
        await clock.advance(by: .seconds(60))
        await transport.waitForRequests(2)
        await clock.waitForSleeper(remaining: .seconds(20))
        await clock.advance(by: .seconds(20))
        let failure = await #expect(throws: Failure.self) { try await reading.value }
        #expect(failure?.code == "timeout.deadline")
    }

    @Test("that answers with plain JSON is said not to send results one by one")
    func plain() async throws {
        let transport = ScriptedTransport(.json(200, #"{"data":{"number":1}}"#))
        let client = try SubscriptionTests.client(transport)
        let failure = await #expect(throws: Failure.self) { try await client.subscribe(Counter()) }
        #expect(failure?.code == "decoding")
        #expect(failure?.report.contains("Check that the server sends results one by one at this address") == true)
    }

    @Test(
        "in the place of the first result are retried, however late they come, with what is left of the call's time",
        arguments: [(20, nil, 4, true), (20, nil, 6, false), (30, 62, 6, true), (30, 60, 6, false)]
            as [(limit: Int, whole: Int?, wait: Int, isRetried: Bool)])
    func late(limit: Int, whole: Int?, wait: Int, isRetried: Bool) async throws {
        let carrier = SubscriptionTests.carriers[1]
        let answer = Stub.stream(
            [.wait(.seconds(40)), .bytes(carrier.payload("{\(Self.errors("SERVICE_UNAVAILABLE"))}"))],
            headers: carrier.headers)
        let transport = ScriptedTransport(
            .delay(.seconds(15), then: answer), Self.stream(carrier, carrier.result(1)))
        let wait = Duration.seconds(wait)
        let policy = try RetryPolicy(attempts: 2, backoff: Backoff(baseDelay: wait, jitter: .none))
        var client = try SubscriptionTests.client(
            transport, retry: policy, outside: [Deadline(.seconds(limit))], inside: [AttemptTimeout(.seconds(25))])
        // The call's own deadline counts to the end.
        client.options.deadline = whole.map { .seconds($0) }
        let (results, failure) = await SubscriptionTests.read(client, Counter(), by: carrier.delivery)
        #expect(results.map(\.data.number) == (isRetried ? [1] : []))
        #expect(failure?.stopReason == (isRetried ? nil : .deadline(wait: wait)))
    }
}
