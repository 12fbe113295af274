public import Backstop
public import BackstopCore

extension Client {
    /// Makes a GraphQL call with two results: first what a ``ResponseCache`` of the chain has, at once, then what the
    /// service says.
    ///
    /// Use it for a screen that is to show something while it loads. It is one call: the first result is there only if
    /// the cache has one that is not stale, and a failure of the second comes after it.
    ///
    /// ```swift
    /// @MainActor final class Screen<Query: GraphQL.Operation> {
    ///     var data: Query.Data?
    ///     var isOld = false
    ///
    ///     func load(_ client: Client, _ query: Query) async {
    ///         do throws(Failure) {
    ///             for try await result in client.fetchCacheAndNetwork(query) {
    ///                 (data, isOld) = (result.data, result.isFromCache)
    ///             }
    ///         } catch {
    ///             print(data == nil ? "Nothing to show:" : "Not up to date:", error.message.title)
    ///         }
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - operation: The operation. A mutation has one result.
    ///   - options: The options of this call, whose cache policy does not count; nil for those of the client.
    /// - Returns: The results; each loop over them is a call.
    public func fetchCacheAndNetwork<Operation: GraphQL.Operation>(
        _ operation: Operation, options: GraphQL.Options? = nil
    ) -> GraphQL.CacheAndNetwork<Operation.Data> {
        let (client, endpoint) = prepared(operation, .networkOnly, options)
        return GraphQL.CacheAndNetwork { show in
            let asking = client.withOptions { options in
                options.values.showsStored = { response, date in
                    // What cannot be read is not shown: the service is asked anyway.
                    if let result = try? endpoint.content(from: response) {
                        show(result.from(.cache(stored: date)))
                    }
                }
            }
            return await asking.result(of: endpoint)
        }
    }
}

extension GraphQL {
    /// What is stored, and then what the service says: the results of ``Backstop/Client/fetchCacheAndNetwork(_:options:)``.
    public struct CacheAndNetwork<Data: Sendable>: AsyncSequence, Sendable {
        /// What an element is.
        public typealias Element = GraphQL.Result<Data>
        /// What a loop throws.
        public typealias Failure = BackstopCore.Failure

        typealias Outcome = Swift.Result<Element, BackstopCore.Failure>

        /// Makes the call, and shows what is stored.
        let call: @Sendable (_ show: @escaping @Sendable (Element) -> Void) async -> Outcome

        /// Makes the call when the first result is asked for.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(step: .first(call))
        }

        /// Reads the results.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// What is thrown.
            @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
            public typealias Failure = BackstopCore.Failure

            fileprivate enum Step {
                case first(@Sendable (_ show: @escaping @Sendable (Element) -> Void) async -> Outcome)
                case second(Running)
                case over
            }

            fileprivate var step: Step

            /// The next result; nil behind the last.
            ///
            /// - Throws: The failure of the call, after what was stored.
            public nonisolated(nonsending) mutating func next() async throws(BackstopCore.Failure) -> Element? {
                let running: Running
                switch step {
                case .over:
                    return nil
                case .first(let call):
                    running = Running(call)
                    if let stored = await running.stored() {
                        step = .second(running)
                        return stored
                    }
                case .second(let begun):
                    running = begun
                }
                step = .over
                return try await running.outcome().get()
            }
        }

        /// A call under way, which ends when nobody wants its results any more.
        final class Running: Sendable {
            private let task: Task<Outcome, Never>
            /// What is stored; nil if the call ended without it.
            private let first: OneShot<Element?, Void>

            init(_ call: @escaping @Sendable (_ show: @escaping @Sendable (Element) -> Void) async -> Outcome) {
                let first = OneShot<Element?, Void>()
                self.first = first
                task = Task { @concurrent in
                    let outcome = await call { first.end(with: .success($0)) }
                    first.end(with: .success(nil))
                    return outcome
                }
            }

            deinit {
                task.cancel()
            }

            nonisolated(nonsending) func stored() async -> Element? {
                (try? await first.value({}, onCancel: { self.task.cancel() })) ?? nil
            }

            nonisolated(nonsending) func outcome() async -> Outcome {
                await withTaskCancellationHandler {
                    await task.value
                } onCancel: {
                    task.cancel()
                }
            }
        }
    }
}
