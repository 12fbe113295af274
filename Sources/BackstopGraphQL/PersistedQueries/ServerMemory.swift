internal import Backstop
internal import BackstopCore

/// What is known about servers, and which operations are being registered with them.
final class ServerMemory: Sendable {
    /// An operation at a server.
    struct Key: Hashable {
        let server: String
        let hash: String
    }

    /// What is known of a server that refused a hash.
    enum Ignorance {
        case doubtful
        case certain
    }

    private struct State {
        /// How often the memory was cleared.
        var generation: UInt64 = 0
        var unsupported = Set<String>()
        var supported = Set<String>()
        /// Servers that once refused a hash, perhaps by accident, and accepted the text.
        var doubtful = Set<String>()
        /// Operations known to a server.
        var known = Set<Key>()
        /// Documents whose hash is that of their text, so that it is computed once.
        var checked = Set<GraphQL.Document>()
        /// The operations whose first call is in progress, with the calls that wait for it: they are told whether to
        /// compete again for the first place, and otherwise continue alone.
        var pending: [Key: [ObjectIdentifier: OneShot<Bool, Void>]] = [:]
    }

    /// The whole state, guarded by the lock.
    private let state = Lock(State())

    /// How long a call waits for another to register its operation, before it asks itself. Longer than a round trip,
    /// short enough to go on without it.
    static let patience: Duration = .seconds(2)

    func isUnsupported(_ server: String) -> Bool {
        state.withLock { $0.unsupported.contains(server) }
    }

    func isSupported(_ server: String) -> Bool {
        state.withLock { $0.supported.contains(server) }
    }

    func isChecked(_ document: GraphQL.Document) -> Bool {
        state.withLock { $0.checked.contains(document) }
    }

    func markChecked(_ document: GraphQL.Document) {
        state.withLock { $0.checked.add(document) }
    }

    func markSupported(_ server: String) {
        state.withLock { $0.supported.add(server) }
    }

    func markUnsupported(_ server: String) {
        state.withLock { $0.unsupported.add(server) }
    }

    /// Records that a server refused a hash in its own way and accepted the text. After a 400 or 422 that is clear;
    /// anything else may have been an accident, so it must happen twice.
    ///
    /// - Returns: What was not known before; nil for nothing.
    @discardableResult
    func noteIgnorance(of server: String, isClear: Bool) -> Ignorance? {
        state.withLock { state in
            guard !isClear, !state.doubtful.contains(server) else {
                defer { state.unsupported.add(server) }
                return state.unsupported.contains(server) ? nil : .certain
            }
            state.doubtful.add(server)
            return .doubtful
        }
    }

    /// Takes back a note that a server refused a hash: it did not accept the text either.
    func takeBack(_ note: Ignorance, of server: String) {
        _ = state.withLock { state in
            switch note {
            case .doubtful: state.doubtful.remove(server)
            case .certain: state.unsupported.remove(server)
            }
        }
    }

    /// Identifies a server for a call: what the call learns counts only until the memory is cleared.
    func name(of server: String) -> String {
        state.withLock { "\($0.generation) \(server)" }
    }

    /// Forgets what was learned; calls in progress continue, and what they learn is dropped too.
    func reset() {
        state.withLock { state in
            state.generation &+= 1
            state.unsupported.removeAll()
            state.supported.removeAll()
            state.doubtful.removeAll()
            state.known.removeAll()
        }
    }

    /// Runs the first call of an operation alone; calls that arrive meanwhile wait, and then find the operation
    /// registered. If the first one gives up, another takes its place. No call waits longer than ``patience`` in all.
    func first(
        of key: Key, clock: any CallClock,
        _ negotiate: @Sendable () async throws -> (response: HTTP.Response, isKnown: Bool)
    ) async throws -> HTTP.Response {
        let end = clock.now.adding(Self.patience)
        while !beginOrKnown(key) {
            guard try await wait(for: key, clock: clock, until: end) else {
                return try await negotiate().response
            }
        }
        do {
            let result = try await negotiate()
            // After a response that does not show whether the operation is known, no call keeps waiting for a better
            // one.
            settle(key, isKnown: result.isKnown, looksAgain: result.isKnown)
            return result.response
        } catch {
            settle(key, isKnown: false, looksAgain: true)
            throw error
        }
    }

    /// Whether the caller may continue: the operation is known, or the caller is the first, and others wait.
    private func beginOrKnown(_ key: Key) -> Bool {
        state.withLock { state in
            if state.known.contains(key) {
                return true
            }
            guard state.pending[key] == nil else {
                return false
            }
            state.pending[key] = [:]
            return true
        }
    }

    private func settle(_ key: Key, isKnown: Bool, looksAgain: Bool) {
        let waiting = state.withLock { state in
            if isKnown {
                state.known.add(key, limit: 10_000)
            }
            return state.pending.removeValue(forKey: key) ?? [:]
        }
        for turn in waiting.values {
            turn.end(with: .success(looksAgain))
        }
    }

    /// Waits until the first call ends, or until the patience is used up.
    ///
    /// - Returns: Whether to compete again for the first place.
    private func wait(for key: Key, clock: any CallClock, until end: Duration) async throws -> Bool {
        let patience = end - clock.now
        guard patience > .zero else {
            return false
        }
        let turn = OneShot<Bool, Void>()
        let id = ObjectIdentifier(turn)
        let waits = state.withLock { state in
            state.pending[key]?[id] = turn
            return state.pending[key] != nil
        }
        guard waits else {
            return true
        }
        let looksAgain = try await turn.value(
            within: patience, clock: clock, or: .success(false),
            leaving: { _ = self.state.withLock { $0.pending[key]?.removeValue(forKey: id) } })
        try Task.checkCancellation()
        return looksAgain
    }
}

extension Set {
    /// Inserts into a set that is cleared when full, so that hostile input cannot make it grow.
    fileprivate mutating func add(_ element: Element, limit: Int = 1000) {
        if count >= limit {
            removeAll()
        }
        insert(element)
    }
}
