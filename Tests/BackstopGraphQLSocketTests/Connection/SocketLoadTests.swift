import Backstop
import BackstopCore
import BackstopStreams
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket
@testable import BackstopTesting

@Suite("A socket under load", .limited)
struct SocketLoadTests {
    private static func payload(_ number: Int) -> String { #"{"data":{"number":\#(number)}}"# }

    @Test("keeps nothing of 1,000 payloads a second for a minute, and no timer after their end")
    func minute() async throws {
        let clock = ManualClock()
        let server = FakeServer()
        // The limits on what waits are less than what comes.
        let options = SocketOptions(
            idle: .zero, ping: .seconds(1), acknowledge: .seconds(170), unread: 64_000, unwritten: 1000)
        let socket = try server.socket(options, clock: clock)
        let client = try socket.client()
        async let subscription = client.subscribe(Live(), by: .webSocket(socket))
        let connection = try await server.connection()
        await connection.acknowledge()
        var results = try await subscription.makeAsyncIterator()
        var read = 0
        for second in 1...60 {
            for _ in 0..<10 {
                connection.say(#"{"type":"ping","payload":{}}"#)
                for number in read..<read + 100 { connection.next(1, Self.payload(number)) }
                for _ in 0..<100 {
                    let next = try await results.next()
                    try #require(next?.data.number == read)
                    read += 1
                }
            }
            await clock.waitForSleeper(remaining: .seconds(1))
            await clock.advance(by: .seconds(1))
            await connection.waitForSent(#""type":"ping""#, times: second)
        }
        #expect(read == 60_000 && connection.sent.count { $0.contains("pong") } == 600)
        connection.complete(1)
        #expect(try await results.next() == nil)
        try await Self.waitForEnd(of: socket, clock)
        #expect(connection.state.withLock { $0.closed } == 1000)
    }

    @Test("has nothing left of 10,000 operations that are opened and dropped in any order", arguments: Seed.ofRun)
    func dropped(seed: Seed) async throws {
        let clock = ManualClock()
        let server = FakeServer()
        let socket = try server.socket(
            SocketOptions(idle: .seconds(7), ping: nil, acknowledge: .seconds(170)), clock: clock)
        let opening = Task {
            let connection = try await server.connection()
            await connection.acknowledge()
            return connection
        }
        try await Self.openAndDrop(10_000, .webSocket(socket), socket.client(), seed) { mark in
            let connection = try await opening.value
            let message = connection.state.withLock { state in state.sent.last { $0.contains(mark) } }
            let id = try Self.number(behind: #""id":""#, in: message)
            return (id, { $0.map { connection.next(id, $0) } ?? connection.complete(id) })
        }
        try await Self.waitForIdle(socket, clock)
        let connection = try await opening.value
        let ends = connection.sent.filter { $0.contains(#""type":"complete""#) }
        #expect(Set(ends).count == ends.count && connection.state.withLock { $0.closed } == 1000)
    }

    @Test("of events has nothing left of 500 that are opened and dropped in any order", arguments: Seed.ofRun)
    func droppedEvents(seed: Seed) async throws {
        let clock = ManualClock()
        let server = EventServer()
        let socket = try server.socket(
            SocketOptions(idle: .seconds(7), ping: nil, acknowledge: .seconds(170)), clock: clock)
        try await Self.openAndDrop(500, .events(over: socket), socket.client(), seed) { mark in
            let message = server.state.withLock { state in state.requests.last { $0.body.contains(mark) }?.body }
            let id = try Self.number(behind: #""operationId":""#, in: message)
            return (id, { $0.map { server.next(id, $0) } ?? server.complete(id) })
        }
        try await Self.waitForIdle(socket, clock)
        await server.waitForEnd()
        #expect(server.requests("PUT").count == 1)
    }

    /// Opens and drops operations, a few of which run at once.
    ///
    /// - Parameter find: Finds the id of the operation whose text has a mark, and what sends it a result, or its end for
    ///   nil.
    private static func openAndDrop(
        _ count: Int, _ delivery: GraphQL.Delivery, _ client: Client, _ seed: Seed,
        find: (_ mark: String) async throws -> (id: Int, send: (String?) -> Void)
    ) async throws {
        var random = seed.numbers
        var running: [(stream: HTTP.Stream<GraphQL.Result<Live.Data>>, id: Int, send: (String?) -> Void)] = []
        for number in 1...count {
            let live = Live(document: .init(text: "subscription Live { number n\(number): number }"))
            if number > 1, random.below(10) == 0 {
                // Dropped while it begins.
                let task = Task { try await client.subscribe(live, by: delivery).cancel() }
                for _ in 0..<random.below(4) { await Task.yield() }
                task.cancel()
                _ = await task.result
            } else {
                let stream = try await client.subscribe(live, by: delivery)
                let (id, send) = try await find(" n\(number):")
                running.append((stream, id, send))
            }
            while running.count > random.below(20) {
                let (stream, id, send) = running.remove(at: random.below(running.count))
                defer { stream.cancel() }
                let end = random.below(4)
                guard end > 0 else { continue }
                send(payload(id))
                guard end > 1 else { continue }
                var results = stream.makeAsyncIterator()
                let next = try await results.next()
                try #require(next?.data.number == id)
                guard end > 2 else { continue }
                send(nil)
                let last = try await results.next()
                try #require(last == nil)
            }
        }
        running.forEach { $0.stream.cancel() }
    }

    private static func number(behind text: String, in message: String?) throws -> Int {
        let message = try #require(message)
        let start = try #require(message.range(of: text)).upperBound
        return try #require(Int(message[start...].prefix { $0.isNumber }))
    }

    /// Waits until no operation is left, and then for what is idle to end.
    private static func waitForIdle(_ socket: GraphQL.Socket, _ clock: ManualClock) async throws {
        while socket.pool.operations > 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
        await clock.waitForSleeper(remaining: .seconds(7))
        await clock.advance(by: .seconds(7))
        try await waitForEnd(of: socket, clock)
    }

    /// Waits until there are neither operations nor timers nor connections.
    private static func waitForEnd(of socket: GraphQL.Socket, _ clock: ManualClock) async throws {
        while socket.pool.operations > 0 || socket.pool.count > 0 || !clock.sleepers.isEmpty {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
