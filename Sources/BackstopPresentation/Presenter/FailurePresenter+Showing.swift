internal import BackstopCore

extension FailurePresenter {
    /// Shows a failure that no call waits for, part by part. What is about the input replaces what an earlier call of the
    /// name was told about it, and stays out of a form once a later one was accepted, or was told about its own: of what
    /// only reads, nobody needs it then. A change that was refused is counted where the form says the same, and is an
    /// alert where it does not: whether the later one has replaced it, nobody knows.
    ///
    /// - Returns: Whether there was room for any of it.
    func tell(_ presentation: Presentation, _ failure: Failure) -> Bool {
        let isLate =
            presentation.kind == .inline
            && (queue.isOvertaken(failure) || seen.withLock { $0.isOvertaken(failure) })
        let parts = isLate && failure.onlyRead ? [] : parts(of: presentation, failure, isLate: isLate)
        let isShown =
            parts.isEmpty
            || parts.map { part in
                let isSaid = !isLate || queue.shows(part, after: failure)
                return show(isSaid ? part : asAlert(part), failure, waiter: nil)
            }.contains(true)
        if presentation.kind == .inline {
            end(queue.removeInlines(of: failure.name, before: failure.id))
        }
        return isShown
    }

    /// Shows a failure.
    ///
    /// - Returns: Whether there was room for it.
    func show(
        _ presentation: Presentation, _ failure: Failure, waiter: PresentationQueue.Waiter?
    ) -> Bool {
        guard presentation.kind != .ignore else {
            return true
        }
        let report = PresentationQueue.Report(
            presentation: placed(presentation), field: presentation.field, call: failure.name, callID: failure.id)
        return show(report, waiter: waiter)
    }

    func show(_ report: PresentationQueue.Report, waiter: PresentationQueue.Waiter?) -> Bool {
        guard let (_, decided) = queue.add(report, waiter: waiter, now: clock.now) else {
            return false
        }
        end(decided)
        return true
    }

    /// Wakes the calls that something became of, and shows what is left.
    ///
    /// - Parameter isAlone: Whether nobody chose what became of them. Default: false.
    func end(_ decided: PresentationQueue.Decided, isAlone: Bool = false) {
        for id in timers.keys where queue[id]?.end == nil {
            timers.removeValue(forKey: id)?.cancel()
        }
        for entry in queue.entries where entry.end != nil && timers[entry.id] == nil {
            startTimer(for: entry.id)
        }
        spoken = spoken.filter { queue[$0.key] != nil }
        let awaits = queue.awaitsSuccess
        seen.withLock { $0.awaitsSuccess = awaits }
        show(queue.state)
        watchForHosts()
        wake(decided, isAlone: isAlone)
    }

    func wake(_ decided: PresentationQueue.Decided, isAlone: Bool = false) {
        for (waiter, verdict) in decided {
            waiting.removeValue(forKey: waiter)?.resume(returning: (verdict, isAlone))
        }
    }

    /// Looks at the time of a presentation when something changes: each second of a countdown, and at the end. The timer
    /// does not keep the presenter.
    private func startTimer(for id: Int) {
        timers[id] = Task { [weak self, clock] in
            var now = clock.now
            while let pause = self?.nextPause(of: id, now: now) {
                guard (try? await clock.sleep(for: pause)) != nil else {
                    return
                }
                // At least what was slept, so that a clock that stands still does not keep the loop.
                now = max(clock.now, now.adding(pause))
                self?.look(at: id, now: now)
            }
        }
    }

    /// How long until something changes; nil when the presentation has gone.
    private func nextPause(of id: Int, now: Duration) -> Duration? {
        guard let entry = queue[id], let end = entry.end else {
            return nil
        }
        let remaining = end.subtracting(now)
        guard entry.presentation.countdown != nil, remaining > .seconds(1), remaining < .century else {
            return max(.zero, remaining)
        }
        let part = remaining - .seconds(remaining.components.seconds)
        return part > .zero ? part : .seconds(1)
    }

    private func look(at id: Int, now: Duration) {
        end(queue.look(at: id, now: now), isAlone: true)
    }
}
