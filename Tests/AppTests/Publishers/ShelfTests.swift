#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopPresentation
    import BackstopTesting
    import Testing

    /// In a target of the main actor, a closure that runs elsewhere ends the process: these pipelines have to run.
    @MainActor
    @Suite(.timeLimit(.minutes(1)))
    struct ShelfTests {
        private func client(_ steps: [ScriptedTransport.Step]) throws -> Client {
            var options = CallOptions()
            options.clock = RecordingClock()
            var handling = FailureHandling()
            handling.log = RecordingLog()
            return try Client.standard(
                baseURL: "https://shop.example.com", transport: ScriptedTransport(steps), retry: .never, logging: nil,
                options: options, handling: handling)
        }

        private let books: ScriptedTransport.Step = .json(200, #"[{"id":1,"title":"Dune"}]"#)

        @Test("pipelines reach the main actor, with a value and after a failure")
        func pipelines() async throws {
            let shelf = Shelf()
            let presenter = FailurePresenter()
            let loads: [(Client) -> Void] = [
                { shelf.load($0) }, { shelf.loadWithRetry($0) }, { shelf.loadResult($0) },
                { shelf.load($0, on: presenter) },
            ]
            var ends = 0
            for load in loads {
                for steps in [[books], [.status(404)], [.status(503), books]] {
                    load(try client(steps))
                    ends += 1
                    while shelf.ends < ends {
                        await Task.yield()
                        for shown in [presenter.state.alert, presenter.state.fullScreen].compactMap({ $0 }) {
                            presenter.dismiss(shown.id)
                        }
                    }
                }
            }
            #expect(shelf.titles == ["Dune"])
        }
    }
#endif
