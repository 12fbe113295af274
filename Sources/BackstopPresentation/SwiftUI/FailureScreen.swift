#if canImport(SwiftUI)
    public import SwiftUI

    /// A view in the place of all content: what happened, what to do, the countdown, and buttons. It scrolls where it is
    /// higher than its place, as with large type.
    ///
    /// `presentsFailures(of:)` shows it; use it yourself where a part of a screen is to be replaced.
    public struct FailureScreen: View {
        private let shown: PresentedFailure
        private let presenter: FailurePresenter
        @AccessibilityFocusState private var isFocused: Bool

        /// Makes the view of what a presenter shows.
        @MainActor
        public init(_ shown: PresentedFailure, of presenter: FailurePresenter) {
            self.shown = shown
            self.presenter = presenter
        }

        /// The view.
        public var body: some View {
            ViewThatFits(in: .vertical) {
                content
                ScrollView { content }
            }
            .frame(maxWidth: .infinity, maxHeight: .infinity)
            .background(.background)
            .accessibilityElement(children: .contain)
            .accessibilityAddTraits(.isModal)
            .escapes(shown, of: presenter)
            .onAppear {
                if presenter.isNews(shown.id, count: shown.count) {
                    Announcement.screenChanged(to: shown.presentation.spokenText)
                }
                isFocused = true
            }
            .onNew(shown.count) { count in
                presenter.speak(shown.presentation.spokenText, for: shown.id, count: count)
            }
            .onDisappear { Announcement.screenChanged(to: nil) }
        }

        private var content: some View {
            let message = shown.presentation.message
            return VStack(spacing: 16) {
                Image(systemName: "exclamationmark.triangle")
                    .font(.largeTitle)
                    .accessibilityHidden(true)
                VStack(spacing: 16) {
                    Text(message.title).font(.title2)
                    Text(message.body)
                }
                .accessibilityElement(children: .combine)
                .accessibilityAddTraits(.isHeader)
                .accessibilityFocused($isFocused)
                if let remaining = shown.remaining {
                    Text(presenter.policy.texts.countdown(remaining))
                        .accessibilityAddTraits(.updatesFrequently)
                }
                FailureActions(shown: shown, presenter: presenter)
            }
            .multilineTextAlignment(.center)
            .padding(24)
        }
    }

    /// The banners at the top of a window.
    struct FailureBanners: View {
        let banners: [PresentedFailure]
        let presenter: FailurePresenter

        var body: some View {
            ViewThatFits(in: .vertical) {
                list
                ScrollView { list }
            }
        }

        private var list: some View {
            VStack(spacing: 8) {
                ForEach(banners) { shown in
                    FailureBanner(shown: shown, presenter: presenter)
                }
            }
            .padding(banners.isEmpty ? 0 : 8)
        }
    }

    /// A strip at the top of a window.
    struct FailureBanner: View {
        let shown: PresentedFailure
        let presenter: FailurePresenter
        /// The width from which on buttons stand beside the text; it grows with the size of the type.
        @ScaledMetric private var textWidth = 180.0

        var body: some View {
            ViewThatFits(in: .horizontal) {
                HStack(alignment: .top, spacing: 12) {
                    symbol
                    texts
                    FailureActions(shown: shown, presenter: presenter)
                }
                VStack(alignment: .leading, spacing: 12) {
                    symbol
                    texts
                    FailureActions(shown: shown, presenter: presenter)
                }
            }
            .padding(12)
            .background(.background)
            .overlay {
                RoundedRectangle(cornerRadius: 8).stroke(lineWidth: 1)
            }
            .accessibilityElement(children: .contain)
            .escapes(shown, of: presenter)
            .announced(shown, by: presenter, shown.presentation.spokenText)
        }

        private var texts: some View {
            let message = shown.presentation.message
            return VStack(alignment: .leading, spacing: 2) {
                Text(message.title).font(.headline)
                if !message.body.isEmpty {
                    Text(message.body).font(.footnote)
                }
                if let often = presenter.policy.texts.occurrences(shown.count) {
                    Text(often).font(.footnote)
                }
            }
            .frame(idealWidth: textWidth, maxWidth: .infinity, alignment: .leading)
        }

        @ViewBuilder private var symbol: some View {
            if shown.presentation.isSuccess {
                Image(systemName: "checkmark.circle")
                    .accessibilityHidden(true)
            } else {
                Image(systemName: "exclamationmark.triangle")
                    .accessibilityLabel(Text(presenter.policy.texts.text("label.problem")))
            }
        }
    }

    /// The buttons of a presentation.
    struct FailureActions: View {
        let shown: PresentedFailure
        let presenter: FailurePresenter

        var body: some View {
            ForEach(shown.presentation.actions, id: \.self) { action in
                Button(role: action == .dismiss ? .cancel : nil) {
                    presenter.choose(action, for: shown.id)
                } label: {
                    Text(action.title)
                }
            }
        }
    }
#endif
