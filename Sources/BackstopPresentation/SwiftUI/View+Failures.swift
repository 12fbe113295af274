#if canImport(SwiftUI)
    public import SwiftUI

    extension View {
        /// Shows banners, alerts and full screens of a presenter above this view.
        ///
        /// A sheet or a cover hides what the window below it shows. So put it at the root of each window, and at that of the
        /// content of each sheet and each cover; what is shown moves to the topmost and back:
        ///
        /// ```swift
        /// #if canImport(SwiftUI)
        ///     import SwiftUI
        ///
        ///     struct BooksView: View {
        ///         let presenter: FailurePresenter
        ///         @State private var isOrdering = false
        ///
        ///         var body: some View {
        ///             Button("Order") { isOrdering = true }
        ///                 .sheet(isPresented: $isOrdering) {
        ///                     Text("Your order").presentsFailures(of: presenter)
        ///                 }
        ///                 .presentsFailures(of: presenter)
        ///         }
        ///     }
        /// #endif
        /// ```
        /// While there is none, calls that wait for an answer are left to the next handler after a second.
        ///
        /// What is shown is announced to people who do not see it, and says with a symbol and a word, not by color alone,
        /// that something is wrong. Inline failures are shown by ``inlineFailure(of:field:)``.
        @MainActor
        public func presentsFailures(of presenter: FailurePresenter) -> some View {
            modifier(FailureHost(presenter: presenter))
        }

        /// Shows below this view, mostly the input of a form, what is wrong with it.
        ///
        /// The message stays while the view is scrolled off the screen, until the form goes.
        ///
        /// - Parameters:
        ///   - presenter: The presenter.
        ///   - field: The field's name, as the policy's rules or a ``FieldError`` say it; nil for the form as a whole,
        ///     which also shows what is about fields that no view shows.
        @MainActor
        public func inlineFailure(of presenter: FailurePresenter, field: String? = nil) -> some View {
            modifier(InlineFailure(presenter: presenter, field: field, fields: [field]))
        }

        /// Shows below a form what is about the form as a whole, and declares its fields: each gets its message also where
        /// its row was not on the screen yet. ``FailurePresenter/firstField`` is the one to scroll to.
        ///
        /// - Parameters:
        ///   - presenter: The presenter.
        ///   - fields: The names of the fields that have an ``inlineFailure(of:field:)``, from the top.
        @MainActor
        public func inlineFailure(of presenter: FailurePresenter, fields: [String]) -> some View {
            modifier(InlineFailure(presenter: presenter, field: nil, fields: [nil] + fields))
        }
    }

    extension FailureMessage {
        /// Text and suggestion, below the title.
        var body: String {
            Presentation.sentences([text, suggestion])
        }
    }
#endif
