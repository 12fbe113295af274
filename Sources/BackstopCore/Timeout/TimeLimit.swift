/// Runs an operation for a limited time; the result, the limit or cancellation decides, whichever comes first.
///
/// The operation runs in a task of its own, which is cancelled if it loses. Nothing waits for it, so an operation that
/// ignores cancellation, or blocks its thread before its first suspension, cannot hold up the call. If the race is over
/// before the operation starts, it never does.
///
/// - Parameter intake: Ends the limit once the head of a stream is accepted; nil for a limit that holds to the end. If what
///   was accepted turns out to be no stream, what was left of the limit goes on.
package func withTimeLimit<Value: Sendable>(
    _ limit: Duration, clock: any CallClock, throwing timeout: TimeoutError, untilOpen intake: (any CallIntake)? = nil,
    operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    guard limit > .zero else {
        throw timeout
    }
    let race = OneShot<Value, (timer: LimitTimer?, operation: Task<Void, Never>?)>((nil, nil))
    let finish: @Sendable (Result<Value, any Error>) -> Void = { result in
        let end = race.end(with: result) { exchange(&$0, with: (nil, nil)) }
        end?.rest.timer?.cancel()
        end?.rest.operation?.cancel()
        end?.resume()
    }
    var opening: UInt64?
    defer {
        if let opening {
            intake?.forget(opening)
        }
    }
    return try await race.value {
        @Sendable func begin(_ rest: Duration) {
            let timer = LimitTimer(after: rest, clock: clock) {
                if intake?.isOpen != true {
                    finish(.failure(timeout))
                }
            }
            if race.update({ $0.timer = timer }) == nil {
                timer.cancel()
            }
        }
        begin(limit)
        if let intake {
            // What is left of the limit, and since when it runs out.
            let left = Lock((rest: limit, since: clock.now))
            opening = intake.whenOpen {
                race.update { $0.timer.take() }??.cancel()
                let now = clock.now
                left.withLock { $0.rest = max(.zero, $0.rest.subtracting(now.subtracting($0.since))) }
            } undo: {
                let now = clock.now
                begin(
                    left.withLock {
                        $0.since = now
                        return $0.rest
                    })
            }
        }
        // Not on the spot (`Task.immediate`), which would spare a change of threads: an operation that blocks before it
        // first suspends would hold up the caller beyond every limit.
        race.update { state in
            state.operation = Task {
                // The race may have ended before this task had its turn.
                guard !race.isOver else {
                    return
                }
                do {
                    finish(.success(try await operation()))
                } catch {
                    finish(.failure(error))
                }
            }
        }
    } onCancel: {
        finish(.failure(CancellationError()))
    }
}

/// Runs what a call has to do until its deadline.
///
/// Apart, because a call without a deadline needs none of its memory while it waits.
///
/// - Parameters:
///   - limit: How long it may take from now on; nil for the call's own deadline alone.
///   - operation: Runs in the context that it is given.
@inline(never)
func withDeadline<Value: Sendable>(
    _ limit: Duration?, of context: CallContext, operation: @escaping @Sendable (CallContext) async throws -> Value
) async throws -> Value {
    let now = context.clock.now
    var inner = context
    if let limit {
        inner = inner.withDeadline(now.adding(limit), untilOpen: context.callIntake)
    }
    guard let end = inner.deadline else {
        return try await operation(context)
    }
    let enforced = CallContext(inner, isDeadlineEnforced: true)
    let rest = end.subtracting(now)
    let timeout = TimeoutError(.deadline, after: end.subtracting(context.record.start))
    do {
        if let whole = context.deadline, whole > end, let intake = context.callIntake {
            return try await withTimeLimits(rest, timeout, whole.subtracting(now), context, untilOpen: intake) {
                try await operation(enforced)
            }
        }
        // The limit of a stream holds until its head is accepted, and the call's own deadline to its end.
        return try await withTimeLimit(
            rest, clock: context.clock, throwing: timeout, untilOpen: context.deadline == nil ? context.callIntake : nil
        ) { try await operation(enforced) }
    } catch let error as TimeoutError where error.kind == .deadline {
        context.stopAtDeadline()
        throw error
    }
}

/// Limits a stream until its head is accepted, and to its end. Apart, because plain calls need none of its memory.
@inline(never)
private func withTimeLimits<Value: Sendable>(
    _ rest: Duration, _ timeout: TimeoutError, _ whole: Duration, _ context: CallContext,
    untilOpen intake: any CallIntake, operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let clock = context.clock
    return try await withTimeLimit(
        whole, clock: clock, throwing: TimeoutError(.deadline, after: whole.adding(context.elapsed))
    ) {
        try await withTimeLimit(rest, clock: clock, throwing: timeout, untilOpen: intake, operation: operation)
    }
}

/// An action that runs after a time, unless it is cancelled.
package enum LimitTimer: Sendable {
    case scheduled(LimitScheduler.Ticket)
    case other(cancel: @Sendable () -> Void)

    /// - Parameter action: Must be short: it may run on the task shared by all limits.
    package init(after duration: Duration, clock: any CallClock, action: @escaping @Sendable () -> Void) {
        self = .repeating(after: duration, clock: clock) {
            action()
            return nil
        }
    }

    /// The system's clock has one scheduler for all limits; a test clock runs it itself, and for any other, a task waits.
    ///
    /// - Parameter action: Must be short, too; it returns after how long it is to run again, nil for never.
    package static func repeating(
        after duration: Duration, clock: any CallClock, action: @escaping @Sendable () -> Duration?
    ) -> LimitTimer {
        guard !(clock is SystemClock) else {
            return .scheduled(LimitScheduler.shared.schedule(after: duration, action: action))
        }
        // A task may begin late, and a test clock have moved by then.
        let first = clock.now.adding(duration)
        if let clock = clock as? any SettableClock {
            return clock.atLimit(first, run: action)
        }
        return task(until: first, on: clock, run: action) { end in
            try await clock.waitForLimit(max(.zero, end.subtracting(clock.now)))
        }
    }

    /// A task that waits for each moment of an action.
    package static func task(
        until first: Duration, on clock: any CallClock, run action: @escaping @Sendable () -> Duration?,
        waiting wait: @escaping @Sendable (_ end: Duration) async throws -> Void
    ) -> LimitTimer {
        let task = Task {
            var end = first
            repeat {
                try await wait(end)
                guard let rest = action() else {
                    return
                }
                end = clock.now.adding(rest)
            } while true
        }
        return .other { task.cancel() }
    }

    /// Cancels the action, unless it is already running.
    package func cancel() {
        switch self {
        case .scheduled(let ticket): LimitScheduler.shared.cancel(ticket)
        case .other(let cancel): cancel()
        }
    }
}

/// A test clock, which may move while the length of a wait is worked out.
package protocol SettableClock: CallClock {
    /// Runs the action of a time limit at a moment of the clock; it returns after how long it is to run again, nil for
    /// never.
    func atLimit(_ end: Duration, run action: @escaping @Sendable () -> Duration?) -> LimitTimer
    /// Sleeps until a moment of the clock.
    func sleepExactly(until end: Duration) async throws
}

extension CallClock {
    /// Sleeps until a moment of the clock, for a task that may begin when the clock has moved already.
    package func sleep(until end: Duration) async throws {
        if let clock = self as? any SettableClock {
            try await clock.sleepExactly(until: end)
        } else {
            try await sleep(for: max(.zero, end.subtracting(now)))
        }
    }
}
