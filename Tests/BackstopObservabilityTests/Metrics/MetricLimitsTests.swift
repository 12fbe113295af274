#if Observability
    import BackstopCore
    import BackstopObservability
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Metrics
    import MetricsTestKit
    import Testing

    @Suite("The number of metrics", .limited)
    struct MetricLimitsTests {
        /// Counts how often a backend is asked for an object.
        private final class CountingFactory: MetricsFactory {
            let backend = TestMetrics()
            let lookups = Count()

            func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
                lookups.add()
                return backend.makeCounter(label: label, dimensions: dimensions)
            }

            func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
                lookups.add()
                return backend.makeMeter(label: label, dimensions: dimensions)
            }

            func makeRecorder(
                label: String, dimensions: [(String, String)], aggregate: Bool
            ) -> any RecorderHandler {
                lookups.add()
                return backend.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
            }

            func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
                lookups.add()
                return backend.makeTimer(label: label, dimensions: dimensions)
            }

            func destroyCounter(_ handler: any CounterHandler) {}
            func destroyMeter(_ handler: any MeterHandler) {}
            func destroyRecorder(_ handler: any RecorderHandler) {}
            func destroyTimer(_ handler: any TimerHandler) {}
        }

        private struct Coded: APIError {
            static let identifyingKeys = ["errorCode"]
            let errorCode: String
            var failureCode: String { errorCode }
        }

        /// A client whose server answers each request with an error code of its own.
        private func client(_ metrics: ClientMetrics, code: @escaping @Sendable (HTTP.Request) -> String) throws
            -> Client
        {
            let stubs = (0..<300).map { _ in
                Stub<HTTP.Request, HTTP.Response>.respond { request, _ in
                    HTTP.Response(
                        status: 400, headers: ["Content-Type": "application/json"],
                        body: Data(#"{"errorCode":"\#(code(request))"}"#.utf8))
                }
            }
            return try Client.standard(
                baseURL: Rig.base, apiError: Coded.self, transport: ScriptedTransport(stubs), logging: nil,
                handling: FailureHandling.silent
            ).measured(by: metrics)
        }

        @Test("does not grow with codes that a server makes up, and other servers keep theirs")
        func codes() async throws {
            // given
            let backend = TestMetrics()
            let client = try client(ClientMetrics(factory: backend, seriesLimit: 10)) {
                $0.url.lastPathComponent
            }
            // when
            for number in 0..<100 {
                _ = await client.result(of: HTTP.Call(.get, ["codes", "\(number)"]))
            }
            _ = await client.result(of: HTTP.Call(.get, "https://other.example.com/1"))
            // then
            let codes = backend.counts("backstop.failures")
            #expect(codes.count == 12)
            #expect(
                codes.filter { $0.labels["backstop.failure.code"] == "_OTHER" } == [
                    Recorded(shop(["backstop.failure.code": "_OTHER", "backstop.outcome": "_OTHER"]), [90])
                ])
            #expect(codes.contains { $0.labels["server.address"] == "other.example.com" && $0.values == [1] })
            #expect(backend.durations("http.client.request.duration").count == 12)
            #expect(backend.durations("backstop.call.duration").count == 12)
        }

        @Test("does not grow with hosts")
        func hosts() async throws {
            // given
            let backend = TestMetrics()
            let client = try client(ClientMetrics(factory: backend, serverLimit: 5)) { _ in "same" }
            // when
            for number in 0..<100 {
                _ = await client.result(of: HTTP.Call(.get, "https://h\(number).example.com/a"))
            }
            // then
            let other = ["server.address": "_OTHER", "server.port": "_OTHER", "url.scheme": "_OTHER"]
            let meters = backend.meters(label: "backstop.call.active")
            #expect(meters.count == 6)
            #expect(meters.allSatisfy { $0.lastValue == 0 })
            let failures = backend.counts("backstop.failures")
            #expect(failures.count == 6)
            #expect(
                failures.filter { $0.labels["server.address"] == "_OTHER" } == [
                    Recorded(
                        other.merging(["backstop.failure.code": "service.same", "backstop.outcome": "thrown"]) { $1 },
                        [95])
                ])
        }

        @Test("does not grow with the targets of redirects")
        func redirects() async throws {
            // given
            let rig = Rig(
                .respond { request, context in
                    let moved = try HTTP.Request(.get, "https://elsewhere.example.com/")
                    context.recordHop(moved)
                    return HTTP.Response(status: 200, url: moved.url)
                })
            // when
            _ = try await rig.plain().measured(by: rig.metrics).send(Books())
            // then
            #expect(
                rig.backend.durations("http.client.request.duration").map { $0.labels["server.address"] }
                    == ["shop.example.com"])
        }

        @Test("asks the backend for each object once")
        func lookups() async throws {
            // given
            let factory = CountingFactory()
            let client = try client(ClientMetrics(factory: factory)) { _ in "same" }
            _ = await client.result(of: Books())
            let first = factory.lookups.value
            #expect(first == 6)
            // when
            for _ in 0..<50 {
                _ = await client.result(of: Books())
            }
            // then
            #expect(factory.lookups.value == first)
        }

        @Test("is none while no backend is bootstrapped, and a later one gets everything from then on")
        func notBootstrapped() async throws {
            // given
            let rig = Rig(.status(200), .status(404), .status(200))
            let metrics = ClientMetrics()
            let client = try rig.plain().measured(by: metrics)
            // when
            _ = await client.result(of: Books())
            _ = await client.result(of: Books())
            await withMetricsFactory(rig.backend) {
                _ = await client.result(of: Books())
            }
            // then
            #expect(rig.backend.numbers("backstop.call.attempts").map(\.values) == [[1]])
            #expect(rig.backend.meters.map(\.lastValue) == [0])
        }
    }
#endif
