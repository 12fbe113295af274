#if canImport(SwiftUI)
    public import SwiftUI

    /// A view in the place of all content: what happened, what to do, the countdown, and buttons.
    ///
    /// `presentsFailures(of:)` shows it; use it yourself where a part of a screen is to be replaced.
    public struct FailureScreen: View {
        private let shown: PresentedFailure
        private let presenter: FailurePresenter

        /// Makes the view of what a presenter shows.
        @MainActor
        public init(_ shown: PresentedFailure, of presenter: FailurePresenter) {
            self.shown = shown
            self.presenter = presenter
        }

        /// The view.
        public var body: some View {
            let message = shown.presentation.message
            VStack(spacing: 16) {
                Image(systemName: "exclamationmark.triangle")
                    .font(.largeTitle)
                    .accessibilityHidden(true)
                Text(message.title)
                    .font(.title2)
                    .accessibilityAddTraits(.isHeader)
                Text(message.body)
                if let remaining = shown.remaining {
                    Text(presenter.policy.texts.countdown(remaining))
                        .accessibilityAddTraits(.updatesFrequently)
                }
                FailureActions(shown: shown, presenter: presenter)
            }
            .multilineTextAlignment(.center)
            .padding(24)
            .frame(maxWidth: .infinity, maxHeight: .infinity)
            .background(.background)
            .accessibilityElement(children: .contain)
            .accessibilityAddTraits(.isModal)
            .onAppear { Announcement.speak(shown.presentation.spokenText) }
        }
    }

    /// A strip at the top of a window.
    struct FailureBanner: View {
        let shown: PresentedFailure
        let presenter: FailurePresenter

        var body: some View {
            let message = shown.presentation.message
            HStack(alignment: .top, spacing: 12) {
                if shown.presentation.isSuccess {
                    Image(systemName: "checkmark.circle")
                        .accessibilityHidden(true)
                } else {
                    Image(systemName: "exclamationmark.triangle")
                        .accessibilityLabel(Text(presenter.policy.texts.text("label.problem")))
                }
                VStack(alignment: .leading, spacing: 2) {
                    Text(message.title).font(.headline)
                    if !message.body.isEmpty {
                        Text(message.body).font(.footnote)
                    }
                    if let often = presenter.policy.texts.occurrences(shown.count) {
                        Text(often).font(.footnote)
                    }
                }
                .frame(maxWidth: .infinity, alignment: .leading)
                FailureActions(shown: shown, presenter: presenter)
            }
            .padding(12)
            .background(.background)
            .overlay {
                RoundedRectangle(cornerRadius: 8).stroke(lineWidth: 1)
            }
            .accessibilityElement(children: .contain)
            .onAppear { Announcement.speak(shown.presentation.spokenText) }
        }
    }

    /// The buttons of a presentation.
    struct FailureActions: View {
        let shown: PresentedFailure
        let presenter: FailurePresenter

        var body: some View {
            ForEach(shown.presentation.actions, id: \.self) { action in
                Button {
                    presenter.choose(action, for: shown.id)
                } label: {
                    Text(action.title)
                }
            }
        }
    }
#endif
