#if canImport(Combine) || OpenCombine
    internal import BackstopCore

    extension Publisher {
        /// Publishes values and the failure as results, so that a pipeline survives an error.
        ///
        /// Apply it to the publisher of a call, inside `flatMap` or before `switchToLatest`: a failure then ends only
        /// that call, and the pipeline of key strokes around it continues.
        ///
        /// ```swift
        /// import BackstopCombine
        ///
        /// nonisolated struct Availability: Decodable, Sendable { var isAvailable: Bool }
        /// func checks(
        ///     of names: AnyPublisher<String, Never>, with client: Client
        /// ) -> AnyPublisher<Result<Availability, Failure>, Never> {
        ///     names
        ///         .map { @Sendable name in
        ///             client.publisher(for: .get("isUserNameAvailable", query: ["userName": name], as: Availability.self))
        ///                 .asResult()
        ///         }
        ///         .switchToLatest()
        ///         .eraseToAnyPublisher()
        /// }
        /// ```
        /// - Returns: A publisher that never fails: each value as `.success`, and a failure as `.failure` before the end.
        public func asResult() -> AnyPublisher<Result<Output, Failure>, Never> {
            map { Result.success($0) }
                .catch { failure in
                    // No handler sees it any more.
                    if let failure = failure as? BackstopCore.Failure, let origin = failure.values[CallOrigin.Key.self],
                        origin.claim()
                    {
                        Task { await origin.observeThrown(failure) }
                    }
                    return Just(Result<Output, Failure>.failure(failure))
                }
                .eraseToAnyPublisher()
        }
    }
#endif
