#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    private func isCancelled<Value>(_ outcome: Outcome<Value>) -> Bool {
        if case .cancelled = outcome {
            return true
        }
        return false
    }

    @Suite("Cancelling a call over sockets", .sockets)
    struct CancellationSocketTests {
        // Whatever is cancelled here would go on for longer than a test may take. So a call that ended at all was ended
        // by that, on a busy machine too.

        /// Nothing has come yet, something has come and no more does, or more keeps coming.
        static let paths = ["/hang", "/hang-body", "/slow?chunks=1000000&ms=5", "/delay?ms=600000"]

        @Test("gives .cancelled at once, ends the transfer and is never retried", arguments: paths)
        func performing(target: String) async throws {
            try await withServer { server in
                let observer = RecordingObserver()
                let client = try server.client(retry: .quick(), handling: handling(observer))
                let path = String(target.prefix { $0 != "?" })
                let task = Task { await client.perform(WholeResponse(target: target)) }
                #expect(await server.waitForRequest(to: path))
                // One call there and back, so that what the server has sent until now has arrived.
                _ = try await client.get("/no-content")
                task.cancel()
                let outcome = await task.value
                #expect(isCancelled(outcome))
                #expect(await server.waitForDisconnection(of: path))
                #expect(server.requestCount(of: path) == 1)
                #expect(observer.failures.map(\.outcome) == [.cancelled])
            }
        }

        @Test("throws .cancelled from send")
        func sending() async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let task = Task { try await failed { try await client.get("/hang") } }
                #expect(await server.waitForRequest(to: "/hang"))
                task.cancel()
                let failure = try await task.value
                #expect(failure.isCancelled)
                #expect(failure.attempts.count == 1)
                #expect(await server.waitForDisconnection(of: "/hang"))
            }
        }

        @Test("ends a call that does not get its connection")
        func connecting() async throws {
            let port = try ClosedPort.silent()
            let interceptor = TellingInterceptor()
            let client = try Client(baseURL: port.origin) {
                Retry()
                interceptor
            }
            let task = Task { await client.perform(WholeResponse(target: "/")) }
            #expect(await interceptor.requests.next() != nil)
            task.cancel()
            #expect(isCancelled(await task.value))
            withExtendedLifetime(port) {}
        }

        @Test("ends the wait between two attempts")
        func waiting() async throws {
            try await withServer { server in
                let clock = TellingClock()
                var options = CallOptions()
                options.clock = clock
                let client = try server.client(retry: RetryPolicy(backoff: .none), options: options)
                let task = Task { await client.perform(WholeResponse(target: "/status/503?retryAfter=60")) }
                #expect(await clock.waits.next() == .seconds(60))
                task.cancel()
                #expect(isCancelled(await task.value))
                #expect(server.requestCount(of: "/status/503") == 1)
            }
        }

        @Test("of a call with closures calls the one for that, and no other")
        func closures() async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let tally = Tally<String>()
                let task = client.perform(
                    WholeResponse(target: "/hang"),
                    onSuccess: { _ in await tally.add("success") },
                    onFailure: { _ in
                        await tally.add("failure")
                        return true
                    },
                    onCancel: { await tally.add("cancel") })
                #expect(await server.waitForRequest(to: "/hang"))
                task.cancel()
                await task.value
                #expect(await tally.counts == ["cancel": 1])
                #expect(await server.waitForDisconnection(of: "/hang"))
                #expect(server.requestCount(of: "/hang") == 1)
            }
        }

        enum Content: CaseIterable, Sendable {
            case none, data, file, stream
        }

        @Test("before the call lets nothing leave, of 200 calls", arguments: Content.allCases)
        func beforeTheCall(content: Content) async throws {
            try await withServer { server in
                try await withFile(of: sampleBytes(1000)) { file in
                    let client = try server.client(retry: .quick())
                    let body: HTTP.Body =
                        switch content {
                        case .none: .none
                        case .data: .data(sampleBytes(1000))
                        case .file: .file(file)
                        case .stream: .stream { pieces(of: sampleBytes(1000)) }
                        }
                    let call = WholeResponse(method: .post, target: "/echo", body: body)
                    await withTaskGroup(of: Bool.self) { group in
                        for _ in 0..<200 {
                            group.addTask {
                                withUnsafeCurrentTask { $0?.cancel() }
                                return isCancelled(await client.perform(call))
                            }
                        }
                        #expect(await group.reduce(into: 0) { $0 += $1 ? 1 : 0 } == 200)
                    }
                    // What had left before this call would have arrived before its answer, or soon after.
                    _ = try await client.get("/delay?ms=200")
                    #expect(server.requestCount(of: "/echo") == 0)
                }
            }
        }

        @Test("while a body is opened lets nothing leave", arguments: [nil, 1000] as [Int64?])
        func opening(length: Int64?) async throws {
            try await withServer { server in
                let gate = Gate()
                let body = HTTP.Body.stream(length: length) {
                    await gate.pass()
                    return pieces(of: sampleBytes(1000))
                }
                let client = try server.client()
                let call = Task { await client.perform(WholeResponse(method: .post, target: "/echo", body: body)) }
                await gate.waitForArrivals(1)
                call.cancel()
                #expect(isCancelled(await call.value))
                gate.open()
                _ = try await client.get("/delay?ms=100")
                #expect(server.requestCount(of: "/echo") == 0)
            }
        }

        @Test("between two redirects lets the second request not leave")
        func betweenRedirects() async throws {
            try await withServer { server in
                var options = CallOptions()
                options.clock = HopCancellingClock(server: server, path: "/redirect")
                let client = try server.client(options: options)
                let task = Task { await client.perform(WholeResponse(target: "/redirect?to=/echo")) }
                #expect(isCancelled(await task.value))
                _ = try await server.client().get("/delay?ms=100")
                #expect(server.requestCount(of: "/redirect") == 1)
                #expect(server.requestCount(of: "/echo") == 0)
            }
        }

        @Test("in the line for a connection lets nothing leave, and gives the place to the next")
        func queued() async throws {
            try await withServer { server in
                let transport = try URLSessionTransport(connectionsPerHost: 1)
                let client = try server.client(transport: transport)
                let first = Task { await client.perform(WholeResponse(target: "/hang")) }
                #expect(await server.waitForRequest(to: "/hang"))
                let waiting = (0..<20).map { _ in
                    Task { await client.perform(WholeResponse(method: .post, target: "/echo", body: .text("x"))) }
                }
                let last = Task { await client.perform(WholeResponse(target: "/books")) }
                waiting.forEach { $0.cancel() }
                for task in waiting {
                    #expect(isCancelled(await task.value))
                }
                first.cancel()
                #expect(await last.value.value?.status == 200)
                #expect(server.requestCount(of: "/echo") == 0)
            }
        }

        @Test("leaves the other calls of the client alone")
        func neighbours() async throws {
            try await withServer { server in
                let client = try server.client()
                let kept = Task { await client.perform(WholeResponse(target: "/slow?chunks=20&ms=10")) }
                let given = Task { await client.perform(WholeResponse(target: "/hang")) }
                #expect(await server.waitForRequest(to: "/hang"))
                #expect(await server.waitForRequest(to: "/slow"))
                given.cancel()
                #expect(isCancelled(await given.value))
                let body = String(decoding: await kept.value.value?.body ?? Data(), as: UTF8.self)
                #expect(body.hasSuffix("chunk 20\n"))
            }
        }

        @Test("while a body goes out ends the transfer")
        func uploading() async throws {
            try await withServer { server in
                let client = try server.client()
                let body = HTTP.Body.data(sampleBytes(8_000_000))
                let calls = (0..<8).map { _ in
                    Task { await client.perform(WholeResponse(method: .put, target: "/echo", body: body)) }
                }
                calls.forEach { $0.cancel() }
                for call in calls {
                    #expect(isCancelled(await call.value))
                }
                // The client still works.
                #expect(try await client.get("/books").status == 200)
            }
        }

        private func handling(_ observer: RecordingObserver) -> FailureHandling {
            var handling = FailureHandling.silent
            handling.observers = [observer]
            return handling
        }
    }
#endif
