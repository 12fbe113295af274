#if Observability
    internal import BackstopCore
    internal import Foundation
    internal import Metrics

    /// Every metric of one backend.
    final class MetricsStore: Sendable {
        let servers: ServerList
        let requestDuration: Series<TimerHandle>
        let callDuration: Series<TimerHandle>
        let callAttempts: Series<RecorderHandle>
        let activeCalls: Series<MeterHandle>
        let failures: Series<CounterHandle>
        let retries: Series<CounterHandle>
        let stops: Series<CounterHandle>

        /// Attempts are a distribution of whole numbers, and calls in flight a number that goes up and down.
        init(_ factory: any MetricsFactory, serverLimit: Int, seriesLimit: Int) {
            servers = ServerList(limit: serverLimit)
            requestDuration = Series(
                [FieldName.method, FieldName.status, FieldName.errorType, FieldName.failureCode], limit: seriesLimit
            ) {
                factory.timer(MetricName.requestDuration, $0)
            }
            callDuration = Series([FieldName.callName, FieldName.failureCode], limit: seriesLimit) {
                factory.timer(MetricName.callDuration, $0)
            }
            callAttempts = Series([FieldName.callName], limit: seriesLimit) {
                RecorderHandle(label: MetricName.callAttempts, dimensions: $0, aggregate: true, factory: factory)
            }
            activeCalls = Series([], limit: seriesLimit) {
                MeterHandle(label: MetricName.activeCalls, dimensions: $0, factory: factory)
            }
            failures = Series([FieldName.failureCode, FieldName.outcome], limit: seriesLimit) {
                CounterHandle(label: MetricName.failures, dimensions: $0, factory: factory)
            }
            retries = Series([AttributeName.retryReason, FieldName.failureCode], limit: seriesLimit) {
                CounterHandle(label: MetricName.retries, dimensions: $0, factory: factory)
            }
            stops = Series([FieldName.stopReason], limit: seriesLimit) {
                CounterHandle(label: MetricName.stops, dimensions: $0, factory: factory)
            }
        }
    }

    extension Duration {
        /// The duration in nanoseconds, as far as they fit.
        var nanoseconds: Int64 {
            // Not with `components`, whose seconds need not fit.
            let value = seconds * 1e9
            return value < 9e18 ? Int64(max(0, value)) : .max
        }
    }
#endif
