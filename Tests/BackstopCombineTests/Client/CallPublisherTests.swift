#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopTestSupport
    import BackstopTesting
    import Testing

    @Suite("The publisher of a call", .limited)
    struct CallPublisherTests {
        @Test("gives the content and the end")
        func content() async throws {
            let rig = Rig(.json(200, Book.json))
            let recorder = Recorder<Book, Failure>()
            try rig.client().publisher(for: BookEndpoint()).subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            #expect(recorder.values == [.dune])
            #expect(recorder.kinds == ["value", "finished"])
        }

        @Test("gives the failure of the call, typed, and its observers are told once")
        func failure() async throws {
            let rig = Rig(.status(404))
            let recorder = Recorder<Book, Failure>()
            try rig.client().publisher(for: BookEndpoint()).subscribe(recorder)
            recorder.request(.max(1))
            await recorder.waitForEnd()
            #expect(recorder.kinds == ["failed"])
            #expect(recorder.failure?.statusCode == 404)
            await rig.waitForOutcomes(1)
            #expect(rig.outcomes == [.thrown])
        }

        @Test("sends nothing before there is demand, and once however often it is asked")
        func demand() async throws {
            let rig = Rig(.json(200, Book.json), .json(200, Book.json))
            let recorder = Recorder<Book, Failure>(demandPerValue: .max(3))
            try rig.client().publisher(for: BookEndpoint()).subscribe(recorder)
            await settle()
            #expect(rig.transport.requests.isEmpty)
            recorder.request(.max(1))
            recorder.request(.max(5))
            await recorder.waitForEnd()
            recorder.request(.unlimited)
            await settle()
            #expect(rig.transport.requests.count == 1)
            #expect(recorder.kinds == ["value", "finished"])
        }

        @Test("makes a call for each subscriber")
        func subscribers() async throws {
            let rig = Rig(.json(200, Book.json), .status(404))
            let publisher = try rig.client().publisher(for: BookEndpoint())
            for kinds in [["value", "finished"], ["failed"]] {
                let recorder = Recorder<Book, Failure>()
                publisher.subscribe(recorder)
                recorder.request(.unlimited)
                await recorder.waitForEnd()
                #expect(recorder.kinds == kinds)
            }
            #expect(rig.transport.requests.count == 2)
        }

        @Test("makes a key of its own for each subscriber")
        func keys() async throws {
            let rig = Rig(.status(200), .status(200))
            let publisher = try rig.client().publisher(for: Order())
            for _ in 1...2 {
                let recorder = Recorder<Int, Failure>()
                publisher.subscribe(recorder)
                recorder.request(.unlimited)
                await recorder.waitForEnd()
            }
            #expect(rig.transport.requests.map { $0.headers[.idempotencyKey] } == ["key 1", "key 2"])
        }

        @Test("cancels the call with the subscription, and nothing follows")
        func cancelling() async throws {
            let rig = Rig(.hang)
            let recorder = Recorder<Book, Failure>()
            try rig.client().publisher(for: BookEndpoint()).subscribe(recorder)
            recorder.request(.unlimited)
            await rig.transport.waitForRequests(1)
            recorder.cancel()
            await rig.waitForOutcomes(1)
            #expect(rig.outcomes == [.cancelled])
            #expect(recorder.kinds.isEmpty)
        }

        @Test("sends nothing for a subscription that was cancelled before its first demand")
        func cancelledBefore() async throws {
            let rig = Rig(.json(200, Book.json))
            let recorder = Recorder<Book, Failure>()
            try rig.client().publisher(for: BookEndpoint()).subscribe(recorder)
            recorder.cancel()
            recorder.request(.unlimited)
            await settle()
            #expect(rig.transport.requests.isEmpty)
            #expect(recorder.kinds.isEmpty)
        }

        @Test("gives no end to a subscriber that cancels when it gets the value")
        func cancelledByValue() async throws {
            let rig = Rig(.json(200, Book.json))
            let recorder = Recorder<Book, Failure>(onEvent: { $0.cancel() })
            try rig.client().publisher(for: BookEndpoint()).subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEvents(1)
            await settle()
            #expect(recorder.kinds == ["value"])
        }

        @Test("ends the call when the cancellable of a sink is released")
        func sink() async throws {
            let rig = Rig(.hang)
            var cancellable: AnyCancellable? = try rig.client().publisher(for: BookEndpoint())
                .sink(receiveCompletion: { _ in Issue.record("Nothing follows.") }, receiveValue: { _ in })
            await rig.transport.waitForRequests(1)
            #expect(cancellable != nil)
            cancellable = nil
            await rig.waitForOutcomes(1)
            #expect(rig.outcomes == [.cancelled])
        }

        @Test("of a GraphQL operation gives data and errors, or a typed failure")
        func graphQL() async throws {
            let rig = Rig(
                .json(200, #"{"data":{"hero":"Luke"},"errors":[{"message":"m","extensions":{"code":"LOST"}}]}"#),
                .json(200, #"{"errors":[{"message":"m","extensions":{"code":"LOST"}}]}"#))
            let client = try rig.client()
            let first = Recorder<GraphQL.Result<Hero.Data>, Failure>()
            client.dataTaskPublisher(for: Hero()).subscribe(first)
            first.request(.unlimited)
            await first.waitForEnd()
            #expect(first.values.map(\.data) == [.init(hero: "Luke")])
            #expect(first.values.first?.errors.map(\.code) == ["LOST"])
            let second = Recorder<GraphQL.Result<Hero.Data>, Failure>()
            client.dataTaskPublisher(for: Hero()).subscribe(second)
            second.request(.unlimited)
            await second.waitForEnd()
            #expect(second.failure?.graphQLErrors.map(\.code) == ["LOST"])
        }
    }
#endif
