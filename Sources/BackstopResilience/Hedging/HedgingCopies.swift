internal import Backstop

/// One of the requests that run at the same time.
struct HedgingCopy: Sendable {
    /// From 1.
    let number: Int
    let context: CallContext
    let start: Duration
}

/// The requests that run at the same time, and what came of those that have ended.
struct HedgingCopies {
    let context: CallContext
    let first: HedgingCopy
    /// Those that have not ended, and the one that was answered.
    private(set) var running: [HedgingCopy]
    private(set) var count = 1
    /// Whether one has succeeded, or got an answer that stays, such as 404.
    private(set) var isAnswered = false
    /// Whether no copy has been due.
    var isQuick = true
    /// How many copies, the first request aside, were refused before they sent anything.
    private var refused = 0
    /// Why the first request was refused before it sent anything; nil when it was not.
    private var firstRefusal: (any Error)?
    /// The last that failed, with its error; not a copy that was refused because of another one.
    private(set) var failed: (copy: HedgingCopy, error: any Error)?

    init(_ context: CallContext) {
        self.context = context
        first = HedgingCopy(number: 1, context: context.firstAttempt(), start: context.clock.now)
        running = [first]
    }

    /// How many copies, the first request aside, sent nothing. To be asked when nothing starts any more.
    var unsent: Int {
        refused + running.count { $0.number > 1 && $0.context.sentRequests.isEmpty }
    }

    /// Why the next copy is due: which one is late. One that was refused unsent is not.
    func lateness(_ delay: Duration) -> String {
        let late = running.last ?? first
        return "attempt \(late.context.attempt) took \((delay * (count + 1 - late.number)).text)"
    }

    /// Why the next copy is due after a failure.
    func failure(of number: Int) -> String {
        "attempt \((running.first { $0.number == number } ?? first).context.attempt) failed"
    }

    /// How long a copy that is due has to wait, because one that runs is held up or was until lately; nil for not at all.
    func rest(of delay: Duration) -> Duration? {
        let holds = running.map(\.context.holding)
        guard !holds.contains(where: \.isHeld) else {
            return max(delay, .milliseconds(50))
        }
        let rest = holds.compactMap(\.end).max().map { $0.adding(delay) - context.clock.now } ?? .zero
        return rest > .zero ? rest : nil
    }

    mutating func add(repeatsUnsafe: Bool) -> HedgingCopy {
        count += 1
        let parallel = context.parallelAttempt(because: "hedging", repeatsUnsafe: repeatsUnsafe)
        let copy = HedgingCopy(number: count, context: parallel, start: context.clock.now)
        running.append(copy)
        return copy
    }

    /// Takes the response of another host, which does not know the caller: only a success that it gives itself. For
    /// caches and observers it is the answer of a fallback.
    func accept(_ response: Any, of number: Int, from host: String, after delay: Duration) throws {
        let status = (response as? any CallResponse)?.statusCode ?? 200
        guard (200..<300).contains(status) else {
            throw StatusError(status)
        }
        guard running.first(where: { $0.number == number })?.context.redirection == nil else {
            throw TransportError(.redirectRefused)
        }
        let cause = failed?.error ?? TimeoutError(.attempt, after: delay)
        let reason = Failure.Reason(classifying: cause, isCancelled: false)
        context.withValues { $0.fallback = FallbackRecord(name: host, reason: reason) }
    }

    mutating func win(_ number: Int) {
        isAnswered = true
        for copy in running {
            if copy.number != number {
                copy.context.cancelAttempt()
            } else if count > 1 {
                copy.context.note("hedging", "won")
                context.decide(by: copy.context)
            }
        }
    }

    /// Records a failure.
    ///
    /// - Parameter elsewhere: Whether copies go to another host, which never decides against the first.
    /// - Returns: The error that ends the race; nil when another copy may still succeed.
    mutating func fail(
        _ number: Int, _ error: any Error, asking request: any CallRequest, elsewhere: Bool
    ) -> (any Error)? {
        guard let index = running.firstIndex(where: { $0.number == number }) else {
            return nil
        }
        let copy = running.remove(at: index)
        let candidate = copy.context.candidate(failing: error, asking: request)
        copy.context.closeAttempt(failing: error)
        // What was refused before it was sent says nothing about the call, be it a copy or, after one, the first request.
        let isUnsent = copy.context.sentRequests.isEmpty
        let isRefusal = isUnsent && (number > 1 || !copy.context.isUnsent) || elsewhere && number > 1
        // The server refuses a change because another copy has made it, or is making it: 409 while that runs, 404, 410
        // and 412 after it.
        let isEcho = !candidate.isReadOnly && [404, 409, 410, 412].contains(candidate.statusCode ?? 0)
        let mayBeMade = isEcho && running.contains { !$0.context.sentRequests.isEmpty }
        if !isRefusal {
            failed = isEcho && number > 1 && failed != nil ? failed : (copy, error)
        } else if number == 1 {
            firstRefusal = error
        } else {
            refused += isUnsent ? 1 : 0
        }
        guard running.isEmpty || !candidate.isTransient && !isRefusal && !mayBeMade else {
            return nil
        }
        // With nothing running, the first request has ended too: it failed or was refused.
        let failed = failed ?? (first, firstRefusal ?? error)
        for copy in running {
            copy.context.cancelAttempt()
        }
        if count > 1 {
            context.decide(by: failed.copy.context)
        }
        if candidate.isAnswer, !isRefusal {
            isAnswered = true
            running.append(copy)
        }
        return failed.error
    }
}

extension RetryCandidate {
    /// Whether the service has answered, and would answer the same again, such as 404.
    var isAnswer: Bool { receivedResponse != nil && !isTransient }
}
