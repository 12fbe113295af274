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
    /// One reader: a second loop fails. The call is cancelled when its loop is left, the stream is no longer held, or the
    /// task that reads it is cancelled.
    public final class Stream<Element: Sendable>: AsyncSequence, Sendable {
        /// What a loop throws.
        public typealias Failure = BackstopCore.Failure

        /// The head of the response, without a body.
        public let response: HTTP.Response

        let reader: StreamReader<Element>
        let legs: Legs
        private let call: Task<Void, Never>
        private let isRead = Lock(false)
        /// Tells observers of a failure that is not how the call ends.
        let observe: @Sendable (BackstopCore.Failure) async -> Void

        init(
            _ response: HTTP.Response, _ reader: StreamReader<Element>, _ legs: Legs, _ call: Task<Void, Never>,
            observe: @escaping @Sendable (BackstopCore.Failure) async -> Void
        ) {
            self.response = response
            self.reader = reader
            self.legs = legs
            self.call = call
            self.observe = observe
        }

        deinit {
            cancel()
        }

        /// How much has arrived.
        public var report: TransferReport {
            legs.report
        }

        /// Ends the call, as `cancelled`; elements that were not read are dropped. Nothing once all were read.
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
            return AsyncIterator(reading: StreamReading(self, isRefused: isSecond))
        }

        /// Reads the elements of a stream. Its copies share one position; the call ends with the last of them.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// What is thrown.
            @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
            public typealias Failure = BackstopCore.Failure

            let reading: StreamReading<Element>

            /// The next element; nil at the end.
            ///
            /// - Throws: The failure of the call, after the last element that had arrived.
            public nonisolated(nonsending) mutating func next() async throws(BackstopCore.Failure) -> Element? {
                reading.isReady ? reading.take() : try await reading.next()
            }

            /// The same, in the caller's isolation.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(BackstopCore.Failure) -> Element? {
                reading.isReady ? reading.take() : try await reading.next()
            }
        }

        /// What has come meanwhile; nil at the end.
        nonisolated(nonsending) func more() async throws(BackstopCore.Failure) -> [Element]? {
            if Task.isCancelled {
                cancel()
            }
            switch await reader.handoff.take(onCancel: { [call] in call.cancel() }) {
            case .elements(let elements):
                return elements
            case .end(.success):
                return nil
            case .end(.failure(let failure)):
                throw failure
            case .cut(let error):
                throw await late(error)
            }
        }

        /// Checks whether the next element may be given to the reader: whoever has signed out meanwhile is not shown what
        /// was answered before.
        func check() throws {
            try Task.checkCancellation()
            if let closed = reader.handoff.closed {
                throw closed
            }
            try legs.confirm()
        }

        /// Ends the call with an error of the reader's.
        ///
        /// - Throws: The failure of the call.
        nonisolated(nonsending) func fail(with error: any Error) async throws(BackstopCore.Failure) -> Never {
            let hadEnded = reader.handoff.end != nil
            reader.handoff.close(with: error)
            if !hadEnded {
                if error is CancellationError || !legs.fail(with: error) {
                    call.cancel()
                }
                await call.value
                if case .failure(let failure)? = reader.handoff.end {
                    throw failure
                }
            }
            throw await late(error)
        }

        /// The failure of a call that had ended, but not for its reader.
        private nonisolated(nonsending) func late(_ error: any Error) async -> BackstopCore.Failure {
            let failure = legs.failure(error)
            // Of another, they have been told.
            if case .success? = reader.handoff.end {
                await observe(failure)
            }
            return failure
        }
    }
}

extension HTTP.Stream: DescribedInDumps {
    /// Its response and how much has arrived, without an element.
    public var description: String {
        "a stream of \(Element.self): \(report.sentence)"
    }
}

extension HTTP.Stream.AsyncIterator: DescribedInDumps {
    /// That of the stream.
    public var description: String {
        "the iterator of a stream of \(Element.self)"
    }
}
