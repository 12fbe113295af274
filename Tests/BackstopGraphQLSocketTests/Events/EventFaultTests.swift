import Backstop
import BackstopCore
import BackstopStreams
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket
@testable import BackstopTesting

@Suite("A server of events that breaks the rules", .limited)
struct EventFaultTests {
    @Test(
        "ends the stream when nobody knows whose event it is",
        arguments: [
            #"{"payload":{"data":{"number":1}}}"#, #"{"id":7,"payload":{}}"#, "nonsense", "[]", "null",
            #"{"id":"1","payload":{}"#, String(repeating: "[", count: 1000),
            #"{"id":"1","payload":{"data":"\#(String(repeating: "a", count: 1024))"}}"#,
        ])
    func unknown(data: String) async throws {
        let server = EventServer()
        let socket = try server.socket(SocketOptions(ping: nil, acknowledge: .seconds(170), longest: 1024))
        let client = try socket.client()
        var results = try await client.subscribe(Live(), by: .events(over: socket)).makeAsyncIterator()
        server.send("event: next\ndata: \(data)\n\n")
        let failure = await #expect(throws: Failure.self) { try await results.next() }
        #expect(failure?.code == "transport.badResponse")
        #expect(data.count < 1024 || failure?.nextStep?.contains("GraphQL.Socket.longest") == true)
        await server.waitForEnd()
    }

    @Test("ends only the operation that its event names", arguments: ["[1]", "1", "null", #""a""#])
    func named(payload: String) async throws {
        let server = EventServer()
        let socket = try server.socket()
        let client = try socket.client()
        var wrong = try await client.subscribe(Live(), by: .events(over: socket)).makeAsyncIterator()
        var others = try await client.subscribe(Live(), by: .events(over: socket)).makeAsyncIterator()
        server.next(1, payload)
        let failure = await #expect(throws: Failure.self) { try await wrong.next() }
        #expect(failure?.code == "transport.badResponse")
        try await server.wait(for: "DELETE", with: "operationId=1")
        server.next(2, EventSocketTests.result(2))
        #expect(try await others.next()?.data.number == 2)
    }

    @Test("cannot say what else an event is, and events of other types and ids are left out")
    func others() async throws {
        let server = EventServer()
        let socket = try server.socket()
        let client = try socket.client()
        var results = try await client.subscribe(Live(), by: .events(over: socket)).makeAsyncIterator()
        for type in ["connection_ack", "error", "ping", "message", "x"] {
            server.send("event: \(type)\ndata: {\"id\":\"1\",\"payload\":[]}\n\n")
        }
        server.send("data: nonsense\n\nevent: complete\n\nretry: 1\n\nid: 5\n\n")
        server.next(99, "{}")
        server.complete(99)
        server.send(
            "event: next\ndata: {\"type\":\"complete\",\"id\":\"1\",\ndata: \"payload\":\(EventSocketTests.result(3))}\n\n"
        )
        #expect(try await results.next()?.data.number == 3)
    }

    @Test(
        "gets no stream without a token that a field can carry",
        arguments: [
            (201, ""), (201, "a\r\nX-Evil: 1"), (201, "a b"), (201, "é"), (201, "a\0"), (200, "token"), (204, ""),
            (201, String(repeating: "a", count: 4097)), (201, String(repeating: "a", count: 1 << 20)),
        ])
    func token(status: Int, body: String) async throws {
        let server = EventServer { request in
            request.method == "PUT" ? EventServer.Reply(status: status, type: "text/plain", body: body) : nil
        }
        let error = await #expect(throws: TransportError.self) { try await server.socket().ask() }
        #expect(error?.code == .badResponse && error?.phase == .connecting)
        #expect(error?.detail.contains("Evil") == false)
        #expect(server.requests("GET").isEmpty)
    }

    @Test("does not go on with a reservation that never ends")
    func endless() async throws {
        let server = EventServer { request in
            guard request.method == "PUT" else { return nil }
            let pieces = AsyncStream { Data(repeating: 0x61, count: 100) }
            return EventServer.Reply(status: 201, type: "text/plain", pieces: pieces)
        }
        let error = await #expect(throws: TransportError.self) { try await server.socket().ask() }
        #expect(error?.code == .badResponse)
    }

    @Test("is told apart from one that has no such mode", arguments: ["text/html", "application/json"])
    func otherContent(type: String) async throws {
        let server = EventServer { request in
            request.method == "GET" ? EventServer.Reply(status: 200, type: type, body: "<html>") : nil
        }
        let client = try server.socket().client()
        let failure = await #expect(throws: Failure.self) { try await client.send(Ask(query: "{ a }")) }
        #expect(failure?.code == "transport.badResponse" && failure?.nextStep?.contains("graphql-sse") == true)
        #expect(failure?.explanation.contains("of type \(type) in place of") == true)
        #expect(server.requests("POST").isEmpty)
    }
}
