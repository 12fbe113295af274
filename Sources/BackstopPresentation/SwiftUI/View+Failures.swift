#if canImport(SwiftUI)
    public import SwiftUI

    extension View {
        /// Shows banners, alerts and full screens of a presenter above this view; once, at the root of a window.
        ///
        /// They are announced to people who do not see them, and say with a symbol and a word, not by colour alone, that
        /// something is wrong. Inline failures are shown by ``inlineFailure(of:field:)``.
        @MainActor
        public func presentsFailures(of presenter: FailurePresenter) -> some View {
            modifier(FailurePresentation(presenter: presenter))
        }

        /// Shows below this view, mostly the input of a form, what is wrong with it.
        ///
        /// - Parameters:
        ///   - presenter: The presenter.
        ///   - field: The field's name, as the policy's rules or a ``FieldError`` say it; nil for the form as a whole,
        ///     which also shows what is about fields that no view shows.
        @MainActor
        public func inlineFailure(of presenter: FailurePresenter, field: String? = nil) -> some View {
            modifier(InlineFailure(presenter: presenter, field: field))
        }
    }

    /// Banners, alerts and full screens above a window's content.
    struct FailurePresentation: ViewModifier {
        @ObservedObject var presenter: FailurePresenter
        /// The alert that is on the screen: one has to be gone before SwiftUI shows the next.
        @State private var alert: PresentedFailure?

        func body(content: Content) -> some View {
            content
                .disabled(presenter.state.fullScreen != nil)
                .accessibilityHidden(presenter.state.fullScreen != nil)
                .overlay {
                    if let shown = presenter.state.fullScreen {
                        FailureScreen(shown, of: presenter)
                    }
                }
                .overlay(alignment: .top) {
                    VStack(spacing: 8) {
                        ForEach(presenter.state.banners) { shown in
                            FailureBanner(shown: shown, presenter: presenter)
                        }
                    }
                    .padding(8)
                }
                .alert(Text(alert?.presentation.message.title ?? ""), isPresented: isAlerting, presenting: alert) {
                    shown in
                    ForEach(shown.presentation.actions, id: \.self) { action in
                        Button(role: action == .dismiss ? .cancel : nil) {
                            presenter.choose(action, for: shown.id)
                        } label: {
                            Text(action.title)
                        }
                    }
                } message: { shown in
                    Text(shown.presentation.message.body)
                }
                .task(id: presenter.state.alert?.id) {
                    if alert != nil {
                        alert = nil
                        try? await Task.sleep(nanoseconds: 400_000_000)
                    }
                    alert = presenter.state.alert
                }
        }

        private var isAlerting: Binding<Bool> {
            Binding {
                alert != nil
            } set: { isPresented in
                guard !isPresented, let shown = alert else {
                    return
                }
                alert = nil
                // Without buttons of ours, SwiftUI shows one of its own.
                if shown.presentation.actions.isEmpty {
                    presenter.dismiss(shown.id)
                }
            }
        }
    }

    extension FailureMessage {
        /// Text and suggestion, below the title.
        var body: String {
            Presentation.sentences([text, suggestion])
        }
    }
#endif
