import BackstopAuthentication
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopSubscriptions

@Suite("A subscription", .limited)
struct SubscriptionTests {
    struct Counter: GraphQL.Operation {
        struct Data: Decodable, Sendable { var number: Int }
        var document = GraphQL.Document(text: "subscription Counter { number }")
    }

    struct Loose: GraphQL.Operation {
        typealias Data = Counter.Data?
        var document = GraphQL.Document(text: "subscription Counter { number }")
    }

    /// A carrier, and how it writes results.
    struct Carrier: Sendable, CustomTestStringConvertible {
        let name: String
        let delivery: GraphQL.Delivery
        let headers: HTTP.Headers
        let first: String
        let last: String
        let payload: @Sendable (String) -> String

        var testDescription: String { name }

        func result(_ number: Int) -> StreamPiece {
            .bytes(payload("{\"data\":{\"number\":\(number)}}"))
        }
    }

    static let carriers = [
        Carrier(
            name: "multipart", delivery: .multipart,
            headers: ["Content-Type": "multipart/mixed;boundary=\"graphql\";subscriptionSpec=1.0"],
            first: "--graphql", last: "--\r\n",
            payload: { "\r\nContent-Type: application/json\r\n\r\n{\"payload\":\($0)}\r\n--graphql" }),
        Carrier(
            name: "events", delivery: .events, headers: ["Content-Type": "text/event-stream; charset=utf-8"],
            first: ":\n\n", last: "event: complete\ndata:\n\n", payload: { "event: next\ndata: \($0)\n\n" }),
    ]

    static func client(
        _ transport: ScriptedTransport, clock: any CallClock = RecordingClock(), log: RecordingLog = RecordingLog(),
        retry: RetryPolicy = .standard, outside: [any HTTP.Interceptor] = [], inside: [any HTTP.Interceptor] = []
    ) throws -> Client {
        var options = CallOptions()
        options.clock = clock
        options.random = FixedRandom(units: 0.5)
        var handling = FailureHandling()
        handling.log = RecordingLog()
        let interceptors: [any HTTP.Interceptor] =
            [RequestLogging(.call, to: log)] + outside + [Retry(retry), Decoding(), StatusValidation()] + inside
        return try Client(
            baseURL: URL(string: "https://api.example.com/graphql"),
            chain: HTTP.Chain(transport: transport, interceptors: interceptors), options: options, handling: handling)
    }

    static func read<Operation: GraphQL.Operation>(
        _ client: Client, _ operation: Operation, by delivery: GraphQL.Delivery = .multipart,
        sameAs identity: (@Sendable (Operation.Data) -> String?)? = nil,
        resubscribed: (@Sendable (Failure) -> Void)? = nil
    ) async -> (results: [GraphQL.Result<Operation.Data>], failure: Failure?) {
        var results: [GraphQL.Result<Operation.Data>] = []
        do throws(Failure) {
            let stream = try await client.subscribe(
                operation, by: delivery, sameAs: identity, resubscribed: resubscribed)
            for try await result in stream { results.append(result) }
            return (results, nil)
        } catch {
            return (results, error)
        }
    }

    @Test("gives each result, and ends when the server says so", arguments: carriers)
    func whole(carrier: Carrier) async throws {
        let log = RecordingLog()
        let transport = ScriptedTransport(
            .stream(
                [
                    .bytes(carrier.first), carrier.result(1), .wait(.seconds(50)), carrier.result(2),
                    .bytes(carrier.last),
                ],
                headers: carrier.headers))
        let (results, failure) = await Self.read(
            try Self.client(transport, log: log), Counter(), by: carrier.delivery)
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1, 2])
        let request = try #require(transport.requests.first)
        #expect(request.method == .post)
        #expect(
            request.headers["Accept"]?.hasPrefix(carrier.name == "events" ? "text/event" : "multipart/mixed") == true)
        #expect(request.body.data.map { String(decoding: $0, as: UTF8.self) }?.contains("subscription Counter") == true)
        #expect(log.entries.count == 1)
    }

    @Test("does not read on when the server has said that it is complete", arguments: carriers)
    func openEnd(carrier: Carrier) async throws {
        let transport = ScriptedTransport(
            .stream(
                [.bytes(carrier.first), carrier.result(1), .bytes(carrier.last), carrier.result(2), .lost],
                headers: carrier.headers))
        let (results, failure) = await Self.read(try Self.client(transport), Counter(), by: carrier.delivery)
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1])
        #expect(transport.requests.count == 1)
    }

    @Test("fails with the errors of a response that an interceptor has put in the place of results")
    func replaced() async throws {
        let carrier = Self.carriers[1]
        let stored = HTTP.Response(
            status: 200, headers: carrier.headers,
            body: Data(carrier.payload(#"{"errors":[{"message":"stored"}]}"#).utf8))
        let storing = ClosureInterceptor { request, _, next in (try? await next(request)) ?? stored }
        let (results, failure) = await Self.read(
            try Self.client(ScriptedTransport(.status(503)), retry: .never, outside: [storing]), Counter(),
            by: carrier.delivery)
        #expect(results.isEmpty)
        #expect(failure?.graphQLErrors.map(\.message) == ["stored"])
    }

    @Test("fails when it ends without a word about that", arguments: carriers)
    func noEnd(carrier: Carrier) async throws {
        let transport = ScriptedTransport(
            .stream([.bytes(carrier.first), carrier.result(1)], headers: carrier.headers))
        let (results, failure) = await Self.read(
            try Self.client(transport, retry: .never), Counter(), by: carrier.delivery)
        #expect(results.map(\.data.number) == [1])
        #expect(failure?.code == "transport.truncated")
        #expect(failure?.transfer?.elements == 1)
    }

    @Test("is made anew after a loss, and says so before the next result", arguments: carriers)
    func resubscribed(carrier: Carrier) async throws {
        let clock = RecordingClock()
        let transport = ScriptedTransport(
            .stream([.bytes(carrier.first), carrier.result(1), .lost], headers: carrier.headers),
            .status(503),
            .stream([.bytes(carrier.first), carrier.result(2)], headers: carrier.headers),
            .stream([.bytes(carrier.first), carrier.result(3), .bytes(carrier.last)], headers: carrier.headers))
        let lost = Lock<[String]>([])
        let (results, failure) = await Self.read(
            try Self.client(transport, clock: clock), Counter(), by: carrier.delivery,
            resubscribed: { failure in lost.withLock { $0.append(failure.code) } })
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1, 2, 3])
        #expect(lost.withLock { $0 } == ["transport.lost", "transport.truncated"])
        #expect(transport.requests.count == 4)
        #expect(clock.sleeps.count == 3)
    }

    @Test("goes on where a later connection announces the last number there is for a length", arguments: carriers)
    func announced(carrier: Carrier) async throws {
        var headers = carrier.headers
        headers[.contentLength] = "\(Int64.max)"
        let transport = ScriptedTransport(
            .stream([.bytes(carrier.first), carrier.result(1), .lost], headers: carrier.headers),
            .stream([.bytes(carrier.first), carrier.result(2), .lost], headers: headers),
            .stream([.bytes(carrier.first), carrier.result(3), .bytes(carrier.last)], headers: carrier.headers))
        let (results, failure) = await Self.read(try Self.client(transport), Counter(), by: carrier.delivery)
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1, 2, 3])
    }

    @Test("gives up on a server that brings nothing, after the attempts of the policy", arguments: carriers)
    func storm(carrier: Carrier) async throws {
        let transport = ScriptedTransport(
            Stub.stream([.bytes(carrier.first)], headers: carrier.headers).repeated())
        let (results, failure) = await Self.read(try Self.client(transport), Counter(), by: carrier.delivery)
        #expect(results.isEmpty)
        #expect(failure?.stopReason == .attemptsUsed(3))
        #expect(transport.requests.count == 3)
    }

    @Test("gives up on a server that takes long to open what it ends at once", arguments: carriers)
    func slowStorm(carrier: Carrier) async throws {
        let cut = Stub.stream([.bytes(carrier.first), .lost], headers: carrier.headers)
        let transport = ScriptedTransport((0..<4).map { _ in .delay(.seconds(11), then: cut) })
        let (_, failure) = await Self.read(try Self.client(transport), Counter(), by: carrier.delivery)
        #expect(failure?.stopReason == .attemptsUsed(3))
        #expect(transport.requests.count == 3)
    }

    @Test(
        "waits longer for each connection that is lost soon after a result, unless results have names",
        arguments: carriers)
    func lostSoon(carrier: Carrier) async throws {
        for isNamed in [true, false] {
            let clock = RecordingClock()
            let lost: [Stub<HTTP.Request, HTTP.Response>] = (1...10).map { number in
                .stream([.bytes(carrier.first), carrier.result(number), .lost], headers: carrier.headers)
            }
            let client = try Self.client(ScriptedTransport(lost), clock: clock)
            let name: @Sendable (Counter.Data) -> String? = { "\($0.number)" }
            _ = await Self.read(client, Counter(), by: carrier.delivery, sameAs: isNamed ? name : nil)
            let seconds = clock.sleeps.prefix(9).map { Int($0.seconds) }
            #expect(seconds == (isNamed ? Array(repeating: 0, count: 9) : [0, 0, 1, 2, 4, 8, 16, 30, 30]))
        }
    }

    @Test("drops what it has given, by its identity, however often it is cut")
    func sameAs() async throws {
        let carrier = Self.carriers[1]
        // Each connection begins with the last three results of the one before.
        var stubs: [Stub<HTTP.Request, HTTP.Response>] = []
        for start in stride(from: 1, to: 100, by: 7) {
            stubs.append(
                .stream((max(1, start - 3)..<(start + 7)).map(carrier.result) + [.lost], headers: carrier.headers))
        }
        stubs.append(.stream([.bytes(carrier.last)], headers: carrier.headers))
        let (results, failure) = await Self.read(
            try Self.client(ScriptedTransport(stubs)), Counter(), by: .events, sameAs: { "\($0.number)" })
        #expect(failure == nil)
        #expect(results.map(\.data.number) == Array(1...105))
    }

    @Test("gives up on a server that only repeats what is known, each time it is asked again")
    func repeatsKnown() async throws {
        let carrier = Self.carriers[1]
        let cut = Stub<HTTP.Request, HTTP.Response>.stream([carrier.result(1), .lost], headers: carrier.headers)
        let transport = ScriptedTransport(Array(repeating: cut, count: 20))
        let (results, failure) = await Self.read(
            try Self.client(transport), Counter(), by: .events, sameAs: { "\($0.number)" })
        #expect(results.map(\.data.number) == [1])
        #expect(failure?.code == "transport.lost" && transport.requests.count < 20)
    }

    @Test("knows the last 10,000 results, and no more")
    func memory() throws {
        let (_, endpoint) = try Client.sample.prepared(Counter(), by: .events, nil) { _, _ in }
        let memory = SubscriptionMemory<Counter>(.events, endpoint, sameAs: { "\($0.number)" }, resubscribed: nil)
        for number in 1...10_001 {
            #expect(memory.note(.init(number: number)))
        }
        #expect(!memory.note(.init(number: 2)))
        #expect(memory.note(.init(number: 1)))
        #expect(memory.note(.init(number: 2)))
    }

    @Test("knows a result by a long name as well, of which it keeps no more than 64 bytes")
    func longNames() throws {
        typealias Memory = SubscriptionMemory<Counter>
        let long = String(repeating: "n", count: 100_000)
        let (_, endpoint) = try Client.sample.prepared(Counter(), by: .events, nil) { _, _ in }
        let memory = Memory(.events, endpoint, sameAs: { "\(long)\($0.number)" }, resubscribed: nil)
        #expect(memory.note(.init(number: 1)))
        #expect(memory.note(.init(number: 2)))
        #expect(!memory.note(.init(number: 1)))
        #expect(Memory.kept(long).utf8.count == 64)
        let short = String(repeating: "n", count: 63)
        #expect(Memory.kept(short) == short)
        // A digest is no name of another result.
        #expect(Memory.kept(Memory.kept(long)) != Memory.kept(long))
    }

    @Test("has errors beside data, and ends with those in the place of data")
    func errors() async throws {
        let carrier = Self.carriers[0]
        let transport = ScriptedTransport(
            .stream(
                [
                    .bytes(carrier.first),
                    .bytes(carrier.payload("{\"data\":{\"number\":1},\"errors\":[{\"message\":\"a\"}]}")),
                    .bytes(carrier.payload("{\"data\":null,\"errors\":[{\"message\":\"b\",\"path\":[\"number\"]}]}")),
                ], headers: carrier.headers))
        let (results, failure) = await Self.read(try Self.client(transport), Counter())
        #expect(results.map { $0.errors.map(\.message) } == [["a"]])
        #expect(failure?.code == "service.graphQL.errors")
        #expect(failure?.graphQLErrors.map(\.message) == ["b"])
        #expect(transport.requests.count == 1)
    }

    @Test("gives a result without data to an operation whose data is optional, and goes on")
    func optionalData() async throws {
        let carrier = Self.carriers[0]
        let transport = ScriptedTransport(
            .stream(
                [
                    .bytes(carrier.first),
                    .bytes(carrier.payload("{\"data\":null,\"errors\":[{\"message\":\"b\"}]}")), carrier.result(2),
                    .bytes(carrier.last),
                ], headers: carrier.headers))
        let (results, failure) = await Self.read(try Self.client(transport), Loose())
        #expect(failure == nil)
        #expect(results.map(\.data?.number) == [nil, 2])
        #expect(results.first?.errors.map(\.message) == ["b"])
    }

    @Test("ends for good with the errors of a payload that is null, and does not mind heartbeats")
    func refusal() async throws {
        let carrier = Self.carriers[0]
        func part(_ text: String) -> StreamPiece {
            .bytes("\r\nContent-Type: application/json\r\n\r\n\(text)\r\n--graphql")
        }
        let transport = ScriptedTransport(
            .stream(
                [
                    .bytes(carrier.first), part("{}"), carrier.result(1), part("{}"),
                    part(
                        "{\"payload\":null,\"errors\":[{\"message\":\"cannot read message from websocket\","
                            + "\"extensions\":{\"code\":\"WEBSOCKET_MESSAGE_ERROR\"}}]}"), carrier.result(2),
                    .bytes(carrier.last),
                ], headers: carrier.headers))
        let (results, failure) = await Self.read(try Self.client(transport), Counter())
        #expect(results.map(\.data.number) == [1])
        #expect(failure?.graphQLErrors.first?.code == "WEBSOCKET_MESSAGE_ERROR")
        #expect(transport.requests.count == 1)
    }

    @Test("is refused with what the server answers in its place")
    func plainAnswers() async throws {
        func failure(_ stub: Stub<HTTP.Request, HTTP.Response>) async throws -> Failure? {
            await Self.read(try Self.client(ScriptedTransport(stub)), Counter()).failure
        }
        #expect(
            try await failure(.json(200, "{\"errors\":[{\"message\":\"no such field\"}]}"))?.graphQLErrors.first?
                .message
                == "no such field")
        let typed: HTTP.Headers = ["Content-Type": "application/graphql-response+json"]
        #expect(
            try await failure(.json(400, "{\"errors\":[{\"message\":\"bad\"}]}", headers: typed))?.code
                == "service.graphQL.errors")
        #expect(try await failure(.status(404))?.code == "status.404")
        let once = try await failure(.json(200, "{\"data\":{\"number\":1}}"))
        #expect(once?.code.hasPrefix("decoding") == true)
        #expect(once?.report.contains("multipart/mixed") == true)
        #expect(
            try await failure(.status(200, headers: ["Content-Type": "text/html"], body: "<p>"))?.code.hasPrefix(
                "decoding") == true)
    }

    @Test("renews a token that the server refuses before the first result")
    func renewal() async throws {
        let carrier = Self.carriers[0]
        let credentials = try Credentials(TokenSet(access: "old", refresh: "r", account: "ann")) { _ in
            TokenSet(access: "new", refresh: "s", account: "ann")
        }
        let transport = ScriptedTransport(
            .json(200, "{\"errors\":[{\"message\":\"expired\",\"extensions\":{\"code\":\"UNAUTHENTICATED\"}}]}"),
            .stream([.bytes(carrier.first), carrier.result(1), .bytes(carrier.last)], headers: carrier.headers))
        let client = try Self.client(
            transport, outside: [BearerAuthentication(credentials, refusedBy: [.unauthorized, .graphQLError()])])
        let (results, failure) = await Self.read(client, Counter())
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1])
        #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
    }

    private struct Pay: GraphQL.Operation {
        typealias Data = Counter.Data
        var document = GraphQL.Document(text: "mutation Pay { number }")
    }

    @Test("may end without a result, but not if it is a mutation: then it may have been executed", arguments: carriers)
    func withoutResult(carrier: Carrier) async throws {
        let beats = carrier.name == "multipart" ? "\r\nContent-Type: application/json\r\n\r\n{}\r\n--graphql" : ":\n\n"
        for isMutation in [false, true] {
            let transport = ScriptedTransport(
                .stream([.bytes(carrier.first + beats), .bytes(carrier.last)], headers: carrier.headers).repeated())
            let client = try Self.client(transport)
            let failure =
                isMutation
                ? await Self.read(client, Pay(), by: carrier.delivery).failure
                : await Self.read(client, Counter(), by: carrier.delivery).failure
            #expect(failure?.code == (isMutation ? "transport.truncated" : nil))
            #expect(failure?.mayHaveWorked == (isMutation ? true : nil))
            #expect(transport.requests.count == 1)
        }
    }

    @Test("that is a mutation is sent once")
    func mutation() async throws {
        let carrier = Self.carriers[1]
        let transport = ScriptedTransport(
            .stream([carrier.result(1), .lost], headers: carrier.headers),
            .stream([carrier.result(2), .bytes(carrier.last)], headers: carrier.headers))
        let (results, failure) = await Self.read(try Self.client(transport), Pay(), by: .events)
        #expect(results.map(\.data.number) == [1])
        #expect(failure?.code == "transport.lost")
        #expect(transport.requests.count == 1)
    }

    @Test("leaves what a cache has, and asks it nothing")
    func cache() async throws {
        struct Query: GraphQL.Operation {
            typealias Data = Counter.Data
            var document = GraphQL.Document(text: "query Number { number }")
        }
        let carrier = Self.carriers[1]
        let transport = ScriptedTransport(
            .json(200, "{\"data\":{\"number\":7}}"),
            .stream([carrier.result(1), .bytes(carrier.last)], headers: carrier.headers))
        let client = try Self.client(transport, outside: [ResponseCache()])
        _ = try await client.fetch(Query())
        #expect(await Self.read(client, Counter(), by: .events).failure == nil)
        #expect(try await client.fetch(Query(), cachePolicy: .cacheOnly).data.number == 7)
        #expect(transport.requests.count == 2)
    }

    @Test("passes its failure to handlers, which may repeat it while there was no result")
    func handlers() async throws {
        let carrier = Self.carriers[1]
        let transport = ScriptedTransport(
            .status(500), .stream([carrier.result(1), .bytes(carrier.last)], headers: carrier.headers))
        let client = try Self.client(transport, retry: .never)
        var numbers: [Int] = []
        let outcome = await client.perform(Counter(), by: .events) { result in
            numbers.append(result.data.number)
        } handlers: {
            On(status: 500) { _ in Verdict.retry() }
        }
        #expect(numbers == [1])
        #expect(outcome.value?.elements == 1)
    }

    @Test("is scripted by its pieces, whatever carries it", arguments: carriers)
    func scripted(carrier: Carrier) async throws {
        let clock = RecordingClock()
        let transport = ScriptedTransport(
            .subscription([.heartbeat, .result(#"{"data":{"number":1}}"#), .wait(.seconds(30)), .lost]),
            .subscription([.result(#"{"data":{"number":2}}"#)]),
            .subscription([.result(#"{"data":{"number":3}}"#), .complete, .result(#"{"data":{"number":4}}"#)]))
        let (results, failure) = await Self.read(
            try Self.client(transport, clock: clock), Counter(), by: carrier.delivery)
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1, 2, 3])
        #expect(clock.sleeps.contains(.seconds(30)))
    }

    @Test("by a server that is silent for too long is lost, and subscribed again")
    func silence() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(
            .subscription([.result(#"{"data":{"number":1}}"#), .wait(.seconds(3600))]),
            .subscription([.result(#"{"data":{"number":2}}"#), .complete]))
        let lost = Lock<[String]>([])
        let client = try Self.client(transport, clock: clock, retry: RetryPolicy(backoff: .none))
        var results = try await client.subscribe(
            Counter(), resubscribed: { failure in lost.withLock { $0.append(failure.code) } }
        ).makeAsyncIterator()
        #expect(try await results.next()?.data.number == 1)
        let second = Task { [results] in
            var results = results
            return try await results.next()?.data.number
        }
        await clock.waitForSleeper(remaining: .seconds(60))
        await clock.advance(by: .seconds(60))
        while transport.requests.count < 2 {
            if !clock.sleepers.isEmpty { await clock.advance(by: .milliseconds(100)) }
            await Task.yield()
        }
        #expect(try await second.value == 2)
        #expect(lost.withLock { $0 } == ["timeout.attempt"])
    }

    @Test("that may be silent outlives the limits of its chain, but not that of its call", arguments: [nil, 7200])
    func limits(deadline: Int?) async throws {
        let transport = ScriptedTransport(
            .subscription([
                .result(#"{"data":{"number":1}}"#), .wait(.seconds(10_000)), .result(#"{"data":{"number":2}}"#),
                .complete,
            ]))
        let client = try Self.client(
            transport, outside: [ResponseCache(), Deadline(.seconds(60))], inside: [AttemptTimeout(.seconds(10))]
        ).withOptions { $0.deadline = deadline.map { .seconds($0) } }
        var numbers: [Int] = []
        let outcome = await client.perform(
            Counter(), by: .multipart, streamOptions: try StreamOptions(silence: nil)
        ) { result in
            numbers.append(result.data.number)
        }
        #expect(numbers.first == 1 && (deadline != nil || numbers == [1, 2]))
        #expect(outcome.failure?.code == (deadline == nil ? nil : "timeout.deadline"))
        #expect(transport.requests.count == 1)
    }

    @Test("is not given up on while it is quiet, but is when its connections end at once, whatever came before")
    func quiet() async throws {
        let quiet = Stub.subscription([.heartbeat, .wait(.seconds(20)), .lost])
        let (results, failure) = await Self.read(
            try Self.client(
                ScriptedTransport(
                    quiet.repeated(8), .subscription([.result(#"{"data":{"number":1}}"#), .complete]))), Counter())
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1])
        let transport = ScriptedTransport(
            .subscription([.result(#"{"data":{"number":1}}"#), .lost]), Stub.subscription([.lost]).repeated())
        let (some, stopped) = await Self.read(try Self.client(transport), Counter())
        #expect(some.map(\.data.number) == [1])
        #expect(stopped?.stopReason == .attemptsUsed(3))
        #expect(transport.requests.count == 4)
    }

    @Test("that is a mutation with a key is sent once as well")
    func keyedMutation() async throws {
        struct Pay: GraphQL.Operation {
            typealias Data = Counter.Data
            var document = GraphQL.Document(text: "mutation Pay { number }")
        }
        let transport = ScriptedTransport(
            .subscription([.result(#"{"data":{"number":1}}"#), .lost]),
            .subscription([.result(#"{"data":{"number":2}}"#), .complete]))
        let client = try Self.client(transport).withOptions { options in
            options.values.graphQL.headers[.idempotencyKey] = "pay-1"
        }
        let (results, failure) = await Self.read(client, Pay())
        #expect(results.map(\.data.number) == [1])
        #expect(failure?.code == "transport.lost")
        #expect(transport.requests.count == 1)
    }

    @Test("by fetch says what to call")
    func fetched() async throws {
        let transport = ScriptedTransport()
        let failure = await #expect(throws: Failure.self) { try await Self.client(transport).fetch(Counter()) }
        #expect(failure?.code == "request.invalid")
        #expect(failure?.explanation.contains("client.subscribe") == true)
    }
}

extension Client {
    fileprivate static var sample: Client {
        get throws { try SubscriptionTests.client(ScriptedTransport()) }
    }
}
