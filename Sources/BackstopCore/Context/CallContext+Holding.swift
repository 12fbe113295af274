extension CallContext {
    /// Says what the attempt waits for from now on, for the words of a failure.
    package func hold(_ hold: Hold) {
        withAttempt { $0.exchange.hold = hold }
    }

    /// Says that the wait is over, and what the attempt had been waiting for before holds again; unless it was cut off:
    /// then a time limit ended the call meanwhile, and the failure says what it was waiting for.
    package func endHold(resuming hold: Hold? = nil) {
        guard !Task.isCancelled else {
            return
        }
        let now = elapsed
        withAttempt { attempt in
            attempt.exchange.hold = hold
            attempt.heldUntil = now
        }
    }

    /// Whether an interceptor holds the attempt up, and since when it goes on where one has; nil where none has.
    package var holding: (isHeld: Bool, end: Duration?) {
        withAttempt { ($0.exchange.hold != nil, $0.heldUntil.map(record.start.adding)) }
    }

    /// What the attempt waits for, or was waiting for when a time limit cut it off; nil for nothing.
    package var currentHold: Hold? {
        withAttempt { $0.exchange.hold }
    }

    /// Adds a line to the report of a failure, at most ten and none twice, and to the trace.
    package func remark(_ label: String, _ text: String) {
        note(label, text)
        record.state.withLock { state in
            if state.remarks.count < 10, !state.remarks.contains(where: { $0 == (label, text) }) {
                state.remarks.append((label, text))
            }
        }
    }
}
