#if canImport(SwiftUI)
    internal import SwiftUI

    /// Banners, alerts and full screens above the content of a window, a sheet or a cover, while it is the host that draws.
    ///
    /// What is to be drawn, and where, is decided by ``PresentationHosts`` and ``AlertStage``.
    struct FailureHost: ViewModifier {
        @ObservedObject var presenter: FailurePresenter
        /// A sheet inherits it, as it does the whole environment of the view that it is attached to.
        @Environment(\.failureHostLevel) private var level
        @Environment(\.scenePhase) private var phase
        @State private var host: Int?
        @State private var stage = AlertStage()
        @State private var surroundings = Surroundings()

        func body(content: Content) -> some View {
            content
                .environment(\.failureHostLevel, level + 1)
                .disabled(drawn.fullScreen != nil)
                .accessibilityHidden(drawn.fullScreen != nil)
                .overlay {
                    if let shown = drawn.fullScreen {
                        // Another one is another view, so that it is announced.
                        FailureScreen(shown, of: presenter)
                            .id(shown.id)
                            .onAppear { surroundings.hideKeyboard() }
                    }
                }
                .overlay(alignment: .top) {
                    FailureBanners(banners: drawn.banners, presenter: presenter)
                }
                .background { surroundings.probe }
                .alert(
                    Text(stage.shown?.presentation.message.title ?? ""), isPresented: isAlerting,
                    presenting: stage.shown
                ) { shown in
                    FailureActions(shown: shown, presenter: presenter)
                } message: { shown in
                    Text(shown.presentation.message.body)
                }
                .onAppear {
                    let host = host ?? presenter.beginHost(level: level)
                    self.host = host
                    presenter.moveHost(host, toBackground: phase == .background)
                }
                .onDisappear {
                    host.map(presenter.endHost)
                    host = nil
                }
                .onNew(phase) { phase in
                    if let host { presenter.moveHost(host, toBackground: phase == .background) }
                }
                .task(id: Turn(wanted: drawn.alert?.id, shown: stage.shown?.id, isLeaving: stage.isLeaving)) {
                    await turn()
                }
                .task(id: presenter.state.isEmpty ? nil : host) { await watch() }
        }

        /// What this host is to draw.
        private var drawn: PresenterState {
            presenter.draws(host) ? presenter.state : PresenterState()
        }

        /// The binding of the alert becomes false when it goes, for whatever reason.
        /// https://developer.apple.com/documentation/swiftui/view/alert(_:ispresented:presenting:actions:message:)
        private var isAlerting: Binding<Bool> {
            Binding {
                stage.shown != nil
            } set: { isPresented in
                guard !isPresented, let shown = stage.shown else {
                    return
                }
                stage.close()
                // Without buttons of ours, SwiftUI shows one of its own.
                if shown.presentation.actions.isEmpty {
                    presenter.dismiss(shown.id)
                }
            }
        }

        /// What begins a turn of the alert.
        private struct Turn: Hashable {
            let wanted: Int?
            let shown: Int?
            let isLeaving: Bool
        }

        private func turn() async {
            if stage.isLeaving {
                do {
                    try await Task.sleep(nanoseconds: 400_000_000)
                } catch {
                    return  // The next turn waits.
                }
                if let id = stage.settle(wanted: drawn.alert) {
                    presenter.vanished(id)
                }
            }
            stage.turn(to: drawn.alert)
        }

        /// Looks each second, while there is something to be drawn, for what SwiftUI tells nobody: that a sheet without a
        /// host covers this one, or that UIKit took the alert away.
        private func watch() async {
            var misses = 0
            while let host, !presenter.state.isEmpty {
                presenter.coverHost(host, surroundings.isCovered)
                misses = stage.shown != nil && surroundings.isUncovered ? misses + 1 : 0
                if misses == 2 {
                    stage.close()
                }
                do {
                    try await Task.sleep(nanoseconds: 1_000_000_000)
                } catch {
                    return
                }
            }
        }
    }

    /// How many hosts a view stands in.
    private struct FailureHostLevel: EnvironmentKey {
        static let defaultValue = 0
    }

    extension EnvironmentValues {
        var failureHostLevel: Int {
            get { self[FailureHostLevel.self] }
            set { self[FailureHostLevel.self] = newValue }
        }
    }
#endif
