#if canImport(SwiftUI)
    internal import SwiftUI

    #if canImport(UIKit) && !os(watchOS)
        internal import UIKit
    #elseif canImport(AppKit)
        internal import AppKit
    #endif

    /// What is wrong with an input, below it.
    struct InlineFailure: ViewModifier {
        @ObservedObject var presenter: FailurePresenter
        let field: String?

        func body(content: Content) -> some View {
            VStack(alignment: .leading, spacing: 4) {
                content
                if let shown = presenter.state.inline(field) {
                    let text = shown.presentation.message.text
                    Label {
                        Text(text)
                    } icon: {
                        Image(systemName: "exclamationmark.circle")
                    }
                    .font(.footnote)
                    .accessibilityElement(children: .ignore)
                    .accessibilityLabel(Text("\(presenter.policy.texts.text("label.problem")): \(text)"))
                    .onAppear { Announcement.speak(text) }
                }
            }
            .onAppear { presenter.beginInline(field) }
            .onDisappear { presenter.endInline(field) }
        }
    }

    /// Speaks what has appeared to people who use a screen reader.
    @MainActor
    enum Announcement {
        static func speak(_ text: String) {
            #if canImport(UIKit) && !os(watchOS)
                UIAccessibility.post(notification: .announcement, argument: text)
            #elseif canImport(AppKit)
                NSAccessibility.post(
                    element: NSApplication.shared, notification: .announcementRequested,
                    userInfo: [
                        .announcement: text, .priority: NSAccessibilityPriorityLevel.high.rawValue,
                    ])
            #endif
        }
    }
#endif
