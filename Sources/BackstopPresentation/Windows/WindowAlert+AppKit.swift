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

        /// Whether nothing is on the screen: the handler of the sheet is called however it ends.
        /// https://developer.apple.com/documentation/appkit/nsalert/beginsheetmodal(for:completionhandler:)
        var isGone: Bool {
            alert == nil
        }

        /// - Returns: Whether it is shown.
        func show(
            _ presentation: Presentation, _ text: String, in window: NSWindow,
            choose: @escaping @MainActor (PresentationAction) -> Void
        ) -> Bool {
            // Above the sheets that are there.
            var top = window
            while let next = top.attachedSheet { top = next }
            let alert = NSAlert()
            alert.messageText = presentation.message.title
            alert.informativeText = text
            let actions = presentation.actions.isEmpty ? [.dismiss] : presentation.actions
            for action in actions {
                let button = alert.addButton(withTitle: action.title)
                if action == .dismiss {
                    button.keyEquivalent = "\u{1b}"
                }
            }
            self.alert = alert
            alert.beginSheetModal(for: top) { [weak self] response in
                self?.alert = nil
                // https://developer.apple.com/documentation/appkit/nsapplication/modalresponse/alertfirstbuttonreturn:
                // the others follow; what ends the sheet otherwise is none of them.
                let index = response.rawValue - NSApplication.ModalResponse.alertFirstButtonReturn.rawValue
                if actions.indices.contains(index) {
                    choose(actions[index])
                }
            }
            return true
        }

        func update(_ text: String) {
            alert?.informativeText = text
        }

        func dismiss(then: @escaping @MainActor () -> Void) {
            guard let window = alert?.window, let parent = window.sheetParent else {
                return
            }
            parent.endSheet(window)
            Task { then() }
        }
    }

    extension WindowBanners {
        typealias Controller = NSHostingController<WindowBanners>
    }

    extension NSHostingController {
        /// Puts the view at the top of a window, as high as its content.
        func pin(to window: NSWindow) {
            guard let content = window.contentView else {
                return
            }
            view.translatesAutoresizingMaskIntoConstraints = false
            content.addSubview(view)
            NSLayoutConstraint.activate([
                view.topAnchor.constraint(equalTo: content.safeAreaLayoutGuide.topAnchor),
                view.leadingAnchor.constraint(equalTo: content.leadingAnchor),
                view.trailingAnchor.constraint(equalTo: content.trailingAnchor),
            ])
        }

        /// Nothing is put above it: sheets are windows.
        func raise(in window: NSWindow) {}
    }

    extension NSWindow {
        var isInBackground: Bool {
            isMiniaturized
        }
    }
#endif
