/// The fields that views show: their names, in the order in which they were declared, one for each view. Nil is the form
/// as a whole.
struct FormFields {
    private var order: [String?] = []

    func contains(_ field: String?) -> Bool {
        order.contains(field)
    }

    mutating func begin(_ field: String?) {
        order.append(field)
    }

    /// A view has gone.
    ///
    /// - Returns: Whether it was the last one.
    mutating func end(_ field: String?) -> Bool {
        // Not the first one, which is where the field was declared.
        guard let index = order.lastIndex(of: field) else {
            return false
        }
        order.remove(at: index)
        return !contains(field)
    }

    /// The name by which a view shows a field: the service's, or one that differs from it only in case, and in slashes
    /// for dots; nil when no view does.
    func name(of field: String) -> String? {
        contains(field)
            ? field : order.compactMap { $0 }.filter { FieldDetail.plain($0) == FieldDetail.plain(field) }.min()
    }

    /// The first of some fields.
    func first(of some: Set<String>) -> String? {
        order.lazy.compactMap { $0 }.first { some.contains($0) }
    }
}

/// Says that views show fields for as long as its owner keeps it.
///
/// A row of a form or list that is scrolled off the screen disappears, but its state stays: SwiftUI keeps a state object for
/// the lifetime of the view's identity. So a view that owns this one as a state object is registered until its form goes.
/// https://developer.apple.com/documentation/swiftui/stateobject, and "Demystify SwiftUI" (WWDC21, 10022).
@MainActor
package final class FieldRegistration {
    private weak var presenter: FailurePresenter?
    private var fields: [String?] = []

    package init() {}

    deinit {
        guard let presenter, !fields.isEmpty else {
            return
        }
        let fields = fields
        Task { @MainActor in fields.forEach { presenter.endInline($0) } }
    }

    /// Registers these fields, and no others.
    package func register(_ fields: [String?], at presenter: FailurePresenter) {
        guard fields != self.fields || presenter !== self.presenter else {
            return
        }
        let (before, old) = (self.presenter, self.fields)
        (self.presenter, self.fields) = (presenter, fields)
        fields.forEach { presenter.beginInline($0) }
        old.forEach { before?.endInline($0) }
    }
}
