/// The alert that a host has on the screen: a value without a user interface.
///
/// A system shows one alert only after the one before has gone, which takes a moment. It may also take one away for which
/// nobody pressed a button: a deep link closes the sheet, UIKit calls `dismiss(animated:)`. What is wanted still is then
/// shown again.
package struct AlertStage {
    /// What is on the screen; nil for nothing.
    package private(set) var shown: PresentedFailure?
    /// Whether one leaves the screen, so that none can be shown: ``settle(wanted:)`` ends it.
    package private(set) var isLeaving = false
    private var closed: PresentedFailure.ID?

    package init() {}

    /// Shows what is wanted, or takes away what is wanted no longer.
    package mutating func turn(to wanted: PresentedFailure?) {
        guard !isLeaving else {
            return
        }
        if let shown, shown.id != wanted?.id {
            isLeaving = true
        }
        shown = isLeaving ? nil : wanted
    }

    /// The alert went away, by a button or without one.
    package mutating func close() {
        guard let shown else {
            return
        }
        (closed, isLeaving) = (shown.id, true)
        self.shown = nil
    }

    /// The moment is over.
    ///
    /// - Returns: The number of what went away although it is wanted still: nobody pressed a button.
    package mutating func settle(wanted: PresentedFailure?) -> PresentedFailure.ID? {
        defer { (closed, isLeaving) = (nil, false) }
        return closed == wanted?.id ? closed : nil
    }
}
