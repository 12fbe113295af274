public import BackstopCore

/// How a rule of a ``PresentationPolicy`` wants failures to be presented.
///
/// ```swift
/// let styles: [PresentationStyle] = [
///     .ignore,
///     .inline(field: "userName"),
///     .banner(.untilSuccess),
///     .alert,
///     .alert(actions: [.retry, .dismiss]),
///     .fullScreen(countsDown: false),
/// ]
/// ```
/// Where no words are given they are those of the failure. Where no actions are given, an alert and a full screen offer
/// "Try again" when the cause may pass and the call cannot have done its work already, and a way out. A way out is added
/// to actions that have none, to "Try again" alone for example, where nothing but the person would end the presentation.
public struct PresentationStyle: Sendable {
    /// How failures are presented.
    public let kind: Presentation.Kind
    private(set) var field: String?
    private(set) var message: FailureMessage?
    private(set) var actions: [PresentationAction]?
    private(set) var lifetime = Presentation.Lifetime.untilDismissed
    private(set) var countsDown = false
    /// Whether the service's words for each field are shown.
    private(set) var showsDetails = false

    /// How long a banner stays by default: long enough to read two sentences twice.
    public static let bannerTime: Duration = .seconds(10)

    /// Nothing is shown, and the failure counts as handled.
    public static let ignore = PresentationStyle(kind: .ignore)
    /// Next to the form's input: at each field that the error is about (``FieldError``), or at the form as a whole.
    public static let inline = inline(field: nil)
    /// A banner that goes away after ``bannerTime``.
    public static let banner = banner(.lasting(bannerTime))
    /// An alert.
    public static let alert = alert(message: nil)
    /// A view in the place of all content, with a countdown where the server said when to come back.
    public static let fullScreen = fullScreen(message: nil)

    /// Next to a form's input.
    ///
    /// - Parameters:
    ///   - field: The field's name; nil for the one that the error is about, or the form as a whole.
    ///   - message: The words; nil for those of the failure.
    public static func inline(field: String?, message: FailureMessage? = nil) -> PresentationStyle {
        PresentationStyle(kind: .inline, field: field, message: message, lifetime: .untilSuccess)
    }

    /// Next to a form's input, at each field that the error is about.
    ///
    /// - Parameter showsDetails: Whether what the service says about each field (``FieldDetail/detail``) is written for
    ///   people, and shown to them.
    public static func inline(showsDetails: Bool) -> PresentationStyle {
        PresentationStyle(kind: .inline, lifetime: .untilSuccess, showsDetails: showsDetails)
    }

    /// A banner.
    ///
    /// - Parameters:
    ///   - lifetime: When it goes away by itself.
    ///   - message: The words; nil for those of the failure.
    ///   - actions: What can be done; nil for closing it. With "Try again" the call waits for the choice.
    public static func banner(
        _ lifetime: Presentation.Lifetime, message: FailureMessage? = nil, actions: [PresentationAction]? = nil
    ) -> PresentationStyle {
        PresentationStyle(kind: .banner, message: message, actions: actions, lifetime: lifetime)
    }

    /// A banner that goes away after ``bannerTime``, with other words or actions.
    ///
    /// - Parameters:
    ///   - message: The words; nil for those of the failure.
    ///   - actions: What can be done; nil for closing it. With "Try again" the call waits for the choice.
    public static func banner(
        message: FailureMessage?, actions: [PresentationAction]? = nil
    ) -> PresentationStyle {
        banner(.lasting(bannerTime), message: message, actions: actions)
    }

    /// A banner that goes away after ``bannerTime``, with these actions, in the words of the failure.
    public static func banner(actions: [PresentationAction]) -> PresentationStyle {
        banner(message: nil, actions: actions)
    }

    /// An alert.
    ///
    /// - Parameters:
    ///   - message: The words; nil for those of the failure.
    ///   - actions: What can be done; nil for what fits the failure.
    public static func alert(
        message: FailureMessage?, actions: [PresentationAction]? = nil
    ) -> PresentationStyle {
        PresentationStyle(kind: .alert, message: message, actions: actions)
    }

    /// An alert with these actions, in the words of the failure.
    public static func alert(actions: [PresentationAction]) -> PresentationStyle {
        alert(message: nil, actions: actions)
    }

    /// A view in the place of all content.
    ///
    /// - Parameters:
    ///   - message: The words; nil for those of the failure.
    ///   - actions: What can be done; nil for what fits the failure.
    ///   - countsDown: Whether the call is sent again by itself where the server said when to come back and that is safe.
    ///     Default: true.
    public static func fullScreen(
        message: FailureMessage? = nil, actions: [PresentationAction]? = nil, countsDown: Bool = true
    ) -> PresentationStyle {
        PresentationStyle(kind: .fullScreen, message: message, actions: actions, countsDown: countsDown)
    }
}
