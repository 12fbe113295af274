internal import Backstop

#if canImport(Network)
    internal import Dispatch
    internal import Network

    /// What Apple's systems know of the network.
    ///
    /// It observes the system as long as it exists, so keep one for the app. A network that comes up only when it is used
    /// counts as online: `URLSession` brings it up. On a watch, it is always online: the system tells apps nothing there
    /// (https://developer.apple.com/documentation/technotes/tn3135-low-level-networking-on-watchos).
    public final class SystemConnectivity: Connectivity {
        private let current = ManualConnectivity()
        /// The lock is for the compiler: the monitor is touched here and in `deinit` only.
        private let monitor = Lock(NWPathMonitor())

        /// Starts observing. Until the system has said anything, the device counts as online.
        public init() {
            monitor.withLock { [current] monitor in
                monitor.pathUpdateHandler = { path in
                    current.state = path.status == .unsatisfied ? .offline : .online
                }
                #if !os(watchOS)
                    monitor.start(queue: DispatchQueue(label: "dev.backstop.connectivity"))
                #endif
            }
        }

        deinit {
            monitor.withLock { $0.cancel() }
        }

        /// What is known now.
        public var state: ConnectivityState { current.state }

        /// The present state, and each later one.
        public func states() -> AsyncStream<ConnectivityState> { current.states() }
    }
#endif
