internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Cancels the tasks of one session without waiting.
///
/// On Linux, `URLSessionTask.cancel()` waits for the session's queue, which calls the delegate and may be busy with a
/// body's stream. The queue here is a separate serial one, which always gets a thread; the global queues have only as
/// many threads as there are cores, and while those wait for a flooded session, nothing could stop the flood.
final class TaskCanceller: Sendable {
    private let queue = DispatchQueue(label: "Backstop.URLSessionTransport.cancel")

    func cancel(_ task: URLSessionTask) {
        queue.async {
            task.cancel()
        }
    }

    /// Cancels a task whose body goes on although nobody wants it, called on the session's queue.
    ///
    /// That queue does not read on before the cancellation has begun, or for a millisecond: a server that floods the
    /// connection would otherwise get through hundreds of megabytes before a busy system finds a thread.
    func stop(_ task: URLSessionTask) {
        let begins = DispatchSemaphore(value: 0)
        queue.async {
            begins.signal()
            task.cancel()
        }
        _ = begins.wait(timeout: .now() + .milliseconds(1))
    }
}
