#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopTestSupport
    import BackstopTesting
    import Testing

    @Suite("asResult", .limited)
    struct ResultTests {
        @Test("gives each value as a success, and then the end")
        func values() async {
            let recorder = Recorder<Result<Int, Failure>, Never>()
            [1, 2].publisher.setFailureType(to: Failure.self).asResult().subscribe(recorder)
            recorder.request(.unlimited)
            #expect(recorder.values.map { try? $0.get() } == [1, 2])
            #expect(recorder.kinds == ["value", "value", "finished"])
        }

        @Test("gives a failure as a value, and then the end")
        func failure() async throws {
            let rig = Rig(.status(404))
            let recorder = Recorder<Result<Book, Failure>, Never>()
            try rig.client().publisher(for: BookEndpoint()).asResult().subscribe(recorder)
            recorder.request(.max(1))
            await recorder.waitForEnd()
            #expect(recorder.values.map { $0.failure?.statusCode } == [404])
            #expect(recorder.kinds == ["value", "finished"])
        }

        @Test("lets a pipeline of key strokes outlive a failure")
        func outlives() async throws {
            let rig = Rig(.status(500), .json(200, Book.json))
            let client = try rig.client()
            let strokes = PassthroughSubject<String, Never>()
            let recorder = Recorder<Result<Book, Failure>, Never>()
            strokes
                .map { _ in client.publisher(for: BookEndpoint()).asResult() }
                .switchToLatest()
                .subscribe(recorder)
            recorder.request(.unlimited)
            for count in 1...2 {
                strokes.send("name")
                await recorder.waitForEvents(count)
            }
            #expect(recorder.values.map { (try? $0.get())?.title } == [nil, "Dune"])
            #expect(recorder.kinds == ["value", "value"])
        }

        @Test("tells the observers once of a failure that two pipelines share")
        func shared() async throws {
            let rig = Rig(.status(404))
            let shared = try rig.client().publisher(for: BookEndpoint()).share()
            let recorders = (0..<2).map { _ in Recorder<Result<Book, Failure>, Never>() }
            for recorder in recorders {
                shared.asResult().subscribe(recorder)
            }
            for recorder in recorders {
                recorder.request(.unlimited)
            }
            for recorder in recorders {
                await recorder.waitForEnd()
            }
            await rig.waitForOutcomes(1)
            await settle()
            #expect(recorders.map { $0.values.count } == [1, 1])
            #expect(rig.outcomes == [.thrown])
        }

        @Test("is cancelled by the next key stroke, whose result alone counts")
        func latest() async throws {
            let rig = Rig(.hang, .json(200, Book.json))
            let client = try rig.client()
            let strokes = PassthroughSubject<String, Never>()
            let recorder = Recorder<Result<Book, Failure>, Never>()
            strokes
                .map { _ in client.publisher(for: BookEndpoint()).asResult() }
                .switchToLatest()
                .subscribe(recorder)
            recorder.request(.unlimited)
            strokes.send("d")
            await rig.transport.waitForRequests(1)
            strokes.send("du")
            await recorder.waitForEvents(1)
            await rig.waitForOutcomes(1)
            #expect(recorder.values.map { (try? $0.get())?.title } == ["Dune"])
            #expect(rig.outcomes == [.cancelled])
        }
    }

    extension Result {
        var failure: Failure? {
            if case .failure(let failure) = self {
                return failure
            }
            return nil
        }
    }
#endif
