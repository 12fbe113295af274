extension CallContext {
    /// The attempt that decides, failed, for a policy to judge.
    ///
    /// - Parameter request: As it reached the interceptor that asks.
    package func candidate(failing error: any Error, asking request: any CallRequest) -> RetryCandidate {
        let now = elapsed
        let reason = Failure.Reason(classifying: error, isCancelled: false)
        var (records, position) = record.state.withLock { ($0.attempts, $0.deciding(view)) }
        records[position].close(at: now, .failed(code: Failure.Reason(classifying: error).code))
        return RetryCandidate(
            reason: reason, error: error, attempt: position + 1, attempts: records.map { $0.attempt(at: now) },
            sentRequest: sentRequest ?? request, receivedResponse: response(to: error, reason),
            isReadOnly: request.isReadOnly && repeatSafety.isReadOnly && (error as? Failure)?.isReadOnly ?? true,
            date: clock.date)
    }
}
