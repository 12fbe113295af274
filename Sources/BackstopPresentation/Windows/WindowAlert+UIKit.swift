#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    internal import SwiftUI
    public import UIKit

    extension WindowFailureHost {
        typealias PlatformWindow = UIWindow

        /// Shows a presenter's failures in a window, from now on.
        public convenience init(of presenter: FailurePresenter, in window: UIWindow) {
            self.init(showing: presenter, in: window)
        }
    }

    /// An alert of UIKit above all that a window presents.
    @MainActor
    final class WindowAlert {
        private var controller: UIAlertController?

        /// Whether nothing is on the screen. https://developer.apple.com/documentation/uikit/uiviewcontroller/presentingviewcontroller
        var isGone: Bool {
            controller?.presentingViewController == nil
        }

        /// - Returns: Whether it is shown. UIKit presents nothing while something else comes or goes.
        func show(
            _ presentation: Presentation, _ text: String, in window: UIWindow,
            choose: @escaping @MainActor (PresentationAction) -> Void
        ) -> Bool {
            var top = window.rootViewController
            while let next = top?.presentedViewController { top = next }
            guard let top, !top.isBeingDismissed, !top.isBeingPresented else {
                return false
            }
            let alert = UIAlertController(title: presentation.message.title, message: text, preferredStyle: .alert)
            // An alert without a button never goes, and two of the style `cancel` are an exception:
            // https://developer.apple.com/documentation/uikit/uialertaction/style-swift.enum/cancel
            let actions = presentation.actions.isEmpty ? [.dismiss] : presentation.actions
            for (index, action) in actions.enumerated() {
                let isWayOut = index == actions.firstIndex(of: .dismiss)
                alert.addAction(
                    UIAlertAction(title: action.title, style: isWayOut ? .cancel : .default) { _ in choose(action) })
            }
            top.present(alert, animated: true, completion: nil)
            controller = alert
            return !isGone
        }

        func update(_ text: String) {
            if controller?.message != text {
                controller?.message = text
            }
        }

        func dismiss(then: @escaping @MainActor () -> Void) {
            guard let controller, !controller.isBeingDismissed else {
                return
            }
            controller.presentingViewController?.dismiss(animated: true) { then() }
        }
    }

    extension WindowBanners {
        typealias Controller = UIHostingController<WindowBanners>
    }

    extension UIHostingController {
        /// Puts the view at the top of a window, as high as its content.
        func pin(to window: UIWindow) {
            sizingOptions = .intrinsicContentSize
            view.backgroundColor = .clear
            view.translatesAutoresizingMaskIntoConstraints = false
            window.addSubview(view)
            NSLayoutConstraint.activate([
                view.topAnchor.constraint(equalTo: window.safeAreaLayoutGuide.topAnchor),
                view.leadingAnchor.constraint(equalTo: window.safeAreaLayoutGuide.leadingAnchor),
                view.trailingAnchor.constraint(equalTo: window.safeAreaLayoutGuide.trailingAnchor),
            ])
        }

        /// What is presented later is put above it.
        func raise(in window: UIWindow) {
            window.bringSubviewToFront(view)
        }
    }

    extension UIWindow {
        var isInBackground: Bool {
            windowScene?.activationState == .background
        }
    }
#endif
