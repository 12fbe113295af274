internal import BackstopCore
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

    /// How many connections to an origin are for streams: enough for those that last for hours.
    private static let streamsPerHost = 256

    /// The session for streams, once there is one, guarded by the lock.
    private let madeForStreams = Lock<OwnedSession?>(nil)

    init(configuration: URLSessionConfiguration, limiter: ConnectionLimiter, answer: SessionDelegate.Answer? = nil) {
        delegate = SessionDelegate(limiter: limiter, answer: answer)
        #if canImport(FoundationNetworking)
            session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: DelegateQueue())
            delegate.canceller.attach(to: session)
        #else
            // Without a queue, the session has a serial one of its own.
            session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        #endif
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// The session for streams, so that they do not take the connections of plain calls; made with the first of them.
    var forStreams: OwnedSession {
        madeForStreams.withLock { made in
            let session = made ?? makeForStreams()
            made = session
            return session
        }
    }

    private func makeForStreams() -> OwnedSession {
        let shared = session.configuration
        let own = shared.copy() as? URLSessionConfiguration ?? shared
        own.httpMaximumConnectionsPerHost = Self.streamsPerHost
        // The stream watches the time, and it may be silent for longer than any request.
        own.timeoutIntervalForRequest = RequestTimeout.longest
        return OwnedSession(
            configuration: own, limiter: ConnectionLimiter(limit: Self.streamsPerHost), answer: delegate.answer)
    }
}
