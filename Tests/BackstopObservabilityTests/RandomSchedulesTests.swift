#if Observability
    import BackstopCore
    import BackstopObservability
    import BackstopResilience
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import MetricsTestKit
    import Testing
    import Tracing

    @Suite("Whatever happens to calls", .limited)
    struct RandomSchedulesTests {
        /// A transport whose requests succeed, fail, wait or ignore their cancellation for a while.
        private struct Moody: HTTP.Transport {
            let dice: Dice
            let begun = Counter()
            let ended = Counter()

            func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
                begun.increment()
                defer { ended.increment() }
                for _ in 0..<dice.roll(4) {
                    await Task.yield()
                }
                switch dice.roll(7) {
                case 0: throw TransportError(.lost, phase: .receiving)
                case 1: return HTTP.Response(status: 503)
                case 2: return HTTP.Response(status: 404)
                case 3:
                    try await Task.sleep(for: .microseconds(dice.roll(500)))
                    return HTTP.Response(status: 200)
                case 4:
                    // Ends its attempt and call late, and does not listen.
                    let wait = dice.roll(1000)
                    await Task.detached { try? await Task.sleep(for: .microseconds(wait)) }.value
                    return HTTP.Response(status: 200)
                default: return HTTP.Response(status: 200)
                }
            }
        }

        /// Sends two copies at once; the first to succeed decides.
        private struct Hedging: HTTP.Interceptor {
            var role: Role { .hedging }

            func intercept(
                _ request: HTTP.Request, context: CallContext, next: HTTP.Next
            ) async throws -> HTTP.Response {
                let other = context.parallelAttempt(because: "hedging")
                return try await withThrowingTaskGroup(of: HTTP.Response.self) { group in
                    group.addTask { try await next(request) }
                    group.addTask { try await next(request, context: other) }
                    defer { group.cancelAll() }
                    while let result = await group.nextResult() {
                        if case .success(let response) = result {
                            return response
                        }
                    }
                    throw TransportError(.lost)
                }
            }
        }

        private final class Dice: Sendable {
            private let numbers: Lock<SeededNumbers>

            init(_ numbers: SeededNumbers) {
                self.numbers = Lock(numbers)
            }

            func roll(_ bound: Int) -> Int {
                numbers.withLock { $0.below(bound) }
            }
        }

        @Test("no call stays in flight, and each span ends once", arguments: Seed.ofRun)
        func schedules(seed: Seed) async throws {
            // given
            let dice = Dice(seed.numbers)
            let transport = Moody(dice: dice)
            let tracer = CountingTracer()
            let backend = TestMetrics()
            let retry = try RetryPolicy(
                attempts: 3, backoff: Backoff(baseDelay: .microseconds(200), maximumDelay: .microseconds(400)))
            let client = try Client.standard(
                baseURL: Rig.base, transport: transport, retry: retry, deadline: .seconds(10), logging: nil,
                handling: FailureHandling.silent
            ).withChain { try $0.inserting(Hedging(), inside: .retry) }
                .measured(by: ClientMetrics(factory: backend)).traced()
            let calls = 2000
            // when
            await withTracer(tracer) {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<calls {
                        let deadline = dice.roll(3) == 0 ? Duration.microseconds(dice.roll(600)) : nil
                        let pause = dice.roll(2) == 0 ? nil : dice.roll(800)
                        let client = client.withOptions { $0.deadline = deadline }
                        let handles = dice.roll(2) == 0
                        group.addTask {
                            let call = Task {
                                if handles {
                                    _ = await client.perform(Books()) { _ in .handled }
                                } else {
                                    _ = await client.result(of: Books())
                                }
                            }
                            if let pause {
                                try? await Task.sleep(for: .microseconds(pause))
                                call.cancel()
                            }
                            await call.value
                        }
                    }
                }
            }
            // then
            let meter = try #require(backend.meters(label: "backstop.call.active").first)
            #expect(meter.lastValue == 0)
            #expect(meter.values.count == 2 * calls)
            #expect((meter.values.max() ?? 0) > 1)
            #expect(tracer.spans.count > calls)
            // Later, when what was abandoned has ended too.
            while transport.ended.value < transport.begun.value || tracer.spans.contains(where: { $0.ends == 0 }) {
                await Task.yield()
            }
            for _ in 0..<1000 {
                await Task.yield()
            }
            #expect(tracer.spans.filter { $0.ends != 1 || $0.changesAfterEnd > 0 }.map(\.operationName) == [])
            let measured = backend.timers(label: "backstop.call.duration").map(\.values.count).reduce(0, +)
            #expect(measured == calls)
            let failed = backend.timers(label: "backstop.call.duration").filter { timer in
                timer.dimensions.contains { $0 == ("backstop.failure.code", "") } == false
            }.map(\.values.count).reduce(0, +)
            #expect(backend.counterTotal(label: "backstop.failures") == failed)
            #expect(backend.counterTotal(label: "backstop.retry.stops") == failed)
        }
    }
#endif
