/// What a person sees of a failure: how, in which words, and what they can do.
///
/// A ``PresentationPolicy`` makes it, and knows no user interface: draw it with SwiftUI's `presentsFailures(of:)`, with
/// UIKit, in a terminal or, from its ``json``, on a page.
///
/// ```swift
/// func show(_ failure: Failure) {
///     let presentation = PresentationPolicy(texts: .english).presentation(of: failure)
///     switch presentation.kind {
///     case .ignore: break
///     case .inline: print("below the field \(presentation.field ?? ""): \(presentation.message.text)")
///     case .banner, .alert: print(presentation.message.title, presentation.message.text)
///     case .fullScreen: print("nothing but: \(presentation.message.text)")
///     }
/// }
/// ```
public struct Presentation: Sendable, Hashable {
    /// How a failure is presented. The list is complete: a `switch` needs no `default`.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Nothing is shown.
        case ignore
        /// A sentence next to the input that it is about.
        case inline
        /// A strip at the edge of the screen, beside which work goes on.
        case banner
        /// A box that wants an answer before work goes on.
        case alert
        /// A view in the place of all content.
        case fullScreen

        /// Whether it waits for the one before, and stops all work until it has an answer.
        public var isModal: Bool {
            self == .alert || self == .fullScreen
        }
    }

    /// When a presentation goes away by itself.
    public enum Lifetime: Sendable, Hashable {
        /// Never: when the person dismisses it.
        case untilDismissed
        /// When a call succeeds that sent something: for a banner any, for an inline message one of the same name that
        /// began later. "You are offline" goes away with any answer of a server, were it a failure.
        case untilSuccess
        /// After a time, more than 0; what is 0 or less goes away at once.
        case lasting(Duration)
    }

    /// How it is presented.
    public let kind: Kind
    /// The failure's code, for logs and tests: `transport.offline`; `success` for what is none.
    public let code: String
    /// The field of a form that it is about; nil for the form as a whole, and for other kinds than `inline`.
    public let field: String?
    /// The words: at most 100, 500 and 200 characters, without secrets, and never a server's text for developers.
    public let message: FailureMessage
    /// What the person can do, the most helpful first. Empty where there is nothing to choose.
    public let actions: [PresentationAction]
    /// When it goes away by itself.
    public let lifetime: Lifetime
    /// After what time the call is sent again without anybody's doing, from 1 s on; nil when it is not.
    public let countdown: Duration?

    init(
        kind: Kind, code: String, field: String? = nil, message: FailureMessage, actions: [PresentationAction] = [],
        lifetime: Lifetime = .untilDismissed, countdown: Duration? = nil
    ) {
        self.kind = kind
        self.code = code
        self.field = field
        self.message = message
        self.actions = actions
        self.lifetime = lifetime
        self.countdown = countdown
    }

    /// The code of what is no failure.
    static let successCode = "success"

    /// Whether it tells of a success, and not of a failure.
    public var isSuccess: Bool {
        code == Self.successCode
    }

    /// Whether "Try again" is offered.
    public var offersRetry: Bool {
        actions.contains(.retry)
    }

    /// Whether the person's choice, or the countdown, decides what becomes of the call: "Try again", or an action of the
    /// app's own. Where not, the failure counts as handled as soon as it is shown.
    public var decides: Bool {
        kind != .ignore && (countdown != nil || actions.contains { $0 != .dismiss })
    }

    /// Everything in one line, as a screen reader speaks it.
    public var spokenText: String {
        Self.sentences([message.title, message.text, message.suggestion])
    }

    /// Texts as sentences in one line, each once: each ends with a mark, of its own or a full stop.
    static func sentences(_ texts: [String?]) -> String {
        texts.enumerated().filter { place, text in !texts[..<place].contains(text) }
            .compactMap(\.element).filter { $0.contains { !$0.isWhitespace } }
            .map { text in text.last.map { ".!?…".contains($0) } == true ? text : "\(text)." }
            .joined(separator: " ")
    }

    /// The same at a field, in the words for it.
    func at(_ field: String?, message: FailureMessage) -> Presentation {
        Presentation(kind: kind, code: code, field: field, message: message, actions: actions, lifetime: lifetime)
    }

    /// The same with other words, and until another time.
    func with(message: FailureMessage, lifetime: Lifetime) -> Presentation {
        Presentation(
            kind: kind, code: code, field: field, message: message, actions: actions, lifetime: lifetime,
            countdown: countdown)
    }
}
