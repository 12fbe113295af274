#if Demo
    internal import BackstopCombine
    internal import BackstopCore
    internal import Dispatch

    /// Runs what pipelines schedule on the main thread, by the clock of the calls: a test moves both with one clock.
    struct MainScheduler: Scheduler {
        /// A moment of the clock.
        struct SchedulerTimeType: Strideable {
            let time: Duration

            func distance(to other: Self) -> Stride {
                Stride(time: other.time - time)
            }

            func advanced(by stride: Stride) -> Self {
                Self(time: time + stride.time)
            }

            /// The time between two moments; whole nanoseconds, so that it is a number.
            struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
                var time: Duration

                var nanoseconds: Int64 {
                    time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000
                }

                var magnitude: Self { time < .zero ? Self(time: .zero - time) : self }

                init(time: Duration) {
                    self.time = time
                }

                init(integerLiteral value: Int64) {
                    self.init(time: .nanoseconds(value))
                }

                init?(exactly source: some BinaryInteger) {
                    guard let value = Int64(exactly: source) else {
                        return nil
                    }
                    self.init(time: .nanoseconds(value))
                }

                static func < (left: Self, right: Self) -> Bool { left.time < right.time }
                static func + (left: Self, right: Self) -> Self { Self(time: left.time + right.time) }
                static func - (left: Self, right: Self) -> Self { Self(time: left.time - right.time) }
                static func * (left: Self, right: Self) -> Self {
                    Self(time: .nanoseconds(left.nanoseconds * right.nanoseconds))
                }
                static func += (left: inout Self, right: Self) { left = left + right }
                static func -= (left: inout Self, right: Self) { left = left - right }
                static func *= (left: inout Self, right: Self) { left = left * right }

                static func seconds(_ seconds: Int) -> Self { Self(time: .seconds(seconds)) }
                static func seconds(_ seconds: Double) -> Self { Self(time: .seconds(seconds)) }
                static func milliseconds(_ count: Int) -> Self { Self(time: .milliseconds(count)) }
                static func microseconds(_ count: Int) -> Self { Self(time: .microseconds(count)) }
                static func nanoseconds(_ count: Int) -> Self { Self(time: .nanoseconds(count)) }
            }
        }

        /// What a pipeline hands over; it is run on the main thread, wherever it came from.
        private struct Action: @unchecked Sendable {
            let run: () -> Void
        }

        let clock: any CallClock

        var now: SchedulerTimeType { SchedulerTimeType(time: clock.now) }
        var minimumTolerance: SchedulerTimeType.Stride { .seconds(0) }

        func schedule(options: Never?, _ action: @escaping () -> Void) {
            let action = Action(run: action)
            DispatchQueue.main.async { action.run() }
        }

        func schedule(
            after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
            _ action: @escaping () -> Void
        ) {
            _ = begin(after: date, Action(run: action))
        }

        func schedule(
            after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
            options: Never?, _ action: @escaping () -> Void
        ) -> any Cancellable {
            let action = Action(run: action)
            let task = Task { @MainActor in
                var next = date.time
                while !Task.isCancelled {
                    try await clock.sleep(for: next - clock.now)
                    try Task.checkCancellation()
                    action.run()
                    next += interval.time
                    guard interval.time > .zero else {
                        return
                    }
                }
            }
            return AnyCancellable { task.cancel() }
        }

        private func begin(after date: SchedulerTimeType, _ action: Action) -> Task<Void, any Error> {
            Task { @MainActor in
                try await clock.sleep(for: date.time - clock.now)
                try Task.checkCancellation()
                action.run()
            }
        }
    }
#endif
