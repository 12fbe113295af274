#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import Foundation
    import Testing

    @Suite("Retry over sockets", .sockets)
    struct RetrySocketTests {
        struct Calls: Decodable, Sendable {
            let calls: Int
        }

        @Test("gets through with the third attempt after 503 twice")
        func flaky() async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let answer = try await client.get("/flaky/503?times=2&id=a", as: Calls.self)
                #expect(answer.calls == 3)
                #expect(server.requestCount(of: "/flaky/503") == 3)
            }
        }

        @Test("stops with the last attempt that is allowed")
        func used() async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let failure = try await failed { try await client.get("/flaky/503?times=3&id=a") }
                #expect(failure.code == "status.503")
                #expect(failure.stopReason == .attemptsUsed(3))
                #expect(failure.attempts.map(\.result.description) == ["status.503", "status.503", "status.503"])
                #expect(server.requestCount(of: "/flaky/503") == 3)
            }
        }

        /// The real clock, whose limits are reached when a request has arrived at a server, and a test agrees.
        private struct HeldClock: CallClock {
            private let clock = SystemClock()
            private let limits = Counter()
            let server: FaultServer
            let gate: Gate

            var now: Duration { clock.now }
            var date: Duration { clock.date }

            func sleep(for duration: Duration) async throws {
                try await clock.sleep(for: duration)
            }

            func waitForLimit(_ duration: Duration) async throws {
                guard await server.waitForRequest(to: "/hang", count: limits.increment()) else {
                    throw CancellationError()
                }
                try await gate.passUnlessCancelled()
            }

            init(server: FaultServer, gate: Gate) {
                self.server = server
                self.gate = gate
            }
        }

        @Test(
            "repeats a request that hangs, once, where another was answered meanwhile, and not where none was",
            arguments: [true, false])
        func hanging(isOtherAnswered: Bool) async throws {
            try await withServer { server in
                let gate = Gate()
                var options = CallOptions()
                options.clock = HeldClock(server: server, gate: gate)
                let client = try server.client(retry: .standard, options: options)
                let call = Task { try await failed { try await client.get("/hang") } }
                #expect(await server.waitForRequest(to: "/hang", count: 1))
                if isOtherAnswered {
                    _ = try await client.withOptions { $0.clock = SystemClock() }.get("/status/200")
                }
                gate.open()
                let failure = try await call.value
                #expect(failure.code == "timeout.attempt")
                #expect(failure.stopReason == (isOtherAnswered ? .timeoutRepeated : .unanswered))
                #expect(server.requestCount(of: "/hang") == (isOtherAnswered ? 2 : 1))
            }
        }

        @Test("waits until the date that Retry-After names")
        func retryAfterDate() async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let start = SystemClock().date
                // Dates have whole seconds, so this one is between 1 and 2 s ahead.
                let answer = try await client.get("/flaky/429?times=1&id=a&retryAfterDate=2", as: Calls.self)
                #expect(answer.calls == 2)
                #expect(SystemClock().date - start >= .seconds(1))
            }
        }

        @Test("does not wait for a date that has passed")
        func retryAfterPastDate() async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let answer = try await client.get("/flaky/429?times=1&id=a&retryAfterDate=-60", as: Calls.self)
                #expect(answer.calls == 2)
            }
        }

        @Test("does not send a POST twice")
        func post() async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let failure = try await failed { try await client.post("/orders", json: ["article": 7]) }
                #expect(failure.statusCode == 503)
                #expect(failure.stopReason == .notIdempotent)
                #expect(server.requestCount(of: "/orders") == 1)
            }
        }

        @Test("sends a POST with an Idempotency-Key again, with the same key and body")
        func idempotencyKey() async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let response = try await client.post(
                    "/payments", json: ["amount": 7], headers: ["Idempotency-Key": "key-1"])
                #expect(response.status == 201)
                let sent = await server.requests(to: "/payments")
                #expect(sent.map { $0.values(of: "Idempotency-Key") } == [["key-1"], ["key-1"]])
                #expect(Set(sent.map(\.body)).count == 1)
            }
        }

        @Test("does not send a stream again that can be read only once")
        func stream() async throws {
            try await withServer { server in
                let client = try server.client(retry: .quick())
                let body = HTTP.Body.stream(once: pieces(of: Data("once".utf8)))
                let call = WholeResponse(method: .put, target: "/status/503", body: body)
                let failure = try await failed { try await client.send(call) }
                #expect(failure.stopReason == .notReplayable)
                #expect(server.requestCount(of: "/status/503") == 1)
            }
        }

        @Test("sends files and streams again that can be read again, whole each time")
        func replayableBodies() async throws {
            try await withFile(of: sampleBytes(70_000)) { file in
                for body in [HTTP.Body.file(file), .stream { pieces(of: sampleBytes(70_000)) }] {
                    try await withServer { server in
                        let client = try server.client(retry: .quick())
                        let call = WholeResponse(method: .put, target: "/flaky/503?times=2&id=a", body: body)
                        #expect(try await client.send(call).status == 200)
                        let sent = await server.requests(to: "/flaky/503")
                        #expect(sent.map(\.body) == Array(repeating: sampleBytes(70_000), count: 3))
                    }
                }
            }
        }
    }
#endif
