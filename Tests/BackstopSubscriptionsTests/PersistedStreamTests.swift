import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@testable import BackstopSubscriptions

@Suite("A persisted operation whose results arrive one by one", .limited)
struct PersistedStreamTests {
    typealias Counter = SubscriptionTests.Counter
    typealias Carrier = SubscriptionTests.Carrier

    /// An operation of any kind.
    struct Count: GraphQL.Operation {
        typealias Data = Counter.Data
        var document: GraphQL.Document

        static let query = Count(document: .init(text: "query Count { number ... @defer { more } }"))
        static let mutation = Count(document: .init(text: "mutation Count { number ... @defer { more } }"))
    }

    /// How a server answers a hash that it does not know.
    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let carrier: Carrier
        /// Whether it is one to a subscription only.
        var isEnveloped = false
        /// Whether it says that nothing follows.
        var isWhole = true
        let stub: @Sendable (_ errors: String) -> Stub<HTTP.Request, HTTP.Response>
    }

    private static let multipart = SubscriptionTests.carriers[0]
    private static let events = SubscriptionTests.carriers[1]

    private static func answer(
        _ name: String, _ carrier: Carrier, isEnveloped: Bool = false, ends: Bool = true,
        isWhole: Bool? = nil, _ pieces: @escaping @Sendable (String) -> [String]
    ) -> Answer {
        Answer(testDescription: name, carrier: carrier, isEnveloped: isEnveloped, isWhole: isWhole ?? ends) { errors in
            let all = [carrier.first] + pieces("{\"errors\":\(errors)}") + (ends ? [carrier.last] : [])
            return .stream(all.map { .bytes($0) }, headers: carrier.headers)
        }
    }

    private static func part(_ json: String) -> String {
        "\r\nContent-Type: application/json\r\n\r\n\(json)\r\n--graphql"
    }

    static let answers: [Answer] =
        SubscriptionTests.carriers.map { carrier in
            Answer(testDescription: "plain JSON (\(carrier.name))", carrier: carrier) {
                .json(200, "{\"errors\":\($0)}")
            }
        } + [
            answer("a part with a payload", multipart, isEnveloped: true) { [multipart.payload($0)] },
            answer("a part, and no end", multipart, isEnveloped: true, ends: false) { [multipart.payload($0)] },
            answer("a part behind heartbeats", multipart, isEnveloped: true) {
                [part("{}"), part("{}"), multipart.payload($0)]
            },
            answer("a payload that is null", multipart) { [part("{\"payload\":null,\($0.dropFirst())")] },
            answer("a part without an envelope", multipart) { [part($0)] },
            answer("an event", events) { [events.payload($0)] },
            answer("an event, and no end", events, ends: false) { [events.payload($0)] },
            answer("an event behind a comment", events) { [":\n\n", events.payload($0)] },
            answer("the event error", events, ends: false, isWhole: true) { ["event: error\ndata: \($0)\n\n"] },
        ]

    /// The same, and what servers write that always have data.
    static let misses =
        answers
        + SubscriptionTests.carriers.map { carrier in
            answer("data that is null (\(carrier.name))", carrier, isEnveloped: true) {
                [carrier.payload("{\"data\":null,\($0.dropFirst())")]
            }
        }

    private static let missed = #"[{"message":"PersistedQueryNotFound"}]"#

    private static func results(
        _ numbers: [Int], _ carrier: Carrier
    ) -> Stub<HTTP.Request, HTTP.Response> {
        .stream(
            [.bytes(carrier.first)] + numbers.map(carrier.result) + [.bytes(carrier.last)], headers: carrier.headers)
    }

    /// What identifies the operation in each request.
    private static func identities(_ transport: ScriptedTransport) -> [String] {
        transport.requests.map { request in
            let body = String(decoding: request.body.data ?? Data(), as: UTF8.self)
            return ["sha256Hash", "documentId", "\"query\""].filter(body.contains).joined(separator: " ")
        }
    }

    private static let hash = "sha256Hash"
    private static let both = "sha256Hash \"query\""
    private static let text = "\"query\""

    @Test("is sent as a hash, and with its text after a miss, in one stream", arguments: misses)
    func missed(answer: Answer) async throws {
        let log = RecordingLog()
        let transport = ScriptedTransport(
            answer.stub(Self.missed), Self.results([1, 2], answer.carrier), Self.results([3], answer.carrier))
        let client = try SubscriptionTests.client(transport, log: log, retry: .never, inside: [PersistedQueries()])
        let (results, failure) = await SubscriptionTests.read(
            client, Counter(), by: answer.carrier.delivery, resubscribed: { _ in Issue.record("it was not lost") })
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1, 2])
        #expect(log.entries.count == 1)
        let (more, none) = await SubscriptionTests.read(client, Counter(), by: answer.carrier.delivery)
        #expect(none == nil)
        #expect(more.map(\.data.number) == [3])
        #expect(Self.identities(transport) == [Self.hash, Self.both, Self.hash])
    }

    @Test("is sent as a text, then and later, to a server that persists nothing", arguments: misses)
    func notSupported(answer: Answer) async throws {
        let transport = ScriptedTransport(
            answer.stub(#"[{"message":"no","extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}]"#),
            Self.results([1], answer.carrier), Self.results([2], answer.carrier))
        let client = try SubscriptionTests.client(transport, retry: .never, inside: [PersistedQueries()])
        for number in [1, 2] {
            let (results, failure) = await SubscriptionTests.read(client, Counter(), by: answer.carrier.delivery)
            #expect(failure == nil)
            #expect(results.map(\.data.number) == [number])
        }
        #expect(Self.identities(transport) == [Self.hash, Self.text, Self.text])
    }

    @Test("is sent as a text to a server that only misses that", arguments: answers)
    func unknown(answer: Answer) async throws {
        let transport = ScriptedTransport(
            answer.stub(#"[{"message":"Must provide query string."}]"#), Self.results([1], answer.carrier))
        let client = try SubscriptionTests.client(transport, retry: .never, inside: [PersistedQueries()])
        let (results, failure) = await SubscriptionTests.read(client, Counter(), by: answer.carrier.delivery)
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1])
        #expect(Self.identities(transport) == [Self.hash, Self.text])
    }

    @Test("fails when it is missed with its text as well, and is not sent again", arguments: answers)
    func missedTwice(answer: Answer) async throws {
        let transport = ScriptedTransport(answer.stub(Self.missed).repeated())
        let client = try SubscriptionTests.client(transport, inside: [PersistedQueries()])
        let (results, failure) = await SubscriptionTests.read(client, Counter(), by: answer.carrier.delivery)
        #expect(results.isEmpty)
        #expect(failure?.code == "service.graphQL.persistedQueryNotFound")
        #expect(transport.requests.count == 2)
    }

    @Test("is not missed once it has given a result", arguments: SubscriptionTests.carriers)
    func late(carrier: Carrier) async throws {
        let transport = ScriptedTransport(
            .stream(
                [.bytes(carrier.first), carrier.result(1), .bytes(carrier.payload("{\"errors\":\(Self.missed)}"))],
                headers: carrier.headers))
        let client = try SubscriptionTests.client(transport, inside: [PersistedQueries()])
        let (results, failure) = await SubscriptionTests.read(client, Counter(), by: carrier.delivery)
        #expect(results.map(\.data.number) == [1])
        #expect(failure?.code == "service.graphQL.errors")
        #expect(transport.requests.count == 1)
    }

    @Test("ends with the errors of its first result if nobody persists queries", arguments: answers)
    func notPersisted(answer: Answer) async throws {
        let transport = ScriptedTransport(answer.stub(Self.missed))
        let (results, failure) = await SubscriptionTests.read(
            try SubscriptionTests.client(transport), Counter(), by: answer.carrier.delivery)
        #expect(results.isEmpty)
        #expect(failure?.graphQLErrors.map(\.message) == ["PersistedQueryNotFound"])
        #expect(failure?.stopReason == .notRetryable)
        #expect(Self.identities(transport) == [Self.text])
    }

    @Test("is subscribed again by its hash after a loss, and by its text if that is missed then", arguments: answers)
    func resubscribed(answer: Answer) async throws {
        let carrier = answer.carrier
        let lost = Stub<HTTP.Request, HTTP.Response>.stream(
            [.bytes(carrier.first), carrier.result(1), .lost], headers: carrier.headers)
        let transport = ScriptedTransport(lost, answer.stub(Self.missed), Self.results([2], carrier))
        let client = try SubscriptionTests.client(transport, inside: [PersistedQueries()])
        let losses = Lock<[String]>([])
        let (results, failure) = await SubscriptionTests.read(
            client, Counter(), by: carrier.delivery,
            resubscribed: { failure in losses.withLock { $0.append(failure.code) } })
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1, 2])
        #expect(losses.withLock { $0 } == ["transport.lost"])
        #expect(Self.identities(transport) == [Self.hash, Self.hash, Self.both])
    }

    @Test(
        "with parts that come later is negotiated as well, a mutation too",
        arguments: answers.filter { !$0.isEnveloped && $0.isWhole }, [Count.query, .mutation])
    func increments(answer: Answer, operation: Count) async throws {
        let carrier = answer.carrier
        let parts = [#"{"data":{"number":1},"hasNext":true}"#, #"{"data":{"more":2},"path":[],"hasNext":false}"#]
        let transport = ScriptedTransport(
            answer.stub(Self.missed),
            .stream(
                [.bytes(carrier.first)]
                    + parts.map { .bytes(carrier.name == "events" ? carrier.payload($0) : Self.part($0)) }
                    + [.bytes(carrier.last)], headers: carrier.headers))
        let client = try SubscriptionTests.client(transport, retry: .never, inside: [PersistedQueries()])
        var more: [Bool] = []
        for try await part in try await client.fetchIncrementally(operation, by: carrier.delivery) {
            #expect(part.result.data.number == 1)
            more.append(part.hasNext)
        }
        #expect(more == [true, false])
        #expect(Self.identities(transport) == [Self.hash, Self.both])
    }

    @Test(
        "that is a mutation is not sent again after an answer that leaves a doubt",
        arguments: answers,
        [
            #"[{"message":"PersistedQueryNotFound"},{"message":"paid"}]"#,
            #"[{"message":"PersistedQueryNotFound","path":["pay"]}]"#, #"[{"message":"Must provide query string."}]"#,
        ])
    func doubt(answer: Answer, errors: String) async throws {
        let transport = ScriptedTransport(answer.stub(errors))
        let client = try SubscriptionTests.client(transport, inside: [PersistedQueries()])
        let (results, failure) = await SubscriptionTests.read(client, Count.mutation, by: answer.carrier.delivery)
        #expect(results.isEmpty)
        #expect(failure?.code == "service.graphQL.errors")
        #expect(transport.requests.count == 1)
    }

    @Test(
        "that the server has is sent by its identifier, whatever carries its results",
        arguments: SubscriptionTests.carriers, [PersistedQueries.Format.extensions, .documentID])
    func known(carrier: Carrier, format: PersistedQueries.Format) async throws {
        let transport = ScriptedTransport(Self.results([1], carrier))
        let client = try SubscriptionTests.client(transport, inside: [PersistedQueries(format: format)])
        let (results, failure) = await SubscriptionTests.read(
            client, Count(document: .init(name: "Count", kind: .subscription, knownToServerAs: "count-1")),
            by: carrier.delivery)
        #expect(failure == nil)
        #expect(results.map(\.data.number) == [1])
        #expect(Self.identities(transport) == [format == .extensions ? Self.hash : "documentId"])
    }

    @Test("that the server was to have fails if it does not", arguments: answers)
    func notKnown(answer: Answer) async throws {
        let transport = ScriptedTransport(answer.stub(Self.missed))
        let client = try SubscriptionTests.client(transport, inside: [PersistedQueries(format: .documentID)])
        let (_, failure) = await SubscriptionTests.read(
            client, Count(document: .init(name: "Count", kind: .subscription, knownToServerAs: "count-1")),
            by: answer.carrier.delivery)
        #expect(failure?.code == "service.graphQL.unknownDocument")
        #expect(transport.requests.count == 1)
    }

    @Test(
        "that is a mutation is sent again only after a miss that is all of the answer",
        arguments: SubscriptionTests.carriers, ["whole", "cut", "lost", "more", "more at once"])
    func rest(carrier: Carrier, rest: String) async throws {
        // given
        let miss = carrier.payload("{\"errors\":\(Self.missed)}")
        let paid = carrier.payload("{\"data\":{\"number\":1}}")
        let pieces: [StreamPiece] =
            switch rest {
            case "whole": [.bytes(miss), .wait(.seconds(5)), .bytes(carrier.last)]
            case "cut": [.bytes(miss)]
            case "lost": [.bytes(miss), .lost]
            case "more": [.bytes(miss), .wait(.seconds(5)), .bytes(paid), .bytes(carrier.last)]
            default: [.bytes(miss + paid + carrier.last)]
            }
        let transport = ScriptedTransport(
            .stream([.bytes(carrier.first)] + pieces, headers: carrier.headers), Self.results([1], carrier))
        let client = try SubscriptionTests.client(transport, inside: [PersistedQueries()])
        // when
        let (results, failure) = await SubscriptionTests.read(client, Count.mutation, by: carrier.delivery)
        // then
        #expect(Self.identities(transport) == (rest == "whole" ? [Self.hash, Self.both] : [Self.hash]))
        #expect(results.map(\.data.number) == (rest == "whole" ? [1] : []))
        #expect((failure == nil) == (rest == "whole"))
    }

    @Test("that is a mutation is not sent again when errors beside the payload say more")
    func beside() async throws {
        let part = "{\"payload\":{\"errors\":\(Self.missed)},\"errors\":[{\"message\":\"paid\",\"path\":[\"pay\"]}]}"
        let transport = ScriptedTransport(
            .stream(
                [.bytes(Self.multipart.first), .bytes(Self.part(part)), .bytes(Self.multipart.last)],
                headers: Self.multipart.headers))
        let client = try SubscriptionTests.client(transport, inside: [PersistedQueries()])
        let (_, failure) = await SubscriptionTests.read(client, Count.mutation)
        #expect(failure?.graphQLErrors.map(\.message) == ["PersistedQueryNotFound", "paid"])
        #expect(transport.requests.count == 1)
    }

    @Test("is sent as a text as soon as the server has opened one that it refused as a hash", arguments: [400, 200])
    func ignorance(status: Int) async throws {
        let carrier = Self.events
        let refusal = Stub<HTTP.Request, HTTP.Response>.json(status, #"{"errors":[{"message":"No query"}]}"#)
        let open = Stub<HTTP.Request, HTTP.Response>.stream(
            [.bytes(carrier.first), carrier.result(1), .wait(.seconds(3600))], headers: carrier.headers)
        // A status that leaves a doubt must come twice.
        let transport =
            status == 400
            ? ScriptedTransport(refusal, open, open) : ScriptedTransport(refusal, open, refusal, open, open)
        let client = try SubscriptionTests.client(
            transport, clock: ManualClock(), retry: .never, inside: [PersistedQueries()])
        var running: [HTTP.Stream<GraphQL.Result<Counter.Data>>] = []
        for _ in 0..<(status == 400 ? 2 : 3) {
            running.append(try await client.subscribe(Counter(), by: carrier.delivery))
        }
        let asked = [Self.hash, Self.text]
        #expect(Self.identities(transport) == (status == 400 ? asked : asked + asked) + [Self.text])
        running.removeAll()
    }

    @Test("is tried as a hash again when the text was refused as well")
    func refusedBoth() async throws {
        let carrier = Self.events
        let errors = #"{"errors":[{"message":"not you"}]}"#
        let transport = ScriptedTransport(
            .json(400, errors), .stream([.bytes(carrier.payload(errors))], headers: carrier.headers),
            Self.results([1], carrier))
        let client = try SubscriptionTests.client(transport, retry: .never, inside: [PersistedQueries()])
        for _ in 0..<2 {
            _ = await SubscriptionTests.read(client, Counter(), by: carrier.delivery)
        }
        #expect(Self.identities(transport) == [Self.hash, Self.text, Self.hash])
    }

    @Test("is tried as a hash once more when the text was refused as well, if there was a doubt before")
    func doubted() async throws {
        let carrier = Self.events
        let errors = #"{"errors":[{"message":"not you"}]}"#
        let refusal = Stub<HTTP.Request, HTTP.Response>.json(200, errors)
        let transport = ScriptedTransport(
            refusal, Self.results([1], carrier),
            refusal, .stream([.bytes(carrier.payload(errors))], headers: carrier.headers),
            refusal, Self.results([2], carrier), Self.results([3], carrier))
        let client = try SubscriptionTests.client(transport, retry: .never, inside: [PersistedQueries()])
        for _ in 0..<4 {
            _ = await SubscriptionTests.read(client, Counter(), by: carrier.delivery)
        }
        let asked = [Self.hash, Self.text]
        #expect(Self.identities(transport) == asked + asked + asked + [Self.text])
    }
}
