#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopPresentation

    // With this import, the compiler checks where the closures of the main actor run; without it, it does not.
    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    nonisolated struct Novel: Decodable, Sendable { var id: Int; var title: String }

    /// The publisher of Docs/GettingStarted.md.
    func novelTitles(_ client: Client) -> AnyPublisher<[String], Never> {
        client.publisher(for: .get("books", as: [Novel].self))
            .map { @Sendable books in books.map(\.title) }
            .handleFailures { On(.offline) { _ in .retry(after: .seconds(5)) } }
    }

    /// The class of Docs/GettingStarted.md, and the operators of Backstop one by one.
    @MainActor
    final class Shelf {
        private(set) var titles: [String] = []
        private(set) var ends = 0
        private var subscriptions: Set<AnyCancellable> = []

        func load(_ client: Client) {
            keep(novelTitles(client))
        }

        func loadWithRetry(_ client: Client) {
            keep(
                client.publisher(for: .get("books", as: [Novel].self))
                    .retry(.standard)
                    .receive(on: ClockScheduler())
                    .map { books in books.map(\.title) }
                    .replaceError(with: []))
        }

        func loadResult(_ client: Client) {
            keep(
                client.publisher(for: .get("books", as: [Novel].self))
                    .asResult()
                    .receive(on: ClockScheduler())
                    .map { result in (try? result.get())?.map(\.title) ?? [] })
        }

        func load(_ client: Client, on presenter: FailurePresenter) {
            keep(
                client.publisher(for: .get("books", as: [Novel].self))
                    .presentFailures(on: presenter)
                    .receive(on: ClockScheduler())
                    .map { books in books.map(\.title) })
        }

        private func keep(_ publisher: some Publisher<[String], Never>) {
            publisher
                .receive(on: ClockScheduler())
                .sink(
                    receiveCompletion: { _ in self.ends += 1 },
                    receiveValue: { titles in self.titles = titles }
                )
                .store(in: &subscriptions)
        }
    }
#endif
