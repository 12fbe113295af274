internal import Backstop
internal import BackstopCore
internal import Foundation

/// Hands a body from the queue on which it arrives to the task that takes it.
final class BodyPipe: ResponsePipe {
    /// Enough that the network goes on while a part is taken: waking each other for every part would cost twice as much.
    let window = 262_144
    /// Parts of this size wait as they are; smaller ones are put together until there are eight times as many bytes.
    private static let whole = 4096

    private struct State {
        var chunks: [Data] = []
        /// The first of the chunks that was not taken.
        var first = 0
        var bytes = 0
        var end: Result<Void, any Error>?
        /// Whether the limit of the attempt has ended it; false once a stream was made of it, and nil before either.
        var isOverdue: Bool?
        /// Whether nobody takes anything any more.
        var isAbandoned = false
        var waiting: CheckedContinuation<Void, Never>?
        /// Tells that what waited was taken.
        var drained: (@Sendable () -> Void)?
        /// Since when a part is waited for; nil while none is.
        var waitsSince: Duration?
        /// What looks after the wait: one for all, since most are short.
        var timer: LimitTimer?
    }

    /// The state, guarded by the lock; nobody is told anything under it.
    private let state = Lock(State())

    var unread: Int {
        state.withLock { $0.bytes }
    }

    /// Whether the limit of the attempt has ended it.
    var isOverdue: Bool {
        state.withLock { $0.isOverdue == true }
    }

    func expire() -> Bool {
        decide(isOverdue: true)
    }

    /// Makes a stream of it, unless the limit of the attempt has ended it.
    ///
    /// - Returns: Whether it has not.
    func claim() -> Bool {
        !decide(isOverdue: false)
    }

    /// The first counts.
    private func decide(isOverdue new: Bool) -> Bool {
        state.withLock { state in
            let isOverdue = state.isOverdue ?? new
            state.isOverdue = isOverdue
            return isOverdue
        }
    }

    @discardableResult
    func push(_ chunk: Data, drained: @escaping @Sendable () -> Void) -> Bool {
        let (waiting, isFull) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
            guard state.end == nil, !state.isAbandoned, !chunk.isEmpty else {
                return (nil, false)
            }
            // Small parts are put together: a server that sends single bytes costs no more than their memory.
            if chunk.count < Self.whole, let last = state.chunks.indices.last, last >= state.first,
                state.chunks[last].count < 8 * Self.whole
            {
                state.chunks[last].append(chunk)
            } else {
                state.chunks.append(chunk)
            }
            state.bytes += chunk.count
            let isFull = state.bytes >= window
            state.drained = isFull ? drained : nil
            defer { state.waiting = nil }
            return (state.waiting, isFull)
        }
        waiting?.resume()
        return isFull
    }

    func end(_ result: Result<Void, any Error>) {
        stop { $0.end = $0.end ?? result }
    }

    func abandon() {
        let chunks = stop { state in
            state.isAbandoned = true
            defer { (state.chunks, state.first, state.bytes) = ([], 0, 0) }
            return state.chunks
        }
        withExtendedLifetime(chunks) {}
    }

    /// Changes the state for good, and wakes who waits for more of the body or for room.
    private func stop<Rest>(_ change: (inout State) -> Rest) -> Rest {
        let (rest, waiting, drained, timer) = state.withLock { state in
            defer { (state.waiting, state.drained, state.timer) = (nil, nil, nil) }
            return (change(&state), state.waiting, state.drained, state.timer)
        }
        timer?.cancel()
        waiting?.resume()
        drained?()
        return rest
    }

    /// The next part; nil at the end.
    ///
    /// - Parameter silence: How long to wait for it; nil for any time.
    /// - Throws: The error at the end; ``TimeoutError`` with `.silence`; `CancellationError` when the task is cancelled.
    func next(within silence: Silence?) async throws -> Data? {
        if let part = try take() {
            return part.chunk
        }
        if let silence {
            watch(silence)
        }
        defer {
            state.withLock { $0.waitsSince = nil }
        }
        await suspend { continuation in
            state.withLock { state in
                guard state.chunks.isEmpty, state.end == nil, !state.isAbandoned else {
                    return true
                }
                state.waiting = continuation
                return false
            }
        } onCancel: {
            abandon()
        }
        return try take()?.chunk
    }

    /// Notes that a wait begins, and sees to it that somebody looks after it.
    private func watch(_ silence: Silence) {
        let now = silence.clock.now
        let isWatched = state.withLock { state in
            state.waitsSince = now
            return state.timer != nil
        }
        guard !isWatched else {
            return
        }
        let timer = LimitTimer.repeating(after: silence.limit, clock: silence.clock) { [weak self] in
            self?.rest(of: silence)
        }
        let isNeeded = state.withLock { state in
            guard state.end == nil, !state.isAbandoned else {
                return false
            }
            state.timer = timer
            return true
        }
        if !isNeeded {
            timer.cancel()
        }
    }

    /// How long the wait may still last; nil when it is over. Where nobody waits, the next wait sets another timer.
    private func rest(of silence: Silence) -> Duration? {
        let since = state.withLock { state in
            if state.waitsSince == nil { state.timer = nil }
            return state.waitsSince
        }
        let rest = since.map { $0 + silence.limit - silence.clock.now }
        if let rest, rest <= .zero {
            end(.failure(silence.error))
        }
        return rest.flatMap { $0 > .zero ? $0 : nil }
    }

    /// What can be taken now: a part, or nil for the end; nothing if there is none yet.
    private func take() throws -> (chunk: Data?, Void)? {
        try Task.checkCancellation()
        var drained: (@Sendable () -> Void)?
        defer {
            drained?()
        }
        return try state.withLock { state -> (chunk: Data?, Void)? in
            guard !state.isAbandoned else {
                throw CancellationError()
            }
            guard state.first < state.chunks.count else {
                try state.end?.get()
                return state.end == nil ? nil : (nil, ())
            }
            let chunk = state.chunks[state.first]
            state.chunks[state.first] = Data()
            state.first += 1
            if state.first == state.chunks.count || state.first == 1024 {
                state.chunks.removeFirst(state.first)
                state.first = 0
            }
            state.bytes -= chunk.count
            if state.bytes < window / 2 {
                drained = state.drained
                state.drained = nil
            }
            return (chunk, ())
        }
    }
}
