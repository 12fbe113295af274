internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A session with its related objects; it is finished when no more tasks can be created in it.
///
/// The transport retains it, and so does each exchange until its task is created: asking a finished session for a task
/// crashes the process, and opening a body may outlast the call and the transport.
final class OwnedSession: Sendable {
    let session: URLSession
    let delegate: SessionDelegate
    let canceller: TaskCanceller
    /// The places of all sessions derived from one.
    let limiter: ConnectionLimiter

    init(configuration: URLSessionConfiguration, limiter: ConnectionLimiter, answer: SessionDelegate.Answer? = nil) {
        self.limiter = limiter
        canceller = TaskCanceller()
        delegate = SessionDelegate(canceller: canceller, limiter: limiter, answer: answer)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: Self.delegateQueue())
        #if canImport(FoundationNetworking)
            canceller.attach(to: session)
        #endif
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// A session with the same settings, without connections.
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
