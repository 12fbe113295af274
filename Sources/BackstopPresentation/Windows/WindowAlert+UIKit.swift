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

        /// - Returns: Whether it is shown. UIKit presents nothing while something else comes or goes, and a menu takes along
        ///   what is above it.
        func show(
            _ presentation: Presentation, _ text: String, in window: UIWindow,
            choose: @escaping @MainActor (PresentationAction) -> Void
        ) -> Bool {
            var top = window.rootViewController
            while let next = top?.presentedViewController { top = next }
            guard let top, !top.isBeingDismissed, !top.isBeingPresented, !top.isMenu else {
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
        func pin(to window: UIWindow) {
            view.backgroundColor = .clear
            view.autoresizingMask = [.flexibleWidth, .flexibleBottomMargin]
            window.addSubview(view)
            raise(in: window)
        }

        /// Puts the view at the top of a window, above what is presented, as high as the content is at this width. The
        /// intrinsic size is that of no width at all:
        /// https://developer.apple.com/documentation/swiftui/uihostingcontrollersizingoptions
        func raise(in window: UIWindow) {
            let room = window.safeAreaLayoutGuide.layoutFrame
            view.frame = CGRect(
                x: room.minX, y: room.minY, width: room.width, height: sizeThatFits(in: room.size).height)
            window.bringSubviewToFront(view)
        }
    }

    extension UIViewController {
        /// Whether UIKit shows a menu in it, for which there is no public type.
        var isMenu: Bool {
            String(describing: type(of: self)).contains("ContextMenu")
        }
    }

    extension UIWindow {
        /// Whether its scene is in the background, or gone.
        /// https://developer.apple.com/documentation/uikit/uiscene/activationstate-swift.enum
        var isInBackground: Bool {
            ![.foregroundActive, .foregroundInactive].contains(windowScene?.activationState)
        }
    }
#endif
