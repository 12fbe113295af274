#if canImport(Combine) || OpenCombine
    public import BackstopCore

    extension Publisher where Failure == BackstopCore.Failure, Output: Sendable {
        /// Passes a failure to handlers and then ends: to these first, then to those of the client's scopes, then to
        /// the registered defaults, as `client.perform` does.
        ///
        /// The pipeline ends after a handled failure, and after an unhandled one, whose report is logged. The verdict
        /// `.retry` subscribes again after its pause, so put this operator below everything to repeat, and nothing else:
        /// a call that succeeded upstream is made again as well.
        ///
        /// A repeated order keeps the idempotency key of its first request. Where a scheduler (`subscribe(on:)`, `delay`)
        /// or another call stands between this operator and the subscription to the order, that cannot be known, and
        /// `.retry` is not possible: `FailureHandling.canRetry` is false. A request may be repeated
        /// `maximumHandlerRetries` times in a row; its success starts the count anew. An endpoint that is made inside the
        /// pipeline and stores a new key of its own is another order.
        ///
        /// ```swift
        /// import BackstopCombine
        ///
        /// nonisolated struct Book: Decodable, Sendable { var id: Int; var title: String }
        /// func show(_ client: Client) -> AnyCancellable {
        ///     client.publisher(for: .get("books", as: [Book].self))
        ///         .handleFailures {
        ///             On(status: 404) { _ in print("There are no books.") }
        ///             On(.offline) { _ in .retry(after: .seconds(5)) }
        ///         }
        ///         .receiveOnMainActor()
        ///         .sink { books in print(books.map(\.title)) }
        /// }
        /// ```
        /// - Parameter handlers: The handlers of this pipeline, asked in order. Default: none.
        /// - Returns: A publisher that never fails.
        public func handleFailures(
            @HandlerBuilder handlers: () -> [any FailureHandler] = { [] }
        ) -> AnyPublisher<Output, Never> {
            settled(by: handlers().map { .init($0) })
        }

        /// Same, with one handler, which may return a value instead: `.value([])`.
        ///
        /// ```swift
        /// import BackstopCombine
        ///
        /// nonisolated struct Book: Decodable, Sendable { var id: Int; var title: String }
        /// func books(_ client: Client) -> AnyPublisher<[Book], Never> {
        ///     client.publisher(for: .get("books", as: [Book].self))
        ///         .handleFailures(handle: { failure in failure.statusCode == 404 ? .value([]) : .unhandled })
        /// }
        /// ```
        public func handleFailures(
            handle: @escaping @Sendable (Failure) async -> Resolution<Output>
        ) -> AnyPublisher<Output, Never> {
            settled(by: [.init("pipeline", resolve: handle)])
        }

        /// Passes a failure to a presenter, then to scopes and defaults, and ends.
        ///
        /// A presenter is a handler that shows failures to people; when a person taps "Try again", it returns `.retry`,
        /// and the pipeline subscribes again.
        ///
        /// ```swift
        /// import BackstopCombine
        ///
        /// nonisolated struct Book: Decodable, Sendable { var id: Int; var title: String }
        /// func show(_ client: Client, on presenter: some FailureHandler) -> AnyCancellable {
        ///     client.publisher(for: .get("books", as: [Book].self))
        ///         .presentFailures(on: presenter)
        ///         .receiveOnMainActor()
        ///         .sink { books in print(books.map(\.title)) }
        /// }
        /// ```
        /// - Returns: A publisher that never fails.
        public func presentFailures(on presenter: some FailureHandler) -> AnyPublisher<Output, Never> {
            settled(by: [.init(presenter)])
        }

        private func settled(by own: [FailureHandling.OwnHandler<Output>]) -> AnyPublisher<Output, Never> {
            // Those of a test; the thread on which the pipeline goes on may know nothing of them.
            let defaults = DefaultHandlers.replacing
            return Resubscribing<Output, Never>(upstream: eraseToAnyPublisher()) { call in
                let handling = call.handling ?? FailureHandling()
                let clock = call.origin?.clock ?? SystemClock()
                let replacement = DefaultHandlers.replacing ?? defaults ?? call.origin?.defaults
                let (outcome, continuing) = await DefaultHandlers.withReplacement(replacement) {
                    await handling.settle(
                        call.failure, own: own, retries: call.repetitions, isRepeatable: call.keepsItsKey, clock: clock)
                }
                switch outcome {
                case nil: return .repeated(continuing: continuing)
                case .value(let value)?: return .value(value)
                case .handled?, .unhandled?, .cancelled?: return .finished
                }
            }
            .eraseToAnyPublisher()
        }
    }

    extension FailedCall {
        /// The handlers of the client, and its observers unless they are told elsewhere; nil for a failure without a
        /// client.
        var handling: FailureHandling? {
            var handling = origin?.handling
            if !isClaimed {
                handling?.observers = []
            }
            return handling
        }

        /// Whether the call would have the same idempotency key if it was made again; a new one would be a second order.
        fileprivate var keepsItsKey: Bool {
            (failure.repeatSafety.key ?? failure.originalRequest?.idempotencyKey).map(keys.holds) ?? true
        }
    }
#endif
