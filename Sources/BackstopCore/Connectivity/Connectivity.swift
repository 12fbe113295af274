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
        var observers: [Int: AsyncStream<ConnectivityState>.Continuation] = [:]
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
            // Told under the lock: after it, a state that another thread has set meanwhile could be told first, and an
            // observer would take the older one for the newest. To yield only schedules the task that waits.
            storage.withLock { storage in
                storage.current = newValue
                for observer in storage.observers.values {
                    observer.yield(newValue)
                }
            }
        }
    }

    /// The present state, and each later one; of several that nobody has seen yet, the last.
    public func states() -> AsyncStream<ConnectivityState> {
        let (stream, source) = AsyncStream.makeStream(of: ConnectivityState.self, bufferingPolicy: .bufferingNewest(1))
        let id = storage.withLock { storage in
            storage.lastID += 1
            storage.observers[storage.lastID] = source
            source.yield(storage.current)
            return storage.lastID
        }
        source.onTermination = { [weak self] _ in
            _ = self?.storage.withLock { $0.observers.removeValue(forKey: id) }
        }
        return stream
    }

    /// Whether nobody waits; for tests.
    package var isAtRest: Bool {
        storage.withLock { $0.observers.isEmpty }
    }
}
