#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    /// Counted on the server: what the client says of its attempts is not asked.
    @Suite("What may be done only once is done once", .sockets)
    struct DoneOnceSocketTests {
        private struct Post: Endpoint {
            let target: String
            var key: String?

            func makeRequest() throws -> HTTP.Request {
                var request = try HTTP.Request(.post, target, body: .text("one book"))
                request.headers[.idempotencyKey] = key
                request.headers[.contentType] = "text/plain"
                return request
            }

            func content(from response: HTTP.Response) throws -> HTTP.Response {
                response
            }
        }

        /// Gives each attempt the key that a closure makes, as an interceptor inside retry.
        private struct Keys: HTTP.Interceptor {
            let make: @Sendable () -> String

            func intercept(
                _ request: HTTP.Request, context: CallContext, next: HTTP.Next
            ) async throws -> HTTP.Response {
                var request = request
                request.headers[.idempotencyKey] = make()
                return try await next(request)
            }
        }

        @Test("though a redirect made a question of it that could be asked again", arguments: [301, 302, 303])
        func redirectedToGet(status: Int) async throws {
            try await withServer { server in
                // given
                let client = try server.client(retry: .quick())
                // when
                let failure = try await failed {
                    try await client.send(Post(target: "redirect?to=/status/503&status=\(status)"))
                }
                // then
                #expect(await server.requests(to: "/redirect").map(\.method) == ["POST"])
                #expect(await server.requests(to: "/status/503").map(\.method) == ["GET"])
                #expect(failure.stopReason == .notIdempotent)
                #expect(!failure.isRetryable)
                #expect(failure.report.contains("  request:  POST \(server.target("/redirect"))"))
                #expect(failure.report.contains("  then:     GET \(server.target("/status/503"))"))
            }
        }

        @Test("where a redirect sends it on as it is", arguments: [307, 308])
        func redirectedAsPost(status: Int) async throws {
            try await withServer { server in
                // when
                let client = try server.client(retry: .quick())
                _ = try await failed { try await client.send(Post(target: "redirect?to=/orders&status=\(status)")) }
                // then
                #expect(await server.requests(to: "/redirect").count == 1)
                #expect(await server.requests(to: "/orders").count == 1)
            }
        }

        @Test("where the origin that a redirect leads to has no free connection", arguments: [303, 307])
        func fullAfterRedirect(status: Int) async throws {
            try await withServer { server in
                // given: an origin whose only connection is in use, and nobody who waits for it
                var options = CallOptions()
                options.clock = ShortLimitsClock(limit: .seconds(60))
                let client = try server.client(
                    transport: URLSessionTransport(connectionsPerHost: 1), retry: .quick(), options: options)
                let first = Task {
                    await client.perform(WholeResponse(target: server.otherOrigin.absoluteString + "/hang"))
                }
                #expect(await server.waitForRequest(to: "/hang"))
                // when
                let failure = try await failed {
                    try await client.send(Post(target: "redirect-other?status=\(status)"))
                }
                // then
                #expect(server.requestCount(of: "/redirect-other") == 1)
                #expect(server.requestCount(of: "/echo") == 0)
                #expect(failure.code == "timeout.connection")
                #expect(failure.stopReason == .notIdempotent)
                #expect(!failure.isRetryable)
                #expect(failure.sentRequests.count == 1)
                #expect(failure.progress?.phase == .queued)
                #expect(failure.response?.status == status)
                first.cancel()
                _ = await first.value
            }
        }

        @Test("where an interceptor inside retry makes a new key for each attempt")
        func newKeys() async throws {
            try await withServer { server in
                // given
                let client = try server.client(retry: .quick()).withChain {
                    try $0.inserting(Keys { UUID().uuidString }, inside: .retry)
                }
                // when
                let failure = try await failed { try await client.send(Post(target: "orders")) }
                // then
                #expect(await server.requests(to: "/orders").count == 1)
                #expect(failure.statusCode == 503)
                #expect(failure.stopReason == .idempotencyKeyChanged)
                #expect(failure.response?.status == 503)
            }
        }

        @Test("where a handler asks for it again, though the endpoint makes a new key for each request")
        func handlerRetry() async throws {
            struct Payment: EmptyEndpoint {
                func makeRequest() throws -> HTTP.Request {
                    try HTTP.Request(.post, "payments", headers: [.idempotencyKey: UUID().uuidString])
                }
            }
            try await withServer { server in
                // when: the first answer is 503, and a person taps "Try again"
                let outcome = await (try server.client()).perform(Payment()) { _ in .retry }
                // then
                #expect(outcome.failure == nil)
                let keys = await server.requests(to: "/payments").map { $0.headers["idempotency-key"] }
                #expect(keys.count == 2)
                #expect(Set(keys).count == 1)
            }
        }

        @Test("or as often as the server knows it again by its key", arguments: ["outside", "inside"])
        func sameKey(place: String) async throws {
            try await withServer { server in
                // given
                var client = try server.client(retry: .quick())
                if place == "inside" {
                    client = try client.withChain { try $0.inserting(Keys { "one" }, inside: .retry) }
                }
                // when
                let post = Post(target: "payments", key: place == "outside" ? "one" : nil)
                let response = try await client.send(post)
                // then
                #expect(response.status == 201)
                #expect(await server.requests(to: "/payments").count == 2)
            }
        }
    }
#endif
