#if canImport(SwiftUI)
    internal import Combine
    internal import SwiftUI

    /// What is wrong with an input, below it.
    struct InlineFailure: ViewModifier {
        @ObservedObject var presenter: FailurePresenter
        /// The field whose message is shown, and those that are declared.
        let field: String?
        let fields: [String?]
        /// Not `onDisappear`, which comes when a row is scrolled off the screen.
        @StateObject private var registration = FieldRegistration()

        func body(content: Content) -> some View {
            VStack(alignment: .leading, spacing: 4) {
                content
                if let shown = presenter.state.inline(field) {
                    message(shown)
                }
            }
            .onAppear { registration.register(fields, at: presenter) }
            .onNew(fields) { fields in registration.register(fields, at: presenter) }
        }

        private func message(_ shown: PresentedFailure) -> some View {
            let text = shown.presentation.message.text
            return Label {
                Text(text)
            } icon: {
                Image(systemName: "exclamationmark.circle")
            }
            .font(.footnote)
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(Text(verbatim: "\(presenter.policy.texts.text("label.problem")): \(text)"))
            .announced(shown, by: presenter, text)
        }
    }

    extension FieldRegistration: ObservableObject {}
#endif
