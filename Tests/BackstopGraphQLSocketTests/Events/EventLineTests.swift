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
        let waiting = Gate()
        let cancelled = Gate()

        func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
            let body = String(decoding: request.body.data ?? Data(), as: UTF8.self)
            if body.contains(#""operationId":"1""#) {
                if let phase { context.track { TransferProgress(phase) } }
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
}
