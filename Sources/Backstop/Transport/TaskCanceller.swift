internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Cancels the tasks of one session without waiting.
///
/// On Linux, `URLSessionTask.cancel()` waits for the session's queue, which is the one that calls the delegate, and
/// which the stream of a body may keep busy. The queue here is a serial one of its own, which always gets a thread; the
/// global queues have only as many as there are cores, and while those wait for a flooded session, nothing would stop
/// the flood.
final class TaskCanceller: Sendable {
    private let queue = DispatchQueue(label: "Backstop.URLSessionTransport.cancel")

    func cancel(_ task: URLSessionTask) {
        queue.async {
            task.cancel()
        }
    }
}
