#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("A transport that goes away", .sockets)
    struct TransportLifetimeTests {
        @Test("lets a call end that still runs")
        func runningCall() async throws {
            try await withServer { server in
                let task = try call(WholeResponse(target: "/slow?chunks=5&ms=10"), on: server)
                #expect(try await task.value.body.isEmpty == false)
            }
        }

        @Test("lets a body be opened that outlasts its cancelled call", arguments: [HTTP.Method.put, .post])
        func openingBody(method: HTTP.Method) async throws {
            try await withServer { server in
                let (released, end) = AsyncStream<Void>.makeStream()
                let gate = Gate()
                var task: Task<HTTP.Response, any Error>? = try openingCall(
                    method, on: server, gate: gate, released: end)
                await gate.waitForArrivals(1)
                task?.cancel()
                let result = await task?.result
                #expect(throws: CancellationError.self) { try result?.get() }
                task = nil
                // The call is over and nobody holds the transport; only now the stream is there.
                gate.open()
                // Ends when the last one has let go of the stream.
                #expect(await released.next() == nil)
                #expect(server.requestCount(of: "/echo") == 0)
            }
        }

        /// A function of its own, so that the test itself holds neither client nor request.
        private func openingCall(
            _ method: HTTP.Method, on server: FaultServer, gate: Gate, released: AsyncStream<Void>.Continuation
        ) throws -> Task<HTTP.Response, any Error> {
            let token = Token(released)
            let body = HTTP.Body.stream {
                await gate.pass()
                return withExtendedLifetime(token) { pieces(of: Data("late".utf8)) }
            }
            return try call(WholeResponse(method: method, target: "/echo", body: body), on: server)
        }

        private func call(
            _ endpoint: WholeResponse, on server: FaultServer
        ) throws -> Task<HTTP.Response, any Error> {
            let request = try HTTP.Request(
                endpoint.method, server.target(endpoint.target), headers: endpoint.headers, body: endpoint.body)
            let transport = URLSessionTransport()
            return Task { try await transport.send(request, context: CallContext()) }
        }

        /// Tells when nobody holds it any more.
        private final class Token: Sendable {
            private let source: AsyncStream<Void>.Continuation

            init(_ source: AsyncStream<Void>.Continuation) {
                self.source = source
            }

            deinit {
                source.finish()
            }
        }
    }
#endif
