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
}
