internal import BackstopCore
internal import Foundation

/// Work that may block, on a thread outside the few that run all tasks.
struct BlockingWork: Sendable {
    // A serial queue of its own always gets a thread; the global ones have only as many as there are cores.
    private let queue = DispatchQueue(label: "Backstop.HTTP.Body")

    /// Runs the work, and waits for its result.
    ///
    /// - Throws: What the work throws. `CancellationError` at once when the task is cancelled; the work goes on.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        // Who waits; nil once there is a result. Guarded by the lock.
        let waiting = Lock<CheckedContinuation<Value, any Error>?>(nil)
        let resume: @Sendable (Result<Value, any Error>) -> Void = { result in
            let continuation = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            continuation?.resume(with: result)
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting.withLock { $0 = continuation }
                // A cancellation before this found nobody waiting.
                guard !Task.isCancelled else {
                    resume(.failure(CancellationError()))
                    return
                }
                queue.async {
                    resume(Result { try work() })
                }
            }
        } onCancel: {
            resume(.failure(CancellationError()))
        }
    }
}
