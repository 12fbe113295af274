internal import BackstopCore

/// Hands elements from the call's task to the reader's, as many at once as there are; of too many, the call waits.
final class Handoff<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var weight = 0
        /// How many elements were added in all.
        var count: Int64 = 0
        var end: Result<Void, Failure>?
        /// Why nothing is taken any more; nil while something is.
        var closed: (any Error)?
        /// Whether the call has ended, and no other has begun that goes on with it.
        var isStopped = false
        /// Why the reader does not get everything, and whether the call had ended before; nil if it does, or has.
        var cut: (error: any Error, isLate: Bool)?
        var reader: CheckedContinuation<Void, Never>?
        var call: CheckedContinuation<Void, Never>?

        /// Throws why nothing is taken.
        func check() throws {
            if let closed {
                throw closed
            }
            if isStopped {
                throw CancellationError()
            }
        }
    }

    private let window: Int
    /// The state, guarded by the lock.
    private let state = Lock(State())

    init(window: Int) {
        self.window = window
    }

    /// Adds elements, and returns when there is room for more.
    ///
    /// - Parameter weight: How many bytes they count.
    /// - Throws: Why nothing is taken any more.
    func put(_ elements: [Element], weight: Int) async throws {
        let (reader, isFull) = try state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
            try state.check()
            state.elements += elements
            state.count += Int64(elements.count)
            state.weight += weight
            guard !state.elements.isEmpty else {
                return (nil, false)
            }
            defer { state.reader = nil }
            return (state.reader, state.weight >= window)
        }
        reader?.resume()
        guard isFull else {
            return
        }
        await suspend { continuation in
            state.withLock { state in
                // What is no element yet cannot be taken, however much it weighs.
                let goesOn = state.weight < window || state.elements.isEmpty || state.closed != nil || state.isStopped
                state.call = goesOn ? nil : continuation
                return goesOn
            }
        } onCancel: {
            // What a limit ends is still read.
            stopWaiting()
        }
        try state.withLock { try $0.check() }
    }

    /// What a reader gets.
    enum Step: Sendable {
        case elements([Element])
        case end(Result<Void, Failure>)
        /// The end of a call, of which the reader does not get everything.
        case cut(any Error)
    }

    /// Takes nothing any more, and drops what waits: the reader has left. The first reason counts.
    func close(with error: any Error) {
        let (call, elements) = state.withLock { state in
            state.closed = state.closed ?? error
            if state.end == nil || !state.elements.isEmpty {
                state.cut = state.cut ?? (error, state.end != nil)
            }
            defer { (state.call, state.elements, state.weight) = (nil, [], 0) }
            return (state.call, state.elements)
        }
        withExtendedLifetime(elements) {}
        call?.resume()
    }

    /// Why nothing is taken any more; nil while something is.
    var closed: (any Error)? {
        state.withLock { $0.closed }
    }

    /// How many elements were added.
    var count: Int64 {
        state.withLock { $0.count }
    }

    /// Lets a part that waits for room go; what waits is still read.
    func stopWaiting() {
        let call = state.withLock { state in
            state.isStopped = true
            return exchange(&state.call, with: nil)
        }
        call?.resume()
    }

    /// Takes what the next call brings.
    func goOn() {
        state.withLock { $0.isStopped = false }
    }

    /// Records the end of the call; the reader gets what waits before.
    func finish(_ result: Result<Void, Failure>) {
        let reader = state.withLock { state in
            state.end = state.end ?? result
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// The end of the call; nil while it runs.
    var end: Result<Void, Failure>? {
        state.withLock { $0.end }
    }

    /// Everything that waits, once there is something, or the end.
    ///
    /// - Parameter cancelled: Called when the reader's task is cancelled.
    nonisolated(nonsending) func take(onCancel cancelled: @escaping @Sendable () -> Void) async -> Step {
        if let step = next() {
            return step
        }
        await suspend { continuation in
            state.withLock { state in
                let isReady = !state.elements.isEmpty || state.end != nil
                state.reader = isReady ? nil : continuation
                return isReady
            }
        } onCancel: {
            cancelled()
        }
        return next() ?? .cut(CancellationError())
    }

    private func next() -> Step? {
        let (step, call) = state.withLock { state -> (Step?, CheckedContinuation<Void, Never>?) in
            guard state.elements.isEmpty else {
                defer { (state.elements, state.weight, state.call) = ([], 0, nil) }
                return (.elements(state.elements), state.call)
            }
            guard let end = state.end else {
                return (nil, nil)
            }
            // The call may have succeeded, but not for a reader that has left.
            if let cut = state.cut, cut.isLate || (try? end.get()) != nil {
                return (.cut(cut.error), nil)
            }
            return (.end(end), nil)
        }
        call?.resume()
        return step
    }
}
