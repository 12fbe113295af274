#if canImport(SwiftUI) && (canImport(UIKit) || canImport(AppKit)) && !os(watchOS)
    internal import SwiftUI

    #if canImport(UIKit)
        internal import UIKit
    #else
        internal import AppKit
    #endif

    /// Shows banners, alerts and full screens of a presenter in a window, for an app of UIKit or AppKit.
    ///
    /// ```swift
    /// #if canImport(UIKit) && !os(watchOS)
    ///     import UIKit
    ///
    ///     @MainActor final class Screens {
    ///         private var failures: WindowFailureHost?
    ///
    ///         func open(_ window: UIWindow, _ presenter: FailurePresenter) {
    ///             failures = WindowFailureHost(of: presenter, in: window)
    ///         }
    ///     }
    /// #endif
    /// ```
    /// Keep it as long as the window is open. Alerts, and full screens as alerts, stand above whatever the window presents, so
    /// its sheets need nothing of their own. For what stands at a field, draw ``PresenterState/inlines`` and say so with
    /// ``FailurePresenter/beginInline(_:)``.
    @MainActor
    public final class WindowFailureHost {
        private let presenter: FailurePresenter
        private weak var window: PlatformWindow?
        private let host: Int
        private let banners: WindowBanners.Controller
        private let alert = WindowAlert()
        private var stage = AlertStage()
        private var following: Task<Void, Never>?
        private var looking: Task<Void, Never>?

        init(showing presenter: FailurePresenter, in window: PlatformWindow) {
            self.presenter = presenter
            self.window = window
            host = presenter.beginHost(level: 0)
            banners = WindowBanners.Controller(rootView: WindowBanners(banners: [], presenter: presenter))
            banners.pin(to: window)
            following = Task { [weak self, states = presenter.states] in
                for await _ in states {
                    self?.update()
                }
            }
        }

        deinit {
            following?.cancel()
            looking?.cancel()
            Task { @MainActor [presenter, host, banners] in
                presenter.endHost(host)
                banners.view.removeFromSuperview()
            }
        }

        private var wanted: PresentedFailure? {
            presenter.draws(host) ? presenter.state.modal : nil
        }

        private func update() {
            guard let window else {
                return presenter.endHost(host)
            }
            presenter.moveHost(host, toBackground: window.isInBackground)
            banners.rootView = WindowBanners(
                banners: presenter.draws(host) ? presenter.state.banners : [], presenter: presenter)
            banners.raise(in: window)
            if stage.shown != nil, alert.isGone {
                stage.close()  // A deep link closed all that was presented, and told nobody.
            }
            if stage.isLeaving, alert.isGone, let id = stage.settle(wanted: wanted) {
                presenter.vanished(id)
            }
            stage.turn(to: wanted)
            if let shown = stage.shown {
                show(shown, in: window)
            } else if !alert.isGone {
                alert.dismiss { [weak self] in self?.update() }
            }
            look()
        }

        private func show(_ shown: PresentedFailure, in window: PlatformWindow) {
            let countdown = shown.remaining.map { presenter.policy.texts.countdown($0) }
            let text = [shown.presentation.message.body, countdown].compactMap { $0 }.joined(separator: "\n")
            guard alert.isGone else {
                return alert.update(text)
            }
            let isShown = alert.show(shown.presentation, text, in: window) { [weak self, presenter] action in
                self?.stage.close()
                presenter.choose(action, for: shown.id)
                self?.update()
            }
            if !isShown {
                // Something comes or goes just now: a second later there is room.
                stage = AlertStage()
            }
        }

        /// Looks again in a second, while there is something to be shown: what UIKit and AppKit take away they tell nobody.
        private func look() {
            guard looking == nil, !presenter.state.isEmpty else {
                return
            }
            looking = Task { [weak self] in
                guard (try? await Task.sleep(nanoseconds: 1_000_000_000)) != nil, let self else {
                    return
                }
                looking = nil
                update()
            }
        }
    }

    /// The banners of a window.
    struct WindowBanners: View {
        let banners: [PresentedFailure]
        let presenter: FailurePresenter

        var body: some View {
            FailureBanners(banners: banners, presenter: presenter)
        }
    }
#endif
