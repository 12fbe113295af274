internal import Backstop

/// What is known of the device's network.
public enum ConnectivityState: String, Sendable, Hashable {
    /// Not known to be offline. Whether a server can be reached is seen only by asking it.
    case online
    /// There is no network that a request could take.
    case offline
}

/// Says when the device is known to be offline.
///
/// On Apple platforms, `SystemConnectivity` observes the system. Elsewhere, and in tests, ``ManualConnectivity`` says
/// what it is told.
///
/// ```swift
/// struct AlwaysOnline: Connectivity {
///     var state: ConnectivityState { .online }
///     func states() -> AsyncStream<ConnectivityState> { AsyncStream { $0.yield(.online) } }
/// }
/// ```
public protocol Connectivity: Sendable {
    /// What is known now. Must not block: each call asks for it.
    var state: ConnectivityState { get }

    /// The present state, and each later one. A stream that ends counts as online.
    func states() -> AsyncStream<ConnectivityState>
}

/// Connectivity that is set by hand, or by what observes the network on a system that Backstop does not know.
///
/// ```swift
/// let connectivity = ManualConnectivity(.offline)
/// let check = ConnectivityCheck<String, String>(connectivity)
/// connectivity.state = .online
/// ```
public final class ManualConnectivity: Connectivity {
    private struct State {
        var current: ConnectivityState
        var lastID = 0
        /// Told that there is something to read.
        var observers: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    /// State and observers, guarded by the lock.
    private let storage: Lock<State>

    /// Makes it with a state. Default: online.
    public init(_ state: ConnectivityState = .online) {
        storage = Lock(State(current: state))
    }

    /// What is known now. Setting it tells all who wait.
    public var state: ConnectivityState {
        get { storage.withLock { $0.current } }
        set {
            // Outside the lock: waking a task waits for its cancellation to end, which waits for the lock.
            let observers = storage.withLock { storage in
                storage.current = newValue
                return storage.observers.values
            }
            for observer in observers {
                observer.yield()
            }
        }
    }

    /// The present state, and each later one; of several that nobody has seen yet, the last.
    public func states() -> AsyncStream<ConnectivityState> {
        let (changes, source) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        source.yield()
        let id = storage.withLock { storage in
            storage.lastID += 1
            storage.observers[storage.lastID] = source
            return storage.lastID
        }
        source.onTermination = { [weak self] _ in
            _ = self?.storage.withLock { $0.observers.removeValue(forKey: id) }
        }
        // Read only when it is asked for, so that the last state comes last, whoever sets it at the same time.
        return AsyncStream { [storage] in
            var iterator = changes.makeAsyncIterator()
            return await iterator.next().map { storage.withLock { $0.current } }
        }
    }

    /// Whether nobody waits; for tests.
    package var isAtRest: Bool {
        storage.withLock { $0.observers.isEmpty }
    }
}
