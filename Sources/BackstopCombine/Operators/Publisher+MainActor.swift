#if canImport(Combine) || OpenCombine
    extension Publisher {
        /// Delivers values and the end on the main actor, in their order, on every system.
        ///
        /// Put it below the last operator of Backstop and above the first closure that belongs to the main actor:
        ///
        /// ```swift
        /// import BackstopCombine
        ///
        /// nonisolated struct Book: Decodable, Sendable { var id: Int; var title: String }
        ///
        /// @MainActor final class Shelf {
        ///     private(set) var titles: [String] = []
        ///     private var subscription: AnyCancellable?
        ///
        ///     func load(_ client: Client) {
        ///         subscription = client.publisher(for: .get("books", as: [Book].self))
        ///             .map { books in books.map(\.title) }
        ///             .handleFailures()
        ///             .receiveOnMainActor()
        ///             .sink { titles in self.titles = titles }
        ///     }
        /// }
        /// ```
        /// The same as `receive(on: ClockScheduler())`.
        public func receiveOnMainActor() -> Publishers.ReceiveOn<Self, ClockScheduler> {
            receive(on: ClockScheduler())
        }
    }

    // Combine's take any closure. One that is written in code of the main actor then belongs to it, and the program stops
    // when the call calls it from elsewhere; one that is `@Sendable` belongs nowhere.
    extension CallPublisher {
        /// Transforms the content, wherever the call runs.
        public func map<Other>(_ transform: @escaping @Sendable (Output) -> Other) -> Publishers.Map<Self, Other> {
            Publishers.Map(upstream: self, transform: transform)
        }

        /// Transforms the content wherever the call runs, and leaves nil out.
        public func compactMap<Other>(
            _ transform: @escaping @Sendable (Output) -> Other?
        ) -> Publishers.CompactMap<Self, Other> {
            Publishers.CompactMap(upstream: self, transform: transform)
        }

        /// Goes on with another publisher, such as that of a second call, which is made wherever the call runs.
        public func flatMap<Next: Publisher>(
            maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> Next
        ) -> Publishers.FlatMap<Next, Self> where Next.Failure == Failure {
            Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
        }

        /// Goes on with a publisher that never fails, such as that of `asResult()`, which is made wherever the call runs.
        public func flatMap<Next: Publisher>(
            maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> Next
        ) -> Publishers.FlatMap<Publishers.SetFailureType<Next, Failure>, Self> where Next.Failure == Never {
            Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) {
                transform($0).setFailureType(to: Failure.self)
            }
        }
    }
#endif
