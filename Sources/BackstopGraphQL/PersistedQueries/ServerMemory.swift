internal import Backstop
internal import BackstopCore

/// What is known of servers, and which operations are being made known to them.
final class ServerMemory: Sendable {
    /// An operation at a server.
    struct Key: Hashable {
        let server: String
        let hash: String
    }

    private struct State {
        var unsupported = BoundedSet<String>(limit: 1000)
        var supported = BoundedSet<String>(limit: 1000)
        /// Servers that answered a hash with 500 and the text with a success.
        var doubtful = BoundedSet<String>(limit: 1000)
        /// Operations that a server has shown to know.
        var known = BoundedSet<Key>(limit: 10_000)
        /// Who waits for the first call of an operation, by number.
        var pending: [Key: [UInt64: CheckedContinuation<Void, Never>]] = [:]
        var lastWaiter: UInt64 = 0
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

    /// A server refused a hash with words of its own and took the text. After a 400 that is clear; a 500 may have been
    /// an accident, so it has to happen twice.
    func noteIgnorance(of server: String, status: Int) {
        state.withLock { state in
            guard status == 500, !state.doubtful.contains(server) else {
                state.unsupported.insert(server)
                return
            }
            state.doubtful.insert(server)
        }
    }

    /// Runs the first call of an operation alone; calls that come meanwhile wait, and then find the operation known.
    func first(
        of key: Key, clock: any CallClock,
        _ negotiate: @Sendable () async throws -> (response: HTTP.Response, isKnown: Bool)
    ) async throws -> HTTP.Response {
        guard !beginOrKnown(key) else {
            return try await finish(key, negotiate)
        }
        // Another call is at it.
        try await wait(for: key, clock: clock)
        if beginOrKnown(key) {
            return try await finish(key, negotiate)
        }
        return try await negotiate().response
    }

    /// Whether the caller may go on: the operation is known, or the caller is the first. In the second case others wait.
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

    private func finish(
        _ key: Key, _ negotiate: () async throws -> (response: HTTP.Response, isKnown: Bool)
    ) async throws -> HTTP.Response {
        do {
            let result = try await negotiate()
            settle(key, isKnown: result.isKnown)
            return result.response
        } catch {
            settle(key, isKnown: false)
            throw error
        }
    }

    private func settle(_ key: Key, isKnown: Bool) {
        let waiters = state.withLock { state in
            if isKnown {
                state.known.insert(key)
            }
            return state.pending.removeValue(forKey: key) ?? [:]
        }
        for waiter in waiters.values {
            waiter.resume()
        }
    }

    /// Waits until the first call is over, for ``patience`` at most.
    private func wait(for key: Key, clock: any CallClock) async throws {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let timer = Task {
            try await clock.waitForLimit(Self.patience)
            self.resume(number, of: key)
        }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !Task.isCancelled, state.pending[key] != nil else {
                        return true
                    }
                    state.pending[key]?[number] = continuation
                    return false
                }
                if isOver {
                    continuation.resume()
                }
            }
        } onCancel: {
            resume(number, of: key)
        }
        try Task.checkCancellation()
    }

    private func resume(_ number: UInt64, of key: Key) {
        let waiter = state.withLock { $0.pending[key]?.removeValue(forKey: number) }
        waiter?.resume()
    }
}

/// A set that forgets everything when it is full, so that hostile input cannot make it grow.
private struct BoundedSet<Element: Hashable> {
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
}
