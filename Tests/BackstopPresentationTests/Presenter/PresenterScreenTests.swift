import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Testing

/// A device as a model: windows, sheets and covers that come and go, an app that goes to the background, alerts that vanish.
@MainActor
private final class Device {
    /// What stands above the content of a window, a sheet or a cover, as `FailureHost` does.
    struct Host {
        let id: Int
        let level: Int
        var isCovered = false
        var isInBackground = false
        var stage = AlertStage()
    }

    let presenter: FailurePresenter
    private(set) var hosts: [Host] = []
    /// The alerts that a person has seen, by their titles.
    private(set) var seen: Set<String> = []

    init(_ presenter: FailurePresenter) {
        self.presenter = presenter
    }

    func open(level: Int) {
        for index in hosts.indices { hosts[index].isCovered = false }
        let id = presenter.beginHost(level: level)
        presenter.moveHost(id, toBackground: false)
        hosts.append(Host(id: id, level: level))
    }

    func close(_ index: Int) {
        presenter.endHost(hosts.remove(at: index).id)
    }

    /// Something without a host covers the one that draws, or what covers one goes.
    func cover(_ index: Int) {
        let draws = presenter.draws(hosts[index].id)
        presenter.coverHost(hosts[index].id, !hosts[index].isCovered)
        hosts[index].isCovered = !hosts[index].isCovered && draws
    }

    /// A window goes to the background, or comes from there.
    func move(_ index: Int) {
        hosts[index].isInBackground.toggle()
        presenter.moveHost(hosts[index].id, toBackground: hosts[index].isInBackground)
    }

    /// The alert of a host goes, though nobody has pressed a button.
    func takeAlertAway(_ index: Int) {
        hosts[index].stage.close()
    }

    /// Each host does what SwiftUI has it do. There is never more than one alert.
    func turn() {
        for index in hosts.indices {
            let wanted = presenter.draws(hosts[index].id) ? presenter.state.alert : nil
            if hosts[index].stage.isLeaving, let id = hosts[index].stage.settle(wanted: wanted) {
                presenter.vanished(id)
            }
            hosts[index].stage.turn(to: presenter.draws(hosts[index].id) ? presenter.state.alert : nil)
        }
        // In the foreground before the background, then the highest level, then the last: as a person expects it.
        let open = hosts.filter { !$0.isCovered }
        let inFront = open.contains { !$0.isInBackground } ? open.filter { !$0.isInBackground } : open
        let top = inFront.map(\.level).max()
        #expect(
            hosts.filter { presenter.draws($0.id) }.map(\.id) == inFront.last { $0.level == top }.map { [$0.id] } ?? [])
        let shown = hosts.compactMap(\.stage.shown)
        #expect(shown.count <= 1)
        for host in hosts where !host.isCovered && !host.isInBackground {
            seen.formUnion([host.stage.shown?.presentation.message.title].compactMap { $0 })
        }
    }

    /// The person presses a button of the alert on the screen.
    func press(_ numbers: inout SeededNumbers) {
        let isInReach = { (host: Host) in host.stage.shown != nil && !host.isCovered && !host.isInBackground }
        guard let index = hosts.firstIndex(where: isInReach), let shown = hosts[index].stage.shown else {
            return
        }
        // The button and the end of the alert come in either order.
        let isClosedFirst = numbers.below(2) == 0
        if isClosedFirst { hosts[index].stage.close() }
        presenter.choose(shown.presentation.actions[numbers.below(shown.presentation.actions.count)], for: shown.id)
        hosts[index].stage.close()
    }
}

/// Whatever a device does: no call waits endlessly, nothing is shown twice, nothing is lost.
@Suite("A presenter on a device where screens come and go", .limited)
@MainActor
struct PresenterScreenTests {
    private static let failures: [Failure] = [
        Failure(TransportError(.refused)), Failure(TransportError(.lost)), Failure(TransportError(.offline)),
        Failure(StatusError(500)), Failure(RejectionError(.limit, "busy")), refusal(retryAfter: "2"),
    ]

    private static let policy = PresentationPolicy(texts: .english) {
        Present(.rejected, as: .banner(.untilSuccess, actions: [.retry, .dismiss]))
        Present(status: 404...499) { failure in
            .alert(message: FailureMessage(title: "\(failure.name)", text: "", suggestion: nil), actions: [.dismiss])
        }
    }

    @Test("keeps no call, shows nothing twice and loses nothing", arguments: Seed.ofRun(and: Array(1...60)))
    func random(seed: Seed) async throws {
        var numbers = seed.numbers
        let clock = ManualClock()
        let presenter = FailurePresenter(policy: Self.policy, clock: clock, maximumModals: 6, maximumBanners: 2)
        let device = Device(presenter)
        var calls: [Task<Verdict, Never>] = []
        var told: Set<String> = []
        device.open(level: 0)

        for step in 0..<80 {
            let hosts = device.hosts
            switch numbers.below(12) {
            case 0, 1:
                let failure = Self.failures[numbers.below(Self.failures.count)]
                calls.append(Task { await presenter.handle(failure) })
            case 2:
                if presenter.present(Failure(StatusError(404), name: "told \(step)")) { told.insert("told \(step)") }
            case 3 where hosts.count < 4: device.open(level: hosts.isEmpty ? 0 : numbers.below(hosts.count + 1))
            case 4 where !hosts.isEmpty: device.close(numbers.below(hosts.count))
            case 5 where !hosts.isEmpty: device.cover(numbers.below(hosts.count))
            case 6 where !hosts.isEmpty: device.move(numbers.below(hosts.count))
            // Less often than an alert is given up.
            case 7 where step % 27 == 0 && !hosts.isEmpty: device.takeAlertAway(numbers.below(hosts.count))
            case 8: await clock.advance(by: .milliseconds(numbers.below(1500)))
            case 9 where !calls.isEmpty && numbers.below(4) == 0: calls[numbers.below(calls.count)].cancel()
            default: device.press(&numbers)
            }
            device.turn()
            for _ in 0..<numbers.below(3) { await Task.yield() }
        }

        // All screens have gone: nobody can answer, and each call goes on all the same.
        while !device.hosts.isEmpty { device.close(0) }
        let time = Task {
            while !Task.isCancelled {
                await clock.advance(by: .milliseconds(500))
                await Task.yield()
            }
        }
        for call in calls { _ = await call.value }
        time.cancel()
        await time.value

        // And what nobody has seen yet is there when the app is opened again.
        device.open(level: 0)
        for _ in 0..<40 {
            device.turn()
            device.press(&numbers)
        }
        #expect(told.subtracting(device.seen).isEmpty)
        #expect(presenter.state.modals.isEmpty)
    }
}
