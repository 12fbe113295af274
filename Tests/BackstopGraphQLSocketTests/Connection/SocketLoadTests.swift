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
    private static let patient = SocketOptions(idle: .seconds(7), ping: nil, acknowledge: .seconds(170))

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
        async let stream = client.stream(Ask(), as: .lines)
        let connection = try await server.connection()
        await connection.acknowledge()
        var lines = try await stream.makeAsyncIterator()
        var read = 0
        for second in 1...60 {
            for _ in 0..<10 {
                connection.say(#"{"type":"ping","payload":{}}"#)
                for number in read..<read + 100 { connection.next(1, Self.payload(number)) }
                var batch: [String] = []
                while batch.count < 100, let line = try await lines.next() { batch.append(line) }
                try #require(batch == (read..<read + 100).map { Self.payload($0) })
                read += 100
            }
            await clock.waitForSleeper(remaining: .seconds(1))
            await clock.advance(by: .seconds(1))
            await connection.waitForSent(#""type":"ping""#, times: second)
        }
        #expect(read == 60_000 && connection.sent.count { $0.contains("pong") } == 600)
        connection.complete(1)
        #expect(try await lines.next() == nil)
        try await Self.waitForEnd(of: socket, clock)
        #expect(connection.state.withLock { $0.closed } == 1000)
    }

    @Test("has nothing left of 10,000 operations that are opened and dropped in any order", arguments: Seed.ofRun)
    func dropped(seed: Seed) async throws {
        var random = seed.numbers
        let clock = ManualClock()
        let server = FakeServer()
        let socket = try server.socket(Self.patient, clock: clock)
        var running: [(operation: SocketOperation, pipe: Pipe, id: Int)] = []
        var (unsent, completed) = (0, 0)
        for id in 1...10_000 {
            let pipe = Pipe()
            let operation = SocketOperation(Data("{}".utf8), pipe: pipe, unreadLimit: 100)
            socket.pool.start(operation, SocketKey(payload: nil, headers: [:]), after: nil, clock: clock)
            running.append((operation, pipe, id))
            let connection = try await server.connection()
            if id == 100 { await connection.acknowledge() }
            while running.count > 1 + random.below(20) {
                let (operation, pipe, dropped) = running.remove(at: random.below(running.count))
                let end = random.below(4)
                if id < 100 {
                    unsent += 1
                } else if end > 0 {
                    connection.next(dropped, Self.payload(dropped))
                    try #require(pipe.state.withLock { $0.text } == Self.payload(dropped) + "\n")
                    if end > 1 {
                        connection.complete(dropped)
                        completed += 1
                    }
                }
                operation.leave()
                try #require(pipe.state.withLock { $0.isEnded } == (id >= 100 && end > 1))
            }
        }
        let connection = try await server.connection()
        running.forEach { $0.operation.leave() }
        #expect(connection.sent.count { $0.contains(#""subscribe""#) } == 10_000 - unsent)
        let ends = connection.sent.filter { $0.contains(#""complete""#) }
        #expect(Set(ends).count == ends.count && ends.count == 10_000 - unsent - completed)
        try await Self.waitForIdle(socket, clock)
        #expect(connection.state.withLock { $0.closed } == 1000)
    }

    @Test("of events has nothing left of 300 that are opened and dropped in any order", arguments: Seed.ofRun)
    func droppedEvents(seed: Seed) async throws {
        var random = seed.numbers
        let clock = ManualClock()
        let server = EventServer()
        let socket = try server.socket(Self.patient, clock: clock)
        let client = try socket.client()
        var running: [(stream: HTTP.Stream<String>, id: Int)] = []
        for number in 1...300 {
            let ask = Ask(query: "subscription { n\(number) }")
            if number > 1, random.below(5) == 0 {
                // Dropped while it begins.
                let task = Task { try await client.stream(ask, as: .lines).cancel() }
                for _ in 0..<random.below(20) { await Task.yield() }
                task.cancel()
                _ = await task.result
            } else {
                let stream = try await client.stream(ask, as: .lines)
                let post = try await server.wait(for: "POST", with: " n\(number) ")[0]
                running.append((stream, try Self.id(of: post.body)))
            }
            while running.count > random.below(20) {
                let (stream, id) = running.remove(at: random.below(running.count))
                let end = random.below(4)
                if end > 0 { server.next(id, Self.payload(id)) }
                if end > 1 {
                    var lines = stream.makeAsyncIterator()
                    #expect(try await lines.next() == Self.payload(id))
                    if end > 2 {
                        server.complete(id)
                        #expect(try await lines.next() == nil)
                    }
                }
                stream.cancel()
            }
        }
        running.forEach { $0.stream.cancel() }
        try await Self.waitForIdle(socket, clock)
        await server.waitForEnd()
        #expect(server.requests("PUT").count == 1)
    }

    private static func id(of body: String) throws -> Int {
        let start = try #require(body.range(of: #""operationId":""#)).upperBound
        return try #require(Int(body[start...].prefix { $0.isNumber }))
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

    /// Takes everything at once.
    private final class Pipe: ResponsePipe {
        let state = Lock((text: "", isEnded: false))
        var window: Int { 100 }
        var unread: Int { 0 }

        func push(_ chunk: Data, drained: @escaping @Sendable () -> Void) -> Bool {
            state.withLock { $0.text += String(decoding: chunk, as: UTF8.self) }
            return false
        }

        func expire() -> Bool { true }

        func end(_ result: Result<Void, any Error>) {
            state.withLock { $0.isEnded = true }
        }

        func abandon() {}
    }
}
