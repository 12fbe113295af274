#if canImport(Combine) || OpenCombine
    internal import Backstop
    public import BackstopCore

    /// A publisher of one call: its content and the end, or its `Failure`.
    ///
    /// Created by ``Backstop/Client/publisher(for:)``. Nothing is sent before the subscriber demands a value, each
    /// subscriber has its own call, and cancelling the subscription cancels the call: no event follows, and nothing
    /// more is sent. Events arrive wherever the call runs; put `receive(on:)` before anything that updates views.
    public struct CallPublisher<Output: Sendable>: Publisher, Sendable {
        /// Why a call failed.
        public typealias Failure = BackstopCore.Failure

        /// The call, with a key that it keeps when it is repeated.
        private let call: @Sendable (CallOrigin, KeptKey) async throws(Failure) -> Output
        private let client: Client

        init<E: Endpoint>(_ endpoint: E, of client: Client) where E.Content == Output {
            self.client = client
            call = { origin, key async throws(Failure) in
                var client = client
                client.options.values[CallOrigin.Key.self] = origin
                return try await Self.leavingActor(endpoint, client, key)
            }
        }

        /// Makes a subscription; the call starts at the first demand.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let key = KeptKeys.current?.next().key ?? KeptKey()
            let subscription = CallSubscription(
                AnySubscriber(subscriber), client: client,
                call: { [call] origin async throws(Failure) in try await call(origin, key) })
            subscriber.receive(subscription: subscription)
        }

        @concurrent
        private static func leavingActor<E: Endpoint>(
            _ endpoint: E, _ client: Client, _ key: KeptKey
        ) async throws(Failure) -> E.Content {
            try await client.run(endpoint, keeping: key)
        }
    }
#endif
