import Backstop
import BackstopCore
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket
@testable import BackstopTesting

@Suite("The report of a connection that failed", .limited)
struct SocketReportTests {
    @Test(
        "says where the socket connects to, which the request does not, once and without secrets",
        arguments: ["transport.refused", "transport.dns", "transport.lost", "timeout.acknowledgement"])
    func address(code: String) async throws {
        let server = FakeServer()
        let clock = ManualClock()
        let socket = try GraphQL.Socket(
            "wss://b.example:81/live?api_key=secret", options: SocketOptions(), clock: clock, initialize: nil,
            connect: server.connector)
        server.refusal.withLock {
            switch code {
            case "transport.refused": $0 = .failed(TransportError(.refused, phase: .connecting))
            case "transport.dns": $0 = .failed(TransportError(.dns, phase: .connecting, detail: "No address"))
            case "transport.lost": $0 = .closed(SocketClose(code: 1012, reason: ""))
            default: $0 = nil
            }
        }
        let client = try socket.client(attempts: 2, clock: clock)
        let task = Task { try await client.send(Ask()) }
        if code == "timeout.acknowledgement" {
            for index in [0, 1] {
                _ = try await server.connection(index)
                await clock.waitForSleeper(remaining: .seconds(10))
                await clock.advance(by: .seconds(10))
            }
        }
        let failure = await #expect(throws: Failure.self) { try await task.value }
        let report = try #require(failure?.report)
        #expect(failure?.code == code)
        #expect(report.contains("POST https://a.example/graphql"))
        let line = "\n  socket:   wss://b.example:81/live?api_key=<redacted>\n"
        #expect(report.components(separatedBy: line).count == 2, "\(report)")
        #expect(!report.contains("secret") && !report.contains("nothing in attempt"), "\(report)")
    }

    @Test("says that the close of the socket stands for the response", arguments: [4401, 4403] as [UInt16])
    func close(code: UInt16) async throws {
        let server = FakeServer()
        let socket = try GraphQL.Socket(
            "wss://b.example:81/live?api_key=secret", options: SocketOptions(), clock: SystemClock(), initialize: nil,
            connect: server.connector)
        server.refusal.withLock { $0 = .closed(SocketClose(code: code, reason: "")) }
        let client = try socket.client()
        let failure = await #expect(throws: Failure.self) { try await client.send(Ask()) }
        let report = try #require(failure?.report)
        #expect(failure?.code == "status.\(code - 4000)")
        let line = "\n  socket:   wss://b.example:81/live?api_key=<redacted>; its close stands for the response\n"
        #expect(report.contains(line) && !report.contains("secret"), "\(report)")
    }
}
