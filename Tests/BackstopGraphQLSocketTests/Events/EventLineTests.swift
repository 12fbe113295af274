import Backstop
import BackstopCore
import BackstopStreams
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket
@testable import BackstopTesting

@Suite("An operation of a socket of server-sent events that waits in the line of the transport", .limited)
struct EventLineTests {
    /// A transport with one request that waits until it is cancelled, and is sent only then if nobody looks.
    private struct Line: HTTP.Transport {
        let server = EventServer()
        /// What it says of the request that waits; nil for nothing.
        var phase: TransportError.Phase? = .queued
        /// Whether the server has answered it with a redirect, and what waits is the next request.
        var isRedirected = false
        /// Whether it waits for a limited time, which is over.
        var isLate = false
        let waiting = Gate()
        let cancelled = Gate()

        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            let body = String(decoding: request.body.data ?? Data(), as: UTF8.self)
            if body.contains(#""operationId":"1""#) {
                if isRedirected { _ = try await server.send(request, context: context) }
                if isRedirected, phase == .connecting { context.recordHop(request) }
                let redirect = isRedirected && phase == .queued ? HTTP.Response(status: 307) : nil
                if let phase { context.track { TransferProgress(phase, response: redirect) } }
                if isLate { throw TimeoutError(.connection, after: .seconds(60)) }
                waiting.open()
                defer { cancelled.open() }
                try await untilCancelled()
            }
            return try await server.send(request, context: context)
        }

        func socket(_ clock: any CallClock = SystemClock()) throws -> GraphQL.Socket {
            try GraphQL.Socket(
                events: "https://a.example/graphql/stream", over: self, silence: nil,
                options: SocketOptions(idle: .seconds(1000), ping: nil, acknowledge: .seconds(170)), clock: clock)
        }
    }

    @Test(
        "is not sent once it is dropped, and is ended only if it may have been",
        arguments: [(.queued, [2]), (.connecting, [1, 2]), (nil, [1, 2])] as [(TransportError.Phase?, [Int])])
    func dropped(phase: TransportError.Phase?, ended: [Int]) async throws {
        let line = Line(phase: phase)
        let socket = try line.socket()
        let task = Task { try await socket.ask(isRepeatable: nil) }
        await line.waiting.pass()
        task.cancel()
        _ = await task.result
        await line.cancelled.pass()
        let other = Task { try await socket.ask() }
        try await line.server.wait(for: "POST")
        other.cancel()
        let ends = try await line.server.wait(for: "DELETE", times: ended.count)
        #expect(Set(ends.map(\.target)) == Set(ended.map { "https://a.example/graphql/stream?operationId=\($0)" }))
        #expect(line.server.requests("POST").count == 1)
    }

    @Test("is repeated if its attempt ends there, even a mutation, because nothing was sent")
    func repeated() async throws {
        let clock = ManualClock()
        let line = Line()
        let socket = try line.socket(clock)
        let client = try socket.client(attempts: 2, clock: clock)
        let task = Task { try await client.send(Ask(query: "mutation { a }", isRepeatable: nil)) }
        await line.waiting.pass()
        await clock.waitForSleeper(remaining: .seconds(600))
        await clock.advance(by: .seconds(600))
        try await line.server.wait(for: "POST")
        line.server.next(2, "{}")
        line.server.complete(2)
        try await task.value
        #expect(line.server.requests("DELETE").isEmpty)
    }

    @Test("is not repeated if its attempt ends there after a redirect, because the server has it, but ended")
    func redirected() async throws {
        let clock = ManualClock()
        let line = Line(isRedirected: true)
        let socket = try line.socket(clock)
        let client = try socket.client(attempts: 2, clock: clock)
        let task = Task { try await client.send(Ask(query: "mutation { a }", isRepeatable: nil)) }
        await line.waiting.pass()
        await clock.waitForSleeper(remaining: .seconds(600))
        await clock.advance(by: .seconds(600))
        try await line.server.wait(for: "DELETE", with: "operationId=1")
        let failure = await #expect(throws: Failure.self) { try await task.value }
        #expect(failure?.code == "timeout.attempt" && failure?.progress?.phase == .sending)
        #expect(failure?.report.contains("may have done its work") == true)
        #expect(line.server.requests("POST").count == 1)
    }

    @Test("is repeated if it gets no place in time, and there is nothing to end")
    func late() async throws {
        let line = Line(isLate: true)
        let client = try line.socket().client(attempts: 2)
        let task = Task { try await client.send(Ask(query: "mutation { a }", isRepeatable: nil)) }
        try await line.server.wait(for: "POST")
        line.server.next(2, "{}")
        line.server.complete(2)
        try await task.value
        #expect(line.server.requests("DELETE").isEmpty)
    }

    @Test(
        "is not repeated if it gets no connection in time after a redirect, because the server has it, but ended",
        arguments: [.queued, .connecting] as [TransportError.Phase])
    func lateAfterRedirect(phase: TransportError.Phase) async throws {
        let line = Line(phase: phase, isRedirected: true, isLate: true)
        let client = try line.socket().client(attempts: 2)
        let task = Task { try await client.send(Ask(query: "mutation { a }", isRepeatable: nil)) }
        try await line.server.wait(for: "DELETE", with: "operationId=1")
        let failure = await #expect(throws: Failure.self) { try await task.value }
        #expect(failure?.code == "transport.lost" && failure?.error(as: TransportError.self)?.phase == .receiving)
        #expect(failure?.report.contains("may have done its work") == true)
        #expect(line.server.requests("POST").count == 1)
    }

    @Test("says in its failure that it waited there")
    func reported() async throws {
        let clock = ManualClock()
        let line = Line()
        let socket = try line.socket(clock)
        let client = try socket.client(clock: clock)
        let task = Task { try await client.send(Ask(query: "mutation { a }", isRepeatable: nil)) }
        await line.waiting.pass()
        await clock.waitForSleeper(remaining: .seconds(600))
        await clock.advance(by: .seconds(600))
        let failure = await #expect(throws: Failure.self) { try await task.value }
        #expect(failure?.code == "timeout.attempt" && failure?.progress?.phase == .queued)
        #expect(failure?.report.contains("may have done its work") == false)
    }

    /// An open connection to a server.
    private static func connection(to server: EventServer) async throws -> EventConnection {
        let url = try SocketURL("https://a.example/graphql/stream", .http)
        let target = SocketTarget(url: url, headers: [:], longest: 1 << 20, patience: .seconds(170))
        let connection = try EventConnection(target, over: server, clock: ManualClock(), options: StreamOptions())
        let opened = Gate()
        connection.open { if case .opened = $0 { opened.open() } }
        await opened.pass()
        return connection
    }

    @Test("has no request, neither to begin nor to end it, if it is taken back before the transport has it")
    func takenBack() async throws {
        let server = EventServer()
        let connection = try await Self.connection(to: server)
        let ended = WatchedState(0)
        var unsent: [UInt64] = []
        for id in 1...200 as ClosedRange<UInt64> {
            connection.send(.subscribe(id, Data("{}".utf8))) { _ in ended.withLock { $0 += 1 } }
            if connection.takeBack(id) { unsent.append(id) }
        }
        await ended.wait { $0 == 200 }
        // Those that are ended wrongly are ended before.
        connection.send(.complete(1000)) { _ in }
        try await server.wait(for: "DELETE", with: "operationId=1000")
        connection.close(code: 1000, reason: "")
        let (begun, deleted) = (server.requests("POST").map(\.body), server.requests("DELETE").map(\.target))
        for id in unsent {
            #expect(!begun.contains { $0.contains(#""operationId":"\#(id)""#) })
            #expect(!deleted.contains { $0.hasSuffix("operationId=\(id)") })
        }
    }

    @Test("has one request to end it, also if two sides end it at once")
    func endedTwice() async throws {
        let answer = Gate()
        let server = EventServer { request in
            if request.method == "DELETE" { await answer.pass() }
            return nil
        }
        let connection = try await Self.connection(to: server)
        for id in [1, 1, 2, 3, 4] as [UInt64] {
            connection.send(.complete(id)) { _ in }
        }
        try await server.wait(for: "DELETE", times: 4)
        answer.open()
        connection.send(.complete(5)) { _ in }
        try await server.wait(for: "DELETE", with: "operationId=5")
        connection.close(code: 1000, reason: "")
        #expect(server.requests("DELETE").count == 5)
    }
}
