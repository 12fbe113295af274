#if Observability
    import BackstopCore
    import BackstopObservability
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Metrics
    import MetricsTestKit
    import Testing

    /// The labels of a metric and what was recorded, in an order that does not depend on chance.
    struct Recorded: Sendable, Equatable, CustomStringConvertible {
        let labels: [String: String]
        let values: [Double]

        init(_ labels: [String: String], _ values: [Double]) {
            self.labels = labels
            self.values = values
        }

        var description: String { "\(labels.sorted { $0.key < $1.key }) \(values)" }
    }

    extension TestMetrics {
        private func sorted(_ recorded: [Recorded]) -> [Recorded] {
            recorded.sorted { $0.description < $1.description }
        }

        private static func labels(_ dimensions: [(String, String)]) -> [String: String] {
            Dictionary(dimensions, uniquingKeysWith: { first, _ in "twice \(first)" })
        }

        /// Seconds.
        func durations(_ name: String) -> [Recorded] {
            sorted(timers(label: name).map { Recorded(Self.labels($0.dimensions), $0.values.map { Double($0) / 1e9 }) })
        }

        func counts(_ name: String) -> [Recorded] {
            sorted(counters(label: name).map { Recorded(Self.labels($0.dimensions), [Double($0.totalValue)]) })
        }

        func numbers(_ name: String) -> [Recorded] {
            sorted(recorders(label: name).map { Recorded(Self.labels($0.dimensions), $0.values) })
        }
    }

    let shop = ["server.address": "shop.example.com", "server.port": "443", "url.scheme": "https"]

    func shop(_ labels: [String: String]) -> [String: String] {
        shop.merging(labels) { first, _ in first }
    }

    @Suite("The metrics of a client", .limited)
    struct ClientMetricsTests {
        @Test("have the duration of each attempt in seconds, with method, status, code and server")
        func attempts() async throws {
            // given
            let rig = Rig(
                .delay(.milliseconds(100), then: .status(503)), .delay(.milliseconds(40), then: .status(200)))
            // when
            _ = try await rig.plain().measured(by: rig.metrics).send(Books())
            // then
            #expect(
                rig.backend.durations("http.client.request.duration") == [
                    Recorded(
                        shop([
                            "http.request.method": "GET", "http.response.status_code": "200", "error.type": "",
                            "backstop.failure.code": "",
                        ]), [0.04]),
                    Recorded(
                        shop([
                            "http.request.method": "GET", "http.response.status_code": "503",
                            "error.type": "503", "backstop.failure.code": "status.503",
                        ]), [0.1]),
                ])
            #expect(rig.backend.timers.allSatisfy { $0.displayUnit == .seconds })
        }

        @Test("have the duration of the call, waits included, its attempts, and the reason for each retry")
        func call() async throws {
            // given
            let rig = Rig(
                .delay(.milliseconds(100), then: .status(503)), .failure(TransportError(.lost)),
                .status(503, headers: ["Retry-After": "2"]), .status(200))
            let policy = try RetryPolicy(attempts: 4)
            // when
            _ = try await rig.plain(retry: policy).measured(by: rig.metrics).send(Books())
            // then
            let waited = rig.clock.sleeps.reduce(.zero, +).seconds
            #expect(waited > 3)
            #expect(
                rig.backend.durations("backstop.call.duration").map(\.labels) == [
                    shop(["backstop.call.name": "Books", "backstop.failure.code": ""])
                ])
            let duration = try #require(rig.backend.durations("backstop.call.duration").first?.values.first)
            #expect(abs(duration - waited) < 1e-6)
            #expect(
                rig.backend.numbers("backstop.call.attempts") == [Recorded(shop(["backstop.call.name": "Books"]), [4])])
            #expect(
                rig.backend.counts("backstop.retries") == [
                    Recorded(
                        shop(["backstop.retry.reason": "Retry-After", "backstop.failure.code": "status.503"]), [1]),
                    Recorded(shop(["backstop.retry.reason": "backoff", "backstop.failure.code": "status.503"]), [1]),
                    Recorded(
                        shop(["backstop.retry.reason": "backoff", "backstop.failure.code": "transport.lost"]), [1]),
                ])
            #expect(rig.backend.counts("backstop.failures").isEmpty)
        }

        @Test(
            "count failures by code and outcome, and by why they were not retried",
            arguments: [
                (Resolution<Int>.handled, "handled"), (.value(0), "value"), (.unhandled, "unhandled"),
            ])
        func failures(resolution: Resolution<Int>, outcome: String) async throws {
            // given
            let rig = Rig(.status(404))
            let client = try rig.plain().measured(by: rig.metrics)
            // when
            await DefaultHandlers.withHandlers {
            } operation: {
                _ = await client.perform(Books()) { _ in resolution }
            }
            // then
            #expect(
                rig.backend.counts("backstop.failures") == [
                    Recorded(shop(["backstop.failure.code": "status.404", "backstop.outcome": outcome]), [1])
                ])
            #expect(
                rig.backend.counts("backstop.retry.stops") == [
                    Recorded(shop(["backstop.retry.stop_reason": "notRetryable"]), [1])
                ])
        }

        @Test("tell failures that are thrown, repeated and cancelled apart")
        func otherOutcomes() async throws {
            // given
            let rig = Rig(.status(404), .status(404), .status(200), .respond { _, _ in throw CancellationError() })
            let client = try rig.plain().measured(by: rig.metrics)
            // when
            _ = await client.result(of: Books())
            _ = await client.perform(Books()) { _ in .retry }
            let task = Task { await client.perform(Books()) }
            task.cancel()
            _ = await task.value
            // then
            #expect(
                rig.backend.counts("backstop.failures").map {
                    [$0.labels["backstop.failure.code"], $0.labels["backstop.outcome"]]
                }
                    == [["cancelled", "cancelled"], ["status.404", "retried"], ["status.404", "thrown"]])
        }

        @Test(
            "tell an attempt that the deadline has ended from one that somebody has cancelled",
            arguments: [true, false])
        func deadline(isCancelled: Bool) async throws {
            // given
            let rig = Rig(.hang)
            let clock = ManualClock()
            let client = try rig.plain(deadline: .seconds(1)).measured(by: rig.metrics).withOptions { $0.clock = clock }
            // when
            let call = Task { await client.result(of: Books()) }
            await rig.transport.waitForRequests(1)
            await clock.waitForSleeper(remaining: .seconds(1))
            await clock.advance(by: isCancelled ? .milliseconds(999) : .seconds(1))
            call.cancel()
            _ = await call.value
            // then: the attempt ends by itself
            let metric = "http.client.request.duration"
            while rig.backend.durations(metric).isEmpty {
                await Task.yield()
            }
            let code = isCancelled ? "cancelled" : "timeout.deadline"
            #expect(rig.backend.durations(metric).map { $0.labels["backstop.failure.code"] } == [code])
            #expect(rig.backend.durations(metric).map { $0.labels["error.type"] } == [code])
        }

        @Test("name a method that is not in the conventions _OTHER")
        func method() async throws {
            // given
            let rig = Rig(.status(200))
            let brew = try HTTP.Method("BREW")
            // when
            _ = try await rig.plain().measured(by: rig.metrics).send(Order(method: brew))
            // then
            #expect(
                rig.backend.durations("http.client.request.duration").map { $0.labels["http.request.method"] }
                    == ["_OTHER"])
        }

        @Test("name a one-line call by its method, because its path may be another each time")
        func oneLiner() async throws {
            // given
            let rig = Rig(.status(200), .status(200))
            let client = try rig.plain().measured(by: rig.metrics)
            // when
            _ = try await client.send(HTTP.Call(.get, ["books", "1"]))
            _ = try await client.send(HTTP.Call(.get, ["books", "2"]))
            // then
            #expect(
                rig.backend.numbers("backstop.call.attempts") == [
                    Recorded(shop(["backstop.call.name": "GET"]), [1, 1])
                ])
        }

        @Test("count no attempt and no request for a response that was not asked for")
        func answeredInside() async throws {
            // given
            struct Kept: HTTP.Interceptor {
                var role: Role { .cache }
                func intercept(
                    _ request: HTTP.Request, context: CallContext, next: HTTP.Next
                ) async throws -> HTTP.Response {
                    HTTP.Response(status: 200)
                }
            }
            let rig = Rig()
            let client = try rig.plain(interceptors: [Kept()]).measured(by: rig.metrics)
            // when
            _ = try await client.send(Books())
            // then
            #expect(rig.backend.numbers("backstop.call.attempts").map(\.values) == [[0]])
            #expect(rig.backend.durations("http.client.request.duration").isEmpty)
        }

        @Test("count a call in flight while it runs, and no longer")
        func active() async throws {
            // given
            let gate = Gate()
            let rig = Rig(
                .respond { _, _ in
                    await gate.pass()
                    return HTTP.Response(status: 200)
                })
            let client = try rig.plain().measured(by: rig.metrics)
            // when
            let call = Task { try await client.send(Books()) }
            await gate.waitForArrivals(1)
            // then
            let meter = try rig.backend.expectMeter("backstop.call.active", shop.map { ($0.key, $0.value) })
            #expect(meter.lastValue == 1)
            gate.open()
            _ = try await call.value
            #expect(meter.lastValue == 0)
        }

        @Test("stand where the order rules want them, once, in any chain")
        func order() throws {
            let rig = Rig()
            let standard = try rig.plain().observed(logger: rig.logger(), metrics: rig.metrics)
            #expect(
                standard.chain.roles == [
                    .tracing, .metrics, .logging, .deadline, .retry, .attemptTracing, .attemptMetrics, .decoding,
                    .statusValidation, .apiErrorDecoding, .attemptTimeout,
                ])
            #expect(standard.chain.orderIssues.isEmpty)
            let again = standard.observed(logger: rig.logger(), metrics: rig.metrics)
            #expect(again.chain.roles == standard.chain.roles)
            #expect(again.handling.observers.count == 2)
            let bare = try Client(baseURL: Rig.base, transport: rig.transport, handling: .silent) {}
            #expect(
                bare.observed(logger: rig.logger(), metrics: rig.metrics).chain.roles
                    == [.tracing, .metrics, .logging, .attemptTracing, .attemptMetrics])
        }
    }
#endif
