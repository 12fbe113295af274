import Backstop
import BackstopCore
import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopGraphQLSocket
@testable import BackstopTesting

@Suite("The credentials of a socket", .limited)
struct SocketCredentialsTests {
    private func call(
        _ headers: HTTP.Headers, at url: String = "https://a.example/graphql",
        _ initialize: GraphQL.Socket.Initialize? = nil
    ) throws -> SocketCall {
        try SocketCall(
            Ask.request(headers: headers, at: url), to: SocketURL("wss://a.example/graphql"), initialize)
    }

    private func payload(_ call: SocketCall) -> String? {
        call.key.payload.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("are those of the request: its fields when the connection is opened, its Authorization in the first message")
    func standard() throws {
        let call = try call([
            "Authorization": "Bearer a", "Cookie": "s=1", "X-App": "b", "Accept": "*/*", "traceparent": "00-1-2-01",
            "Content-Type": "application/json", "Host": "evil.example", "Sec-WebSocket-Protocol": "other",
        ])
        #expect(payload(call) == #"{"Authorization":"Bearer a"}"#)
        #expect(call.key.headers == ["Authorization": "Bearer a", "Cookie": "s=1", "X-App": "b"])
        #expect(try payload(self.call([:])) == nil)
    }

    @Test(
        "do not go to another origin, unless the app writes them itself",
        arguments: ["http://a.example", "https://b.example", "https://a.example:8443", "https://sub.a.example"])
    func otherOrigin(url: String) throws {
        let call = try call(["Authorization": "Bearer a", "Cookie": "s=1"], at: url)
        #expect(payload(call) == nil)
        #expect(call.key.headers == [:])
        let own = try self.call(["Authorization": "Bearer a"], at: url) { ["token": $0["Authorization"] ?? ""] }
        #expect(payload(own) == #"{"token":"Bearer a"}"#)
    }

    @Test("are written as any JSON, and the same ones give the same payload")
    func own() throws {
        let initialize: GraphQL.Socket.Initialize = { headers in
            ["headers": ["b": headers["B"] ?? "", "a": "1"], "n": 1, "value": ["x": nil] as JSONValue]
        }
        for _ in 0..<10 {
            #expect(
                try payload(call(["B": "x/y"], initialize))
                    == #"{"headers":{"a":"1","b":"x\/y"},"n":1,"value":{"x":null}}"#.replacing(#"\/"#, with: "/"))
        }
        #expect(try payload(call([:]) { _ in [:] }) == nil)
    }

    @Test("that are new get a connection of their own, and the old one closes with its last operation")
    func renewed() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        async let old = socket.ask(headers: ["Authorization": "Bearer 1"])
        let first = try await server.connection()
        await first.acknowledge()
        async let new = socket.ask(headers: ["Authorization": "Bearer 2"])
        let second = try await server.connection(1)
        await second.acknowledge()
        #expect(first.sent.first?.contains("Bearer 1") == true && second.sent.first?.contains("Bearer 2") == true)
        #expect(first.state.withLock { $0.closed } == nil)
        second.next(1, #"{"data":2}"#)
        second.complete(1)
        #expect(try await new == #"{"data":2}"#)
        first.next(1, #"{"data":1}"#)
        first.complete(1)
        #expect(try await old == #"{"data":1}"#)
        await first.state.wait { $0.closed == 1000 }
        #expect(second.state.withLock { $0.closed } == nil)
    }

    @Test("of two people are never on one connection, also without a payload")
    func apart() async throws {
        let server = FakeServer()
        let socket = try server.socket { _ in [:] }
        async let one = socket.ask(headers: ["Cookie": "session=1"])
        let first = try await server.connection()
        await first.acknowledge()
        async let two = socket.ask(headers: ["Cookie": "session=2"])
        let second = try await server.connection(1)
        await second.acknowledge()
        #expect(first.target.headers["Cookie"] == "session=1" && second.target.headers["Cookie"] == "session=2")
        for connection in [first, second] {
            await connection.waitForSent("subscribe")
            connection.next(1)
            connection.complete(1)
        }
        _ = try await (one, two)
    }

    @Test("are not in a dump of the socket")
    func dumped() throws {
        let socket = try FakeServer().socket { _ in ["token": "s3cr3t"] }
        var text = ""
        dump(socket, to: &text)
        #expect(text.contains("a.example") && !text.contains("s3cr3t"))
    }
}
