#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopStreams
    import BackstopSubscriptions
    import BackstopTestSupport
    import BackstopTesting
    import Testing

    @Suite("The publisher of a stream", .limited)
    struct StreamPublisherTests {
        private func lines(_ rig: Rig) throws -> CallPublisher<String> {
            try rig.client().publisher { client in try await client.stream("books", as: .lines) }
        }

        @Test("gives the elements and the end")
        func elements() async throws {
            let rig = Rig(.stream([.bytes("a\nb\n"), .bytes("c\n")]))
            let recorder = Recorder<String, Failure>()
            try lines(rig).subscribe(recorder)
            await settle()
            #expect(rig.transport.requests.isEmpty)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            #expect(recorder.values == ["a", "b", "c"])
            #expect(recorder.kinds == ["value", "value", "value", "finished"])
        }

        @Test("gives as many as are asked for, before and with each", arguments: [0, 1])
        func demand(perValue: Int) async throws {
            let rig = Rig(.stream([.bytes("a\nb\nc\nd\ne\n")]))
            let recorder = Recorder<String, Failure>(demandPerValue: .max(perValue))
            try lines(rig).subscribe(recorder)
            recorder.request(.max(2))
            await recorder.waitForEvents(2)
            await settle()
            if perValue == 0 {
                #expect(recorder.kinds == ["value", "value"])
                recorder.request(.max(1))
                await recorder.waitForEvents(3)
                await settle()
                #expect(recorder.values == ["a", "b", "c"])
                recorder.request(.max(1))
                recorder.request(.unlimited)
            }
            await recorder.waitForEnd()
            #expect(recorder.values == ["a", "b", "c", "d", "e"])
            #expect(recorder.kinds.last == "finished")
        }

        @Test("gives what had come and then one failure, and observers are told once")
        func failure() async throws {
            let rig = Rig(.stream([.bytes("a\nb"), .lost]))
            let recorder = Recorder<String, Failure>()
            try lines(rig).subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            #expect(recorder.kinds == ["value", "failed"])
            #expect(recorder.failure?.code == "transport.lost")
            #expect(recorder.failure?.transfer?.elements == 1)
            await rig.waitForOutcomes(1)
            await settle()
            #expect(rig.outcomes == [.thrown])
        }

        @Test("tells the end and a failure without further demand", arguments: [true, false])
        func end(isLost: Bool) async throws {
            let rig = Rig(.stream([.bytes("a\nb\n")] + (isLost ? [.lost] : [])))
            let recorder = Recorder<String, Failure>()
            try lines(rig).subscribe(recorder)
            recorder.request(.max(2))
            await recorder.waitForEnd()
            #expect(recorder.kinds == ["value", "value", isLost ? "failed" : "finished"])
        }

        @Test("is not begun anew by a policy once an element was given, and is before", arguments: [true, false])
        func retry(isBegun: Bool) async throws {
            let rig = Rig(.stream([.bytes(isBegun ? "a\n" : "a"), .lost]), .stream([.bytes("b\n")]))
            let recorder = Recorder<String, Failure>()
            try lines(rig).retry(RetryPolicy(attempts: 3, backoff: .none)).subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            #expect(recorder.values == [isBegun ? "a" : "b"])
            #expect(recorder.failure?.stopReason == (isBegun ? .begun : nil))
            #expect(rig.transport.requests.count == (isBegun ? 1 : 2))
        }

        @Test("is handled by the pipeline, and observers are told that")
        func handled() async throws {
            let rig = Rig(.status(404))
            let recorder = Recorder<String, Never>()
            try lines(rig).handleFailures { On(status: 404) { _ in .handled } }.subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            #expect(recorder.kinds == ["finished"])
            await rig.waitForOutcomes(1)
            await settle()
            #expect(rig.outcomes == [.handled(by: "On(status.404)")])
        }

        private struct Ticks: GraphQL.Operation {
            struct Data: Decodable, Sendable { var tick: Int }

            var document: GraphQL.Document { .init(text: "subscription Ticks { tick }") }
        }

        @Test("goes on with a subscription after a loss, as one stream")
        func subscription() async throws {
            let tick: @Sendable (Int) -> SubscriptionPiece = { .result("{\"data\":{\"tick\":\($0)}}") }
            let rig = Rig(.subscription([tick(1), .lost]), .subscription([tick(2), .complete]))
            let client = try rig.client().withChain { try $0.inserting(Retry(), outside: .decoding) }
            let recorder = Recorder<GraphQL.Result<Ticks.Data>, Failure>()
            client.publisher { client in try await client.subscribe(Ticks()) }.subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            #expect(recorder.values.map(\.data.tick) == [1, 2])
            #expect(recorder.kinds == ["value", "value", "finished"])
            #expect(rig.transport.requests.count == 2)
            #expect(rig.outcomes.isEmpty)
        }

        @Test("ends the call when it is cancelled, whether it waits for the service or for demand", arguments: [1, 9])
        func cancelled(demand: Int) async throws {
            let rig = Rig(.stream([.bytes("a\nb\n"), .wait(.seconds(1)), .bytes("c\n")]))
            let clock = ManualClock()
            let publisher = try rig.client(clock: clock).publisher { client in
                try await client.stream("books", as: .lines, options: StreamOptions(silence: nil))
            }
            let recorder = Recorder<String, Failure>()
            publisher.subscribe(recorder)
            recorder.request(.max(demand))
            await recorder.waitForEvents(min(demand, 2))
            while clock.sleepers.isEmpty { await Task.yield() }
            recorder.cancel()
            while !clock.sleepers.isEmpty { await Task.yield() }
            recorder.request(.unlimited)
            await settle()
            #expect(recorder.kinds == Array(repeating: "value", count: min(demand, 2)))
        }

        @Test("opens a stream for each subscriber")
        func subscribers() async throws {
            let rig = Rig(.stream([.bytes("a\n")]), .stream([.bytes("b\n")]))
            let publisher = try lines(rig)
            for line in ["a", "b"] {
                let recorder = Recorder<String, Failure>()
                publisher.subscribe(recorder)
                recorder.request(.unlimited)
                await recorder.waitForEnd()
                #expect(recorder.values == [line])
            }
        }

        @Test("fails with an error of its closure, and with one between elements")
        func errors() async throws {
            let rig = Rig()
            let client = try rig.client()
            let refused = Recorder<Int, Failure>()
            client.publisher { _ -> AsyncStream<Int> in throw Refused() }.subscribe(refused)
            refused.request(.unlimited)
            await refused.waitForEnd()
            #expect(refused.failure?.code == "other")

            let broken = Recorder<Int, Failure>()
            client.publisher { _ in
                AsyncThrowingStream<Int, any Error> { source in
                    source.yield(1)
                    source.finish(throwing: Refused())
                }
            }.subscribe(broken)
            broken.request(.unlimited)
            await broken.waitForEnd()
            #expect(broken.kinds == ["value", "failed"])
            #expect(broken.failure?.code == "other")
        }

        private struct Refused: Error {}
    }
#endif
