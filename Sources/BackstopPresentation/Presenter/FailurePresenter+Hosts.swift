internal import BackstopCore

// What draws the presenter's banners, alerts and full screens says so here; SwiftUI, UIKit and AppKit are on top.
extension FailurePresenter {
    /// How long calls wait for an answer while nothing can be seen: the time in which one screen takes another's place.
    package static let hostGrace: Duration = .seconds(1)

    /// A host came: whatever ``draws(_:)`` says of its number, it is to do.
    ///
    /// - Parameter level: How many hosts it stands in.
    package func beginHost(level: Int) -> Int {
        change { $0.begin(level: level) }
    }

    /// A host has gone.
    package func endHost(_ id: Int) {
        change { $0.end(id) }
    }

    /// The scene of a host went to the background, or came from there. Banners do not grow older meanwhile.
    package func moveHost(_ id: Int, toBackground isInBackground: Bool) {
        change { $0.move(id, toBackground: isInBackground) }
    }

    /// Something without a host covers a host, or covers it no longer.
    package func coverHost(_ id: Int, _ isCovered: Bool) {
        change { $0.cover(id, isCovered) }
    }

    /// Whether a host is the one that draws.
    package func draws(_ host: Int?) -> Bool {
        host != nil && hosts.drawing == host
    }

    /// An alert is no longer on the screen, and nobody has pressed a button: it is shown again. What goes again and again
    /// counts as dismissed.
    package func vanished(_ id: PresentedFailure.ID) {
        end(queue.vanish(id))
    }

    /// Whether a screen reader is to be told of something: once, in however many windows it stands.
    ///
    /// - Parameter count: How many equal failures there were when it was drawn.
    package func isNews(_ id: PresentedFailure.ID, count: Int) -> Bool {
        guard queue[id] != nil, spoken[id, default: 0] < count else {
            return false
        }
        spoken[id] = count
        return true
    }

    private func change<Result>(_ change: (inout PresentationHosts) -> Result) -> Result {
        var changed = hosts
        let result = change(&changed)
        let moves = changed.drawing != hosts.drawing
        if moves {
            willChange()
        }
        hosts = changed
        queue.setSeen(hosts.isSeen, now: clock.now)
        end([])
        if moves {
            tellFollowers()
        }
        return result
    }

    /// Gives calls back that wait for an answer to what nobody can see: the next handler is asked.
    func watchForHosts() {
        guard !hosts.isReachable, queue.awaitsAnswer else {
            abandoning?.cancel()
            abandoning = nil
            return
        }
        guard abandoning == nil else {
            return
        }
        abandoning = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: Self.hostGrace)) != nil, !Task.isCancelled, let self else {
                return
            }
            abandoning = nil
            end(queue.abandon())
        }
    }
}
