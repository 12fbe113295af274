import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopStreams
import BackstopSubscriptions
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket
@testable import BackstopTesting

@Suite("A socket in memory", .limited)
struct SocketSessionTests {
    @Test("gives each result of a subscription as a line, as it comes, and ends with it")
    func stream() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        async let opened = socket.client().stream(Ask(), as: .lines)
        let connection = try await server.connection()
        await connection.acknowledge()
        let stream = try await opened
        #expect(stream.response.headers["Content-Type"] == "application/jsonl")
        var lines = stream.makeAsyncIterator()
        connection.next(1, "{\n\"data\": 1}")
        #expect(try await lines.next() == #"{ "data": 1}"#)
        connection.next(1, #"{"data":2}"#)
        #expect(try await lines.next() == #"{"data":2}"#)
        connection.complete(1)
        #expect(try await lines.next() == nil)
        #expect(
            connection.sent == [
                #"{"type":"connection_init"}"#,
                #"{"type":"subscribe","id":"1","payload":{"query":"subscription { a }"}}"#,
            ])
        #expect(socket.pool.operations == 0)
    }

    @Test("gives the errors of a subscription that was not executed as its only line")
    func errors() async throws {
        let server = FakeServer()
        async let opened = server.socket().client().stream(Ask(), as: .lines)
        let connection = try await server.connection()
        await connection.acknowledge()
        var lines = try await opened.makeAsyncIterator()
        connection.say(#"{"type":"error","id":"1","payload":[{"message":"no"}]}"#)
        #expect(try await lines.next() == #"{"errors":[{"message":"no"}]}"#)
        #expect(try await lines.next() == nil)
    }

    @Test("gives the place at which a result is no JSON as it was sent, with its line breaks, of a query as well")
    func notJSON() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        let client = try socket.client()
        let results = SocketPersistedTests.read(client, .subscription, by: .webSocket(socket))
        let connection = try await server.connection()
        await connection.acknowledge()
        await connection.waitForSent("subscribe")
        connection.next(1, "{\n  \"data\": {\"n\": 01}\n}")
        let query = Task { try await client.data(for: SocketPersistedTests.Count.query).number }
        await connection.waitForSent("subscribe", times: 2)
        connection.next(2, "{\n  \"data\": {\"n\": 01}\n}")
        connection.complete(2)
        let failures = [
            await #expect(throws: Failure.self) { try await results.value },
            await #expect(throws: Failure.self) { try await query.value },
        ]
        for failure in failures {
            #expect(failure?.explanation.contains("line 2, column 18: a number with a leading zero") == true)
        }
    }

    @Test("makes no JSON of what is none when it puts it on a line")
    func notJSONOnALine() async throws {
        let server = FakeServer()
        async let opened = server.socket().client().stream(Ask(), as: .lines)
        let connection = try await server.connection()
        await connection.acknowledge()
        var lines = try await opened.makeAsyncIterator()
        connection.next(1, "{\"a\":\n\"b\nc\0\"}")
        #expect(try await lines.next() == "{\"a\":\0\"b\0c\u{1}\"}")
    }

    @Test("gives the result of a query as its response, and its errors too")
    func query() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        async let first = socket.send(Ask.request(), context: CallContext())
        let connection = try await server.connection()
        await connection.acknowledge()
        connection.next(1, #"{"data":{"a":1}}"#)
        connection.complete(1)
        let response = try await first
        #expect(response.status == 200 && response.mediaType == "application/graphql-response+json")
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"data":{"a":1}}"#)

        async let second = socket.ask()
        await connection.waitForSent("subscribe", times: 2)
        connection.say(#"{"type":"error","id":"2","payload":[{"message":"no"}]}"#)
        #expect(try await second == #"{"errors":[{"message":"no"}]}"#)
    }

    @Test(
        "takes a result as a result, however the connection is lost before the end",
        arguments: [nil, 1000, 1011, 4400, 4403, 4999] as [UInt16?])
    func lostAfterResult(code: UInt16?) async throws {
        let server = FakeServer()
        let socket = try server.socket()
        async let answer = socket.ask()
        let connection = try await server.connection()
        await connection.acknowledge()
        connection.next(1, #"{"data":1}"#)
        connection.tell(.closed(SocketClose(code: code, reason: "")))
        #expect(try await answer == #"{"data":1}"#)
    }

    @Test("fails a query with no result, or with several", arguments: [0, 2])
    func several(count: Int) async throws {
        let server = FakeServer()
        let socket = try server.socket()
        let answer = Task { try await socket.ask() }
        let connection = try await server.connection()
        await connection.acknowledge()
        for _ in 0..<count {
            connection.next(1)
        }
        connection.complete(1)
        let error = await #expect(throws: TransportError.self) { try await answer.value }
        #expect(error?.code == .badResponse)
    }

    @Test("fails a query that gets errors after its result: they say that it was not executed, and it was")
    func errorsAfterResult() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        let answer = Task { try await socket.ask() }
        let connection = try await server.connection()
        await connection.acknowledge()
        connection.next(1)
        connection.say(#"{"type":"error","id":"1","payload":[{"message":"no"}]}"#)
        let error = await #expect(throws: TransportError.self) { try await answer.value }
        #expect(error?.code == .badResponse)
        #expect(error?.detail.contains("errors over the socket after the result") == true)
    }

    @Test("refuses what it cannot carry, before anything is sent")
    func refused() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        for request in [
            try HTTP.Request(.get, "https://a.example/graphql?query=%7Ba%7D"),
            try HTTP.Request(.post, "https://a.example", body: .data(Data("[]".utf8))),
            try HTTP.Request(.post, "https://a.example", body: .data(Data("{".utf8))),
            try Ask.request(headers: ["Idempotency-Key": "k"], isRepeatable: nil),
        ] {
            await #expect(throws: RequestError.self) { try await socket.send(request, context: CallContext()) }
        }
        #expect(server.connections.withLock { $0.isEmpty })
    }

    @Test("opens one connection for operations that come at once")
    func shared() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 1...20 {
                group.addTask { try await socket.ask("{ n\(number) }") }
            }
            let connection = try await server.connection()
            while socket.pool.operations < 20 { await Task.yield() }
            await connection.acknowledge()
            await connection.waitForSent("subscribe", times: 20)
            for id in 1...20 {
                connection.next(id, #"{"data":\#(id)}"#)
                connection.complete(id)
            }
            var answers: Set<String> = []
            for try await answer in group { answers.insert(answer) }
            #expect(answers.count == 20)
        }
        #expect(server.connections.withLock { $0.count } == 1)
    }

    @Test("tells the server when a call is cancelled, and only then")
    func cancelled() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        let task = Task { try await socket.ask() }
        let other = Task { try await socket.ask() }
        let connection = try await server.connection()
        while socket.pool.operations < 2 { await Task.yield() }
        await connection.acknowledge()
        let id = connection.sent.count { $0.contains("subscribe") }
        #expect(id == 2)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await connection.waitForSent("complete")
        let ended = connection.sent.last?.contains(#""1""#) == true ? 1 : 2
        connection.next(3 - ended, #"{"data":1}"#)
        connection.complete(3 - ended)
        #expect(try await other.value == #"{"data":1}"#)
        #expect(connection.sent.count { $0.contains("complete") } == 1)
    }

    @Test("does not send an operation, nor its end, that is cancelled while one before it is sent")
    func cancelledInLine() async throws {
        let url = try SocketURL("wss://a.example/graphql")
        let connection = FakeConnection(
            SocketTarget(url: url, headers: [:], longest: 1024, patience: .seconds(170)))
        let clock = ManualClock()
        let session = SocketSession(
            connection, SocketProtocol(SocketOptions(), payload: nil), clock: clock, openingClock: clock
        ) { _ in }
        let operations = (1...3).map { _ in SocketOperation(Data("{}".utf8), pipe: nil, unreadLimit: 0) }
        #expect(operations.allSatisfy { session.start($0) })
        session.open()
        connection.state.withLock { state in
            state.onSend = { if $0.contains(#""id":"1""#) { operations[1].leave() } }
        }
        await connection.acknowledge()
        operations[2].leave()
        #expect(
            connection.sent == [
                #"{"type":"connection_init"}"#,
                #"{"type":"subscribe","id":"1","payload":{}}"#,
                #"{"type":"subscribe","id":"3","payload":{}}"#,
                #"{"type":"complete","id":"3"}"#,
            ])
        #expect(operations.map(\.progress.phase) == [.waiting, .connecting, .waiting])
        session.shutDown()
    }

    @Test("tells the server when a stream is dropped")
    func dropped() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        func open() async throws {
            async let opened = socket.client().stream(Ask(), as: .lines)
            try await server.connection().acknowledge()
            _ = try await opened
        }
        try await open()
        try await server.connection().waitForSent(#"{"type":"complete","id":"1"}"#)
        #expect(socket.pool.operations == 0)
    }

    @Test("closes when nothing runs for a time, and opens again when needed")
    func idle() async throws {
        let clock = ManualClock()
        let server = FakeServer()
        let socket = try server.socket(SocketOptions(idle: .seconds(5), ping: nil), clock: clock)
        async let first = socket.ask()
        let connection = try await server.connection()
        await connection.acknowledge()
        connection.next(1)
        connection.complete(1)
        _ = try await first
        await clock.waitForSleeper(remaining: .seconds(5))
        await clock.advance(by: .seconds(5))
        await connection.state.wait { $0.closed == 1000 }
        while socket.pool.count > 0 { await Task.yield() }
        async let second = socket.ask()
        let other = try await server.connection(1)
        await other.acknowledge()
        other.next(1, #"{"data":2}"#)
        other.complete(1)
        #expect(try await second == #"{"data":2}"#)
    }

    @Test("sends an operation again, once, that met the close of a kept connection", arguments: [true, false])
    func raced(isRepeatable: Bool) async throws {
        let server = FakeServer()
        let socket = try server.socket()
        async let first = socket.ask()
        let connection = try await server.connection()
        await connection.acknowledge()
        connection.next(1)
        connection.complete(1)
        _ = try await first
        connection.hold()
        let second = Task { try await socket.ask(isRepeatable: isRepeatable ? true : nil) }
        await connection.waitForSent("subscribe", times: 2)
        connection.tell(.closed(SocketClose(code: 1001, reason: "")))
        guard isRepeatable else {
            let error = await #expect(throws: TransportError.self) { try await second.value }
            #expect(error?.code == .lost && error?.phase == .sending)
            return
        }
        let other = try await server.connection(1)
        await other.acknowledge()
        other.next(1, #"{"data":2}"#)
        other.complete(1)
        #expect(try await second.value == #"{"data":2}"#)
    }

    @Test("is lost when the server does not answer a ping")
    func silence() async throws {
        let clock = ManualClock()
        let server = FakeServer()
        let socket = try server.socket(SocketOptions(ping: .seconds(20)), clock: clock)
        let answer = Task { try await socket.ask() }
        let connection = try await server.connection()
        await connection.acknowledge()
        await clock.waitForSleeper(remaining: .seconds(20))
        await clock.advance(by: .seconds(20))
        await connection.waitForSent("ping")
        await clock.waitForSleeper(remaining: .seconds(20))
        await clock.advance(by: .seconds(20))
        let error = await #expect(throws: TransportError.self) { try await answer.value }
        #expect(error?.code == .lost)
        #expect(connection.state.withLock { $0.closed } == 4408)
    }

    @Test("is there while bytes come, though no message is complete")
    func slow() async throws {
        let clock = ManualClock()
        let server = FakeServer()
        let socket = try server.socket(SocketOptions(ping: .seconds(20)), clock: clock)
        let answer = Task { try await socket.ask() }
        let connection = try await server.connection()
        await connection.acknowledge()
        for count in 1...5 {
            await clock.waitForSleeper(remaining: .seconds(20))
            await clock.advance(by: .seconds(20))
            await connection.waitForSent("ping", times: count)
            connection.tell(.heard)
        }
        connection.next(1, #"{"data":1}"#)
        connection.complete(1)
        #expect(try await answer.value == #"{"data":1}"#)
    }

    @Test("says what to write when a subscription is to come over it in another way")
    func otherWay() async throws {
        let server = FakeServer()
        let client = try server.socket().client()
        for delivery in [GraphQL.Delivery.multipart, .events] {
            let failure = await #expect(throws: Failure.self) { try await client.subscribe(Live(), by: delivery) }
            #expect(
                failure?.code == "request.invalid" && failure?.explanation.contains("by: .webSocket(socket)") == true)
        }
        #expect(server.connections.withLock { $0.isEmpty })
    }

    @Test("limits the time to the acknowledgement by the clock of the call, and a mutation was not sent then")
    func acknowledgement() async throws {
        let clock = ManualClock()
        let server = FakeServer()
        let socket = try server.socket(SocketOptions(acknowledge: .seconds(3)))
        var options = CallOptions()
        options.clock = clock
        let client = try socket.client(attempts: 2, options: options)
        async let outcome = client.send(Ask(query: "mutation { a }", isRepeatable: nil))
        let connection = try await server.connection()
        await clock.waitForSleeper(remaining: .seconds(3))
        connection.tell(.opened)
        await clock.advance(by: .seconds(3))
        #expect(connection.state.withLock { $0.closed } == 4504)
        // It was not sent, so it is tried again.
        let other = try await server.connection(1)
        await other.acknowledge()
        other.next(1)
        other.complete(1)
        try await outcome
    }

    @Test("ends a subscription that is read too slowly, and no other")
    func overrun() async throws {
        let server = FakeServer()
        let socket = try server.socket(SocketOptions(unread: 1 << 16))
        let client = try socket.client()
        async let slow = client.stream(Ask(), as: .lines)
        let connection = try await server.connection()
        await connection.acknowledge()
        let stream = try await slow
        let other = try await client.stream(Ask(), as: .lines)
        let payload = #"{"data":"\#(String(repeating: "a", count: 4000))"}"#
        // More than the stream's window, which is taken at once, and what may wait behind it.
        for _ in 0..<200 {
            connection.next(1, payload)
        }
        await connection.waitForSent(#"{"type":"complete","id":"1"}"#)
        connection.next(2)
        var lines = other.makeAsyncIterator()
        #expect(try await lines.next() == "{}")
        var count = 0
        let failure = await #expect(throws: Failure.self) {
            for try await _ in stream { count += 1 }
        }
        #expect(failure?.code == "transport.overrun")
        #expect((16...100).contains(count), "\(count)")
    }

    @Test("gives up on a server that does not read")
    func stalled() async throws {
        let server = FakeServer()
        let socket = try server.socket(SocketOptions(unwritten: 16_000))
        let answer = Task { try await socket.ask() }
        let connection = try await server.connection()
        await connection.acknowledge()
        connection.hold()
        let ping = #"{"type":"ping","payload":{"a":"\#(String(repeating: "a", count: 1000))"}}"#
        for _ in 0..<20 {
            connection.say(ping)
        }
        let error = await #expect(throws: TransportError.self) { try await answer.value }
        #expect(error?.detail.contains("does not read") == true)
        #expect(connection.sent.count { $0.contains("pong") } == 16)
    }

    @Test("closes its connection when nobody holds it any more")
    func released() async throws {
        let server = FakeServer()
        func use() async throws -> FakeConnection {
            let socket = try server.socket()
            async let answer = socket.ask()
            let connection = try await server.connection()
            await connection.acknowledge()
            connection.next(1)
            connection.complete(1)
            _ = try await answer
            return connection
        }
        let connection = try await use()
        await connection.state.wait { $0.closed == 1000 }
    }
}
