internal import Backstop
internal import BackstopCore
internal import Foundation

/// The connections of a socket: usually one, and while credentials are renewed, another for the operations that began
/// before.
final class SocketPool: Sendable {
    private struct State {
        /// The connections that take operations.
        var sessions: [SocketKey: SocketSession] = [:]
        /// What operations are told that the last one would have had, if it ended before it was acknowledged.
        var refusal: Refusal?
    }

    private struct Refusal {
        let event: SocketProtocol.Event
        let number: UInt64
        let key: SocketKey
        let end: Duration
    }

    /// How long the end of a connection that was not acknowledged is also the answer to other operations that lost an
    /// earlier one: they begin again at the same time, but one after the other.
    private static let refusalTime = Duration.milliseconds(250)

    private let url: SocketURL
    let options: SocketOptions
    private let clock: any CallClock
    private let connect: SocketConnector
    /// The connections, guarded by the lock.
    private let state = Lock(State())

    init(_ url: SocketURL, _ options: SocketOptions, clock: any CallClock, connect: @escaping SocketConnector) {
        self.url = url
        self.options = options
        self.clock = clock
        self.connect = connect
    }

    deinit {
        // Calls hold the pool, so that no operation runs any more.
        for session in state.withLock({ Array($0.sessions.values) }) {
            session.shutDown()
        }
    }

    /// How many connections take operations.
    var count: Int { state.withLock { $0.sessions.count } }

    /// How many operations run.
    var operations: Int { state.withLock { Array($0.sessions.values) }.reduce(0) { $0 + $1.count } }

    /// Begins an operation, on a connection that was opened with the same key, or else on a new one.
    ///
    /// - Parameters:
    ///   - lost: The number of the connection that its call has lost before; nil for none.
    ///   - clock: The clock of the call.
    func start(_ operation: SocketOperation, _ key: SocketKey, after lost: UInt64?, clock: any CallClock) {
        while true {
            if let refusal = refusal(key, after: lost) {
                return operation.take(refusal.event, of: refusal.number)
            }
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
        state.withLock { state in
            if let session = state.sessions[key] {
                return (session, nil)
            }
            let others = Array(state.sessions.values)
            let target = SocketTarget(
                url: url, headers: key.headers, longest: options.longest, patience: options.acknowledge)
            let session = SocketSession(
                connect(target), SocketProtocol(options, payload: key.payload), clock: self.clock,
                openingClock: clock
            ) { [weak self] session in
                self?.forget(session, key)
            }
            state.sessions[key] = session
            return (session, others)
        }
    }

    /// What became of the connection that was opened for operations that have lost another, if there is no newer one.
    private func refusal(_ key: SocketKey, after lost: UInt64?) -> Refusal? {
        let now = clock.now
        return state.withLock { state in
            guard let refusal = state.refusal, now < refusal.end else {
                state.refusal = nil
                return nil
            }
            guard let lost, refusal.number > lost, refusal.key == key, state.sessions[key] == nil else {
                return nil
            }
            return refusal
        }
    }

    private func forget(_ session: SocketSession, _ key: SocketKey) {
        let (refusal, end) = (session.refusal, clock.now.adding(Self.refusalTime))
        state.withLock { state in
            guard state.sessions[key] === session else {
                return
            }
            state.sessions[key] = nil
            state.refusal = refusal.map { Refusal(event: $0, number: session.number, key: key, end: end) }
        }
    }
}
