import Backstop
import BackstopCore
import BackstopStreams
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket
@testable import BackstopTesting

@Suite("The loss of a connection that many operations share", .limited)
struct SocketLossTests {
    private static let count = 50

    /// Begins operations that share a connection.
    private func begin(
        _ socket: GraphQL.Socket, _ budget: RetryBudget, attempts: Int = 3
    ) throws -> [Task<Void, any Error>] {
        let client = try socket.client(attempts: attempts, budget: budget)
        return (0..<Self.count).map { _ in Task { try await client.send(Ask(query: "{ a }")) } }
    }

    /// Waits until all run on a connection, and loses it.
    private func lose(_ index: Int, of server: FakeServer, _ event: SocketEvent) async throws {
        let connection = try await server.connection(index)
        await connection.acknowledge()
        await connection.waitForSent("subscribe", times: Self.count)
        connection.tell(event)
    }

    @Test(
        "takes one retry from the budget, whatever it was lost by, and each operation goes on",
        arguments: [SocketClose(code: 1012, reason: ""), SocketClose(code: 1011, reason: "")],
        [try RetryBudget(capacity: 1, refill: 0, interval: nil), RetryBudget.grpc])
    func restart(close: SocketClose, budget: RetryBudget) async throws {
        let server = FakeServer()
        let socket = try server.socket()
        let tasks = try begin(socket, budget)
        try await lose(0, of: server, .closed(close))
        let connection = try await server.connection(1)
        await connection.acknowledge()
        await connection.waitForSent("subscribe", times: Self.count)
        for id in 1...Self.count {
            connection.next(id)
            connection.complete(id)
        }
        for task in tasks { try await task.value }
        #expect(server.connections.withLock { $0.count } == 2)
    }

    @Test("of each connection is still limited by the budget")
    func limited() async throws {
        let server = FakeServer()
        let tasks = try begin(server.socket(), RetryBudget(capacity: 2, refill: 0, interval: nil), attempts: 10)
        for index in 0..<3 {
            try await lose(index, of: server, .closed(SocketClose(code: 1012, reason: "")))
        }
        for task in tasks {
            let failure = await #expect(throws: Failure.self) { try await task.value }
            #expect(failure?.stopReason == .budget && failure?.attempts.count == 3)
        }
        #expect(server.connections.withLock { $0.count } == 3)
    }

    @Test("of each connection is limited by the budget though subscriptions begin on it: no answer says that it works")
    func limitedSubscriptions() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        let client = try socket.client(attempts: 10, budget: RetryBudget(capacity: 2, refill: 1, interval: nil))
        let tasks = (0..<Self.count).map { _ in
            Task { for try await _ in try await client.subscribe(Live(), by: .webSocket(socket)) {} }
        }
        for index in 0..<3 {
            try await lose(index, of: server, .closed(SocketClose(code: 1012, reason: "")))
        }
        for task in tasks {
            let failure = await #expect(throws: Failure.self) { try await task.value }
            #expect(failure?.stopReason == .budget)
        }
        #expect(server.connections.withLock { $0.count } == 3)
    }

    @Test("and refusals of the next connections take one retry each, and no operation tries a connection by itself")
    func refusedAfterwards() async throws {
        let server = FakeServer()
        let clock = ManualClock()
        let socket = try server.socket(clock: clock)
        let client = try socket.client(
            attempts: 4, budget: RetryBudget(capacity: 3, refill: 0, interval: nil), wait: .seconds(1), clock: clock)
        let queries = (0..<Self.count).map { _ in Task { try await client.send(Ask(query: "{ a }")) } }
        let subscriptions = (0..<Self.count).map { _ in
            Task {
                for try await _ in try await client.subscribe(Live(), by: .webSocket(socket)) { return }
            }
        }
        let first = try await server.connection()
        await first.acknowledge()
        await first.waitForSent("subscribe", times: 2 * Self.count)
        server.refusal.withLock { $0 = .failed(TransportError(.refused, phase: .connecting)) }
        first.tell(.closed(SocketClose(code: 1012, reason: "")))
        for connections in [1, 2, 3] {
            while clock.sleepers.count(where: { $0 == .seconds(1) }) < 2 * Self.count {
                try #require(server.connections.withLock { $0.count } <= connections)
                await Task.yield()
            }
            if connections == 3 { server.refusal.withLock { $0 = nil } }
            await clock.advance(by: .seconds(1))
        }
        let last = try await server.connection(3)
        await last.acknowledge()
        await last.waitForSent("subscribe", times: 2 * Self.count)
        for id in 1...2 * Self.count {
            last.next(id, #"{"data":{"number":7}}"#)
            last.complete(id)
        }
        for task in queries { try await task.value }
        for task in subscriptions { try await task.value }
        #expect(server.connections.withLock { $0.count } == 4)
    }

    @Test("lets subscriptions that have had results go on at one moment, which costs nothing, and share a refusal")
    func resultsBefore() async throws {
        let server = FakeServer()
        let clock = ManualClock()
        let socket = try server.socket(clock: clock)
        let backoff = try Backoff(baseDelay: .seconds(1), maximumDelay: .seconds(1))
        let client = try socket.client(
            attempts: 4, budget: RetryBudget(capacity: 1, refill: 0, interval: nil), backoff: backoff, clock: clock)
        let results = WatchedState(0)
        let tasks = (0..<Self.count).map { _ in
            Task {
                for try await _ in try await client.subscribe(Live(), by: .webSocket(socket)) {
                    results.withLock { $0 += 1 }
                }
            }
        }
        /// Waits until all sleep before they begin again.
        func moment() async throws -> Duration {
            while true {
                let waits = clock.sleepers.filter { $0 <= .seconds(1) }
                guard waits.count < Self.count else {
                    try #require(Set(waits).count == 1)
                    return waits[0]
                }
                await Task.yield()
            }
        }
        for index in [0, 1] {
            let connection = try await server.connection(index)
            await connection.acknowledge()
            await connection.waitForSent("subscribe", times: Self.count)
            for id in 1...Self.count { connection.next(id, #"{"data":{"number":7}}"#) }
            await results.wait { $0 == Self.count * (index + 1) }
            if index == 1 {
                server.refusal.withLock { $0 = .failed(TransportError(.refused, phase: .connecting)) }
            }
            connection.tell(.closed(SocketClose(code: 1012, reason: "")))
            await clock.advance(by: try await moment())
        }
        let wait = try await moment()
        server.refusal.withLock { $0 = nil }
        await clock.advance(by: wait)
        let last = try await server.connection(3)
        await last.acknowledge()
        await last.waitForSent("subscribe", times: Self.count)
        for id in 1...Self.count { last.complete(id) }
        for task in tasks { try await task.value }
        #expect(server.connections.withLock { $0.count } == 4)
    }

    @Test("shares no refusal with what an interceptor asks by itself while a subscription goes on")
    func nested() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        let asking = Asking(socket: socket, server: server)
        var handling = FailureHandling()
        handling.log = RecordingLog()
        let client = try Client(baseURL: "https://a.example/graphql", transport: socket, handling: handling) {
            asking
            Retry(try RetryPolicy(attempts: 2, backoff: .none))
            Decoding()
            StatusValidation()
            AttemptTimeout(.seconds(600))
        }
        let task = Task {
            for try await _ in try await client.subscribe(Live(), by: .webSocket(socket)) {}
        }
        let connection = try await server.connection()
        await connection.acknowledge()
        await connection.waitForSent("subscribe")
        server.refusal.withLock { $0 = .failed(TransportError(.refused, phase: .connecting)) }
        connection.tell(.closed(SocketClose(code: 1012, reason: "")))
        await #expect(throws: Failure.self) { try await task.value }
        #expect(asking.counts.withLock { $0 } == [3])
    }

    @Test("of subscriptions that have begun takes one retry as well")
    func subscriptions() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        let client = try socket.client(attempts: 3, budget: RetryBudget(capacity: 1, refill: 0, interval: nil))
        let tasks = (0..<Self.count).map { _ in
            Task {
                let stream = try await client.subscribe(Live(), by: .webSocket(socket))
                for try await result in stream { return result.data.number }
                return 0
            }
        }
        try await lose(0, of: server, .closed(SocketClose(code: 1012, reason: "")))
        let connection = try await server.connection(1)
        await connection.acknowledge()
        await connection.waitForSent("subscribe", times: Self.count)
        for id in 1...Self.count { connection.next(id, #"{"data":{"number":7}}"#) }
        for task in tasks { #expect(try await task.value == 7) }
    }

    @Test(
        "lets an operation share a refusal only of a newer connection that would have been its own, and has just ended",
        arguments: [
            (lost: 0, wait: 249, key: "a", connections: 1), (0, 250, "a", 2), (0, 0, "b", 2), (nil, 0, "a", 2),
            (.max, 0, "a", 2),
        ] as [(lost: UInt64?, wait: Int, key: String, connections: Int)])
    func sharing(lost: UInt64?, wait: Int, key: String, connections: Int) async throws {
        let server = FakeServer()
        server.refusal.withLock { $0 = .failed(TransportError(.refused, phase: .connecting)) }
        let clock = ManualClock()
        let pool = try server.socket(clock: clock).pool
        func ask(_ key: String, after lost: UInt64?) async throws {
            let operation = SocketOperation(Data("{}".utf8), pipe: nil, unreadLimit: 100)
            let key = SocketKey(payload: Data(key.utf8), headers: HTTP.Headers())
            pool.start(operation, key, after: lost, clock: clock)
            let error = await #expect(throws: TransportError.self) { try await operation.value() }
            #expect(error?.code == .refused && operation.connection != .used)
        }
        try await ask("a", after: nil)
        await clock.advance(by: .milliseconds(wait))
        try await ask(key, after: lost)
        #expect(server.connections.withLock { $0.count } == connections)
    }

    @Test("is the server's refusal of one connection as well, which all wait for")
    func refused() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        let tasks = try begin(socket, RetryBudget(capacity: 1, refill: 0, interval: nil))
        let first = try await server.connection()
        while socket.pool.operations < Self.count { await Task.yield() }
        first.tell(.answered(HTTP.Response(status: 503)))
        let connection = try await server.connection(1)
        await connection.acknowledge()
        await connection.waitForSent("subscribe", times: Self.count)
        for id in 1...Self.count {
            connection.next(id)
            connection.complete(id)
        }
        for task in tasks { try await task.value }
    }
}

@Suite("A result of a socket that cannot be read", .limited)
struct SocketDecodingTests {
    private static func nested(_ depth: Int) -> String {
        #"{"data":{"number":1,"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            + "}}"
    }

    @Test("ends its subscription as over HTTP, and no other", arguments: [62, 63, 900])
    func deep(depth: Int) async throws {
        let server = FakeServer()
        let socket = try server.socket()
        let client = try socket.client()
        async let opened = client.subscribe(Live(), by: .webSocket(socket))
        let connection = try await server.connection()
        await connection.acknowledge()
        var results = try await opened.makeAsyncIterator()
        var others = try await client.subscribe(Live(), by: .webSocket(socket)).makeAsyncIterator()
        connection.next(1, Self.nested(depth))
        if depth == 62 {
            #expect(try await results.next()?.data.number == 1)
        } else {
            let failure = await #expect(throws: Failure.self) { try await results.next() }
            #expect(failure?.code.hasPrefix("decoding") == true && failure?.report.contains("64 levels") == true)
        }
        connection.next(2, #"{"data":{"number":2}}"#)
        #expect(try await others.next()?.data.number == 2)
    }
}

/// Asks the socket twice by itself before each call of a subscription but the first.
private struct Asking: Interceptor {
    let socket: GraphQL.Socket
    let server: FakeServer
    /// How many connections were made then; nil before the first call.
    let counts = WatchedState<[Int]?>(nil)

    func intercept(
        _ request: HTTP.Request, context: CallContext, next: Next<HTTP.Request, HTTP.Response>
    ) async throws -> HTTP.Response {
        if counts.withLock({ $0 }) != nil {
            for _ in 1...2 { _ = try? await socket.ask() }
            counts.withLock { $0?.append(server.connections.withLock { $0.count }) }
        } else {
            counts.withLock { $0 = [] }
        }
        return try await next(request)
    }
}

/// A subscription to numbers.
struct Live: GraphQL.Operation {
    struct Data: Decodable, Sendable { var number: Int }
    var document = GraphQL.Document(text: "subscription Live { number }")
}
