#if AsyncHTTPClient && !canImport(Darwin)
    import Backstop
    import BackstopAuthentication
    import BackstopCore
    import BackstopStreams
    import BackstopTestSupport
    import Foundation
    import NIOHTTP1
    import Testing

    @testable import BackstopGraphQLSocket
    @testable import BackstopTesting

    @Suite("A socket opens", .sockets)
    struct HandshakeTests {
        private static let echo: @Sendable (Peer, String) -> Void = { peer, message in
            guard message.contains("subscribe") else {
                return
            }
            peer.next(id(in: message), #"{"data":{"a":1}}"#)
            peer.complete(id(in: message))
        }

        @Test("with what RFC 6455 wants and the fields of the request")
        func request() async throws {
            try await SocketServer.with(SocketServer.Options(), Self.echo) { server in
                let socket = try GraphQL.Socket(server.url)
                let request = try Ask.request(
                    headers: ["Authorization": "Bearer a", "X-App": "b", "Accept": "*/*"], at: server.origin)
                let response = try await socket.send(request, context: CallContext())
                #expect(String(decoding: response.body, as: UTF8.self) == #"{"data":{"a":1}}"#)
                let head = try #require(server.state.withLock { $0.requests.first })
                #expect(head.method == .GET && head.uri == "/graphql")
                #expect(head.headers["Host"] == ["127.0.0.1:\(server.port)"])
                #expect(head.headers["Authorization"] == ["Bearer a"] && head.headers["X-App"] == ["b"])
                #expect(head.headers["Sec-WebSocket-Protocol"] == ["graphql-transport-ws"])
                #expect(head.headers["Sec-WebSocket-Version"] == ["13"])
                #expect(Data(base64Encoded: head.headers["Sec-WebSocket-Key"].joined())?.count == 16)
                #expect(head.headers["Accept"].isEmpty && head.headers["Sec-WebSocket-Extensions"].isEmpty)
                let peer = try await server.peer()
                #expect(peer.state.withLock { $0.unmasked } == 0)
                #expect(
                    peer.state.withLock { $0.messages.first }
                        == #"{"type":"connection_init","payload":{"Authorization":"Bearer a"}}"#)
            }
        }

        @Test("on nothing but the subprotocol", arguments: [nil, "graphql-ws", "graphql-transport-ws, graphql-ws"])
        func subprotocol(chosen: String?) async throws {
            var options = SocketServer.Options()
            options.headers = chosen.map { ["Sec-WebSocket-Protocol": $0] } ?? [:]
            try await SocketServer.with(options) { server in
                let socket = try GraphQL.Socket(server.url)
                let error = await #expect(throws: TransportError.self) { try await socket.ask() }
                #expect(error?.code == .badResponse && error?.phase == .connecting)
                #expect(error?.detail.contains("subprotocol") == true)
            }
        }

        @Test("on no extension")
        func extensions() async throws {
            var options = SocketServer.Options()
            options.headers.add(name: "Sec-WebSocket-Extensions", value: "permessage-deflate")
            try await SocketServer.with(options) { server in
                let error = await #expect(throws: TransportError.self) { try await GraphQL.Socket(server.url).ask() }
                #expect(error?.code == .badResponse && error?.detail.contains("extension") == true)
            }
        }

        @Test(
            "on no other answer",
            arguments: [
                ("HTTP/1.1 101 Switching Protocols\r\n\r\n", "badResponse", "Upgrade"),
                (
                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: "
                        + "graphql-transport-ws\r\nSec-WebSocket-Accept: AAAA\r\n\r\n", "badResponse", "Connection"
                ),
                (
                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Protocol: graphql-transport-ws\r\nSec-WebSocket-Accept: AAAA\r\n\r\n",
                    "badResponse", "Accept"
                ),
                ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "badResponse", "200"),
                ("SSH-2.0-OpenSSH_9.2\r\n\r\n", "badResponse", "HTTP"), ("", "lost", "closed"),
                ("HTTP/1.1 101 Switching", "lost", "closed"),
            ])
        func wrong(bytes: String, code: String, detail: String) async throws {
            var options = SocketServer.Options()
            options.raw = bytes
            try await SocketServer.with(options) { server in
                let error = await #expect(throws: TransportError.self) { try await GraphQL.Socket(server.url).ask() }
                #expect(error?.code.name == code && error?.detail.isEmpty == false, "\(String(describing: error))")
                #expect(error?.detail.contains(detail) == true, "\(error?.detail ?? "")")
                #expect(error?.phase == .connecting)
            }
        }

        @Test("or gives the response as any transport", arguments: [302, 400, 401, 403, 404, 429, 500, 503])
        func refused(status: Int) async throws {
            var options = SocketServer.Options()
            options.refusal = { _ in
                SocketServer.Refusal(
                    status: .init(statusCode: status),
                    headers: ["Retry-After": "7", "Location": "https://evil.example", "Content-Type": "text/plain"],
                    body: "why")
            }
            try await SocketServer.with(options) { server in
                let socket = try GraphQL.Socket(server.url)
                let response = try await socket.send(Ask.request(), context: CallContext())
                #expect(response.status == status && response.headers["Retry-After"] == "7")
                #expect(String(decoding: response.body, as: UTF8.self) == "why")
                let failure = await #expect(throws: Failure.self) {
                    try await socket.client().stream(Ask(), as: .lines)
                }
                #expect(failure?.statusCode == status)
                #expect((failure?.receivedResponse as? HTTP.Response)?.body == Data("why".utf8))
                #expect(server.state.withLock { $0.requests.count } == 2)
            }
        }

        @Test("and reads no more than 64 KiB of a refusal")
        func large() async throws {
            var options = SocketServer.Options()
            options.refusal = { _ in
                SocketServer.Refusal(status: .badRequest, body: String(repeating: "a", count: 1_000_000))
            }
            try await SocketServer.with(options) { server in
                let response = try await GraphQL.Socket(server.url).send(Ask.request(), context: CallContext())
                #expect(response.status == 400 && response.body.count == 65_536)
            }
        }

        @Test("again after 503, as often as Retry says")
        func retried() async throws {
            var options = SocketServer.Options()
            let asked = Counter()
            options.refusal = { _ in
                asked.increment() <= 2 ? SocketServer.Refusal(status: .serviceUnavailable) : nil
            }
            try await SocketServer.with(options, Self.echo) { server in
                let client = try GraphQL.Socket(server.url).client(attempts: 3)
                var count = 0
                for try await _ in try await client.stream(Ask(), as: .lines) { count += 1 }
                #expect(count == 1)
            }
        }

        @Test("not where nothing listens")
        func nobody() async throws {
            let port = try ClosedPort.refusing()
            let socket = try GraphQL.Socket(port.origin.replacing("http", with: "ws"))
            let error = await #expect(throws: TransportError.self) { try await socket.ask() }
            #expect(error?.code == .refused && error?.phase == .connecting)
        }

        @Test("with no more patience than its limit", arguments: [true, false])
        func late(isOpen: Bool) async throws {
            var options = SocketServer.Options()
            options.acknowledges = false
            try await SocketServer.with(options) { server in
                let port = try ClosedPort.silent()
                let url = isOpen ? server.url : port.origin.replacing("http", with: "ws")
                let socket = try GraphQL.Socket(url, acknowledge: .seconds(600))
                let clock = ManualClock()
                var call = CallOptions()
                call.clock = clock
                let context = CallContext(options: call)
                let answer = Task { try await socket.send(Ask.request(), context: context) }
                await clock.waitForSleeper(remaining: .seconds(600))
                if isOpen {
                    try await server.peer().waitFor("connection_init")
                }
                await clock.advance(by: .seconds(600))
                let error = await #expect(throws: TimeoutError.self) { try await answer.value }
                #expect(error == TimeoutError(.acknowledgement, after: .seconds(600)))
                if isOpen {
                    let peer = try await server.peer()
                    await peer.state.wait { $0.hasEnded }
                    #expect(peer.state.withLock { $0.close } == 4504)
                }
            }
        }
    }
#endif
