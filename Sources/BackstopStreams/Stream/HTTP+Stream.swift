public import Backstop
public import BackstopCore

extension HTTP {
    /// A response that is read while it arrives: its head, and its elements.
    ///
    /// The call runs until the last element, and ends as any other: with one `Failure`, which the loop
    /// throws after the elements that had arrived. The server waits while nobody reads (``StreamOptions/window``).
    ///
    /// ```swift
    /// func tail(_ client: Client) async {
    ///     do throws(Failure) {
    ///         for try await line in try await client.stream("logs/today", as: .lines) {
    ///             print(line)
    ///         }
    ///     } catch {
    ///         print("After \(error.transfer?.elements ?? 0) lines: \(error.message.title)")
    ///     }
    /// }
    /// ```
    /// One reader: a second loop fails. The call is cancelled when the stream is no longer held, or the task that reads it
    /// is cancelled.
    public final class Stream<Element: Sendable>: AsyncSequence, Sendable {
        /// What a loop throws.
        public typealias Failure = BackstopCore.Failure

        /// The head of the response, without a body.
        public let response: HTTP.Response

        let reader: StreamReader<Element>
        private let legs: Legs
        private let call: Task<Void, Never>
        private let isRead = Lock(false)

        init(
            _ response: HTTP.Response, _ reader: StreamReader<Element>, _ legs: Legs, _ call: Task<Void, Never>
        ) {
            self.response = response
            self.reader = reader
            self.legs = legs
            self.call = call
        }

        deinit {
            cancel()
        }

        /// How much has arrived.
        public var report: TransferReport {
            legs.report
        }

        /// Ends the call, as `cancelled`; elements that were not read are dropped. Nothing after its end.
        public func cancel() {
            call.cancel()
            reader.handoff.close(with: CancellationError())
        }

        /// Reads the elements, once.
        public func makeAsyncIterator() -> AsyncIterator {
            let isSecond = isRead.withLock { isRead in
                defer { isRead = true }
                return isRead
            }
            return AsyncIterator(stream: self, isRefused: isSecond)
        }

        /// Reads the elements of a stream.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// What is thrown.
            @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
            public typealias Failure = BackstopCore.Failure

            private let stream: Stream
            private let isRefused: Bool
            private var elements: [Element] = []
            private var position = 0
            private var isOver = false

            init(stream: Stream, isRefused: Bool) {
                self.stream = stream
                self.isRefused = isRefused
            }

            /// The next element; nil at the end.
            ///
            /// - Throws: The failure of the call, after the last element that had arrived.
            public nonisolated(nonsending) mutating func next() async throws(BackstopCore.Failure) -> Element? {
                guard position < elements.count else {
                    return try await more()
                }
                defer { position += 1 }
                return elements[position]
            }

            /// The same, in the caller's isolation.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(BackstopCore.Failure) -> Element? {
                guard position < elements.count else {
                    return try await more()
                }
                defer { position += 1 }
                return elements[position]
            }

            private nonisolated(nonsending) mutating func more() async throws(BackstopCore.Failure) -> Element? {
                guard !isOver else {
                    return nil
                }
                // Whatever comes, it is the last unless there is more.
                isOver = true
                guard !isRefused else {
                    throw BackstopCore.Failure(
                        RequestError(.invalid, "The stream is read already: it has one reader, and one pass"))
                }
                elements = []
                guard let more = try await stream.more(), let first = more.first else {
                    return nil
                }
                elements = more
                position = 1
                isOver = false
                return first
            }
        }

        nonisolated(nonsending) private func more() async throws(BackstopCore.Failure) -> [Element]? {
            if Task.isCancelled {
                cancel()
            }
            let elements = try await reader.handoff.take { [call] in call.cancel() }
            guard elements != nil else {
                return nil
            }
            do {
                try Task.checkCancellation()
                // Whoever has signed out meanwhile is not shown what was answered before.
                try legs.confirm()
                return elements
            } catch {
                try await fail(with: error)
                return nil
            }
        }

        /// Ends the call with an error of the reader's.
        ///
        /// - Throws: The failure of the call.
        nonisolated(nonsending) func fail(with error: any Error) async throws(BackstopCore.Failure) {
            reader.handoff.close(with: error)
            if error is CancellationError || !legs.fail(with: error) {
                call.cancel()
            }
            await call.value
            if case .failure(let failure)? = reader.handoff.end {
                throw failure
            }
            // The call had succeeded, but not for its reader.
            throw BackstopCore.Failure(error)
        }
    }
}
