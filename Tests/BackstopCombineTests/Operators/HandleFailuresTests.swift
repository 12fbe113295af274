#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopCore
    import BackstopTestSupport
    import BackstopTesting
    import Testing

    @Suite("handleFailures", .limited)
    struct HandleFailuresTests {
        /// Subscribes and waits for the end.
        private func run<P: Publisher>(_ publisher: P) async -> Recorder<P.Output, P.Failure> where P.Output: Sendable {
            let recorder = Recorder<P.Output, P.Failure>()
            publisher.subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            return recorder
        }

        @Test("lets values through, and asks nobody")
        func value() async throws {
            let rig = Rig(.json(200, Book.json))
            let recorder = await run(
                try rig.client().publisher(for: BookEndpoint()).handleFailures {
                    Otherwise { _ in Issue.record("Nothing failed.") }
                })
            #expect(recorder.values == [.dune])
            #expect(recorder.kinds == ["value", "finished"])
        }

        @Test("counts repetitions anew after a value")
        func countedAnew() async {
            let emitter = Emitter()
            let recorder = Recorder<Int, Never>()
            emitter.handleFailures { Otherwise { _ in .retry } }.subscribe(recorder)
            recorder.request(.unlimited)
            var subscriptions = 1
            func fail(_ count: Int) async {
                for _ in 0..<count {
                    emitter.end(.failure(Failure(StatusError(503))))
                    subscriptions += 1
                    while emitter.subscriptions < subscriptions, recorder.events.last.map({ "\($0)" }) != "finished" {
                        await Task.yield()
                    }
                }
            }
            await fail(3)
            emitter.send(1)
            await fail(3)
            #expect(emitter.subscriptions == 7)
            #expect(recorder.kinds == ["value"])
        }

        /// A publisher whose subscription comes when a test says so.
        private final class LatePublisher: Publisher, Sendable {
            typealias Output = Int
            typealias Failure = BackstopCore.Failure

            private struct Upstream: Subscription {
                let isCancelled: Lock<Bool>
                let combineIdentifier = CombineIdentifier()
                func request(_ demand: Subscribers.Demand) {}
                func cancel() { isCancelled.withLock { $0 = true } }
            }

            /// Guarded by the lock.
            private let subscriber = Lock<AnySubscriber<Int, Failure>?>(nil)
            let isCancelled = Lock(false)

            func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
                let new = AnySubscriber(subscriber)
                self.subscriber.withLock { $0 = new }
            }

            func arrive() {
                subscriber.withLock { $0 }?.receive(subscription: Upstream(isCancelled: isCancelled))
            }
        }

        @Test("cancels an upstream that arrives after the subscriber has gone")
        func late() {
            let upstream = LatePublisher()
            let recorder = Recorder<Int, Never>()
            upstream.handleFailures().subscribe(recorder)
            recorder.request(.unlimited)
            recorder.cancel()
            upstream.arrive()
            #expect(upstream.isCancelled.withLock { $0 })
        }

        @Test("ends after a handled failure, of which observers hear once")
        func handled() async throws {
            let rig = Rig(.status(404))
            let recorder = await run(
                try rig.client().publisher(for: BookEndpoint()).handleFailures { On(status: 404) { _ in } })
            #expect(recorder.kinds == ["finished"])
            #expect(rig.outcomes == [.handled(by: "On(status.404)")])
        }

        @Test("asks its own handlers first, then scopes from the inside out, then the defaults")
        func order() async throws {
            let rig = Rig(.status(401), .status(409), .status(410), .status(404))
            let client = try rig.client()
                .scoped("outer") {
                    On(status: 410) { _ in }
                    On(status: 401, 409) { _ in Issue.record("The inner ones are asked first.") }
                }
                .scoped("inner") {
                    On(status: 409) { _ in }
                    On(status: 401) { _ in Issue.record("The pipeline is asked first.") }
                }
            await DefaultHandlers.withHandlers {
                Otherwise { _ in }
            } operation: {
                for _ in 1...4 {
                    let recorder = await run(
                        client.publisher(for: BookEndpoint()).handleFailures {
                            On(status: 401, name: "pipeline") { _ in }
                        })
                    #expect(recorder.kinds == ["finished"])
                }
            }
            #expect(
                rig.outcomes == [
                    .handled(by: "pipeline"), .handled(by: "inner: On(status.409)"),
                    .handled(by: "outer: On(status.410)"), .handled(by: "Otherwise"),
                ])
            #expect(rig.log.entries.isEmpty)
        }

        @Test("writes the report once when nobody handles the failure, and ends")
        func unhandled() async throws {
            let rig = Rig(.status(404))
            let publisher = try rig.client().publisher(for: BookEndpoint())
            await DefaultHandlers.withHandlers {
            } operation: {
                let recorder = await run(publisher.handleFailures())
                #expect(recorder.kinds == ["finished"])
            }
            #expect(rig.log.entries.map(\.level) == [.error])
            #expect(rig.outcomes == [.unhandled])
        }

        @Test("repeats what runs until the upstream has ended, and no task that it leaves behind")
        func leftBehind() async throws {
            // given
            let gate = Gate()
            let during = Notes<Bool>()
            let left = Notes<Task<Bool, Never>>()
            let client = try Rig(.status(503), .json(200, Book.json)).client().withChain {
                $0.prepending(
                    ClosureInterceptor { request, _, next in
                        during.add(FailureHandling.isRepeating)
                        left.add(
                            Task {
                                await gate.pass()
                                return FailureHandling.isRepeating
                            })
                        return try await next(request)
                    })
            }
            // when
            let recorder = await run(
                client.publisher(for: BookEndpoint()).handleFailures { Otherwise { _ in .retry } })
            gate.open()
            // then
            #expect(recorder.values == [.dune])
            #expect(during.all == [false, true])
            for task in left.all {
                #expect(await task.value == false)
            }
        }

        @Test("makes the call anew when a handler says so, after its pause")
        func retry() async throws {
            let rig = Rig(.status(404), .json(200, Book.json))
            let recorder = await run(
                try rig.client().publisher(for: BookEndpoint()).handleFailures {
                    Otherwise { _ in .retry(after: .seconds(9)) }
                })
            #expect(recorder.values == [.dune])
            #expect(rig.clock.sleeps == [.seconds(9)])
            #expect(rig.outcomes == [.retried(by: "Otherwise")])
        }

        @Test("makes a call anew three times at most")
        func retryLimit() async throws {
            let rig = Rig(.status(404), .status(404), .status(404), .status(404))
            let publisher = try rig.client().publisher(for: Order())
            await DefaultHandlers.withHandlers {
            } operation: {
                let recorder = await run(publisher.handleFailures { Otherwise { _ in .retry } })
                #expect(recorder.kinds == ["finished"])
            }
            #expect(rig.transport.requests.map { $0.headers[.idempotencyKey] } == Array(repeating: "key 1", count: 4))
            #expect(rig.outcomes.last == .unhandled)
        }

        @Test("keeps the keys of several orders, also below an operator that makes calls anew itself")
        func keptKeys() async throws {
            let rig = Rig(.status(503), .status(404), .status(404).repeated())
            let client = try rig.client()
            let publisher = client.publisher(for: Order()).retry(try RetryPolicy(attempts: 2))
            let recorder = await run(
                publisher.handleFailures { _ in FailureHandling.canRetry ? .retry : .handled })
            #expect(recorder.kinds == ["finished"])
            #expect(rig.transport.requests.count == 5)
            #expect(Set(rig.transport.requests.map { $0.headers[.idempotencyKey] }) == ["key 1"])
        }

        @Test("gives the value of a handler in the place of the failure")
        func replaced() async throws {
            let rig = Rig(.status(404))
            let recorder = await run(
                try rig.client().publisher(for: BookEndpoint())
                    .handleFailures { failure in
                        failure.statusCode == 404 ? .value(Book(id: 0, title: "None")) : .unhandled
                    })
            #expect(recorder.values.map(\.title) == ["None"])
            #expect(recorder.kinds == ["value", "finished"])
            #expect(rig.outcomes == [.replaced(by: "pipeline")])
        }

        @Test("is told of a failure below other operators as well, once")
        func below() async throws {
            let rig = Rig(.status(503), .status(503))
            let recorder = await run(
                try rig.client().publisher(for: BookEndpoint())
                    .map(\.title).retry(RetryPolicy(attempts: 2))
                    .handleFailures { On(status: 503) { _ in } })
            #expect(recorder.kinds == ["finished"])
            #expect(rig.outcomes == [.retried(by: "retry"), .handled(by: "On(status.503)")])
        }

        @Test("leaves it to the call to tell observers of a failure that another operator has taken")
        func caught() async throws {
            let rig = Rig(.status(404), .json(200, Book.json))
            let client = try rig.client()
            let recorder = await run(
                client.publisher(for: BookEndpoint())
                    .catch { _ in client.publisher(for: BookEndpoint()) }
                    .handleFailures { Otherwise { _ in Issue.record("It was taken.") } })
            #expect(recorder.values == [.dune])
            await rig.waitForOutcomes(1)
            #expect(rig.outcomes == [.thrown])
        }

        @Test("tells observers nothing of a failure that they have heard of, and asks the client's scopes all the same")
        func heardOf() async throws {
            let rig = Rig(.status(404))
            let client = try rig.client().scoped("shop") { On(status: 404) { _ in } }
            let failure = try #require(await run(client.publisher(for: BookEndpoint())).failure)
            await rig.waitForOutcomes(1)
            let recorder = await run(Fail<Book, Failure>(error: failure).handleFailures())
            #expect(recorder.kinds == ["finished"])
            #expect(rig.outcomes == [.thrown])
            #expect(rig.log.entries.isEmpty)
        }

        @Test("asks no further handler once it is cancelled, and gives no event")
        func cancelled() async throws {
            let rig = Rig(.status(404))
            let gate = Gate()
            let client = try rig.client().scoped("shop") { Otherwise { _ in Issue.record("It was cancelled.") } }
            let recorder = Recorder<Book, Never>()
            client.publisher(for: BookEndpoint())
                .handleFailures {
                    Otherwise { _ -> BackstopCore.Verdict in
                        await gate.pass()
                        return .unhandled
                    }
                }
                .subscribe(recorder)
            recorder.request(.unlimited)
            await gate.waitForArrivals(1)
            recorder.cancel()
            gate.open()
            await rig.waitForOutcomes(1)
            #expect(rig.outcomes == [.cancelled])
            #expect(recorder.kinds.isEmpty)
        }

        /// Shows failures, and a person taps "Try again" each time.
        @MainActor
        private final class Presenter: FailureHandler {
            private(set) var shown: [String] = []
            nonisolated var name: String { "presenter" }

            func handle(_ failure: Failure) async -> BackstopCore.Verdict {
                shown.append(failure.code)
                return FailureHandling.canRetry ? .retry : .handled
            }
        }

        @Test("of a presenter makes the call anew when a person taps Try again")
        func presenter() async throws {
            let rig = Rig(.status(500), .json(200, Book.json))
            let presenter = Presenter()
            let recorder = await run(try rig.client().publisher(for: BookEndpoint()).presentFailures(on: presenter))
            #expect(await presenter.shown == ["status.500"])
            #expect(recorder.values == [.dune])
            #expect(rig.outcomes == [.retried(by: "presenter")])
        }
    }
#endif
