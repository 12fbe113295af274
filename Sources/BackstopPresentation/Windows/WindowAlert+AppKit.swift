#if canImport(SwiftUI) && canImport(AppKit) && !canImport(UIKit)
    public import AppKit
    internal import SwiftUI

    extension WindowFailureHost {
        typealias PlatformWindow = NSWindow

        /// Shows a presenter's failures in a window, from now on.
        public convenience init(of presenter: FailurePresenter, in window: NSWindow) {
            self.init(showing: presenter, in: window)
        }
    }

    /// An alert of AppKit as a sheet of a window.
    @MainActor
    final class WindowAlert {
        private var alert: NSAlert?
        /// What is done once the alert has gone without an answer; nil while it is wanted.
        private var departure: (@MainActor () -> Void)?

        /// Whether nothing is on the screen: the handler of the sheet is called however it ends.
        /// https://developer.apple.com/documentation/appkit/nsalert/beginsheetmodal(for:completionhandler:)
        var isGone: Bool {
            alert == nil
        }

        /// - Returns: Whether it is shown. In a window that is closed, a sheet would stand alone.
        func show(
            _ presentation: Presentation, _ text: String, in window: NSWindow,
            choose: @escaping @MainActor (PresentationAction) -> Void
        ) -> Bool {
            guard window.isVisible else {
                return false
            }
            // Above the sheets that are there.
            var top = window
            while let next = top.attachedSheet { top = next }
            let alert = NSAlert()
            alert.messageText = presentation.message.title
            alert.informativeText = text
            let actions = presentation.actions.isEmpty ? [.dismiss] : presentation.actions
            for action in actions {
                let button = alert.addButton(withTitle: action.title)
                // The first one has Return: https://developer.apple.com/documentation/appkit/nsalert/addbutton(withtitle:)
                if action == .dismiss, action != actions.first {
                    button.keyEquivalent = "\u{1b}"
                }
            }
            self.alert = alert
            alert.beginSheetModal(for: top) { [weak self] response in
                // The sheet stays until this has returned, and the next one would be put onto it:
                // https://developer.apple.com/documentation/appkit/nsalert/window
                Task {
                    let departure = self?.departure
                    self?.alert = nil
                    self?.departure = nil
                    // https://developer.apple.com/documentation/appkit/nsapplication/modalresponse/alertfirstbuttonreturn:
                    // the others follow; what ends the sheet otherwise is none of them.
                    let index = response.rawValue - NSApplication.ModalResponse.alertFirstButtonReturn.rawValue
                    if actions.indices.contains(index) {
                        choose(actions[index])
                    } else {
                        departure?()
                    }
                }
            }
            return true
        }

        func update(_ text: String) {
            if let alert, alert.informativeText != text {
                alert.informativeText = text
            }
        }

        func dismiss(then: @escaping @MainActor () -> Void) {
            guard departure == nil, let window = alert?.window, let parent = window.sheetParent else {
                return
            }
            departure = then
            parent.endSheet(window)
        }
    }

    extension WindowBanners {
        typealias Controller = NSHostingController<WindowBanners>
    }

    extension NSHostingController {
        func pin(to window: NSWindow) {
            // By default the largest size of the content, which is 0 without banners, is that of the window:
            // https://developer.apple.com/documentation/swiftui/nshostingcontroller/sizingoptions
            sizingOptions = []
            raise(in: window)
        }

        /// Puts the view at the top of a window, above what the app has put there, as high as the content is at this width.
        func raise(in window: NSWindow) {
            guard let content = window.contentView else {
                return
            }
            if content.subviews.last !== view {
                content.addSubview(view)
            }
            let room = content.safeAreaRect
            let height = sizeThatFits(in: room.size).height
            view.autoresizingMask = content.isFlipped ? [.width, .maxYMargin] : [.width, .minYMargin]
            view.frame = NSRect(
                x: room.minX, y: content.isFlipped ? room.minY : room.maxY - height, width: room.width, height: height)
        }
    }

    extension NSWindow {
        /// Whether it is closed, in the Dock, or hidden with its app.
        /// https://developer.apple.com/documentation/appkit/nswindow/isvisible
        var isInBackground: Bool {
            !isVisible
        }
    }
#endif
