#if Observability
    import BackstopCore
    import BackstopObservability
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import InMemoryTracing
    import Testing
    import Tracing

    extension FinishedInMemorySpan {
        /// The attributes as plain texts.
        var texts: [String: String] {
            var texts: [String: String] = [:]
            attributes.forEach { name, value in
                texts[name] =
                    switch value {
                    case .string(let text): text
                    case .int64(let number): "\(number)"
                    case .int32(let number): "\(number)"
                    case .double(let number): "\(number)"
                    default: "\(value)"
                    }
            }
            return texts
        }
    }

    @Suite("The spans of a client", .limited)
    struct RequestTracingTests {
        /// The finished spans of a call: those of its attempts, then that of the call.
        private func spans<E: Endpoint>(_ rig: Rig, _ client: Client, _ endpoint: E) async -> [FinishedInMemorySpan] {
            _ = await rig.tracing { await client.result(of: endpoint) }
            #expect(rig.tracer.activeSpans.isEmpty)
            return rig.tracer.popFinishedSpans()
        }

        @Test("are one for the call and, inside it, one for each attempt")
        func tree() async throws {
            // given
            let rig = Rig(.status(503), .status(200))
            // when
            let spans = try await spans(rig, rig.plain().traced(), Books())
            // then
            let call = try #require(spans.last)
            #expect(spans.map(\.operationName) == ["GET", "GET", "Books"])
            #expect(spans.map(\.kind) == [.client, .client, .internal])
            #expect(spans.map(\.parentSpanID) == [call.spanID, call.spanID, nil])
            #expect(Set(spans.map(\.traceID)).count == 1)
        }

        @Test("of attempts have the attributes of the conventions")
        func attempts() async throws {
            // given
            let rig = Rig(.status(503), .status(200))
            // when
            let spans = try await spans(rig, rig.plain().traced(), Books())
            // then
            let common = [
                "http.request.method": "GET", "url.full": "https://shop.example.com/v1/books",
                "server.address": "shop.example.com", "server.port": "443",
            ]
            #expect(
                spans[0].texts
                    == common.merging([
                        "backstop.attempt.number": "1", "http.response.status_code": "503", "error.type": "503",
                        "backstop.failure.code": "status.503",
                    ]) { $1 })
            #expect(
                spans[1].texts
                    == common.merging([
                        "backstop.attempt.number": "2", "http.response.status_code": "200",
                        "http.request.resend_count": "1",
                    ]) { $1 })
            #expect(spans.map { $0.status?.code } == [.error, nil, nil])
        }

        @Test("of a call have its name and result, and an event for each wait and for the end of retrying")
        func call() async throws {
            // given
            let rig = Rig(.status(503, headers: ["Retry-After": "2"]), .status(404))
            // when
            let call = try await #require(spans(rig, rig.plain().traced(), Books()).last)
            // then
            var texts = call.texts
            #expect(texts.removeValue(forKey: "backstop.call.id") != nil)
            #expect(
                texts == [
                    "backstop.call.name": "Books", "backstop.call.attempts": "2", "http.request.method": "GET",
                    "url.full": "https://shop.example.com/v1/books", "server.address": "shop.example.com",
                    "server.port": "443", "http.response.status_code": "404", "error.type": "404",
                    "backstop.failure.code": "status.404",
                ])
            #expect(call.status?.code == .error)
            #expect(call.events.map(\.name) == ["backstop.wait", "backstop.retry.stopped"])
            #expect(call.events[0].attributes.get("backstop.retry.reason") == .string("Retry-After"))
            #expect(call.events[0].attributes.get("backstop.wait.duration") == .double(2))
            #expect(call.events[0].attributes.get("backstop.attempt.number") == .int64(2))
            #expect(call.events[1].attributes.get("backstop.retry.stop_reason") == .string("notRetryable"))
        }

        @Test("have the version of the protocol where the transport says it")
        func version() async throws {
            let rig = Rig(
                .respond { _, _ in
                    var response = HTTP.Response(status: 404)
                    response.httpVersion = "2"
                    return response
                })
            let spans = try await spans(rig, rig.plain().traced(), Books())
            #expect(spans.map { $0.texts["network.protocol.version"] } == ["2", nil])
        }

        @Test("of a call that was cancelled after a response are those of a cancelled one")
        func cancelledLater() async throws {
            struct Waiting: HTTP.Interceptor {
                let gate: Gate
                func intercept(
                    _ request: HTTP.Request, context: CallContext, next: HTTP.Next
                ) async throws -> HTTP.Response {
                    do {
                        return try await next(request)
                    } catch {
                        try? await gate.passUnlessCancelled()
                        throw error
                    }
                }
            }
            let gate = Gate()
            let rig = Rig(.status(404))
            let client = try rig.plain().withChain { try $0.inserting(Waiting(gate: gate), outside: .retry) }
                .observed(logger: rig.logger(), metrics: rig.metrics)
            await rig.tracing {
                let call = Task { await client.result(of: Books()) }
                await gate.waitForArrivals(1)
                call.cancel()
                _ = await call.value
            }
            let spans = rig.tracer.popFinishedSpans()
            #expect(spans.map { $0.texts["backstop.failure.code"] } == ["status.404", "cancelled"])
            #expect(spans.last?.texts["http.response.status_code"] == "404")
            #expect(
                rig.backend.durations("backstop.call.duration").map { $0.labels["backstop.failure.code"] }
                    == ["cancelled"])
        }

        @Test("of a call that was cancelled have the code and no error status")
        func cancelled() async throws {
            // given
            let gate = Gate()
            let rig = Rig(
                .respond { _, _ in
                    try await gate.passUnlessCancelled()
                    return HTTP.Response(status: 200)
                })
            let client = try rig.plain().traced()
            // when
            await rig.tracing {
                let call = Task { await client.result(of: Books()) }
                await gate.waitForArrivals(1)
                call.cancel()
                _ = await call.value
            }
            // then
            let spans = rig.tracer.popFinishedSpans()
            #expect(spans.map { $0.texts["error.type"] } == ["cancelled", "cancelled"])
            #expect(spans.allSatisfy { $0.status == nil })
            #expect(rig.tracer.activeSpans.isEmpty)
        }

        @Test("end with their call, even if an attempt ignores its deadline")
        func abandoned() async throws {
            // given: an interceptor that never learns of its cancellation
            struct Deaf: HTTP.Interceptor {
                let gate: Gate
                func intercept(
                    _ request: HTTP.Request, context: CallContext, next: HTTP.Next
                ) async throws -> HTTP.Response {
                    await gate.pass()
                    return HTTP.Response(status: 200)
                }
            }
            let rig = Rig()
            let gate = Gate()
            let clock = ManualClock()
            let client = try rig.plain(deadline: .seconds(1), interceptors: [Deaf(gate: gate)]).traced().withOptions {
                $0.clock = clock
            }
            // when
            await rig.tracing {
                let call = Task { await client.result(of: Books()) }
                await gate.waitForArrivals(1)
                await clock.waitForSleepers(1)
                await clock.advance(by: .seconds(1))
                _ = await call.value
            }
            // then
            let spans = rig.tracer.finishedSpans
            #expect(spans.map { $0.texts["error.type"] } == ["timeout.deadline", "timeout.deadline"])
            #expect(spans.map { $0.status?.code } == [.error, .error])
            #expect(rig.tracer.activeSpans.isEmpty)
            gate.open()
        }

        @Test("end also if an attempt begins when its call has ended already")
        func late() async throws {
            // given: an interceptor that goes on after the deadline
            struct Late: HTTP.Interceptor {
                let gate: Gate
                let done: Gate
                func intercept(
                    _ request: HTTP.Request, context: CallContext, next: HTTP.Next
                ) async throws -> HTTP.Response {
                    await gate.pass()
                    defer { done.open() }
                    return try await next(request)
                }
            }
            let rig = Rig(.status(200))
            let (gate, done) = (Gate(), Gate())
            let clock = ManualClock()
            let client = try rig.plain(deadline: .seconds(1)).traced()
                .withChain { try $0.inserting(Late(gate: gate, done: done), outside: .attemptTracing) }
                .withOptions { $0.clock = clock }
            // when
            await rig.tracing {
                let call = Task { await client.result(of: Books()) }
                await gate.waitForArrivals(1)
                await clock.waitForSleepers(1)
                await clock.advance(by: .seconds(1))
                _ = await call.value
                gate.open()
                await done.pass()
            }
            // then
            #expect(rig.tracer.finishedSpans.map(\.operationName) == ["Books", "GET"])
            #expect(rig.tracer.activeSpans.isEmpty)
            #expect(rig.transport.requests.isEmpty)
        }

        @Test("have the error of a service in its code, and never the error itself")
        func noError() async throws {
            // given
            let rig = Rig(.failure(TransportError(.lost, detail: "password=hunter2")))
            // when
            let spans = try await spans(rig, rig.plain(retry: .never).traced(), Books())
            // then
            #expect(spans.map { $0.texts["error.type"] } == ["transport.lost", "transport.lost"])
            #expect(spans.allSatisfy { $0.errors.isEmpty && $0.status?.message == nil })
        }

        @Test("name a method that is not in the conventions HTTP, and keep it as an attribute")
        func method() async throws {
            // given
            let rig = Rig(.status(200))
            // when
            let spans = try await spans(rig, rig.plain().traced(), Order(method: HTTP.Method("BREW")))
            // then
            #expect(spans.first?.operationName == "HTTP")
            #expect(spans.first?.texts["http.request.method"] == "_OTHER")
            #expect(spans.first?.texts["http.request.method_original"] == "BREW")
        }

        @Test("say how many requests an attempt sent, and where the last one went")
        func hops() async throws {
            // given
            let rig = Rig(
                .respond { _, context in
                    context.recordHop(try HTTP.Request(.get, "https://other.example.com/b?token=hunter2"))
                    return HTTP.Response(status: 200)
                })
            // when
            let spans = try await spans(rig, rig.plain().traced(), Books())
            // then
            #expect(spans.first?.texts["server.address"] == "shop.example.com")
            #expect(spans.first?.texts["backstop.attempt.requests"] == "2")
            #expect(
                spans.first?.texts["backstop.attempt.last_url"] == "https://other.example.com/b?token=<redacted>")
        }

        @Test("are parents of what a call inside an attempt does, such as a renewal of a token")
        func nested() async throws {
            // given
            struct Renewal: HTTP.Interceptor {
                let client: Client
                func intercept(
                    _ request: HTTP.Request, context: CallContext, next: HTTP.Next
                ) async throws -> HTTP.Response {
                    _ = try await client.send(Order())
                    return try await next(request)
                }
            }
            let tokens = Rig(.status(200))
            let rig = Rig(.status(200))
            let client = try rig.plain(interceptors: [Renewal(client: tokens.plain().traced())]).traced()
            // when
            let spans = await spans(rig, client, Books())
            // then
            #expect(spans.map(\.operationName) == ["POST", "Order", "GET", "Books"])
            #expect(spans[1].parentSpanID == spans[2].spanID)
        }

        @Test("are none while no instrument is bootstrapped, and the request is sent as it is")
        func notBootstrapped() async throws {
            // given
            let rig = Rig(.status(200), .status(200))
            // when
            _ = try await rig.plain().send(Books())
            _ = try await rig.plain().traced().send(Books())
            // then
            #expect(rig.tracer.finishedSpans.isEmpty)
            let fields = rig.transport.requests.map(\.headers.fields)
            #expect(fields[0] == fields[1])
        }
    }
#endif
