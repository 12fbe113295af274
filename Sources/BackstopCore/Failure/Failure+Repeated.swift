extension Failure {
    /// The failure of a call that was made several times, each time through its whole chain.
    ///
    /// - Parameters:
    ///   - attempts: The attempts of all calls.
    ///   - stopReason: Why the call was not made again.
    package func repeated(_ attempts: [Attempt], stopped stopReason: StopReason) -> Failure {
        copy(attempts: attempts, stopReason: stopReason, values: values)
    }

    /// The same failure with other values of the call.
    package func replacing(_ values: CallValues) -> Failure {
        copy(attempts: attempts, stopReason: stopReason, values: values)
    }

    private func copy(attempts: [Attempt], stopReason: StopReason, values: CallValues) -> Failure {
        Failure(
            reason: reason, underlying: underlying, attempts: attempts, stopReason: stopReason, values: values,
            name: name, id: id, askedRequest: askedRequest, sentRequests: sentRequests, repeatSafety: repeatSafety,
            receivedResponse: receivedResponse, progress: progress, end: end, trace: trace,
            redaction: redaction, secrets: secrets, date: date)
    }
}

extension [Attempt] {
    /// These and those of the same call, made again.
    ///
    /// - Parameters:
    ///   - later: The attempts of the call that followed.
    ///   - wait: How long was waited before it.
    ///   - reason: The reason for the wait.
    package func followed(by later: [Attempt], after wait: Duration, because reason: String) -> [Attempt] {
        guard !isEmpty else {
            return later
        }
        let begin = (map { $0.start + $0.duration }.max() ?? .zero) + wait
        return self
            + later.enumerated().map { position, attempt in
                Attempt(
                    number: count + position + 1, start: begin + attempt.start, duration: attempt.duration,
                    wait: position == 0 ? wait : attempt.wait, waitReason: position == 0 ? reason : attempt.waitReason,
                    result: attempt.result)
            }
    }
}
