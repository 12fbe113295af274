internal import Backstop
internal import BackstopCore

/// What is known about servers, and which operations are being registered with them.
final class ServerMemory: Sendable {
    /// An operation at a server.
    struct Key: Hashable {
        let server: String
        let hash: String
    }

    fileprivate struct State {
        /// How often the memory was cleared.
        var generation: UInt64 = 0
        var unsupported = BoundedSet<String>(limit: 1000)
        var supported = BoundedSet<String>(limit: 1000)
        /// Servers that once refused a hash, perhaps by accident, and accepted the text.
        var doubtful = BoundedSet<String>(limit: 1000)
        /// Operations known to a server.
        var known = BoundedSet<Key>(limit: 10_000)
        /// Documents whose hash is that of their text, so that it is computed once.
        var checked = BoundedSet<GraphQL.Document>(limit: 1000)
        /// The operations whose first call is in progress, with the numbers of the waiting calls.
        var pending: [Key: Set<UInt64>] = [:]
        /// The waiting calls, by number.
        var waiters: [UInt64: Waiter] = [:]
        var lastWaiter: UInt64 = 0
    }

    /// A call that waits for the first one of its operation. It is told whether to compete again for the first place;
    /// otherwise it continues alone.
    fileprivate enum Waiter {
        /// About to wait.
        case enlisted
        case waiting(CheckedContinuation<Bool, Never>)
        /// Told before it waited.
        case told(Bool)
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
        state.withLock { $0.checked.insert(document) }
    }

    func markSupported(_ server: String) {
        state.withLock { $0.supported.insert(server) }
    }

    func markUnsupported(_ server: String) {
        state.withLock { $0.unsupported.insert(server) }
    }

    /// Records that a server refused a hash in its own way and accepted the text. After a 400 or 422 that is clear;
    /// anything else may have been an accident, so it must happen twice.
    func noteIgnorance(of server: String, isClear: Bool) {
        state.withLock { state in
            guard !isClear, !state.doubtful.contains(server) else {
                state.unsupported.insert(server)
                return
            }
            state.doubtful.insert(server)
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
        return try await finish(key, negotiate)
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
            state.pending[key] = []
            return true
        }
    }

    private func finish(
        _ key: Key, _ negotiate: () async throws -> (response: HTTP.Response, isKnown: Bool)
    ) async throws -> HTTP.Response {
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

    private func settle(_ key: Key, isKnown: Bool, looksAgain: Bool) {
        let continuations = state.withLock { state in
            if isKnown {
                state.known.insert(key)
            }
            let numbers = state.pending.removeValue(forKey: key) ?? []
            return numbers.compactMap { state.tell($0, looksAgain) }
        }
        for continuation in continuations {
            continuation.resume(returning: looksAgain)
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
        // The number exists before the timer, which may fire before the wait itself.
        guard let number = state.withLock({ $0.enlist(for: key) }) else {
            return true
        }
        let timer = Task {
            try await clock.waitForLimit(patience)
            giveUp(number, of: key)
        }
        defer { timer.cancel() }
        let looksAgain = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let told = state.withLock { $0.attach(continuation, to: number) }
                if let told {
                    continuation.resume(returning: told)
                }
            }
        } onCancel: {
            giveUp(number, of: key)
        }
        try Task.checkCancellation()
        return looksAgain
    }

    private func giveUp(_ number: UInt64, of key: Key) {
        let continuation = state.withLock { state in
            state.pending[key]?.remove(number)
            return state.tell(number, false)
        }
        continuation?.resume(returning: false)
    }
}

extension ServerMemory.State {
    /// The number of a new waiter; nil when there is nothing to wait for.
    fileprivate mutating func enlist(for key: ServerMemory.Key) -> UInt64? {
        guard pending[key] != nil else {
            return nil
        }
        lastWaiter += 1
        pending[key]?.insert(lastWaiter)
        waiters[lastWaiter] = .enlisted
        return lastWaiter
    }

    /// Suspends a waiter, or returns what it was already told.
    fileprivate mutating func attach(_ continuation: CheckedContinuation<Bool, Never>, to number: UInt64) -> Bool? {
        if case .told(let looksAgain) = waiters[number] {
            waiters[number] = nil
            return looksAgain
        }
        waiters[number] = .waiting(continuation)
        return nil
    }

    /// Tells a waiter that the wait is over; returns the continuation to resume.
    fileprivate mutating func tell(_ number: UInt64, _ looksAgain: Bool) -> CheckedContinuation<Bool, Never>? {
        switch waiters[number] {
        case .waiting(let continuation):
            waiters[number] = nil
            return continuation
        case .enlisted:
            waiters[number] = .told(looksAgain)
            return nil
        case .told, nil:
            return nil
        }
    }
}

/// A set that is cleared when full, so that hostile input cannot make it grow.
fileprivate struct BoundedSet<Element: Hashable> {
    private var elements: Set<Element> = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func contains(_ element: Element) -> Bool {
        elements.contains(element)
    }

    mutating func insert(_ element: Element) {
        if elements.count >= limit {
            elements.removeAll()
        }
        elements.insert(element)
    }

    mutating func removeAll() {
        elements.removeAll()
    }
}
