#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import Dispatch

    /// Runs everything at once on a thread that knows nothing of the task.
    struct Hop: Scheduler {
        typealias SchedulerTimeType = ClockScheduler.SchedulerTimeType

        private struct Action: @unchecked Sendable {
            let run: () -> Void
        }

        private static let queue = DispatchQueue(label: "hop")

        var now: SchedulerTimeType { ClockScheduler().now }
        var minimumTolerance: SchedulerTimeType.Stride { .zero }

        func schedule(options: Never?, _ action: @escaping () -> Void) {
            let action = Action(run: action)
            Self.queue.async { action.run() }
        }

        func schedule(
            after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
            _ action: @escaping () -> Void
        ) {
            schedule(options: options, action)
        }

        func schedule(
            after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
            options: Never?, _ action: @escaping () -> Void
        ) -> any Cancellable {
            schedule(options: options, action)
            return AnyCancellable {}
        }
    }
#endif
