extension Failure {
    /// The failure of a call that was made several times, each time through its whole chain.
    ///
    /// - Parameters:
    ///   - attempts: The attempts of all calls.
    ///   - stopReason: Why the call was not made again.
    package func repeated(_ attempts: [Attempt], stopped stopReason: StopReason) -> Failure {
        Failure(changed(parts) { ($0.attempts, $0.stopReason) = (attempts, stopReason) })
    }

    /// The same failure with another report of what a stream or a transfer had got.
    package func replacing(_ transfer: TransferReport) -> Failure {
        Failure(changed(parts) { $0.transfer = transfer })
    }

    /// The same failure, if a limit has ended the call, with the limit that was the caller's: the call had the rest.
    package func replacing(_ kind: TimeoutError.Kind, of rest: Duration, with limit: Duration) -> Failure {
        // Clocks go on between two looks at them.
        let around = rest.subtracting(.milliseconds(100))...rest.adding(.milliseconds(100))
        guard case .timeout(let error) = reason, error.kind == kind, let duration = error.duration,
            around.contains(duration), rest != limit
        else {
            return self
        }
        return Failure(changed(parts) { $0.reason = .timeout(TimeoutError(kind, after: limit)) })
    }

    /// The same failure with another reason: what its error means.
    ///
    /// - Parameter meant: The error under the one thrown that has this meaning. Default: nil, it is that itself.
    package func replacing(_ reason: Reason, of meant: (any Error)? = nil) -> Failure {
        var parts = parts
        parts.reason = reason
        parts.end.meant = meant
        parts.trace.outcome = reason.code
        return Failure(parts)
    }

    /// The same failure with other values of the call.
    package func replacing(_ values: CallValues) -> Failure {
        Failure(changed(parts) { $0.values = values })
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
