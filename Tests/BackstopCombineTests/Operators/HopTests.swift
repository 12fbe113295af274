#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopCore
    import BackstopTestSupport
    import BackstopTesting
    import Testing

    /// What a failure keeps of its call, wherever it goes and however long it stays.
    @Suite("Failures on their way", .limited)
    struct HopTests {
        private func run<P: Publisher>(_ publisher: P) async -> Recorder<P.Output, P.Failure> where P.Output: Sendable {
            let recorder = Recorder<P.Output, P.Failure>()
            publisher.subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            return recorder
        }

        @Test("are reported once, by the operator that handles them on another thread")
        func observers() async throws {
            let rig = Rig(.status(404))
            _ = await run(
                try rig.client().publisher(for: BookEndpoint()).receive(on: Hop())
                    .handleFailures { On(status: 404, name: "shop") { _ in } })
            await rig.waitForOutcomes(1)
            await settle()
            #expect(rig.outcomes == [.handled(by: "shop")])
        }

        @Test("are reported as thrown once nobody has them who could handle them")
        func dropped() async throws {
            let rig = Rig(.status(404))
            let recorder = await run(
                try rig.client().publisher(for: BookEndpoint()).receive(on: Hop())
                    .replaceError(with: .dune).setFailureType(to: BackstopCore.Failure.self)
                    .handleFailures { Otherwise { _ in Issue.record("It was replaced.") } })
            #expect(recorder.values == [.dune])
            await rig.waitForOutcomes(1)
            #expect(rig.outcomes == [.thrown])
        }

        @Test("are asked about the handlers of a scope after two hops")
        func scopes() async throws {
            let rig = Rig(.status(404))
            let publisher = try rig.client().scoped("shop") { On(status: 404, name: "none") { _ in } }
                .publisher(for: BookEndpoint())
            _ = await run(publisher.map(\.title).subscribe(on: Hop()).receive(on: Hop()).handleFailures())
            #expect(rig.log.entries.isEmpty)
        }

        @Test("are shown to the default handlers of the test, whatever thread they come from")
        func defaults() async throws {
            let rig = Rig(.status(404).repeated())
            let client = try rig.client()
            let typed = PassthroughSubject<Int, Never>()
            let clock = ManualClock()
            let recorder = Recorder<Book, Never>()
            let asked = Counter()
            await DefaultHandlers.withHandlers {
                Otherwise(name: "test") { _ in
                    asked.increment()
                    return .handled
                }
            } operation: {
                _ = await run(client.publisher(for: BookEndpoint()).receive(on: Hop()).handleFailures())
                #expect(asked.value == 1)
                _ = await run(
                    Just(1).setFailureType(to: BackstopCore.Failure.self).receive(on: Hop())
                        .flatMap { _ in client.publisher(for: BookEndpoint()) }.handleFailures())
                #expect(asked.value == 2)
                // The pipeline of key strokes is made here, and its calls by the scheduler.
                typed.debounce(for: .milliseconds(800), scheduler: ClockScheduler(clock: clock))
                    .map { _ in client.publisher(for: BookEndpoint()).handleFailures() }
                    .switchToLatest()
                    .subscribe(recorder)
                recorder.request(.unlimited)
                typed.send(1)
                await clock.waitForSleepers(1)
                await clock.advance(by: .milliseconds(800))
                await rig.waitForOutcomes(3)
            }
            #expect(asked.value == 3)
            #expect(rig.log.entries.isEmpty)
        }

        /// Something that handlers refer to.
        private final class Model: Sendable {}

        @Test("keep nothing of the client alive that an app has let go")
        func kept() async throws {
            let rig = Rig(.status(404))
            weak var weakModel: Model?
            var result: Result<Book, BackstopCore.Failure>?
            do {
                let model = Model()
                weakModel = model
                let client = try rig.client().scoped("shop") { Otherwise { _ in withExtendedLifetime(model) {} } }
                result = await run(client.publisher(for: BookEndpoint()).asResult()).values.first
            }
            #expect(result != nil)
            while weakModel != nil {
                await Task.yield()
            }
        }

        /// Takes no notice of its subscription.
        private struct Idler: Subscriber {
            typealias Input = Book
            typealias Failure = Never

            var combineIdentifier: CombineIdentifier { CombineIdentifier() }
            func receive(subscription: any Subscription) {}
            func receive(_ input: Book) -> Subscribers.Demand { .none }
            func receive(completion: Subscribers.Completion<Never>) {}
        }

        @Test("leave nothing behind where a subscriber drops its subscription unused")
        func unused() async throws {
            let rig = Rig(.status(404))
            weak var weakModel: Model?
            do {
                let model = Model()
                weakModel = model
                try rig.client().publisher(for: BookEndpoint())
                    .handleFailures { Otherwise { _ in withExtendedLifetime(model) {} } }
                    .subscribe(Idler())
            }
            #expect(weakModel == nil)
        }

        @Test("count against the limit of handlers by request, and no more once that has succeeded")
        func limit() async throws {
            let taps = PassthroughSubject<Int, BackstopCore.Failure>()
            let recorder = Recorder<Int, Never>()
            taps
                .map { tap -> AnyPublisher<Int, BackstopCore.Failure> in
                    tap.isMultiple(of: 2)
                        ? Just(tap).setFailureType(to: BackstopCore.Failure.self).eraseToAnyPublisher()
                        : Fail(error: Failure(TransportError(.lost))).eraseToAnyPublisher()
                }
                .switchToLatest()
                .handleFailures { Otherwise { _ in .retry } }
                .subscribe(recorder)
            recorder.request(.unlimited)
            for tap in 0..<6 {
                // Nobody gets a value before the next subscription.
                while recorder.values.count == tap, !recorder.kinds.contains("finished") {
                    taps.send(2 * tap)
                    await Task.yield()
                }
                taps.send(2 * tap + 1)
            }
            #expect(recorder.values == [0, 2, 4, 6, 8, 10])
            #expect(recorder.kinds.contains("finished") == false)
        }

        @Test("end a pipeline that is repeated again and again, though other calls in it succeed")
        func endless() async throws {
            let rig = Rig(
                .on(.get, "/v1/good", .status(200).repeated()), .on(.get, "/v1/bad", .status(404).repeated()))
            let client = try rig.client()
            let publisher = client.publisher(for: .get("good")).append(client.publisher(for: .get("bad")))
            await DefaultHandlers.withHandlers {
            } operation: {
                let recorder = await run(publisher.handleFailures { Otherwise { _ in .retry } })
                #expect(recorder.kinds == ["value", "value", "value", "value", "finished"])
            }
            #expect(rig.transport.requests.count == 8)
            #expect(
                rig.log.entries.map { $0.message.split(separator: "\n")[0] }
                    == ["No handler handled this failure. Handlers repeated the call 3 times."])
        }
    }
#endif
