#if canImport(Combine) || OpenCombine
    public import BackstopCore

    extension Publisher where Failure == BackstopCore.Failure, Output: Sendable {
        /// Subscribes again after a transient failure, after the policy's wait.
        ///
        /// The policy decides as in the interceptor `Retry`: how often, after what wait, at least as long as
        /// `Retry-After` says, within the deadline of the first call, and never when a call must not be repeated: a POST
        /// without an idempotency key, or a body that can be read only once. The last failure has the attempts of all
        /// calls, and says why there was no further one. There is no budget out here, and nobody knows of the answers to
        /// other calls: with `.onceIfAnswered`, no timeout after the request was sent is repeated.
        ///
        /// It repeats everything upstream, so put it directly below the publisher of the call. If another call there
        /// must not be repeated, such as a POST that succeeded, nothing is, as far as the operator subscribed to it
        /// itself: it knows nothing of calls above `subscribe(on:)`, or of those that a value of another publisher
        /// started. An order that comes back with another idempotency key, from an endpoint that a `Deferred` makes anew,
        /// is refused. If the client's chain already retries, the attempts multiply: use a client with `retry: .never`.
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
            Resubscribing<Output, Failure>(upstream: eraseToAnyPublisher(), isAutomatic: true) { call in
                let clock = clock ?? call.origin?.clock ?? SystemClock()
                let wait: Duration
                let why: String
                switch call.pause(policy, clock: clock, random: random ?? call.origin?.random ?? SystemRandom()) {
                case .wait(let pause, let reason): (wait, why) = (pause.chosen, reason)
                case .stop(let reason): return .failure(call.last(stopped: reason, by: policy))
                }
                let slept: Void? = try? await clock.sleep(for: wait)
                guard !Task.isCancelled else {
                    await call.handling?.observe(call.failure, .cancelled)
                    return .finished
                }
                guard slept != nil else {
                    return .failure(call.last(stopped: .cancelled, by: policy))
                }
                await call.handling?.observe(call.failure, .retried(by: "retry"))
                return .again(after: wait, because: why)
            }
            .eraseToAnyPublisher()
        }

        /// Subscribes again at once after any failure, whatever it is, and sends a POST again with another key.
        @available(
            *, deprecated,
            message: "it repeats every call at once, even a POST; use retry(_:) with a RetryPolicy: .retry(.standard)"
        )
        public func retry(_ retries: Int) -> Publishers.Retry<Self> {
            Publishers.Retry(upstream: self, retries: retries)
        }
    }

    extension FailedCall {
        /// What follows, as the policy says, within the time of the first call.
        fileprivate func pause(
            _ policy: RetryPolicy, clock: any CallClock, random: any RandomSource
        ) -> RetryPolicy.Pause {
            // Whoever has the first elements of a stream would get them again.
            guard (failure.transfer?.elements ?? 0) == 0 else {
                return .stop(.begun)
            }
            let pause = policy.pause(
                after: failure, failed: count, attempts: attempts, keepsKey: keys.holds, clock: clock,
                random: random)
            guard case .wait(let wait, _) = pause else {
                return pause
            }
            guard keys.allowRepeating else {
                return .stop(.notIdempotentBeside)
            }
            if let deadline, let own = origin?.clock, own.now.adding(wait.chosen) >= deadline {
                return .stop(.deadline(wait: wait.chosen))
            }
            return pause
        }

        /// The failure with the attempts of all calls. A policy of one attempt has nothing to add to it.
        fileprivate func last(stopped reason: StopReason, by policy: RetryPolicy) -> BackstopCore.Failure {
            policy.attempts == 1 || failure.isCancelled ? failure : failure.repeated(attempts, stopped: reason)
        }
    }
#endif
