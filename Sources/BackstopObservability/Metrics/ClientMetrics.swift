#if Observability
    internal import Backstop
    public import BackstopCore
    public import Metrics

    /// Measures calls with swift-metrics: durations, attempts, calls in flight, failures, retries.
    ///
    /// `client.measured()` puts it in the right places. `Docs/Interceptors.md` lists each metric with its labels.
    ///
    /// ```swift
    /// let client = try Client.standard(baseURL: "https://shop.example.com").measured()
    /// ```
    /// Bootstrap `MetricsSystem` at launch; as long as nothing is bootstrapped, nothing is measured. Each object of the
    /// backend is looked up once and kept. Their number is limited for each instance: beyond `serverLimit` servers, and
    /// beyond `seriesLimit` sets of labels for one server in one metric, the labels are `_OTHER`.
    public final class ClientMetrics: Sendable {
        /// The metrics of the process, with the default limits.
        public static let shared = ClientMetrics()

        private let factory: (any MetricsFactory)?
        private let serverLimit: Int
        private let seriesLimit: Int
        /// The metrics, once there is a backend; guarded by the lock.
        private let made = Lock<MetricsStore?>(nil)

        /// Makes metrics with limits or a backend of their own.
        ///
        /// - Parameters:
        ///   - factory: The backend; nil for the one that `MetricsSystem` has when something is first measured.
        ///   - serverLimit: How many servers have labels of their own, 1 or more. Default: 50; a backend that calls
        ///     hosts which its users choose must not keep all of them.
        ///   - seriesLimit: How many sets of labels a server has in one metric, 1 or more. Default: 500; enough for
        ///     a hundred endpoints with a handful of failure codes each.
        public init(factory: (any MetricsFactory)? = nil, serverLimit: Int = 50, seriesLimit: Int = 500) {
            self.factory = factory
            self.serverLimit = max(1, serverLimit)
            self.seriesLimit = max(1, seriesLimit)
        }

        /// The metrics; nil while nothing is bootstrapped.
        var store: MetricsStore? {
            if let made = made.withLock({ $0 }) {
                return made
            }
            let factory = factory ?? MetricsSystem.factory
            guard !(factory is NOOPMetricsHandler) else {
                return nil
            }
            let new = MetricsStore(factory, serverLimit: serverLimit, seriesLimit: seriesLimit)
            return made.withLock { made in
                let store = made ?? new
                made = store
                return store
            }
        }
    }

    extension ClientMetrics: FailureObserver {
        /// Counts the failure by code and outcome, and by why it was not retried.
        public func observe(_ failure: Failure, outcome: ObservedOutcome) {
            guard let store else {
                return
            }
            let server = store.servers.server(of: (failure.originalRequest as? HTTP.Request)?.url)
            store.failures.of(server, [failure.shownRedaction.shown(code: failure.code), outcome.label]).increment()
            store.stops.of(server, [failure.stopReason.code]).increment()
        }
    }
#endif
