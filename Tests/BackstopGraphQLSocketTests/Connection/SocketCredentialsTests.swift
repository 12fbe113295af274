import Backstop
import BackstopAuthentication
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
            ["headers": ["b": headers["B"] ?? "", "a": "1"], "n": 1, "value": ["x": .null] as JSONValue]
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

    @Test("share a connection when they are the same, whatever else the requests have about themselves")
    func sameConnection() throws {
        let plain = try call(["Authorization": "Bearer a"])
        let others = try call([
            "Authorization": "Bearer a", "X-APOLLO-OPERATION-NAME": "Votes", "x-apollo-operation-id": "1",
            "Accept": "application/jsonl", "If-None-Match": "e", "Cache-Control": "no-cache", "X-Request-ID": "2",
        ])
        #expect(plain.key == others.key)
        #expect(try plain.key != call(["Authorization": "Bearer a", "X-Tenant": "b"]).key)
    }

    @Test(
        "are hidden where the server repeats them, in its words about a connection or an operation",
        arguments: ["init", "subscribe", "error", "answer"])
    func repeated(place: String) async throws {
        let server = FakeServer()
        let socket = try GraphQL.Socket(
            "wss://a.example/graphql?access_token=urlsecret77", options: SocketOptions(), clock: SystemClock(),
            initialize: { _ in ["token": "Quux-init-5551", "nested": ["password": "hunter2-very-long"]] },
            connect: server.connector)
        let client = try socket.client()
        let words = "I do not know Quux-init-5551 hunter2-very-long urlsecret77"
        let task = Task { for try await _ in try await client.subscribe(Live(), by: .webSocket(socket)) {} }
        let connection = try await server.connection()
        await connection.state.wait { $0.tell != nil }
        connection.tell(.opened)
        switch place {
        case "init": connection.tell(.closed(SocketClose(code: 4403, reason: words)))
        case "answer":
            connection.tell(
                .answered(HTTP.Response(status: 403, headers: ["Content-Type": "text/plain"], body: Data(words.utf8))))
        default:
            connection.say(#"{"type":"connection_ack"}"#)
            if place == "subscribe" {
                connection.tell(.closed(SocketClose(code: 4400, reason: words)))
            } else {
                connection.say(#"{"type":"error","id":"1","payload":[{"message":"\#(words)"}]}"#)
            }
        }
        let failure = await #expect(throws: Failure.self) { try await task.value }
        var texts = [failure?.report, failure?.explanation, failure.map { String(describing: $0) }].compactMap { $0 }
        if place == "init" || place == "subscribe" {
            texts.append(failure.map { "\($0.reason) \($0.underlying)" } ?? "")
        }
        #expect(texts.count >= 3 && texts.contains { $0.contains("I do not know") })
        for secret in ["Quux-init-5551", "hunter2-very-long", "urlsecret77"] {
            #expect(!texts.contains { $0.contains(secret) }, "\(texts)")
        }
    }

    @Test("that were signed out send nothing any more, though the connection is acknowledged later")
    func signedOut() async throws {
        let server = FakeServer()
        let socket = try server.socket()
        let credentials = try Credentials(TokenSet(access: "t", refresh: "r", account: "ann")) { _ in nil }
        let client = try Client(baseURL: "https://a.example/graphql", transport: ScriptedTransport()) {
            BearerAuthentication(credentials)
            Decoding()
            StatusValidation()
        }
        let task = Task { try await client.subscribe(Live(), by: .webSocket(socket)) }
        let connection = try await server.connection()
        await connection.state.wait { $0.tell != nil }
        connection.tell(.opened)
        try await credentials.signOut()
        await #expect(throws: Failure.self) { _ = try await task.value }
        await connection.state.wait { $0.closed == 1000 }
        connection.say(#"{"type":"connection_ack"}"#)
        #expect(!connection.sent.contains { $0.contains("subscribe") })
    }

    @Test("are not in a dump of the socket")
    func dumped() throws {
        let socket = try FakeServer().socket { _ in ["token": "s3cr3t"] }
        var text = ""
        dump(socket, to: &text)
        #expect(text.contains("a.example") && !text.contains("s3cr3t"))
    }
}
