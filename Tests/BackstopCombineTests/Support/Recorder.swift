#if canImport(Combine) || OpenCombine
    import BackstopCombine
    import BackstopCore
    import BackstopTestSupport

    /// A subscriber that asks only for what a test tells it to, and writes down what it gets.
    final class Recorder<Input: Sendable, Failure: Error>: Subscriber, @unchecked Sendable {
        enum Event: Sendable {
            case value(Input)
            case finished
            case failed(Failure)
        }

        private struct State {
            var events: [Event] = []
            var subscription: (any Subscription)?
            var isCancelled = false
            var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        }

        /// Guarded by the lock, which is why this may be unchecked.
        private let state = Lock(State())
        private let demandPerValue: Subscribers.Demand
        private let onEvent: @Sendable (Recorder) -> Void

        /// - Parameters:
        ///   - demandPerValue: What is asked for when a value comes. Default: nothing.
        ///   - onEvent: Called after each event.
        init(
            demandPerValue: Subscribers.Demand = .none, onEvent: @escaping @Sendable (Recorder) -> Void = { _ in }
        ) {
            self.demandPerValue = demandPerValue
            self.onEvent = onEvent
        }

        func receive(subscription: any Subscription) {
            state.withLock { $0.subscription = subscription }
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            record(.value(input))
            return demandPerValue
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            switch completion {
            case .finished: record(.finished)
            case .failure(let failure): record(.failed(failure))
            }
        }

        func request(_ demand: Subscribers.Demand) {
            state.withLock { $0.subscription }?.request(demand)
        }

        func cancel() {
            state.withLock { $0.subscription }?.cancel()
        }

        var events: [Event] {
            state.withLock { $0.events }
        }

        var values: [Input] {
            events.compactMap { if case .value(let value) = $0 { value } else { nil } }
        }

        var failure: Failure? {
            events.compactMap { if case .failed(let failure) = $0 { failure } else { nil } }.first
        }

        /// The kinds of the events: "value", "finished", "failed".
        var kinds: [String] {
            events.map { event in
                switch event {
                case .value: "value"
                case .finished: "finished"
                case .failed: "failed"
                }
            }
        }

        /// Suspends until so many events have come.
        func waitForEvents(_ count: Int) async {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    guard state.events.count < count else {
                        return true
                    }
                    state.waiting.append((count, continuation))
                    return false
                }
                if isThere {
                    continuation.resume()
                }
            }
        }

        /// Suspends until the end has come.
        func waitForEnd() async {
            var count = 1
            while !kinds.contains(where: { $0 != "value" }) {
                await waitForEvents(count)
                count = events.count + 1
            }
        }

        private func record(_ event: Event) {
            let ready = state.withLock { state in
                state.events.append(event)
                let ready = state.waiting.filter { $0.count <= state.events.count }
                state.waiting.removeAll { $0.count <= state.events.count }
                return ready
            }
            for waiter in ready {
                waiter.continuation.resume()
            }
            onEvent(self)
        }
    }
#endif
