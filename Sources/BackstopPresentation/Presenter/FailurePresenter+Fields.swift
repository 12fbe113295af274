internal import BackstopCore

extension FailurePresenter {
    /// Says that a view shows what stands at a field. Without one, inline failures are alerts, so that none goes unseen.
    ///
    /// SwiftUI's `inlineFailure(of:field:)` does so by itself. A presenter knows a field by its name alone: forms that are
    /// alive at the same time need different names, or a presenter each.
    ///
    /// - Parameter field: The field's name; nil for the form as a whole, which also shows what is about fields that no view
    ///   shows.
    public func beginInline(_ field: String?) {
        fields.begin(field)
    }

    /// Says that a view has gone: each ``beginInline(_:)`` has one. What stood at the field goes with the last.
    public func endInline(_ field: String?) {
        if fields.end(field) {
            clearInline(field)
        }
    }

    /// The field to scroll to and to put the cursor in: of those about which the latest call failed, the first in the order
    /// in which they were declared; nil when no message stands at a field.
    ///
    /// `inlineFailure(of:fields:)` of the form declares all of its fields, also those that are not on the screen.
    public var firstField: String? {
        state.inlines.isEmpty ? nil : fields.first(of: queue.latestFields)
    }

    /// Takes away what stands at a field, as when the person goes on typing.
    public func clearInline(_ field: String?) {
        for shown in state.inlines where shown.presentation.field == field {
            dismiss(shown.id)
        }
    }

    /// The parts of an inline failure about several fields: each at its field where a view shows it, the others together.
    ///
    /// - Parameter isLate: Whether a later call of the name has its words at the fields, so that what they do not say is
    ///   told together. Default: false.
    func parts(of presentation: Presentation, _ failure: Failure, isLate: Bool = false) -> [Presentation] {
        let all = policy.presentations(of: failure, canRetry: false)
        guard presentation.kind == .inline, all.count > 1 else {
            return [presentation]
        }
        let shown = all.filter {
            isLate ? queue.shows($0, after: failure) : $0.field.flatMap(fields.name(of:)) != nil
        }
        let texts = all.filter { !shown.contains($0) }.map(\.message.text)
        guard !texts.isEmpty else {
            return shown
        }
        let message = presentation.message
        let rest = FailureMessage(
            title: message.title, text: Presentation.sentences(texts), suggestion: message.suggestion)
        return shown + [presentation.at(nil, message: policy.words(rest))]
    }

    /// An inline presentation where a view shows it: at its field, at the form as a whole, or else as an alert.
    func placed(_ presentation: Presentation) -> Presentation {
        guard presentation.kind == .inline, !fields.contains(presentation.field) else {
            return presentation
        }
        if let name = presentation.field.flatMap(fields.name(of:)) {
            return presentation.at(name, message: presentation.message)
        }
        if fields.contains(nil) {
            return Presentation(
                kind: .inline, code: presentation.code, message: presentation.message,
                lifetime: presentation.lifetime)
        }
        return asAlert(presentation)
    }

    /// The same as an alert, for what no view shows.
    func asAlert(_ presentation: Presentation) -> Presentation {
        Presentation(
            kind: .alert, code: presentation.code, message: presentation.message,
            actions: [.dismiss.titled(policy.texts.text("action.ok"))])
    }
}
