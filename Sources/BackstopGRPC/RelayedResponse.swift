#if GRPC
    internal import BackstopCore
    internal import GRPCCore

    /// The response of a call, which gRPC reads, and one attempt delivers: part by part, as they are asked for.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct RelayedResponse<Bytes: GRPCContiguousBytes & Sendable>: AsyncSequence, Sendable {
        typealias Element = RPCResponsePart<Bytes>
        typealias Failure = any Error

        private let parts = AsyncThrowingStream.makeStream(of: Element.self, throwing: (any Error).self)
        private let demand = AsyncStream.makeStream(of: Void.self)
        private let contexts = AsyncStream.makeStream(of: ClientContext.self, bufferingPolicy: .bufferingOldest(1))

        /// An attempt has a stream.
        func open(_ context: ClientContext) {
            contexts.continuation.yield(context)
        }

        /// The context of the first stream; nil when there is none.
        func opened() async -> ClientContext? {
            await contexts.stream.first { _ in true }
        }

        /// Delivers a part once the reader asks for it.
        ///
        /// - Throws: `CancellationError` if the task is cancelled.
        func deliver(_ part: Element) async throws {
            guard await demand.stream.first(where: { _ in true }) != nil else {
                throw CancellationError()
            }
            parts.continuation.yield(part)
        }

        /// Ends it: with its status, or with an error.
        func finish(with result: Result<Element, any Error>) {
            parts.continuation.yield(with: result)
            parts.continuation.finish()
            contexts.continuation.finish()
        }

        func makeAsyncIterator() -> Iterator {
            Iterator(parts: parts.stream.makeAsyncIterator(), demand: demand.continuation)
        }

        struct Iterator: AsyncIteratorProtocol {
            fileprivate var parts: AsyncThrowingStream<Element, any Error>.Iterator
            fileprivate let demand: AsyncStream<Void>.Continuation

            mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
                demand.yield()
                let part = try await parts.next(isolation: actor)
                if part == nil, Task.isCancelled {
                    throw RPCError.cancelled
                }
                return part
            }
        }
    }
#endif
