/// Something that a ``FailurePresenter`` shows, or will show: a presentation, and how many failures it stands for.
public struct PresentedFailure: Sendable, Hashable, Identifiable {
    /// Its number at the presenter.
    public let id: Int
    /// How, in which words, and what can be done.
    public let presentation: Presentation
    /// How many equal failures it stands for, from 1.
    public let count: Int
    /// How long it is until the calls are sent again by themselves; nil when they are not. It is brought up to date each
    /// second.
    public let remaining: Duration?
}

/// What a ``FailurePresenter`` shows, and what waits.
public struct PresenterState: Sendable, Hashable {
    /// Alerts and full screens, in the order in which they came: the first is shown, the others wait.
    public internal(set) var modals: [PresentedFailure] = []
    /// The banners, the oldest first. They are shown side by side.
    public internal(set) var banners: [PresentedFailure] = []
    /// What stands next to the fields of forms.
    public internal(set) var inlines: [PresentedFailure] = []

    /// The alert or full screen that is shown; nil for none.
    public var modal: PresentedFailure? {
        modals.first
    }

    /// The alert that is shown; nil for none.
    public var alert: PresentedFailure? {
        modal.flatMap { $0.presentation.kind == .alert ? $0 : nil }
    }

    /// The full screen that is shown; nil for none.
    public var fullScreen: PresentedFailure? {
        modal.flatMap { $0.presentation.kind == .fullScreen ? $0 : nil }
    }

    /// What stands next to a field; nil for nothing.
    ///
    /// - Parameter field: The field's name; nil for the form as a whole.
    public func inline(_ field: String?) -> PresentedFailure? {
        inlines.last { $0.presentation.field == field }
    }

    /// Whether nothing is shown and nothing waits.
    public var isEmpty: Bool {
        modals.isEmpty && banners.isEmpty && inlines.isEmpty
    }
}
