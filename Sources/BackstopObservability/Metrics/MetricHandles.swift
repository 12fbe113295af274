#if Observability
    // Apart from files that import Foundation, which has a `Timer` too.
    internal import Metrics

    typealias TimerHandle = Timer
    typealias CounterHandle = Counter
    typealias RecorderHandle = Recorder
    typealias MeterHandle = Meter

    /// The names of the metrics.
    enum MetricName {
        static let requestDuration = "http.client.request.duration"
        static let callDuration = "backstop.call.duration"
        static let callAttempts = "backstop.call.attempts"
        static let activeCalls = "backstop.call.active"
        static let failures = "backstop.failures"
        static let retries = "backstop.retries"
        static let stops = "backstop.retry.stops"
    }

    extension MetricsFactory {
        /// Durations, shown in seconds where the backend lets one choose.
        func timer(_ name: String, _ labels: [(String, String)]) -> TimerHandle {
            Timer(label: name, dimensions: labels, preferredDisplayUnit: .seconds, factory: self)
        }
    }
#endif
