internal import BackstopCore
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Cancels the tasks of one session without waiting.
///
/// On Linux, `URLSessionTask.cancel()` waits for the session's queue, which calls the delegate and may be busy with a
/// body's stream. The queue here is a separate serial one, which always gets a thread.
final class TaskCanceller: Sendable {
    private let queue = DispatchQueue(label: "Backstop.URLSessionTransport.cancel")
    #if canImport(FoundationNetworking)
        /// The queues on which Foundation's session works on Linux; nil when it has other names for them, and a
        /// cancellation then waits for its turn. Set once by ``attach(to:)``, and guarded by the lock.
        ///
        /// Sockets are read on a queue whose target is that of the session. While bytes arrive on two of them without
        /// a pause, the first never gets empty, and the second never gets a turn: nothing can be cancelled, begun or
        /// timed out until the servers stop. Foundation has no way to interrupt that, so the first is taken from it by
        /// its name and is held while a task is cancelled. The case `limits.floods` of the conformance suite fails
        /// without.
        private let session = Lock<(transfers: DispatchQueue, work: DispatchQueue)?>(nil)

        /// - Parameter session: One without tasks: what it holds is read without its queue.
        func attach(to session: URLSession) {
            let mirror = Mirror(reflecting: session)
            guard let transfers = mirror.descendant("multiHandle", "queue") as? DispatchQueue,
                let work = mirror.descendant("workQueue") as? DispatchQueue
            else {
                return
            }
            self.session.withLock { $0 = (transfers, work) }
        }
    #endif

    func cancel(_ task: URLSessionTask) {
        #if canImport(FoundationNetworking)
            let session = session.withLock { $0 }
            session?.transfers.suspend()
            queue.async {
                task.cancel()
                // The rest of the cancellation waits in there.
                session?.work.sync {}
                session?.transfers.resume()
            }
        #else
            queue.async {
                task.cancel()
            }
        #endif
    }
}
