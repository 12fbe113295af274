public import BackstopCore

/// Something that a person can do about a failure: dismiss it, try again, or what the app offers.
///
/// ```swift
/// @MainActor final class Session { func signIn() async -> Bool { true } }
///
/// func signIn(_ session: Session) -> PresentationAction {
///     PresentationAction("signIn", title: "Sign In") { await session.signIn() ? .retry : .handled }
/// }
/// ```
public struct PresentationAction: Sendable, Hashable {
    /// The name for machines. The key of its label in ``PresentationTexts`` is `action.` and this.
    public let name: String
    /// The label: at most 60 characters.
    public let title: String
    /// What it does; nil for ``retry`` and ``dismiss``, which the presenter carries out.
    let work: Work?

    /// What an action of the app's own does. Closures cannot be compared, so it is the object that tells actions apart.
    final class Work: Sendable {
        /// Whether the app decides what becomes of the call, which may be to send it again.
        let decides: Bool
        let perform: @MainActor @Sendable () async -> Verdict

        init(decides: Bool, perform: @escaping @MainActor @Sendable () async -> Verdict) {
            self.decides = decides
            self.perform = perform
        }
    }

    private init(name: String, title: String, work: Work?) {
        self.name = name
        self.title = title
        self.work = work
    }

    /// Sends the call again, and every other that waits for the same choice.
    ///
    /// It is left out where it would not count: see `FailureHandling.canRetry`.
    public static let retry = PresentationAction(name: "retry", title: "Try Again", work: nil)

    /// Takes the presentation away; the call counts as handled.
    public static let dismiss = PresentationAction(name: "dismiss", title: "OK", work: nil)

    /// Makes an action of the app's own, which decides what becomes of the call: `.retry` sends it again, `.handled` ends
    /// it, `.unhandled` leaves it to the next handler.
    ///
    /// The presentation goes away before the action begins. The name is for machines, and the end of the label's key; the
    /// title is the label where ``PresentationTexts`` has none for the name, and for the names `retry`, `ok`, `cancel` and
    /// `close`, whose texts are those of the package's own buttons.
    ///
    /// Failures share a presentation only where the action is the same one. Make it once, beside the policy: one that is
    /// made for each failure, as inside the closure of a rule, does its work for that failure alone. An action that
    /// returns a verdict is not offered once the call has been repeated as often as handlers may.
    public init(
        _ name: String, title: String, returning _: Verdict.Type = Verdict.self,
        perform: @escaping @MainActor @Sendable () async -> Verdict
    ) {
        self.init(name: name, title: title, work: Work(decides: true, perform: perform))
    }

    /// Makes an action of the app's own, after which the failure counts as handled.
    public init(_ name: String, title: String, perform: @escaping @MainActor @Sendable () async -> Void) {
        let work = Work(decides: false) {
            await perform()
            return .handled
        }
        self.init(name: name, title: title, work: work)
    }

    /// The same with another label.
    func titled(_ title: String) -> PresentationAction {
        PresentationAction(name: name, title: title, work: work)
    }

    /// Whether both are the same action, whatever its label: one of the package's, or one that was made once.
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.work === right.work
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}
