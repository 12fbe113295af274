#if GRPC
    internal import BackstopCore
    internal import GRPCCore

    /// The request of a call, which gRPC writes once and attempts read from its beginning, until it has a second message.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    final class ReplayedRequest<Bytes: GRPCContiguousBytes & Sendable>: ClosableRPCWriterProtocol {
        typealias Element = RPCRequestPart<Bytes>
        typealias Status = RPCResponsePart<Bytes>

        /// How many parts are kept for further attempts: the metadata and a message.
        static var replayed: Int { 2 }

        private struct State {
            var kept: [Element] = []
            /// A later part that no attempt has taken yet.
            var pending: Element?
            /// The attempt that the call goes on with, which took those or began the response; nil before that.
            var taker: Int?
            /// Why that failed; nil while it has not, or was cancelled.
            var failure: (any Error)?
            /// Whether that is over, however it ended.
            var isTakerOver = false
            /// The status with which it has succeeded; nil while it has not.
            var status: Status?
            /// The runs that came too late for the request.
            var late: Set<Int> = []
            /// How the request ended, at the latest with the call; nil while it goes on.
            var end: Result<Void, any Error>?
            /// Those who wait for a change.
            var waiting: [OneShot<Void, Void>] = []
        }

        /// All of the request, guarded by the lock.
        private let state = Lock(State())

        func write(_ element: Element) async throws {
            try await wait { state -> Void? in
                guard state.end == nil else {
                    throw RPCError.cancelled
                }
                guard state.kept.count == Self.replayed else {
                    return state.kept.append(element)
                }
                return state.pending == nil ? state.pending = element : nil
            }
        }

        func write(contentsOf elements: some Sequence<Element>) async throws {
            for element in elements {
                try await write(element)
            }
        }

        func finish() { end(with: .success(())) }

        func finish(throwing error: any Error) { end(with: .failure(error)) }

        /// Ends it; the first end counts.
        private func end(with result: Result<Void, any Error>) {
            _ = change { state -> Void? in state.end = state.end ?? result }
        }

        /// A part, for an attempt to send.
        ///
        /// - Returns: Nil after the last.
        /// - Throws: What the writer has ended the request with, and `CancellationError` for an attempt that comes too late.
        func part(_ position: Int, for run: Int) async throws -> Element? {
            try await wait { state -> [Element]? in
                guard state.taker ?? run == run else {
                    state.late.insert(run)
                    throw CancellationError()
                }
                if position < state.kept.count {
                    return [state.kept[position]]
                }
                if let pending = state.pending {
                    (state.pending, state.taker) = (nil, run)
                    return [pending]
                }
                return try state.end.map { end in
                    try end.get()
                    return []
                }
            }.first
        }

        /// Whether the call goes on with this attempt: the first that asks, or took a part that is not kept.
        func isTaken(by run: Int) -> Bool {
            change { state -> Bool? in
                state.taker = state.taker ?? run
                return state.taker == run ? true : nil
            } != nil
        }

        /// What becomes of an attempt that fails: the writer's error comes first. If the call goes on with another attempt,
        /// this one waits for the end of that, because interceptors take the first end for that of the call.
        ///
        /// - Returns: The status of the call, if the other attempt succeeds.
        /// - Throws: Why the call fails, and `CancellationError` if this attempt is cancelled meanwhile.
        func outcome(of run: Int, throwing error: any Error) async throws -> Status {
            try await wait { state -> Result<Status, any Error>? in
                guard state.taker ?? run == run else {
                    let end = state.status.map(Result.success) ?? state.failure.map(Result<Status, any Error>.failure)
                    guard end == nil, state.isTakerOver else { return end }
                    // The errors of a run without a request are of our own making.
                    return .failure(
                        state.late.contains(run)
                            ? RPCError(code: .internalError, message: "The attempt that had the request is over.")
                            : error)
                }
                var reason = error
                if !Task.isCancelled {
                    if case .failure(let thrown) = state.end {
                        let cause = (thrown as? RPCError)?.cause ?? thrown
                        reason = RequestError(
                            .bodyUnreadable, "A message could not be written: \(cause)", underlying: cause)
                    }
                    state.failure = state.taker == run ? reason : nil
                }
                state.isTakerOver = state.taker == run
                return .failure(reason)
            }.get()
        }

        /// An attempt has succeeded, and with it the call.
        func succeed(_ run: Int, with status: Status) {
            _ = change { state -> Void? in state.status = state.taker == run ? status : state.status }
        }

        /// Waits until a change has a value.
        private func wait<Value: Sendable>(for step: @Sendable (inout State) throws -> Value?) async throws -> Value {
            while true {
                let turn = OneShot<Void, Void>()
                if let value = try change(step, or: turn) {
                    return value
                }
                try await turn.value()
            }
        }

        /// Changes the state and wakes those who wait; without a value, one more waits.
        private func change<Value>(
            _ step: (inout State) throws -> Value?, or turn: OneShot<Void, Void>? = nil
        ) rethrows -> Value? {
            let (value, awake) = try state.withLock { state in
                let value = try step(&state)
                let awake = value == nil ? [] : state.waiting
                state.waiting = value == nil ? state.waiting + [turn].compactMap(\.self) : []
                return (value, awake)
            }
            awake.forEach { $0.end(with: .success(())) }
            return value
        }
    }
#endif
