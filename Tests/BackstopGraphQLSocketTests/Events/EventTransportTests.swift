#if Demo
    import Backstop
    import BackstopCore
    import BackstopFaultServer
    import BackstopStreams
    import BackstopTestSupport
    import Foundation
    import Testing

    @testable import BackstopGraphQLSocket
    @testable import BackstopTesting

    @Suite("A socket of server-sent events over URLSession", .sockets)
    struct EventTransportTests {
        @Test("carries subscriptions, ends one, and goes on after a loss")
        func subscriptions() async throws {
            let events = EventServer()
            try await withServer(mounting: [events.mount]) { server in
                let socket = try GraphQL.Socket(
                    events: "\(server.url)/graphql/stream", over: URLSessionTransport(), acknowledge: .seconds(170))
                let client = try socket.client(at: "\(server.url)/graphql", attempts: 3)
                let first = try await client.subscribe(Live(), by: .events(over: socket))
                var second = try await client.subscribe(Live(), by: .events(over: socket)).makeAsyncIterator()
                for number in 1...100 {
                    events.next(2, EventSocketTests.result(number))
                    #expect(try await second.next()?.data.number == number)
                }
                first.cancel()
                try await events.wait(for: "DELETE", with: "operationId=1")
                events.end()
                try await events.wait(for: "POST", times: 3)
                events.next(1, EventSocketTests.result(7), on: 1)
                events.complete(1, on: 1)
                #expect(try await second.next()?.data.number == 7)
                #expect(try await second.next() == nil)
                #expect(events.requests("PUT").count == 2)
                // As servers compare them.
                #expect(events.requests("POST").allSatisfy { $0.headers[.accept] == "application/json" })
                #expect(events.requests("GET").allSatisfy { $0.headers[.accept] == "text/event-stream" })
            }
        }

        @Test("takes no field of a request along to another origin")
        func redirected() async throws {
            let redirect = FaultServer.Mount("/graphql/stream") { call in
                let target = ("Location", "\(call.otherOrigin)/echo")
                return FaultServer.Mount.Response(status: 307, headers: [target], body: .data(Data()))
            }
            try await withServer(mounting: [redirect]) { server in
                let socket = try GraphQL.Socket(
                    events: "\(server.url)/graphql/stream", over: URLSessionTransport(), acknowledge: .seconds(170))
                let client = try socket.client(at: "\(server.url)/graphql")
                await #expect(throws: Failure.self) {
                    try await client.send(Ask(query: "{ a }", headers: ["X-Acme": "a", "Authorization": "Bearer b"]))
                }
                let sent = await server.requests(to: "/echo")
                #expect(sent.map(\.method) == ["PUT"] && sent.allSatisfy(\.isOtherOrigin))
                #expect(sent.allSatisfy { $0.values(of: "X-Acme").isEmpty && $0.values(of: "Authorization").isEmpty })
                let first = await server.requests(to: "/graphql/stream")
                #expect(first.first?.values(of: "X-Acme") == ["a"])
            }
        }

        @Test("does not follow a redirect that would make a GET of a POST", arguments: [301, 302, 303])
        func changed(status: Int) async throws {
            let events = EventServer()
            let mount = events.mount { call in
                guard call.request.method == "POST" else { return nil }
                return FaultServer.Mount.Response(
                    status: status, headers: [("Location", "/echo")], body: .data(Data()))
            }
            try await withServer(mounting: [mount]) { server in
                let socket = try GraphQL.Socket(
                    events: "\(server.url)/graphql/stream", over: URLSessionTransport(), acknowledge: .seconds(170))
                let client = try socket.client(at: "\(server.url)/graphql")
                let failure = await #expect(throws: Failure.self) {
                    try await client.send(Ask(query: "mutation { a }", isRepeatable: nil))
                }
                #expect(failure?.code == "status.\(status)")
                #expect(await server.requests(to: "/echo").isEmpty)
            }
        }

        @Test("reads no more than a MiB of an answer", arguments: ["PUT", "POST"])
        func large(method: String) async throws {
            let events = EventServer()
            let mount = events.mount { call in
                guard call.request.method == method else { return nil }
                let piece = Data(repeating: 0x61, count: 1 << 16)
                return FaultServer.Mount.Response(
                    status: 201, headers: [("Content-Type", "text/plain")], body: .stream(AsyncStream { piece }))
            }
            try await withServer(mounting: [mount]) { server in
                let socket = try GraphQL.Socket(
                    events: "\(server.url)/graphql/stream", over: URLSessionTransport(), acknowledge: .seconds(170))
                let client = try socket.client(at: "\(server.url)/graphql")
                let failure = await #expect(throws: Failure.self) { try await client.send(Ask(query: "{ a }")) }
                #expect(failure?.code == "transport.badResponse")
                #expect(failure?.explanation.contains("with more than 1048576 bytes") == true)
            }
        }

        @Test("shows a refusal as the response that it is, and ends its stream with the socket")
        func refused() async throws {
            let events = EventServer { $0.body.contains("wrong") ? .errors(400, "no such field") : nil }
            try await withServer(mounting: [events.mount]) { server in
                func use() async throws {
                    let socket = try GraphQL.Socket(
                        events: "\(server.url)/graphql/stream", over: URLSessionTransport(),
                        acknowledge: .seconds(170))
                    let client = try socket.client(at: "\(server.url)/graphql")
                    let failure = await #expect(throws: Failure.self) { try await client.send(Ask(query: "{ wrong }")) }
                    #expect(failure?.statusCode == 400 && failure?.report.contains("no such field") == true)
                }
                try await use()
                // Nobody holds the socket any more.
                await events.waitForEnd()
            }
        }
    }

    extension EventServer {
        /// The same server on a port.
        fileprivate var mount: FaultServer.Mount { mount { _ in nil } }

        /// The same with a rule for some requests.
        fileprivate func mount(
            _ rule: @escaping @Sendable (FaultServer.Mount.Call) -> FaultServer.Mount.Response?
        ) -> FaultServer.Mount {
            FaultServer.Mount("/graphql/stream") { call in
                if let answer = rule(call) {
                    return answer
                }
                var headers = HTTP.Headers()
                for (name, values) in call.request.headers {
                    headers[HTTP.Headers.Name(name)] = values.joined(separator: ", ")
                }
                let reply = try? await self.answer(
                    Received(
                        method: call.request.method, target: call.request.target, headers: headers,
                        body: String(decoding: call.request.body, as: UTF8.self)))
                return FaultServer.Mount.Response(
                    status: reply?.status ?? 500, headers: [("Content-Type", reply?.type ?? "text/plain")],
                    body: reply?.pieces.map { .stream($0) } ?? .data(Data((reply?.body ?? "").utf8)))
            }
        }
    }
#endif
