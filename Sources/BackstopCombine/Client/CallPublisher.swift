#if canImport(Combine) || OpenCombine
    internal import Backstop
    public import BackstopCore

    /// A publisher of one call: its content and the end, or its `Failure`.
    ///
    /// Created by ``Backstop/Client/publisher(for:)``. Nothing is sent before the subscriber demands a value, each
    /// subscriber has its own call, and cancelling the subscription cancels the call: nothing more is sent, and no event
    /// follows, except one that is being delivered on another thread at that moment.
    ///
    /// Events arrive wherever the call runs, as with `URLSession.dataTaskPublisher`. Its own `map`, `compactMap` and
    /// `flatMap` take closures that may run there; below them, put `receiveOnMainActor()` above the
    /// first closure that belongs to the main actor, or the program stops when it runs elsewhere.
    public struct CallPublisher<Output: Sendable>: Publisher, Sendable {
        /// Why a call failed.
        public typealias Failure = BackstopCore.Failure

        private let call: @Sendable (CallOrigin, Subscribing?, ContinuedCall?) async throws(Failure) -> Output
        private let client: Client
        private let maker = RepeatedCall.Maker()
        private let defaults = DefaultHandlers.replacing

        init<E: Endpoint>(_ endpoint: E, of client: Client) where E.Content == Output {
            self.client = client
            call = { origin, subscribing, begun async throws(Failure) in
                var client = client
                if let deadline = subscribing?.deadline {
                    let remaining = deadline - client.options.clock.now
                    client.options.deadline = Swift.min(remaining, client.options.deadline ?? remaining)
                }
                return try await Self.leavingActor(endpoint, client, origin.call, continuing: begun)
            }
        }

        /// Makes a subscription; the call starts at the first demand.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let subscribing = Subscribing.current
            let kept = (subscribing?.keys ?? KeptKeys()).call(by: maker)
            let defaults = DefaultHandlers.replacing ?? defaults
            // Now, and not when the task runs, before which somebody else may sign in.
            let continued = subscribing?.continued ?? ContinuedCall.current
            let begun = continued ?? client.begun()
            let subscription = CallSubscription(
                AnySubscriber(subscriber), isAwaited: subscribing != nil, continued: continued,
                origin: { [client] in CallOrigin(client, call: kept, defaults: defaults) },
                call: { [call] origin async throws(Failure) in try await call(origin, subscribing, begun) })
            subscriber.receive(subscription: subscription)
        }

        @concurrent
        private static func leavingActor<E: Endpoint>(
            _ endpoint: E, _ client: Client, _ call: RepeatedCall, continuing continued: ContinuedCall?
        ) async throws(Failure) -> E.Content {
            try await FailureHandling.result(continuing: continued) { () async throws(Failure) in
                try await client.run(endpoint, as: call)
            }.get()
        }
    }
#endif
