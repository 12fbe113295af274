#if canImport(SwiftUI)
    internal import Foundation
    internal import SwiftUI

    #if os(watchOS)
        internal import Accessibility
    #elseif canImport(UIKit)
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
            #if os(watchOS)
                if #available(watchOS 10, *) {
                    AccessibilityNotification.Announcement(text).post()
                }
            #elseif canImport(UIKit)
                let queued = NSAttributedString(string: text, attributes: [.accessibilitySpeechQueueAnnouncement: true])
                UIAccessibility.post(notification: .announcement, argument: queued)
            #elseif canImport(AppKit)
                // The element as in the sample of
                // https://developer.apple.com/documentation/appkit/nsaccessibility-swift.struct/notification/announcementrequested
                let element: NSResponder = NSApplication.shared.mainWindow ?? NSApplication.shared
                NSAccessibility.post(
                    element: element, notification: .announcementRequested,
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

    extension FailurePresenter {
        /// Speaks a text about what is shown, unless it was spoken in another window.
        func speak(_ text: String, for id: PresentedFailure.ID, count: Int) {
            if isNews(id, count: count) {
                Announcement.speak(text)
            }
        }
    }

    extension View {
        /// Speaks what this view shows: when it appears, and when something else, or the same once more, takes its place.
        @MainActor
        func announced(_ shown: PresentedFailure, by presenter: FailurePresenter, _ text: String) -> some View {
            onAppear { presenter.speak(text, for: shown.id, count: shown.count) }
                .onNew(shown.count) { count in presenter.speak(text, for: shown.id, count: count) }
                .id(shown.id)
        }

        /// The same as `onChange(of:perform:)`, which is deprecated on visionOS: what the action captured is of before the
        /// change, only its argument is new. https://developer.apple.com/documentation/swiftui/view/onchange(of:perform:)
        func onNew<Value: Equatable>(_ value: Value, perform action: @escaping (Value) -> Void) -> some View {
            #if os(visionOS)
                onChange(of: value) { _, value in action(value) }
            #else
                onChange(of: value, perform: action)
            #endif
        }

        /// The gesture of VoiceOver that leaves something does so, and the Escape key and the Menu button, which otherwise
        /// leaves the app. https://developer.apple.com/documentation/swiftui/view/onexitcommand(perform:)
        @MainActor
        func escapes(_ shown: PresentedFailure, of presenter: FailurePresenter) -> some View {
            accessibilityAction(.escape) { presenter.choose(.dismiss, for: shown.id) }
                #if os(macOS) || os(tvOS)
                    .onExitCommand { presenter.choose(.dismiss, for: shown.id) }
                #endif
        }
    }
#endif
