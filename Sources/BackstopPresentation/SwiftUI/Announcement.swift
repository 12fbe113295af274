#if canImport(SwiftUI)
    internal import Foundation
    internal import SwiftUI

    #if canImport(UIKit) && !os(watchOS)
        internal import UIKit
    #elseif canImport(AppKit)
        internal import AppKit
    #endif

    /// Speaks to people who use a screen reader.
    @MainActor
    enum Announcement {
        /// Speaks a text after what is being spoken. Without that, a change of focus, as by the button that was tapped,
        /// would silence it.
        ///
        /// https://developer.apple.com/documentation/foundation/nsattributedstring/key/accessibilityspeechqueueannouncement
        /// and, as what interrupts is of high priority,
        /// https://developer.apple.com/documentation/appkit/nsaccessibilityprioritylevel
        static func speak(_ text: String) {
            #if canImport(UIKit) && !os(watchOS)
                let queued = NSAttributedString(string: text, attributes: [.accessibilitySpeechQueueAnnouncement: true])
                UIAccessibility.post(notification: .announcement, argument: queued)
            #elseif canImport(AppKit)
                NSAccessibility.post(
                    element: NSApplication.shared, notification: .announcementRequested,
                    userInfo: [
                        .announcement: text, .priority: NSAccessibilityPriorityLevel.medium.rawValue,
                    ])
            #endif
        }

        /// Says that other content has taken the screen: the focus goes to its first element, which is spoken.
        ///
        /// https://developer.apple.com/documentation/uikit/uiaccessibility/notification/screenchanged
        static func screenChanged(to text: String?) {
            #if canImport(UIKit) && !os(watchOS)
                UIAccessibility.post(notification: .screenChanged, argument: nil)
            #else
                text.map(speak)
            #endif
        }
    }

    extension View {
        /// Speaks what this view shows: when it appears, and when something else, or the same once more, takes its place.
        @MainActor
        func announced(_ shown: PresentedFailure, by presenter: FailurePresenter, _ text: String) -> some View {
            func announce(_ shown: PresentedFailure) {
                if presenter.isNews(shown) {
                    Announcement.speak(text)
                }
            }
            return onAppear { announce(shown) }
                .onChange(of: shown.count) { _ in announce(shown) }
                .id(shown.id)
        }

        /// The gesture of VoiceOver that leaves something does so.
        @MainActor
        func escapes(_ shown: PresentedFailure, of presenter: FailurePresenter) -> some View {
            accessibilityAction(.escape) { presenter.choose(.dismiss, for: shown.id) }
        }
    }
#endif
