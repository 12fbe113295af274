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
    let perform: (@MainActor @Sendable () async -> Verdict)?

    private init(name: String, title: String, perform: (@MainActor @Sendable () async -> Verdict)?) {
        self.name = name
        self.title = title
        self.perform = perform
    }

    /// Sends the call again, and every other that waits for the same choice.
    ///
    /// It is left out where it would not count: see `FailureHandling.canRetry`.
    public static let retry = PresentationAction(name: "retry", title: "Try Again", perform: nil)

    /// Takes the presentation away; the call counts as handled.
    public static let dismiss = PresentationAction(name: "dismiss", title: "OK", perform: nil)

    /// Makes an action of the app's own, which decides what becomes of the call: `.retry` sends it again, `.handled` ends
    /// it, `.unhandled` leaves it to the next handler.
    ///
    /// The presentation goes away before the action begins. The name is for machines, and the end of the label's key; the
    /// title is the label where ``PresentationTexts`` has none for the name.
    public init(
        _ name: String, title: String, returning _: Verdict.Type = Verdict.self,
        perform: @escaping @MainActor @Sendable () async -> Verdict
    ) {
        self.init(name: name, title: title, perform: perform)
    }

    /// Makes an action of the app's own, after which the failure counts as handled.
    public init(_ name: String, title: String, perform: @escaping @MainActor @Sendable () async -> Void) {
        self.init(
            name: name, title: title,
            perform: {
                await perform()
                return .handled
            })
    }

    /// The same with another label.
    func titled(_ title: String) -> PresentationAction {
        PresentationAction(name: name, title: title, perform: perform)
    }

    /// Whether both have the same name.
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}
