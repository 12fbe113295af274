import BackstopGraphQL
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket
@testable import BackstopTesting

@Suite("An operation over a socket whose server persists no queries", .limited)
struct SocketTextTests {
    typealias Count = SocketPersistedTests.Count

    /// What persists the queries of a client.
    enum Persistence: CaseIterable {
        case interceptor, interceptorByIdentifier, client

        func client(_ transport: any HTTP.Transport) throws -> Client {
            var handling = FailureHandling()
            handling.log = RecordingLog()
            let client = try Client(baseURL: "https://a.example/graphql", transport: transport, handling: handling) {
                Decoding()
                StatusValidation()
                if self != .client {
                    PersistedQueries(format: self == .interceptor ? .extensions : .documentID)
                }
            }
            return client.withOptions { $0.values.graphQL.isAPQClientEnabled = self == .client }
        }
    }

    /// Checks that only the text was sent, and answers.
    private static func answer(_ server: FakeServer, _ operation: Count) async throws {
        let connection = try await server.connection()
        await connection.acknowledge()
        await connection.waitForSent("subscribe")
        let payload = try #require(try SocketPersistedTests.payloads(connection).first)
        #expect(payload["query"]?.string == operation.document.text)
        #expect(payload["extensions"] == nil && payload["documentId"] == nil)
        connection.next(1, #"{"data":{"number":1}}"#)
        connection.complete(1)
    }

    @Test(
        "is sent as its text when the socket is the client's transport", arguments: [Count.query, .mutation],
        Persistence.allCases)
    func single(operation: Count, persistence: Persistence) async throws {
        let server = FakeServer()
        let observer = RecordingObserver()
        let client = try persistence.client(server.socket()).withOptions { $0.observers = [observer] }
        let number = Task { try await client.data(for: operation).number }
        try await Self.answer(server, operation)
        #expect(try await number.value == 1)
        #expect(observer.calls.map(\.values.persistedQuery) == [.off])
    }

    @Test(
        "that is a subscription is sent as its text, whatever the client's transport", arguments: [false, true],
        Persistence.allCases)
    func subscription(isTransport: Bool, persistence: Persistence) async throws {
        let server = FakeServer()
        let socket = try server.socket()
        let client = try persistence.client(isTransport ? socket : ScriptedTransport())
        let numbers = SocketPersistedTests.read(client, .subscription, by: .webSocket(socket))
        try await Self.answer(server, .subscription)
        #expect(try await numbers.value == [1])
    }

    @Test(
        "that only the server has is sent by its identifier, as the client's format has it",
        arguments: [(Persistence.interceptor, false), (.interceptorByIdentifier, true), (.client, false)])
    func known(persistence: Persistence, isIdentifier: Bool) async throws {
        let server = FakeServer()
        let observer = RecordingObserver()
        let client = try persistence.client(server.socket()).withOptions { $0.observers = [observer] }
        let operation = Count(document: .init(name: "Count", kind: .query, knownToServerAs: "count-1"))
        let number = Task { try await client.data(for: operation).number }
        let connection = try await server.connection()
        await connection.acknowledge()
        await connection.waitForSent("subscribe")
        let payload = try #require(try SocketPersistedTests.payloads(connection).first)
        #expect(payload["query"]?.string == "")
        let hash = payload["extensions"]?["persistedQuery"]?["sha256Hash"]
        #expect((isIdentifier ? payload["documentId"] : hash)?.string == "count-1")
        connection.next(1, #"{"data":{"number":1}}"#)
        connection.complete(1)
        #expect(try await number.value == 1)
        #expect(observer.calls.map(\.values.persistedQuery) == [.hit])
    }

    @Test(
        "is sent as its text over one stream of events as well, whatever the client's transport",
        arguments: [false, true])
    func events(isTransport: Bool) async throws {
        let server = EventServer()
        let socket = try server.socket()
        let client = try Persistence.interceptor.client(isTransport ? socket : ScriptedTransport())
        let numbers = SocketPersistedTests.read(client, .subscription, by: .events(over: socket))
        let body = try await server.wait(for: "POST")[0].body
        #expect(body.contains("subscription Count { number }") && !body.contains("persistedQuery"))
        server.next(1, EventSocketTests.result(7))
        server.complete(1)
        #expect(try await numbers.value == [7])
    }

    @Test("leaves the subscriptions of its connection alone", arguments: Persistence.allCases)
    func others(persistence: Persistence) async throws {
        let server = FakeServer()
        let socket = try server.socket()
        let client = try persistence.client(socket)
        let subscriptions = (1...20).map { _ in
            SocketPersistedTests.read(client, .subscription, by: .webSocket(socket))
        }
        let connection = try await server.connection()
        await connection.acknowledge()
        await connection.waitForSent("subscribe", times: 20)
        let number = Task { try await client.data(for: Count.query).number }
        await connection.waitForSent("subscribe", times: 21)
        if try SocketPersistedTests.payloads(connection).last?["query"]?.string?.isEmpty ?? true {
            connection.tell(.closed(SocketClose(code: 4400, reason: "An operation needs a text")))
        }
        for id in 1...21 {
            connection.next(id, #"{"data":{"number":1}}"#)
            connection.complete(id)
        }
        #expect(try await number.value == 1)
        for subscription in subscriptions {
            #expect(try await subscription.value == [1])
        }
        #expect(server.connections.withLock { $0.count } == 1)
    }
}
