extension CallContext {
    /// Says what the attempt waits for from now on, for the words of a failure.
    package func hold(_ hold: Hold) {
        record.state.withLock { $0.attempts[$0.deciding(view)].hold = hold }
    }

    /// Says that the wait is over, unless it was cut off: then a time limit ended the call meanwhile, and the failure
    /// says what it was waiting for.
    package func endHold() {
        endHold(resuming: nil)
    }

    /// Same, and what the attempt had been waiting for before holds again.
    package func endHold(resuming hold: Hold?) {
        guard !Task.isCancelled else {
            return
        }
        record.state.withLock { $0.attempts[$0.deciding(view)].hold = hold }
    }

    /// What the attempt waits for, or was waiting for when a time limit cut it off; nil for nothing.
    package var currentHold: Hold? {
        record.state.withLock { $0.attempts[$0.deciding(view)].hold }
    }

    /// Adds a line about a fallback that did not answer to the report of a failure.
    package func noteFallback(_ text: String) {
        remark("fallback", text)
    }

    /// Adds a line to the report of a failure, at most ten, and to the trace.
    package func remark(_ label: String, _ text: String) {
        note(label, text)
        record.state.withLock { state in
            if state.remarks.count < 10 {
                state.remarks.append((label, text))
            }
        }
    }
}
