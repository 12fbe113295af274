internal import Backstop
internal import BackstopCore
internal import Foundation

/// The connections of a socket: usually one, and while credentials are renewed, another for the operations that began
/// before.
final class SocketPool: Sendable {
    private let url: SocketURL
    let options: SocketOptions
    private let clock: any CallClock
    private let connect: SocketConnector
    /// The connections that take operations, guarded by the lock.
    private let sessions = Lock<[SocketKey: SocketSession]>([:])

    init(_ url: SocketURL, _ options: SocketOptions, clock: any CallClock, connect: @escaping SocketConnector) {
        self.url = url
        self.options = options
        self.clock = clock
        self.connect = connect
    }

    deinit {
        // Calls hold the pool, so that no operation runs any more.
        for session in sessions.withLock({ $0.values.map { $0 } }) {
            session.shutDown()
        }
    }

    /// How many connections take operations.
    var count: Int { sessions.withLock { $0.count } }

    /// How many operations run.
    var operations: Int { sessions.withLock { $0.values.map { $0 } }.reduce(0) { $0 + $1.count } }

    /// Begins an operation, on a connection that was opened with the same key, or else on a new one.
    ///
    /// - Parameter clock: The clock of the call.
    func start(_ operation: SocketOperation, _ key: SocketKey, clock: any CallClock) {
        while true {
            let (session, others) = session(key, clock)
            if session.start(operation) {
                if let others {
                    session.open()
                    // Whatever they were opened with is out of date.
                    others.forEach { $0.retire() }
                }
                return
            }
            // It closes at this moment.
            forget(session, key)
        }
    }

    /// The connection for a key.
    ///
    /// - Returns: If it is new, the others as well; it is not open then.
    private func session(_ key: SocketKey, _ clock: any CallClock) -> (SocketSession, others: [SocketSession]?) {
        sessions.withLock { sessions in
            if let session = sessions[key] {
                return (session, nil)
            }
            let others = Array(sessions.values)
            let target = SocketTarget(
                url: url, headers: key.headers, longest: options.longest, patience: options.acknowledge)
            let session = SocketSession(
                connect(target), SocketProtocol(options, payload: key.payload), clock: self.clock,
                openingClock: clock
            ) { [weak self] session in
                self?.forget(session, key)
            }
            sessions[key] = session
            return (session, others)
        }
    }

    private func forget(_ session: SocketSession, _ key: SocketKey) {
        sessions.withLock { sessions in
            if sessions[key] === session {
                sessions[key] = nil
            }
        }
    }
}
