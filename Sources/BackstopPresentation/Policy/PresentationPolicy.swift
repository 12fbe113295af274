public import BackstopCore

/// Decides how failures are presented: the app's rules first, then defaults for every kind of failure.
///
/// ```swift
/// struct SoldOut: ServiceError { var article: String }
///
/// let policy = PresentationPolicy {
///     Present(error: SoldOut.self, as: .inline(field: "quantity"))
///     Present(status: 402, as: .fullScreen)
/// }
/// let presentation = policy.presentation(of: Failure(SoldOut(article: "Dune")))
/// ```
/// The defaults are ``defaultRules``; `Docs/Handlers.md` lists them with their reasons.
public struct PresentationPolicy: Sendable {
    /// The words.
    public var texts: PresentationTexts
    /// The app's rules, asked in order before the defaults.
    public let rules: [Present]
    /// The longest wait that is counted down, in which the app shows nothing else. Default: 5 min. A server that asks for
    /// more is asked again when the person says so.
    public var longestCountdown: Duration = .seconds(300)

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - texts: The words. Default: those of the app's strings table `Backstop`, then those that come with the package
    ///     in the app's language.
    ///   - rules: The app's rules, asked in order before the defaults. Default: none.
    public init(texts: PresentationTexts = .automatic, @PresentationBuilder rules: () -> [Present] = { [] }) {
        self.texts = texts
        self.rules = rules()
    }

    /// How a failure is presented.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - canRetry: Whether "Try again" counts. Default: what the handler that is running can do.
    ///
    /// A cancelled call is ignored, whatever the rules say.
    public func presentation(of failure: Failure, canRetry: Bool = FailureHandling.canRetry) -> Presentation {
        presentation(of: failure, in: style(for: failure), canRetry: canRetry)
    }

    /// How a failure is presented, field by field: an inline one that is about several fields once for each of them, any
    /// other as ``presentation(of:canRetry:)`` says.
    ///
    /// ```swift
    /// func show(_ failure: Failure) {
    ///     for presentation in PresentationPolicy().presentations(of: failure) {
    ///         print(presentation.field ?? "the form", presentation.message.text)
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - failure: The failure.
    ///   - canRetry: Whether "Try again" counts. Default: what the handler that is running can do.
    /// - Returns: From 1 to 20 presentations.
    public func presentations(
        of failure: Failure, canRetry: Bool = FailureHandling.canRetry
    ) -> [Presentation] {
        let style = style(for: failure)
        let whole = presentation(of: failure, in: style, canRetry: canRetry)
        let details = failure.fieldDetails
        guard style.kind == .inline, style.field == nil, details.count > 1 else {
            return [whole]
        }
        return details.map { detail in
            whole.at(detail.field, message: message(style, of: failure, details: [detail]))
        }
    }

    private func presentation(of failure: Failure, in style: PresentationStyle, canRetry: Bool) -> Presentation {
        let details = failure.fieldDetails
        let field = style.field.map { failure.fieldName($0) } ?? (details.count == 1 ? details[0].field : nil)
        var failure = failure
        if canRetry, failure.mayHaveWorked, offersRetry(style), !failure.keepingKey.mayHaveWorked {
            failure = failure.keepingKey
        }
        let actions = actions(for: style, failure, canRetry: canRetry)
        let countdown = actions.contains(.retry) ? countdown(for: style, failure) : nil
        var message = message(style, of: failure, details: details)
        if countdown != nil, style.message == nil {
            // The countdown says when; one time is enough.
            message = FailureMessage(title: message.title, text: message.text, suggestion: nil)
        }
        return Presentation(
            kind: style.kind, code: failure.code,
            field: style.kind == .inline ? field : nil,
            message: message, actions: actions, lifetime: style.lifetime, countdown: countdown)
    }

    private func style(for failure: Failure) -> PresentationStyle {
        // Whoever cancelled a call knows; no rule is asked, not even one for all failures.
        guard !failure.isCancelled else {
            return .ignore
        }
        for rule in rules {
            if let style = rule.style(for: failure) {
                return style
            }
        }
        return Self.defaults.first { $0.rule.pattern.matches(failure) }?.style ?? .alert
    }

    /// Whether "Try again" is among the actions where it counts and helps.
    private func offersRetry(_ style: PresentationStyle) -> Bool {
        style.actions?.contains(.retry) ?? [.alert, .fullScreen].contains(style.kind)
    }

    /// What can be done: "Try again" only where it counts, and always a way out where nothing else is left.
    private func actions(
        for style: PresentationStyle, _ failure: Failure, canRetry: Bool
    ) -> [PresentationAction] {
        // An action that only leads to another failure is not offered: after so many tries the call is not repeated.
        let isUsedUp = !canRetry && FailureHandling.hasRetried
        let wanted: [PresentationAction]
        switch (style.kind, style.actions) {
        case (.ignore, _), (.inline, _):
            return []
        case (_, let own?):
            wanted = own.filter { ($0 != .retry || canRetry) && !(isUsedUp && $0.work?.decides == true) }
        case (.banner, nil):
            wanted = [.dismiss]
        case (.alert, nil), (.fullScreen, nil):
            wanted = canRetry && failure.isTransient && !failure.mayHaveWorked ? [.retry, .dismiss] : [.dismiss]
        }
        let isEmptied = wanted.isEmpty && style.actions?.isEmpty != true
        let isEndless = style.kind.isModal || style.lifetime == .untilDismissed
        let isStuck = isEndless && wanted.allSatisfy { $0 == .retry }
        let actions = isEmptied || isStuck ? wanted + [.dismiss] : wanted
        return actions.map { $0.titled(label(of: $0, for: failure, in: style.kind, isAlone: actions.count == 1)) }
    }

    private func label(
        of action: PresentationAction, for failure: Failure, in kind: Presentation.Kind, isAlone: Bool
    ) -> String {
        guard action.work == nil else {
            // A rule may repeat what a server wrote; and what stands on the package's buttons is not about this one.
            let key = "action.\(action.name)"
            let title = PresentationTexts.isOfPackage(key) ? action.title : texts[key] ?? action.title
            let label = failure.textForPeople(title, upTo: 60)
            return label.isEmpty ? failure.textForPeople(action.name, upTo: 60) : label
        }
        let key = action == .retry ? "retry" : kind == .banner ? "close" : isAlone ? "ok" : "cancel"
        return Self.shortened(texts.text("action.\(key)"), to: 60)
    }

    /// The wait that the server asked for, at least a second; nil where sending again needs a person.
    private func countdown(for style: PresentationStyle, _ failure: Failure) -> Duration? {
        guard style.countsDown, failure.isRetryable, let wait = failure.retryAfter, wait <= longestCountdown else {
            return nil
        }
        return max(wait, .seconds(1))
    }

    /// The words: those of the rule, which may repeat what a server wrote, or those of the failure.
    private func message(
        _ style: PresentationStyle, of failure: Failure, details: [FieldDetail]
    ) -> FailureMessage {
        guard let own = style.message else {
            let isAboutInput = style.kind == .inline || FailurePattern.validation.matches(failure)
            let message = words(texts.message(of: failure, isAboutInput: isAboutInput))
            let shown = style.showsDetails ? Presentation.sentences(details.map(\.detail)) : ""
            let text = failure.textForPeople(shown, upTo: 500)
            return text.isEmpty
                ? message : FailureMessage(title: message.title, text: text, suggestion: message.suggestion)
        }
        return FailureMessage(
            title: failure.textForPeople(own.title, upTo: 100), text: failure.textForPeople(own.text, upTo: 500),
            suggestion: own.suggestion.map { failure.textForPeople($0, upTo: 200) })
    }

    /// The words that come with the package, or from the app's table, at their lengths.
    func words(_ message: FailureMessage) -> FailureMessage {
        FailureMessage(
            title: Self.shortened(message.title, to: 100), text: Self.shortened(message.text, to: 500),
            suggestion: message.suggestion.map { Self.shortened($0, to: 200) })
    }

    private static func shortened(_ text: String, to limit: Int) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    }
}
