internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The chunks of an async sequence, for a thread that waits for them.
///
/// A task reads the sequence, one chunk ahead of the thread, from the first request on. It ends with the sequence or
/// with ``cancel()``, whichever is first.
final class StreamChunks: BlockingChunks {
    private final class State {
        /// What was read and not yet handed out.
        var chunk: Data?
        /// How the sequence ended; nil while it goes on.
        var end: Result<Void, any Error>?
        var isCancelled = false
        /// Whether the thread has asked for the first chunk.
        var isAsked = false
        /// The task, while it waits until ``chunk`` is handed out.
        var producer: CheckedContinuation<Bool, Never>?
        /// Whether the thread waits for a chunk or the end.
        var isConsumerWaiting = false
        var task: Task<Void, Never>?

        /// Notes that the thread no longer waits; whether it did.
        func stopWaiting() -> Bool {
            defer { isConsumerWaiting = false }
            return isConsumerWaiting
        }
    }

    private enum Step {
        case chunk(Data, resuming: CheckedContinuation<Bool, Never>?)
        case end(Result<Void, any Error>)
        case wait(resuming: CheckedContinuation<Bool, Never>?)
    }

    let length: Int64?
    /// How long the thread waits for one chunk; nil for any time.
    private let patience: TimeInterval?
    /// What task and thread share, guarded by the lock.
    private let state = Lock(State())
    /// Wakes the thread, once for each time that `isConsumerWaiting` was set.
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameter open: Begins to read the body.
    init(length: Int64?, patience: TimeInterval?, open: @escaping @Sendable () async throws -> HTTP.Body.Chunks) {
        self.length = length
        self.patience = patience
        let task = Task { @concurrent [self] in
            await read(open)
        }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled {
            task.cancel()
        }
    }

    func next() throws -> Data? {
        while true {
            switch nextStep() {
            case .chunk(let chunk, let producer):
                producer?.resume(returning: true)
                return chunk
            case .end(let result):
                try result.get()
                return nil
            case .wait(let producer):
                producer?.resume(returning: true)
                guard waitForWake() else {
                    cancel()
                    throw URLError(.timedOut)
                }
            }
        }
    }

    func cancel() {
        let (isWaiting, producer, task) = state.withLock { state in
            defer {
                state.producer = nil
                state.task = nil
            }
            state.isCancelled = true
            state.chunk = nil
            return (state.stopWaiting(), state.producer, state.task)
        }
        if isWaiting {
            wake.signal()
        }
        producer?.resume(returning: false)
        task?.cancel()
    }

    private func nextStep() -> Step {
        state.withLock { state in
            guard !state.isCancelled else {
                return .end(.failure(CancellationError()))
            }
            if state.chunk == nil, let end = state.end {
                return .end(end)
            }
            defer {
                state.isAsked = true
                state.producer = nil
                state.chunk = nil
            }
            guard let chunk = state.chunk else {
                state.isConsumerWaiting = true
                return .wait(resuming: state.producer)
            }
            return .chunk(chunk, resuming: state.producer)
        }
    }

    /// Waits for a chunk or the end; false when none came in time.
    private func waitForWake() -> Bool {
        guard let patience else {
            wake.wait()
            return true
        }
        guard wake.wait(timeout: .now() + patience) == .timedOut else {
            return true
        }
        guard state.withLock({ $0.stopWaiting() }) else {
            // It came in this moment.
            wake.wait()
            return true
        }
        return false
    }

    private func read(_ open: @Sendable () async throws -> HTTP.Body.Chunks) async {
        guard await waitForDemand() else {
            return
        }
        do {
            var chunks = try await open().makeAsyncIterator()
            while let chunk = try await chunks.next() {
                put { $0.chunk = chunk }
                guard await waitForDemand() else {
                    return
                }
            }
            put { $0.end = .success(()) }
        } catch {
            put { $0.end = .failure(error) }
        }
    }

    private func put(_ change: (State) -> Void) {
        let isWaiting = state.withLock { state in
            if !state.isCancelled {
                change(state)
            }
            return state.stopWaiting()
        }
        if isWaiting {
            wake.signal()
        }
    }

    /// Waits until the next chunk may be read; false when none will be.
    private func waitForDemand() async -> Bool {
        await withCheckedContinuation { continuation in
            let goesOn: Bool? = state.withLock { state in
                guard !state.isCancelled else {
                    return false
                }
                guard state.isAsked, state.chunk == nil else {
                    state.producer = continuation
                    return nil
                }
                return true
            }
            if let goesOn {
                continuation.resume(returning: goesOn)
            }
        }
    }
}
