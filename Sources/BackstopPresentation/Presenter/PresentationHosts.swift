/// Where a presenter's banners, alerts and full screens can be drawn: a value without a user interface.
///
/// A host is what stands above the content of a window, of a sheet or of a cover. Of those that nothing covers, one draws:
/// one whose scene is in the foreground before one in the background, a higher level before a lower one, and then the one
/// that came last. So what is shown moves to a sheet when it opens, and back when it goes.
///
/// An app that draws by itself has no hosts. Everything then counts as seen.
struct PresentationHosts {
    private struct Host {
        let id: Int
        let level: Int
        var isCovered = false
        var hasBeenInForeground = false
        var isInBackground = false

        /// In a hosting controller of UIKit, the phase is always `background`; so it counts only after another one.
        /// https://developer.apple.com/documentation/swiftui/environmentvalues/scenephase
        var isAsleep: Bool { hasBeenInForeground && isInBackground }
    }

    /// Those that are there, in the order in which they came.
    private var hosts: [Host] = []
    private var lastID = 0

    /// The host that draws; nil for none.
    private(set) var drawing: Int?

    /// Whether what is shown can be seen now.
    var isSeen: Bool {
        lastID == 0 || hosts.contains { $0.id == drawing && !$0.isAsleep }
    }

    /// Whether what is shown can be seen now, or as soon as the app is used again. If not, no one may wait for an answer.
    var isReachable: Bool {
        lastID == 0 || drawing != nil
    }

    /// A host came.
    ///
    /// - Parameter level: How many hosts it stands in.
    /// - Returns: Its number.
    mutating func begin(level: Int) -> Int {
        lastID += 1
        // It is above what covers them; they look again when it has gone.
        for index in hosts.indices {
            hosts[index].isCovered = false
        }
        hosts.append(Host(id: lastID, level: level))
        choose()
        return lastID
    }

    /// A host has gone.
    mutating func end(_ id: Int) {
        hosts.removeAll { $0.id == id }
        choose()
    }

    /// The scene of a host went to the background, or came from there.
    mutating func move(_ id: Int, toBackground isInBackground: Bool) {
        change(id) { host in
            host.isInBackground = isInBackground
            host.hasBeenInForeground = host.hasBeenInForeground || !isInBackground
        }
    }

    /// Something without a host covers a host, or covers it no longer. What covers one that does not draw has a host.
    mutating func cover(_ id: Int, _ isCovered: Bool) {
        if !isCovered || drawing == id {
            change(id) { $0.isCovered = isCovered }
        }
    }

    private mutating func change(_ id: Int, _ change: (inout Host) -> Void) {
        guard let index = hosts.firstIndex(where: { $0.id == id }) else {
            return
        }
        change(&hosts[index])
        choose()
    }

    private mutating func choose() {
        func rank(_ host: Host) -> (Int, Int, Int) { (host.isAsleep ? 0 : 1, host.level, host.id) }
        drawing = hosts.filter { !$0.isCovered }.max { rank($0) < rank($1) }?.id
    }
}
