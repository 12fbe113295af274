import BackstopGraphQL
import BackstopStreams
import BackstopSubscriptions
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket
@testable import BackstopTesting

@Suite("A persisted operation over a socket", .limited)
struct SocketPersistedTests {
    struct Count: GraphQL.Operation {
        struct Data: Decodable, Sendable { var number: Int }
        var document: GraphQL.Document

        static let subscription = Count(document: .init(text: "subscription Count { number }"))
        static let query = Count(document: .init(text: "query Count { number }"))
        static let mutation = Count(document: .init(text: "mutation Count { number }"))
    }

    /// The messages of a server that does not run an operation, with their errors.
    enum Answer: CaseIterable {
        case error
        case nextAndComplete
        case nextOfNullAndComplete

        func say(_ errors: String, on connection: FakeConnection, _ id: Int) {
            switch self {
            case .error: connection.say(#"{"type":"error","id":"\#(id)","payload":\#(errors)}"#)
            case .nextAndComplete:
                connection.next(id, #"{"errors":\#(errors)}"#)
                connection.complete(id)
            case .nextOfNullAndComplete:
                connection.next(id, #"{"data":null,"errors":\#(errors)}"#)
                connection.complete(id)
            }
        }
    }

    private static let persisting = SocketOptions(persistsQueries: true)
    private static let missed = #"[{"message":"PersistedQueryNotFound"}]"#

    /// A client whose own transport is never used by subscriptions over a socket.
    private static func client(
        _ transport: any HTTP.Transport = ScriptedTransport(), format: PersistedQueries.Format = .extensions
    ) throws -> Client {
        var handling = FailureHandling()
        handling.log = RecordingLog()
        let policy = try RetryPolicy(attempts: 3, backoff: .none, budget: nil)
        return try Client(baseURL: "https://a.example/graphql", transport: transport, handling: handling) {
            Retry(policy)
            Decoding()
            StatusValidation()
            PersistedQueries(format: format)
            AttemptTimeout(.seconds(600))
        }
    }

    /// The payloads of the operations that were sent.
    static func payloads(_ connection: FakeConnection) throws -> [JSONValue] {
        try connection.sent.filter { $0.contains(#""subscribe""#) }.map {
            try JSONValue(parsing: Data($0.utf8))["payload"] ?? .null
        }
    }

    static func read(
        _ client: Client, _ operation: Count, by delivery: GraphQL.Delivery
    ) -> Task<[Int], any Error> {
        Task {
            var numbers: [Int] = []
            for try await result in try await client.subscribe(operation, by: delivery) {
                numbers.append(result.data.number)
            }
            return numbers
        }
    }

    @Test("gets its text after a miss, on the same connection, in one stream", arguments: Answer.allCases)
    func missed(answer: Answer) async throws {
        let server = FakeServer()
        let socket = try server.socket(Self.persisting)
        let client = try Self.client()
        let numbers = Self.read(client, .subscription, by: .webSocket(socket))
        let connection = try await server.connection()
        await connection.acknowledge()
        await connection.waitForSent("subscribe", times: 1)
        answer.say(Self.missed, on: connection, 1)
        await connection.waitForSent("subscribe", times: 2)
        connection.next(2, #"{"data":{"number":1}}"#)
        connection.next(2, #"{"data":{"number":2}}"#)
        connection.complete(2)
        #expect(try await numbers.value == [1, 2])
        let payloads = try Self.payloads(connection)
        #expect(payloads.map { $0["query"]?.string } == ["", Count.subscription.document.text])
        #expect(payloads.allSatisfy { $0["extensions"]?["persistedQuery"]?["sha256Hash"] != nil })
        #expect(server.connections.withLock { $0.count } == 1)
    }

    @Test("is sent as a text, then and later, to a server that persists nothing", arguments: Answer.allCases)
    func notSupported(answer: Answer) async throws {
        let server = FakeServer()
        let socket = try server.socket(Self.persisting)
        let client = try Self.client()
        let connection: FakeConnection
        let first = Self.read(client, .subscription, by: .webSocket(socket))
        connection = try await server.connection()
        await connection.acknowledge()
        await connection.waitForSent("subscribe", times: 1)
        answer.say(#"[{"message":"PersistedQueryNotSupported"}]"#, on: connection, 1)
        await connection.waitForSent("subscribe", times: 2)
        connection.next(2, #"{"data":{"number":1}}"#)
        connection.complete(2)
        #expect(try await first.value == [1])
        let second = Self.read(client, .subscription, by: .webSocket(socket))
        await connection.waitForSent("subscribe", times: 3)
        connection.complete(3)
        #expect(try await second.value.isEmpty)
        #expect(try Self.payloads(connection).map { $0["extensions"] == nil } == [false, true, true])
    }

    @Test(
        "that has one result gets its text as well, and runs once", arguments: [Count.query, .mutation],
        Answer.allCases)
    func single(operation: Count, answer: Answer) async throws {
        let server = FakeServer()
        let client = try Self.client(server.socket(Self.persisting))
        let number = Task { try await client.data(for: operation).number }
        let connection = try await server.connection()
        await connection.acknowledge()
        await connection.waitForSent("subscribe", times: 1)
        answer.say(Self.missed, on: connection, 1)
        await connection.waitForSent("subscribe", times: 2)
        connection.next(2, #"{"data":{"number":1}}"#)
        connection.complete(2)
        #expect(try await number.value == 1)
        #expect(try Self.payloads(connection).map { $0["query"]?.string } == ["", operation.document.text])
        #expect(server.connections.withLock { $0.count } == 1)
    }

    @Test(
        "that is a mutation and may have run is not sent again",
        arguments: [
            #"{"type":"next","id":"1","payload":{"data":{"number":null},"errors":[{"message":"PersistedQueryNotFound"}]}}"#,
            #"{"type":"error","id":"1","payload":[{"message":"PersistedQueryNotFound"},{"message":"paid"}]}"#,
            #"{"type":"error","id":"1","payload":[{"message":"Must provide query string."}]}"#, nil,
        ])
    func doubt(message: String?) async throws {
        let server = FakeServer()
        let client = try Self.client(server.socket(Self.persisting))
        let number = Task { try await client.data(for: Count.mutation).number }
        let connection = try await server.connection()
        await connection.acknowledge()
        await connection.waitForSent("subscribe")
        if let message {
            connection.say(message)
            connection.complete(1)
        } else {
            connection.tell(.closed(SocketClose(code: 1006, reason: "")))
        }
        await #expect(throws: Failure.self) { try await number.value }
        #expect(try Self.payloads(connection).count == 1)
        #expect(server.connections.withLock { $0.count } == 1)
    }

    @Test(
        "that the server has is sent by its identifier, with an empty text",
        arguments: [PersistedQueries.Format.extensions, .documentID], [false, true])
    func known(format: PersistedQueries.Format, isMissed: Bool) async throws {
        let server = FakeServer()
        let socket = try server.socket(Self.persisting)
        let operation = Count(document: .init(name: "Count", kind: .subscription, knownToServerAs: "count-1"))
        let numbers = Self.read(
            try Self.client(format: format), operation, by: .webSocket(socket))
        let connection = try await server.connection()
        await connection.acknowledge()
        await connection.waitForSent("subscribe")
        let payload = try #require(try Self.payloads(connection).first)
        #expect(payload["query"]?.string == "")
        let id = format == .documentID ? payload["documentId"] : payload["extensions"]?["persistedQuery"]?["sha256Hash"]
        #expect(id?.string == "count-1")
        guard isMissed else {
            connection.next(1, #"{"data":{"number":1}}"#)
            connection.complete(1)
            #expect(try await numbers.value == [1])
            return
        }
        Answer.error.say(Self.missed, on: connection, 1)
        let failure = await #expect(throws: Failure.self) { try await numbers.value }
        #expect(failure?.code == "service.graphQL.unknownDocument")
    }

    @Test("that is a query with parts that come later goes over a socket though queries are sent by GET")
    func neverByGET() async throws {
        let server = FakeServer()
        let socket = try server.socket(Self.persisting)
        let client = try Self.client().withOptions { $0.values.graphQL.usesGETForQueries = true }
        let part = Task {
            let stream = try await client.fetchIncrementally(Count.query, by: .webSocket(socket))
            return try await stream.first { _ in true }?.result.data.number
        }
        let connection = try await server.connection()
        await connection.acknowledge()
        await connection.waitForSent("subscribe")
        connection.next(1, #"{"data":{"number":1},"hasNext":false}"#)
        connection.complete(1)
        #expect(try await part.value == 1)
    }
}
