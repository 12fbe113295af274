#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopTestSupport
    import BackstopTesting
    import Testing

    // As in an app: it is by this import that the compiler checks at run time where a closure is called.
    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    @Suite("A pipeline in code of the main actor", .limited)
    @MainActor
    struct MainActorTests {
        @MainActor
        private final class Shelf {
            var titles: [String] = []
            var hasEnded = false
            var subscription: AnyCancellable?

            /// The closures have no annotation, as in an app.
            func load(_ client: Client, then done: @escaping () -> Void) {
                subscription = client.publisher(for: BookEndpoint())
                    .flatMap { book in client.publisher(for: BookEndpoint()).map { other in [book, other] } }
                    .handleFailures()
                    .receiveOnMainActor()
                    .sink { [self] _ in
                        hasEnded = true
                        done()
                    } receiveValue: { [self] books in
                        MainActor.assertIsolated()
                        titles = books.map(\.title)
                    }
            }

            /// Goes on with a publisher that never fails.
            func other(_ client: Client) -> AnyPublisher<Result<Book, Failure>, Failure> {
                client.publisher(for: BookEndpoint())
                    .flatMap { _ in client.publisher(for: BookEndpoint()).asResult() }
                    .eraseToAnyPublisher()
            }

            func lengths(_ client: Client) -> AnyPublisher<Int, Failure> {
                client.publisher(for: BookEndpoint())
                    .compactMap { book in book.title.isEmpty ? nil : book.title.count }
                    .eraseToAnyPublisher()
            }
        }

        @Test("transforms where the call runs, and delivers on the main actor")
        func delivered() async throws {
            let rig = Rig(.json(200, Book.json), .json(200, Book.json))
            let shelf = Shelf()
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            shelf.load(try rig.client()) { end.yield() }
            for await _ in ends { break }
            #expect(shelf.titles == ["Dune", "Dune"])
        }

        @Test("goes on where the call runs, also with a publisher that never fails")
        func neverFailing() async throws {
            let rig = Rig(.json(200, Book.json), .json(200, Book.json))
            let recorder = Recorder<Result<Book, Failure>, Failure>()
            Shelf().other(try rig.client()).subscribe(recorder)
            recorder.request(.unlimited)
            await recorder.waitForEnd()
            #expect(recorder.values.map { try? $0.get().title } == ["Dune"])
        }

        @Test("leaves out what its own compactMap leaves out, without leaving the call's thread")
        func compacted() async throws {
            let rig = Rig(.json(200, #"{"id":1,"title":""}"#), .json(200, Book.json))
            let client = try rig.client()
            for expected in [[], [4]] {
                let recorder = Recorder<Int, Failure>()
                Shelf().lengths(client).subscribe(recorder)
                recorder.request(.unlimited)
                await recorder.waitForEnd()
                #expect(recorder.values == expected)
            }
        }
    }
#endif
