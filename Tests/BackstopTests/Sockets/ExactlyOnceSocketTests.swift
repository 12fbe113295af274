#if Demo
    import Backstop
    import BackstopFaultServer
    import BackstopTestSupport
    import BackstopTesting
    import Foundation
    import Testing

    @Suite("Exactly one outcome over sockets", .sockets)
    struct ExactlyOnceSocketTests {
        private static let targets = ["/books", "/status/503", "/hang", "/reset", "/cut", "/hang-body"]

        /// A call of the random run: what it asks, and when it is cancelled.
        private struct Plan: Sendable {
            let target: String
            /// It is cancelled when so many requests for its target have arrived; nil for never.
            let cancelledAfter: Int?
            let usesClosures: Bool
        }

        @Test("comes of each call, whatever fails and whenever it is cancelled", arguments: Seed.ofRun)
        func randomised(seed: Seed) async throws {
            var random = seed.numbers
            let plans = (0..<200).map { _ in
                Plan(
                    target: Self.targets.randomElement(using: &random) ?? "/books",
                    cancelledAfter: Bool.random(using: &random) ? Int.random(in: 1...40, using: &random) : nil,
                    usesClosures: Bool.random(using: &random))
            }
            try await withServer { server in
                let observer = RecordingObserver()
                let tally = Tally<String>()
                try await run(plans, on: server, observer: observer, tally: tally)
                let counts = await tally.counts
                #expect(await tally.total == plans.count)
                #expect(observer.calls.count == plans.count)
                let values = counts["value", default: 0]
                // Between a success and the main actor, a call with closures can still be cancelled.
                let late = observer.calls.count { $0.failure == nil } - values
                #expect(late >= 0)
                #expect(observer.failures.count == plans.count - values - late)
                let cancelled = observer.failures.count { $0.outcome == .cancelled }
                #expect(cancelled + late == counts["cancelled", default: 0])
                let handled = observer.failures.count { $0.outcome == .handled(by: "call") }
                #expect(handled == counts["handled", default: 0])
                #expect(Set(observer.calls.map(\.id)).count == plans.count)
            }
        }

        private func run(
            _ plans: [Plan], on server: FaultServer, observer: RecordingObserver, tally: Tally<String>
        ) async throws {
            var options = CallOptions()
            options.observers = [observer]
            var handling = FailureHandling.silent
            handling.observers = [observer]
            let client = try server.client(
                retry: .quick(attempts: 2), attemptTimeout: .milliseconds(400), options: options, handling: handling)
            let calls = plans.map { plan in
                plan.usesClosures ? callWithClosures(plan, client, tally) : call(plan, client, tally)
            }
            let cancellers = zip(plans, calls).compactMap { plan, call in
                plan.cancelledAfter.map { count in
                    Task {
                        if await server.waitForRequest(to: plan.target, count: count) {
                            call.cancel()
                        }
                    }
                }
            }
            for call in calls {
                await call.value
            }
            for canceller in cancellers {
                canceller.cancel()
                await canceller.value
            }
        }

        private func call(_ plan: Plan, _ client: Client, _ tally: Tally<String>) -> Task<Void, Never> {
            Task {
                let outcome = await client.perform(WholeResponse(target: plan.target)) { _ in .handled }
                switch outcome {
                case .value: await tally.add("value")
                case .handled: await tally.add("handled")
                case .unhandled: await tally.add("unhandled")
                case .cancelled: await tally.add("cancelled")
                }
            }
        }

        private func callWithClosures(_ plan: Plan, _ client: Client, _ tally: Tally<String>) -> Task<Void, Never> {
            client.perform(
                WholeResponse(target: plan.target),
                onSuccess: { _ in await tally.add("value") },
                onFailure: { _ in
                    await tally.add("handled")
                    return true
                },
                onCancel: { await tally.add("cancelled") })
        }
    }
#endif
