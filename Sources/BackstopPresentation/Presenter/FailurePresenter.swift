public import BackstopCore
public import Observation

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
/// It is `Observable` from iOS 17 and macOS 14 on, an `ObservableObject` where Combine exists, and elsewhere there is
/// ``states``.
@MainActor
public final class FailurePresenter {
    /// What is shown and what waits.
    public var state: PresenterState {
        if #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *) {
            registrar?.access(self, keyPath: \.state)
        }
        return current
    }
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

    private var current = PresenterState()
    /// An `ObservationRegistrar` where there is one: a stored property cannot be of later systems only.
    private let observation: (any Sendable)?
    // All of it is isolated to the main actor, but for the flag, which has a lock of its own.
    let clock: any CallClock
    var queue: PresentationQueue
    var hosts = PresentationHosts()
    var fields = FormFields()
    /// The calls that wait, by their numbers. Taking one out is the only way to wake it, so it is woken once.
    var waiting: [Int: CheckedContinuation<(verdict: Verdict, isAlone: Bool), Never>] = [:]
    var lastWaiter = 0
    /// What counts down, or goes away by itself.
    var timers: [Int: Task<Void, Never>] = [:]
    /// Gives calls back while nothing is drawn.
    var abandoning: Task<Void, Never>?
    /// How many failures a screen reader was told of, by presentation.
    var spoken: [Int: Int] = [:]
    private var followers: [Int: AsyncStream<PresenterState>.Continuation] = [:]
    private var lastFollower = 0
    /// What the network was seen to do, guarded by the lock, so that most calls that end cost nothing else.
    let seen = Lock(Seen())

    /// What the network was seen to do.
    struct Seen {
        /// Whether something goes away when a call succeeds.
        var awaitsSuccess = false
        /// How many calls have succeeded, and how many a server has answered.
        var successes: UInt64 = 0
        var answers: UInt64 = 0
        /// The latest calls that have succeeded, by name; forgotten when there are more than 100 names.
        private var latest: [String: UInt64] = [:]

        mutating func note(_ name: String, _ callID: UInt64) {
            if latest.count >= 100, latest[name] == nil {
                latest = [:]
            }
            latest[name] = max(callID, latest[name] ?? 0)
        }

        /// Whether a call of the same name that began later has succeeded; false for a failure made by hand, without an
        /// identifier.
        func isOvertaken(_ failure: Failure) -> Bool {
            failure.id > 0 && latest[failure.name] ?? 0 > failure.id
        }
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
        if #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *) {
            observation = ObservationRegistrar()
        } else {
            observation = nil
        }
        func words(of code: TransportError.Code) -> FailureMessage {
            policy.words(policy.texts.message(of: Failure(TransportError(code))))
        }
        queue = PresentationQueue(
            limits: .init(modals: max(1, maximumModals), banners: max(1, maximumBanners)),
            offline: words(of: .offline), interrupted: words(of: .lost))
    }

    deinit {
        timers.values.forEach { $0.cancel() }
        abandoning?.cancel()
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
    ///
    /// To draw in another way than with SwiftUI, UIKit and AppKit, or to answer in a test:
    ///
    /// ```swift
    /// @MainActor func draw(_ presenter: FailurePresenter) async {
    ///     for await state in presenter.states {
    ///         for banner in state.banners { print(banner.presentation.message.title, "×\(banner.count)") }
    ///         guard let shown = state.modal else { continue }  // the alert or full screen; the others wait
    ///         print(shown.presentation.message.title, shown.presentation.actions.map(\.title))
    ///         if let remaining = shown.remaining { print(presenter.policy.texts.countdown(remaining)) }
    ///         presenter.choose(shown.presentation.actions[0], for: shown.id)  // the tapped action
    ///     }
    /// }
    /// ```
    public var states: AsyncStream<PresenterState> {
        let (stream, source) = AsyncStream<PresenterState>.makeStream(bufferingPolicy: .bufferingNewest(1))
        lastFollower += 1
        let id = lastFollower
        followers[id] = source
        source.onTermination = { [weak self] _ in
            Task { @MainActor in self?.followers[id] = nil }
        }
        source.yield(current)
        return stream
    }

    /// Says that what is drawn will change.
    func willChange() {
        #if canImport(Combine)
            changes &+= 1
        #endif
    }

    /// Shows what the queue has.
    func show(_ new: PresenterState) {
        guard new != current else {
            return
        }
        willChange()
        if #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *), let registrar {
            registrar.withMutation(of: self, keyPath: \.state) { current = new }
        } else {
            current = new
        }
        tellFollowers()
    }

    func tellFollowers() {
        followers.values.forEach { $0.yield(current) }
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
extension FailurePresenter: Observable {
    private var registrar: ObservationRegistrar? {
        observation as? ObservationRegistrar
    }
}

#if canImport(Combine)
    extension FailurePresenter: ObservableObject {}
#endif
