#if canImport(Combine) || OpenCombine
    public import BackstopCore

    extension Publisher where Failure == BackstopCore.Failure, Output: Sendable {
        /// Subscribes again after a transient failure, after the policy's wait.
        ///
        /// The policy decides as in the interceptor `Retry`: how often, after what wait, at least as long as
        /// `Retry-After` says, and never when a call must not be repeated: a POST without an idempotency key, or a body
        /// that can be read only once. It repeats everything upstream, so put it directly below the publisher of the
        /// call. If the client's chain already retries, the attempts multiply.
        ///
        /// ```swift
        /// import BackstopCombine
        ///
        /// nonisolated struct Book: Decodable, Sendable { var id: Int; var title: String }
        /// func books(_ client: Client) throws -> AnyPublisher<[Book], Failure> {
        ///     client.publisher(for: .get("books", as: [Book].self))
        ///         .retry(try RetryPolicy(attempts: 5))
        ///         .eraseToAnyPublisher()
        /// }
        /// ```
        /// - Parameters:
        ///   - policy: When and how often; `attempts` includes the first subscription.
        ///   - clock: The clock for waits; nil for that of the client whose call failed.
        ///   - random: The source of jitter; nil for the client's.
        /// - Returns: A publisher that fails with the last failure.
        public func retry(
            _ policy: RetryPolicy, clock: (any CallClock)? = nil, random: (any RandomSource)? = nil
        ) -> AnyPublisher<Output, Failure> {
            Resubscribing<Output, Failure>(upstream: eraseToAnyPublisher()) { call in
                let clock = clock ?? call.origin?.clock ?? SystemClock()
                let wait = policy.wait(
                    after: call.failure, failed: call.count, keepsKey: call.keys.holds, clock: clock,
                    random: random ?? call.origin?.random ?? SystemRandom())
                guard let wait else {
                    return .failure(call.failure)
                }
                let slept: Void? = try? await clock.sleep(for: wait)
                guard !Task.isCancelled else {
                    await call.handling?.observe(call.failure, .cancelled)
                    return .finished
                }
                guard slept != nil else {
                    return .failure(call.failure)
                }
                await call.handling?.observe(call.failure, .retried(by: "retry"))
                return .again
            }
            .eraseToAnyPublisher()
        }
    }
#endif
