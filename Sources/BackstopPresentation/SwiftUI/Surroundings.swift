#if canImport(SwiftUI)
    internal import SwiftUI

    #if canImport(UIKit) && !os(watchOS)
        internal import UIKit

        /// What UIKit shows above a host.
        @MainActor
        final class Surroundings {
            private weak var controller: UIViewController?

            /// "The view controller that is presented by this view controller, or one of its ancestors in the view controller
            /// hierarchy." https://developer.apple.com/documentation/uikit/uiviewcontroller/presentedviewcontroller
            private var presented: UIViewController? {
                controller?.presentedViewController
            }

            /// Whether a sheet or a cover is above the host. Alerts, menus and popovers leave it to be seen.
            var isCovered: Bool {
                guard let presented, !presented.isBeingDismissed,
                    !(presented is UIAlertController), !presented.isMenu
                else {
                    return false
                }
                #if !os(tvOS)
                    // In a compact window it is a sheet, unless its delegate keeps it as it is, with the style `none`:
                    // https://developer.apple.com/documentation/uikit/uimodalpresentationstyle/popover
                    if presented.modalPresentationStyle == .popover, let window = controller?.view.window {
                        let style = presented.presentationController?
                            .adaptivePresentationStyle(for: window.traitCollection)
                        return style != UIModalPresentationStyle.none
                    }
                #endif
                return true
            }

            /// Whether nothing at all is above the host, not even an alert.
            var isUncovered: Bool {
                controller != nil && presented == nil
            }

            /// https://developer.apple.com/documentation/uikit/uiview/endediting(_:)
            func hideKeyboard() {
                _ = controller?.view.window?.endEditing(true)
            }

            var probe: some View {
                Probe(surroundings: self)
            }

            /// A controller in the hierarchy of those that a host stands in.
            private struct Probe: UIViewControllerRepresentable {
                let surroundings: Surroundings

                func makeUIViewController(context: Context) -> UIViewController {
                    let controller = UIViewController()
                    // Or it would take touches from what is below.
                    controller.view.isUserInteractionEnabled = false
                    surroundings.controller = controller
                    return controller
                }

                func updateUIViewController(_ controller: UIViewController, context: Context) {}
            }
        }
    #else
        /// What is above a host is known only where there is UIKit.
        @MainActor
        final class Surroundings {
            let isCovered = false
            let isUncovered = false
            let probe = EmptyView()

            func hideKeyboard() {}
        }
    #endif
#endif
