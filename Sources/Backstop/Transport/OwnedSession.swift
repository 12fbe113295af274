internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A session with what belongs to it; it is finished when nobody can make a task in it any more.
///
/// The transport holds it, and so does each exchange until its task is made: a session that is finished ends the
/// process when it is asked for a task, and opening a body may outlast the call and the transport.
final class OwnedSession: Sendable {
    let session: URLSession
    let delegate: SessionDelegate
    let canceller: TaskCanceller
    /// The places of all sessions that came from one.
    let limiter: ConnectionLimiter

    init(configuration: URLSessionConfiguration, limiter: ConnectionLimiter) {
        self.limiter = limiter
        canceller = TaskCanceller()
        delegate = SessionDelegate(canceller: canceller, limiter: limiter)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: Self.delegateQueue())
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// A session with the same settings that has no connections yet.
    func withoutConnections() -> OwnedSession {
        OwnedSession(configuration: session.configuration, limiter: limiter)
    }

    /// The queue for the delegate; nil for the session's own serial one.
    private static func delegateQueue() -> OperationQueue? {
        #if canImport(FoundationNetworking)
            return DelegateQueue()
        #else
            return nil
        #endif
    }
}
