public import BackstopCore

#if canImport(Combine)
    public import Combine
#endif

/// Shows failures to a person: as a handler, it decides with a ``PresentationPolicy`` how, keeps what is shown and what
/// waits, and gives the person's choice back to the calls.
///
/// Make one for the app, or one for each window, and register it:
///
/// ```swift
/// @MainActor func start() throws -> (Client, FailurePresenter) {
///     let presenter = FailurePresenter()
///     try DefaultHandlers.register { presenter }
///     let client = try Client.standard(baseURL: "https://shop.example.com/api")
///         .withOptions { $0.observers.append(presenter) }  // so that it learns that calls succeed again
///     return (client, presenter)
/// }
/// ```
/// **When a call waits.** A call waits for the person only where the choice decides what becomes of it: where "Try
/// again", an action of the app's own or a countdown is offered (``Presentation/decides``). Everything else is shown, and
/// counts as handled at once. A call that is cancelled while it waits takes its presentation along, and nothing is sent.
///
/// **Equal failures**, those of which a person would see the same and could do the same, are one presentation with a
/// count. "Try again" sends all calls again that wait for it.
///
/// **One at a time.** Alerts and full screens wait for the one before; banners and what stands at a field do not.
///
/// It is an `ObservableObject` where Combine exists; elsewhere follow ``states``.
@MainActor
public final class FailurePresenter {
    /// What is shown and what waits.
    public private(set) var state = PresenterState()
    /// How failures are presented.
    public let policy: PresentationPolicy
    /// Called when the person has chosen an action, before it is carried out: for the app's statistics, say. Default: nil.
    ///
    /// ```swift
    /// @MainActor func count(_ presenter: FailurePresenter) {
    ///     presenter.onChoice = { action, shown in print(action.name, shown.presentation.code) }
    /// }
    /// ```
    /// It is not called for what goes away by itself, or that the app takes away with ``dismiss(_:)``.
    public var onChoice: (@MainActor (PresentationAction, PresentedFailure) -> Void)?

    // All of it is isolated to the main actor, but for the flag, which has a lock of its own.
    private let clock: any CallClock
    private var queue: PresentationQueue
    /// The calls that wait, by their numbers. Taking one out is the only way to wake it, so it is woken once.
    private var waiting: [Int: CheckedContinuation<Verdict, Never>] = [:]
    private var lastWaiter = 0
    /// What counts down, or goes away by itself.
    private var timers: [Int: Task<Void, Never>] = [:]
    private var followers: [Int: AsyncStream<PresenterState>.Continuation] = [:]
    private var lastFollower = 0
    /// How many views show what stands at a field.
    private var fields: [String?: Int] = [:]
    /// What the network was seen to do, guarded by the lock, so that most calls that end cost nothing else.
    private let seen = Lock(Seen())

    /// What the network was seen to do.
    private struct Seen {
        /// Whether something goes away when a call succeeds.
        var awaitsSuccess = false
        /// How many calls have succeeded, and how many a server has answered.
        var successes: UInt64 = 0
        var answers: UInt64 = 0
    }

    #if canImport(Combine)
        /// Changes before each change of the state, and `objectWillChange` with it.
        @Published private var changes: UInt = 0
    #endif

    /// Makes a presenter.
    ///
    /// - Parameters:
    ///   - policy: How failures are presented. Default: the default rules, in the app's language.
    ///   - clock: The clock of countdowns, and of banners that go away by themselves.
    ///   - maximumModals: How many alerts and full screens there may be, the one that is shown included. One more is left
    ///     to the next handler, or to the log. Default: 20. Less than 1 counts as 1.
    ///   - maximumBanners: How many banners there may be. One more takes the place of the oldest that no call waits for;
    ///     where calls wait for all, it is left to the next handler, or to the log. Default: 3. Less than 1 counts as 1.
    public init(
        policy: PresentationPolicy = PresentationPolicy(), clock: any CallClock = SystemClock(),
        maximumModals: Int = 20, maximumBanners: Int = 3
    ) {
        self.policy = policy
        self.clock = clock
        func words(of code: TransportError.Code) -> FailureMessage {
            policy.words(policy.texts.message(of: Failure(TransportError(code))))
        }
        queue = PresentationQueue(
            limits: .init(modals: max(1, maximumModals), banners: max(1, maximumBanners)),
            offline: words(of: .offline), interrupted: words(of: .lost))
    }

    deinit {
        timers.values.forEach { $0.cancel() }
        followers.values.forEach { $0.finish() }
    }

    /// Shows a failure without a handler, as after `send`; nothing can be sent again.
    ///
    /// ```swift
    /// @MainActor func delete(_ book: Int, with client: Client, _ presenter: FailurePresenter) async {
    ///     do throws(Failure) {
    ///         try await client.delete(["books", "\(book)"])
    ///     } catch {
    ///         presenter.present(error)
    ///     }
    /// }
    /// ```
    /// - Returns: Whether it is shown, or need not be; false when too much waits already.
    @discardableResult
    public func present(_ failure: Failure) -> Bool {
        tell(policy.presentation(of: failure, canRetry: false), failure)
    }

    /// Shows a banner that goes away by itself, after a success: a toast.
    ///
    /// ```swift
    /// @MainActor func order(_ client: Client, _ presenter: FailurePresenter) async throws {
    ///     try await client.post("orders", json: ["book": 7])
    ///     presenter.presentSuccess("Your order is on its way.")
    /// }
    /// ```
    /// - Parameters:
    ///   - title: What has happened: at most 100 characters.
    ///   - text: More about it: at most 500 characters. Default: nothing.
    ///   - time: When it goes away, more than 0. Default: after ``PresentationStyle/bannerTime``.
    /// - Returns: Whether it is shown; false when calls wait for all banners.
    @discardableResult
    public func presentSuccess(
        _ title: String, text: String = "", lasting time: Duration = PresentationStyle.bannerTime
    ) -> Bool {
        let message = policy.words(FailureMessage(title: title, text: text, suggestion: nil))
        let presentation = Presentation(
            kind: .banner, code: Presentation.successCode, message: message,
            actions: [.dismiss.titled(policy.texts.text("action.close"))], lifetime: .lasting(time))
        return show(.init(presentation: presentation, field: nil, call: "", callID: 0), waiter: nil)
    }

    /// Carries out what the person chose. Whatever is no longer shown, or does not offer the action, is left as it is.
    public func choose(_ action: PresentationAction, for id: PresentedFailure.ID) {
        guard let entry = queue[id], let action = entry.presentation.actions.first(where: { $0 == action }) else {
            return
        }
        onChoice?(action, entry.shown)
        guard let work = action.work else {
            return end(queue.remove(id, action == .retry ? .retry : .handled))
        }
        queue.begin(id)
        end([])
        Task {
            let verdict = await work.perform()
            end(queue.finish(id, verdict))
        }
    }

    /// Takes a presentation away; its calls count as handled.
    public func dismiss(_ id: PresentedFailure.ID) {
        end(queue.remove(id, .handled))
    }

    /// Takes everything away, as when the person signs out; all calls that wait count as handled, also those for which an
    /// action is being carried out.
    ///
    /// What waits is the account's that was signed in: it must not be sent as the next one's.
    public func removeAll() {
        end(queue.removeAll())
    }

    /// Sends all calls again that wait for a presentation, where it offers that.
    public func retry(_ id: PresentedFailure.ID) {
        choose(.retry, for: id)
    }

    /// What is shown and what waits: at once, and after each change. A follower that is slow gets the latest.
    public var states: AsyncStream<PresenterState> {
        let (stream, source) = AsyncStream<PresenterState>.makeStream(bufferingPolicy: .bufferingNewest(1))
        lastFollower += 1
        let id = lastFollower
        followers[id] = source
        source.onTermination = { [weak self] _ in
            Task { @MainActor in self?.followers[id] = nil }
        }
        source.yield(state)
        return stream
    }
}

extension FailurePresenter: FailureHandler {
    /// `presenter`
    public nonisolated var name: String { "presenter" }

    /// Shows a failure, and waits for the person where the choice decides what becomes of the call.
    public nonisolated func handle(_ failure: Failure) async -> Verdict {
        // Before the main actor is waited for, which may be busy: a success in the meantime is news.
        await handle(failure, after: seen.withLock { $0 })
    }

    private func handle(_ failure: Failure, after past: Seen) async -> Verdict {
        var presentation = policy.presentation(of: failure)
        if let kept = outdated(presentation, failure, after: past) {
            guard presentation.decides else {
                return Task.isCancelled ? .unhandled : .handled
            }
            guard kept.lifetime == .untilSuccess || !failure.isRetryable || !presentation.offersRetry else {
                return Task.isCancelled ? .unhandled : .retry
            }
            presentation = kept
        }
        guard presentation.decides else {
            return !Task.isCancelled && tell(presentation, failure) ? .handled : .unhandled
        }
        FailureHandling.whenWaiting?()
        lastWaiter += 1
        let waiter = PresentationQueue.Waiter(id: lastWaiter, isRepeatable: failure.isRetryable)
        let verdict = await verdict(on: presentation, failure, waiter)
        if case .retry = verdict, !FailureHandling.canRetry {
            // The person did what was asked, as by signing in; this call ends with it, and nobody failed to handle it.
            return .handled
        }
        return verdict
    }

    /// Shows a failure, and waits for what the person chooses.
    private func verdict(
        on presentation: Presentation, _ failure: Failure, _ waiter: PresentationQueue.Waiter
    ) async -> Verdict {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation sets the flag before its handler asks for the main actor, so one of the two sees it.
                waiting[waiter.id] = continuation
                if Task.isCancelled || !show(presentation, failure, waiter: waiter) {
                    wake([(waiter.id, .unhandled)])
                }
            }
        } onCancel: {
            Task { @MainActor in leave(waiter.id) }
        }
    }

    /// How a failure is presented that waits for a success which came before it could be shown; nil when none came.
    private func outdated(_ presentation: Presentation, _ failure: Failure, after past: Seen) -> Presentation? {
        guard presentation.lifetime == .untilSuccess, presentation.kind != .inline else {
            return nil
        }
        let now = seen.withLock { $0 }
        let hasSucceeded = now.successes != past.successes
        guard hasSucceeded || failure.isOffline && now.answers != past.answers else {
            return nil
        }
        return queue.kept(presentation, hasSucceeded ? .untilDismissed : .untilSuccess)
    }

    private func leave(_ waiter: Int) {
        queue.leave(waiter)
        end([(waiter, .unhandled)])
    }
}

extension FailurePresenter: CallObserver {
    /// Learns that a call succeeded that sent something, or that a server answered: what is to go away then goes away.
    public nonisolated func callFinished(_ call: FinishedCall) {
        guard let news = Self.news(of: call) else {
            return
        }
        let isAwaited = seen.withLock { seen in
            if case .success = news {
                seen.successes &+= 1
            }
            seen.answers &+= 1
            return seen.awaitsSuccess
        }
        guard isAwaited else {
            return
        }
        Task { @MainActor in
            end(queue.learn(news))
        }
    }

    /// What a call says of the network; nil for nothing, as when a cache answered.
    private nonisolated static func news(of call: FinishedCall) -> PresentationQueue.News? {
        guard call.request != nil else {
            return nil
        }
        guard let failure = call.failure else {
            let isAnswered = call.trace.attempts.contains { $0.result == .ok }
            return isAnswered ? .success(name: call.name, callID: call.id) : nil
        }
        let isOffline = failure.isOffline || call.trace.attempts.last?.result == .failed(code: "transport.offline")
        return call.response == nil || isOffline ? nil : .answer
    }
}

extension FailurePresenter {
    /// Says that a view shows what stands at a field. Without one, inline failures are alerts, so that none goes unseen.
    ///
    /// SwiftUI's `inlineFailure(of:field:)` does so by itself. A presenter knows a field by its name alone: forms that are
    /// alive at the same time need different names, or a presenter each.
    ///
    /// - Parameter field: The field's name; nil for the form as a whole, which also shows what is about fields that no view
    ///   shows.
    public func beginInline(_ field: String?) {
        fields[field, default: 0] += 1
    }

    /// Says that a view has gone: each ``beginInline(_:)`` has one.
    public func endInline(_ field: String?) {
        guard let count = fields[field] else {
            return
        }
        fields[field] = count > 1 ? count - 1 : nil
        if count == 1 {
            clearInline(field)
        }
    }

    /// Takes away what stands at a field, as when the person goes on typing.
    public func clearInline(_ field: String?) {
        for shown in state.inlines where shown.presentation.field == field {
            dismiss(shown.id)
        }
    }

    /// The name by which a view shows a field: the service's, or one that differs from it only in case, and in slashes
    /// for dots; nil when no view does.
    private func view(of field: String) -> String? {
        fields[field] != nil
            ? field : fields.keys.compactMap { $0 }.filter { FieldDetail.plain($0) == FieldDetail.plain(field) }.min()
    }

    /// The parts of an inline failure about several fields: each at its field where a view shows it, the others together.
    private func parts(of presentation: Presentation, _ failure: Failure) -> [Presentation] {
        let all = policy.presentations(of: failure, canRetry: false)
        guard presentation.kind == .inline, all.count > 1 else {
            return [presentation]
        }
        let shown = all.filter { $0.field.flatMap(view(of:)) != nil }
        var texts: [String] = []
        for text in all.filter({ !shown.contains($0) }).map(\.message.text) where !texts.contains(text) {
            texts.append(text)
        }
        guard !texts.isEmpty else {
            return shown
        }
        let message = presentation.message
        let rest = FailureMessage(
            title: message.title, text: Presentation.sentences(texts), suggestion: message.suggestion)
        return shown + [presentation.at(nil, message: policy.words(rest))]
    }

    /// An inline presentation where a view shows it: at its field, at the form as a whole, or else as an alert.
    private func placed(_ presentation: Presentation) -> Presentation {
        guard presentation.kind == .inline, fields[presentation.field] == nil else {
            return presentation
        }
        if let name = presentation.field.flatMap(view(of:)) {
            return presentation.at(name, message: presentation.message)
        }
        if fields[nil as String?] != nil {
            return Presentation(
                kind: .inline, code: presentation.code, message: presentation.message,
                lifetime: presentation.lifetime)
        }
        return Presentation(
            kind: .alert, code: presentation.code, message: presentation.message,
            actions: [.dismiss.titled(policy.texts.text("action.ok"))])
    }
}

extension FailurePresenter {
    /// Shows a failure that no call waits for, part by part.
    ///
    /// - Returns: Whether there was room for any of it.
    private func tell(_ presentation: Presentation, _ failure: Failure) -> Bool {
        parts(of: presentation, failure).map { show($0, failure, waiter: nil) }.contains(true)
    }

    /// Shows a failure.
    ///
    /// - Returns: Whether there was room for it.
    private func show(
        _ presentation: Presentation, _ failure: Failure, waiter: PresentationQueue.Waiter?
    ) -> Bool {
        guard presentation.kind != .ignore else {
            return true
        }
        let report = PresentationQueue.Report(
            presentation: placed(presentation), field: presentation.field, call: failure.name, callID: failure.id)
        return show(report, waiter: waiter)
    }

    private func show(_ report: PresentationQueue.Report, waiter: PresentationQueue.Waiter?) -> Bool {
        guard let (id, decided) = queue.add(report, waiter: waiter, now: clock.now) else {
            return false
        }
        if queue[id]?.end != nil, timers[id] == nil {
            startTimer(for: id)
        }
        end(decided)
        return true
    }

    /// Wakes the calls that something became of, and shows what is left.
    private func end(_ decided: PresentationQueue.Decided) {
        for id in timers.keys where queue[id] == nil {
            timers.removeValue(forKey: id)?.cancel()
        }
        let awaits = queue.awaitsSuccess
        seen.withLock { $0.awaitsSuccess = awaits }
        let new = queue.state
        if new != state {
            #if canImport(Combine)
                changes &+= 1
            #endif
            state = new
            followers.values.forEach { $0.yield(new) }
        }
        wake(decided)
    }

    private func wake(_ decided: PresentationQueue.Decided) {
        for (waiter, verdict) in decided {
            waiting.removeValue(forKey: waiter)?.resume(returning: verdict)
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
        end(queue.look(at: id, now: now))
    }
}

#if canImport(Combine)
    extension FailurePresenter: ObservableObject {}
#endif
