public import Backstop

extension Policy {
    /// Runs an operation again and again, until its value says that it is done: an export, a payment, a machine that
    /// starts.
    ///
    /// Each poll is a run of its own, with the attempts of `Retry` if the policy has one. A transient failure of a run, or
    /// a `Deadline` of the policy that it reaches, is no end: the next poll may succeed. Any other failure is.
    ///
    /// ```swift
    /// struct Job: Sendable {
    ///     var isPending: Bool
    /// }
    /// func finished(_ policy: Policy, _ load: @escaping @Sendable () async throws -> Job) async throws(Failure) -> Job {
    ///     try await policy.poll("export", every: .seconds(2), upTo: .seconds(300)) {
    ///         $0.isPending
    ///     } operation: {
    ///         try await load()
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - name: The name in logs, traces and reports. Default: that of the options.
    ///   - destination: Where the operation goes, if the policy is for several places. Default: one place.
    ///   - interval: How long to wait between the end of a poll and the next, from 1 ms to a day. After a failure with a
    ///     `Failure.retryAfter`, at least that.
    ///   - growth: How the waits grow, up to a tenth of `limit`; not `.decorrelated`. Default: not at all.
    ///   - limit: How long all of it may take, the last poll included; more than 0.
    ///   - isPending: Whether a value is not the last.
    ///   - operation: The work. It must be idempotent: it is repeated. It never runs on the caller's actor.
    /// - Returns: The first value that is not pending.
    /// - Throws: The failure. When the time is over: the last one, or `.timeout` with `.deadline` if the last value was
    ///   pending. `ConfigurationError`, as `Failure.underlying`, for an interval, growth or limit out of its range.
    @concurrent
    public func poll<Value: Sendable>(
        _ name: String = "", to destination: String = "", every interval: Duration,
        growth: Backoff.Growth = .constant, upTo limit: Duration, while isPending: @Sendable (Value) -> Bool,
        operation: @escaping @Sendable () async throws -> Value
    ) async throws(Failure) -> Value {
        let name = name.isEmpty ? options.name : name
        do throws(Failure) {
            try Self.check(interval, growth, limit, name)
            let longest = max(interval, limit / 10)
            let end = options.clock.now.adding(limit)
            let request = request(name, destination, isIdempotent: true) { _ in try await operation() }
            var polls = 0
            var last: Failure?
            while true {
                polls += 1
                do throws(Failure) {
                    let value = try await poll(request, until: end, limit) as Value
                    guard isPending(value) else {
                        return value
                    }
                    last = nil
                } catch {
                    // A limit of the policy's own is no end either.
                    let isDeadline = error.code == "timeout.deadline"
                    guard error.isTransient || isDeadline else {
                        throw error
                    }
                    last = isDeadline && options.clock.now >= end ? last ?? error : error
                }
                let wait = max(
                    interval.scaled(by: growth.multiple(at: polls), limit: longest), last?.retryAfter ?? .zero)
                guard options.clock.now.adding(wait) < end else {
                    throw last
                        ?? Failure(
                            TimeoutError(.polls, after: limit), request: request,
                            stopReason: .custom(
                                "the \(polls == 1 ? "only poll" : "last of \(polls) polls") was pending"), name: name)
                }
                do {
                    try await options.clock.sleep(for: wait)
                } catch {
                    throw Failure(error, request: request, stopReason: .cancelled, name: name)
                }
            }
        } catch {
            await handling.observeThrown(error)
            throw error
        }
    }

    /// One poll, which ends at the end of all, whatever the policy has.
    private func poll<Value: Sendable>(
        _ request: Operation, until end: Duration, _ limit: Duration
    ) async throws(Failure) -> Value {
        let rest = end.subtracting(options.clock.now)
        let policy = withOptions { $0.deadline = min($0.deadline ?? rest, rest) }
        do {
            return try await withTimeLimit(
                rest, clock: options.clock, throwing: TimeoutError(.deadline, after: limit)
            ) {
                try await policy.runUnobserved(request)
            }
        } catch let failure as Failure {
            throw failure
        } catch let error as TimeoutError {
            throw Failure(
                error, request: request, stopReason: .custom("the time of all polls is over"), name: request.name)
        } catch {
            throw Failure(error, request: request, stopReason: .cancelled, name: request.name)
        }
    }

    private static func check(
        _ interval: Duration, _ growth: Backoff.Growth, _ limit: Duration, _ name: String
    ) throws(Failure) {
        func refuse(_ setting: String, _ problem: String, _ fix: String) -> Failure {
            Failure(ConfigurationError(setting: "Policy.poll.\(setting)", problem: problem, fix: fix), name: name)
        }
        guard limit > .zero else {
            throw refuse(
                "upTo", "must be more than 0, but is \(limit.text)",
                "Set how long all polls may take, for example .seconds(300)")
        }
        guard interval >= .milliseconds(1), interval <= .seconds(86_400) else {
            throw refuse(
                "every", "must be from 1 ms to a day, but is \(interval.text)",
                "Set how long to wait between two polls, for example .seconds(2)")
        }
        if let problem = growth.problemWithoutJitter {
            throw refuse("growth", problem, "Set how the waits grow, for example .exponential")
        }
    }
}
