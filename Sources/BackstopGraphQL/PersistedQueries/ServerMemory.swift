internal import Backstop
internal import BackstopCore

/// What is known of servers, and which operations are being made known to them.
final class ServerMemory: Sendable {
    /// An operation at a server.
    struct Key: Hashable {
        let server: String
        let hash: String
    }

    fileprivate struct State {
        /// How often everything was forgotten.
        var generation: UInt64 = 0
        var unsupported = BoundedSet<String>(limit: 1000)
        var supported = BoundedSet<String>(limit: 1000)
        /// Servers that once refused a hash in a way that may have been an accident, and took the text.
        var doubtful = BoundedSet<String>(limit: 1000)
        /// Operations that a server has shown to know.
        var known = BoundedSet<Key>(limit: 10_000)
        /// The operations whose first call is under way, with the numbers of those who wait for it.
        var pending: [Key: Set<UInt64>] = [:]
        /// Who waits, by number.
        var waiters: [UInt64: Waiter] = [:]
        var lastWaiter: UInt64 = 0
    }

    /// A call that waits for the first one of its operation. What it is told is whether it should look again who
    /// begins; otherwise it goes on by itself.
    fileprivate enum Waiter {
        /// It is about to wait.
        case enlisted
        case waiting(CheckedContinuation<Bool, Never>)
        /// It was told before it waited.
        case told(Bool)
    }

    /// All of it, guarded by the lock.
    private let state = Lock(State())

    /// How long a call waits for another one to make its operation known, before it asks by itself.
    static let patience: Duration = .seconds(2)

    func isUnsupported(_ server: String) -> Bool {
        state.withLock { $0.unsupported.contains(server) }
    }

    func isSupported(_ server: String) -> Bool {
        state.withLock { $0.supported.contains(server) }
    }

    func markSupported(_ server: String) {
        state.withLock { $0.supported.insert(server) }
    }

    func markUnsupported(_ server: String) {
        state.withLock { $0.unsupported.insert(server) }
    }

    /// A server refused a hash with words of its own and took the text. After a 400 or 422 that is clear; anything else
    /// may have been an accident, so it has to happen twice.
    func noteIgnorance(of server: String, isClear: Bool) {
        state.withLock { state in
            guard !isClear, !state.doubtful.contains(server) else {
                state.unsupported.insert(server)
                return
            }
            state.doubtful.insert(server)
        }
    }

    /// What a call names a server by: what it learns counts until everything is forgotten, and not after that.
    func name(of server: String) -> String {
        state.withLock { "\($0.generation) \(server)" }
    }

    /// Forgets what was learned; calls that are under way go on, and what they learn is forgotten as well.
    func reset() {
        state.withLock { state in
            state.generation &+= 1
            state.unsupported.removeAll()
            state.supported.removeAll()
            state.doubtful.removeAll()
            state.known.removeAll()
        }
    }

    /// Runs the first call of an operation alone; calls that come meanwhile wait, and then find the operation known.
    /// When the first one gives up, another one takes its place. Nobody waits longer than ``patience`` in all.
    func first(
        of key: Key, clock: any CallClock,
        _ negotiate: @Sendable () async throws -> (response: HTTP.Response, isKnown: Bool)
    ) async throws -> HTTP.Response {
        let end = clock.now + Self.patience
        while !beginOrKnown(key) {
            guard try await wait(for: key, clock: clock, until: end) else {
                return try await negotiate().response
            }
        }
        return try await finish(key, negotiate)
    }

    /// Whether the caller may go on: the operation is known, or the caller is the first. In the second case others
    /// wait.
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
            // An answer that does not show whether the operation is known keeps nobody waiting for a better one.
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

    /// Waits until the first call is over, or until patience ends.
    ///
    /// - Returns: Whether to look again who begins.
    private func wait(for key: Key, clock: any CallClock, until end: Duration) async throws -> Bool {
        let patience = end - clock.now
        guard patience > .zero else {
            return false
        }
        // The number is there before the timer, which may be faster than the waiting itself.
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
    /// The number of a new waiter; nil when there is nobody to wait for.
    fileprivate mutating func enlist(for key: ServerMemory.Key) -> UInt64? {
        guard pending[key] != nil else {
            return nil
        }
        lastWaiter += 1
        pending[key]?.insert(lastWaiter)
        waiters[lastWaiter] = .enlisted
        return lastWaiter
    }

    /// Lets a waiter wait, or gives what it was told already.
    fileprivate mutating func attach(_ continuation: CheckedContinuation<Bool, Never>, to number: UInt64) -> Bool? {
        if case .told(let looksAgain) = waiters[number] {
            waiters[number] = nil
            return looksAgain
        }
        waiters[number] = .waiting(continuation)
        return nil
    }

    /// Tells a waiter that waiting is over; gives what has to be resumed.
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

/// A set that forgets everything when it is full, so that hostile input cannot make it grow.
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
