#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("More calls at once than there are connections", .sockets)
    struct ConnectionLimitTests {
        @Test("all succeed where the server is slow, since an attempt's time begins with its connection")
        func slowServer() async throws {
            try await withServer { server in
                // given
                let clock = ManualClock()
                var options = CallOptions()
                options.clock = clock
                let client = try server.client(
                    transport: URLSessionTransport(connectionsPerHost: 1), attemptTimeout: .seconds(5),
                    options: options)
                // when: one has the connection, and three wait for twice as long as an attempt may take
                let first = Task { await client.perform(WholeResponse(target: "/hang")) }
                #expect(await server.waitForRequest(to: "/hang"))
                let others = (0..<3).map { _ in Task { try? await client.get("/books").status } }
                await clock.waitForSleepers(4)
                await clock.advance(by: .seconds(10))
                // then
                #expect(await first.value.failure?.code == "timeout.attempt")
                for other in others {
                    #expect(await other.value == 200)
                }
            }
        }

        @Test("open no more connections than the option says", arguments: [1, 3])
        func limit(connections: Int) async throws {
            try await withServer { server in
                let client = try server.client(transport: URLSessionTransport(connectionsPerHost: connections))
                let calls = (0..<8).map { _ in Task { await client.perform(WholeResponse(target: "/hang")) } }
                #expect(await server.waitForRequest(to: "/hang", count: connections))
                // Whoever came past the limit would have arrived before the answer to this one, from another client.
                _ = try await server.client().get("/delay?ms=100")
                #expect(server.requestCount(of: "/hang") == connections)
                calls.forEach { $0.cancel() }
                for call in calls {
                    _ = await call.value
                }
            }
        }

        @Test("count where each needs a connection of its own as well")
        func ownConnections() async throws {
            try await withServer { server in
                let client = try server.client(transport: URLSessionTransport(connectionsPerHost: 2))
                let calls = (0..<6).map { _ in
                    Task { await client.perform(WholeResponse(method: .post, target: "/hang")) }
                }
                #expect(await server.waitForRequest(to: "/hang", count: 2))
                _ = try await server.client().get("/delay?ms=100")
                #expect(server.requestCount(of: "/hang") == 2)
                calls.forEach { $0.cancel() }
                for call in calls {
                    _ = await call.value
                }
            }
        }

        @Test("leave another origin alone")
        func otherOrigin() async throws {
            try await withServer { server in
                let client = try server.client(transport: URLSessionTransport(connectionsPerHost: 1))
                let call = Task { await client.perform(WholeResponse(target: "/hang")) }
                #expect(await server.waitForRequest(to: "/hang"))
                _ = try await client.get(server.otherOrigin.absoluteString + "/books")
                call.cancel()
                _ = await call.value
            }
        }

        @Test("end by a name of its own where none gets free in time")
        func patience() async throws {
            try await withServer { server in
                // given: the only connection is in use, for which one more call waits on a clock of its own
                let transport = try URLSessionTransport(idleTimeout: .seconds(600), connectionsPerHost: 1)
                let holder = try server.client(transport: transport)
                let first = Task { await holder.perform(WholeResponse(target: "/hang")) }
                #expect(await server.waitForRequest(to: "/hang"))
                let clock = ManualClock()
                var options = CallOptions()
                options.clock = clock
                let client = try server.client(transport: transport, options: options)
                let second = Task { await client.perform(WholeResponse(target: "/books")) }
                await clock.waitForSleepers(1)
                // when
                await clock.advance(by: .seconds(600))
                // then
                let failure = try #require(await second.value.failure)
                #expect(failure.code == "timeout.connection")
                #expect(failure.progress?.phase == .queued)
                #expect(server.requestCount(of: "/books") == 0)
                first.cancel()
                _ = await first.value
            }
        }

        @Test("are waited for as long as the call's deadline allows, on a clock that began long ago")
        func lateClock() async throws {
            try await withServer { server in
                // given: the only connection is taken
                let transport = try URLSessionTransport(connectionsPerHost: 1)
                let holder = try server.client(transport: transport)
                let first = Task { await holder.perform(WholeResponse(target: "/hang")) }
                #expect(await server.waitForRequest(to: "/hang"))
                let clock = ManualClock()
                await clock.advance(by: .seconds(1000))
                var options = CallOptions()
                options.clock = clock
                options.deadline = .seconds(7)
                let client = try Client(
                    baseURL: server.url.absoluteString, transport: transport, options: options, handling: .silent
                ) {}
                // when
                let second = Task { await client.perform(WholeResponse(target: "/books")) }
                // then: what the deadline leaves, and the five seconds in which it can speak first
                await clock.waitForSleepers(2)
                #expect(Set(clock.sleepers) == [.seconds(7), .seconds(12)])
                second.cancel()
                first.cancel()
                _ = await (first.value, second.value)
            }
        }

        @Test("come back after a redirect to the origin that is full")
        func redirects() async throws {
            try await withServer { server in
                let client = try server.client(transport: URLSessionTransport(connectionsPerHost: 1))
                let statuses = await withTaskGroup(of: Int?.self) { group in
                    for _ in 0..<20 {
                        group.addTask { try? await client.get("/redirect?to=/books").status }
                        group.addTask { try? await client.get("/redirect-other").status }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses == Array(repeating: 200, count: 40))
            }
        }
    }
#endif
