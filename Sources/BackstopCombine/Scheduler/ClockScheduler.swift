#if canImport(Combine) || OpenCombine
    public import BackstopCore

    /// Runs on the main actor what a pipeline schedules, at the time of a clock: for `debounce`, `delay`, `receive(on:)`.
    ///
    /// It works on every system; on Linux it stands in for `DispatchQueue.main`, which is no scheduler there. In tests
    /// the pipeline has the clock of its calls, such as a `ManualClock` of BackstopTesting, so no test waits:
    ///
    /// ```swift
    /// import BackstopCombine
    /// import BackstopTesting
    ///
    /// func names(_ typed: PassthroughSubject<String, Never>, by scheduler: some Scheduler) -> AnyPublisher<String, Never> {
    ///     typed.debounce(for: .milliseconds(800), scheduler: scheduler).removeDuplicates().eraseToAnyPublisher()
    /// }
    ///
    /// @MainActor
    /// func test() async {
    ///     let clock = ManualClock()
    ///     let typed = PassthroughSubject<String, Never>()
    ///     var checked: [String] = []
    ///     let pipeline = names(typed, by: ClockScheduler(clock: clock)).sink { name in checked.append(name) }
    ///     typed.send("ada")
    ///     await clock.waitForSleepers(1)
    ///     await clock.advance(by: .milliseconds(800))
    ///     pipeline.cancel()
    /// }
    /// ```
    /// What is scheduled for the same moment runs in the order in which it was scheduled. Default handlers that a test
    /// replaces stay replaced, and calls that go on by themselves stay with their accounts.
    public struct ClockScheduler: Scheduler, Sendable {
        /// A moment of the clock.
        public struct SchedulerTimeType: Strideable, Sendable {
            /// The clock's `now` at that moment.
            public let time: Duration

            /// The time from here to the other moment.
            public func distance(to other: Self) -> Stride {
                Stride(other.time - time)
            }

            /// The moment that is so much later.
            public func advanced(by stride: Stride) -> Self {
                Self(time: time + stride.duration)
            }
        }

        /// No options.
        public typealias SchedulerOptions = Never

        private let clock: any CallClock
        private let line = MainLine()

        /// Makes a scheduler.
        ///
        /// - Parameter clock: The clock that `delay` and `debounce` go by. Default: the system's.
        public init(clock: any CallClock = SystemClock()) {
            self.clock = clock
        }

        /// The clock's time.
        public var now: SchedulerTimeType { SchedulerTimeType(time: clock.now) }
        /// Nothing: a clock is exact.
        public var minimumTolerance: SchedulerTimeType.Stride { .zero }

        /// Runs an action as soon as the main actor is free.
        public func schedule(options: Never?, _ action: @escaping () -> Void) {
            line.add(MainLine.Action(action))
        }

        /// Runs an action at a moment of the clock.
        public func schedule(
            after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
            _ action: @escaping () -> Void
        ) {
            line.add(MainLine.Action(action), at: date.time)
            Task {
                // What is scheduled is never lost: one that a clock wakes too early runs too early.
                try? await clock.sleep(for: date.time - clock.now)
                line.addEarliest()
            }
        }

        /// Runs an action at a moment of the clock, and again after each interval, until it is cancelled.
        public func schedule(
            after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
            options: Never?, _ action: @escaping () -> Void
        ) -> any Cancellable {
            let action = MainLine.Action(action, repeats: true)
            let task = Task {
                var next = date.time
                repeat {
                    try await clock.sleep(for: next - clock.now)
                    try await line.run(action)
                    next += interval.duration
                } while interval > .zero
            }
            return AnyCancellable { task.cancel() }
        }
    }

    /// Runs actions on the main actor, in the order in which they were added.
    private final class MainLine: Sendable {
        /// What a pipeline hands over; only the main actor runs it, wherever it came from.
        struct Action: @unchecked Sendable {
            private let action: () -> Void
            // Of where it was scheduled: the task that runs it may have begun elsewhere.
            private let handlers = DefaultHandlers.replacing
            private let subscribing = Subscribing.current
            private let continued: ContinuedCall?

            /// - Parameter repeats: Whether it goes on after the call that has led to it: then it is no part of that.
            init(_ action: @escaping () -> Void, repeats: Bool = false) {
                self.action = action
                continued = repeats ? nil : ContinuedCall.current
            }

            func run() {
                DefaultHandlers.replacing(with: handlers) {
                    Subscribing.$current.withValue(subscribing) {
                        ContinuedCall.delivering(as: continued, action)
                    }
                }
            }
        }

        /// Guarded by its lock.
        private let waiting = Lock<[Action]>([])
        /// What waits for a moment, the earliest first, guarded by its lock.
        private let timed = Lock<[(time: Duration, action: Action)]>([])

        func add(_ action: Action) {
            waiting.withLock { $0.append(action) }
            // One task for each action; which of them runs which does not matter.
            Task { @MainActor in
                let first = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                first?.run()
            }
        }

        func add(_ action: Action, at time: Duration) {
            timed.withLock { timed in
                let last = timed.lastIndex { $0.time <= time }
                timed.insert((time, action), at: last.map { $0 + 1 } ?? 0)
            }
        }

        /// Adds the first of those that wait for a moment. Each has a task that does so when its moment has come: which of
        /// them is woken first does not matter.
        func addEarliest() {
            // Under the lock, so that the next one is added behind it.
            timed.withLock { timed in
                if !timed.isEmpty { add(timed.removeFirst().action) }
            }
        }

        /// Runs an action now, unless the task is cancelled.
        @MainActor
        func run(_ action: Action) throws {
            try Task.checkCancellation()
            action.run()
        }
    }
#endif
