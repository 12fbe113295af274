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
        let end = OneShot<Value, Void>()
        return try await end.value {
            queue.async {
                end.end(with: Result { try work() })
            }
        }
    }
}
