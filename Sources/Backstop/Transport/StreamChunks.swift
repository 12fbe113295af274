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
    private struct State {
        /// What was read last; the end, which stays, is nil inside, or an error.
        var read: Result<Data?, any Error>?
        /// Whether the thread has asked for the first chunk.
        var isAsked = false
        var isCancelled = false
    }

    let length: Int64?
    /// How long the thread waits for one chunk; nil for any time.
    private let patience: TimeInterval?
    /// What task and thread share, guarded by the lock.
    private let state: Lock<State>
    /// Wakes the thread: once for each chunk, and for each question after the end.
    private let wake: DispatchSemaphore
    /// Asks the task for a chunk.
    private let demand: AsyncStream<Void>.Continuation
    private let task: Task<Void, Never>

    /// - Parameter open: Begins to read the body.
    init(length: Int64?, patience: TimeInterval?, open: @escaping @Sendable () async throws -> HTTP.Body.Chunks) {
        self.length = length
        self.patience = patience
        let (state, wake) = (Lock(State()), DispatchSemaphore(value: 0))
        let (demands, demand) = AsyncStream.makeStream(of: Void.self)
        (self.state, self.wake, self.demand) = (state, wake, demand)
        task = Task { @concurrent in
            var chunks: HTTP.Body.Chunks.Iterator?
            for await _ in demands {
                let read: Result<Data?, any Error>
                do {
                    if chunks == nil {
                        chunks = try await open().makeAsyncIterator()
                    }
                    read = .success(try await chunks?.next())
                } catch {
                    read = .failure(error)
                }
                state.withLock { $0.read = read }
                wake.signal()
                guard case .success(_?) = read else {
                    return
                }
            }
        }
    }

    func next() throws -> Data? {
        let isFirst = state.withLock { !exchange(&$0.isAsked, with: true) }
        if isFirst {
            demand.yield()
        }
        let end = patience.map { DispatchTime.now() + $0 } ?? .distantFuture
        guard wake.wait(timeout: end) == .success else {
            cancel()
            throw URLError(.timedOut)
        }
        let read = state.withLock { $0.isCancelled ? .failure(CancellationError()) : $0.read }
        guard case .success(let chunk?)? = read else {
            // The end can be asked for again.
            wake.signal()
            return try read?.get()
        }
        demand.yield()
        return chunk
    }

    func cancel() {
        state.withLock { ($0.isCancelled, $0.read) = (true, nil) }
        wake.signal()
        demand.finish()
        // What the app's sequence does when it is cancelled may block: not whoever ends the call.
        DispatchQueue.global().async { [task] in task.cancel() }
    }
}
