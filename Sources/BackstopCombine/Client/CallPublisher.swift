#if canImport(Combine) || OpenCombine
    internal import Backstop
    public import BackstopCore

    /// A publisher of one call: its content or the elements of its stream, and the end, or its `Failure`.
    ///
    /// Created by ``Backstop/Client/publisher(for:)`` and ``Backstop/Client/publisher(of:)``. Nothing is sent before the subscriber demands a value, each
    /// subscriber has its own call, and cancelling the subscription cancels the call: nothing more is sent, and no event
    /// follows, except one that is being delivered on another thread at that moment.
    ///
    /// Events arrive wherever the call runs, as with `URLSession.dataTaskPublisher`. Its own `map`, `compactMap` and
    /// `flatMap` take closures that may run there; below them, put `receiveOnMainActor()` above the
    /// first closure that belongs to the main actor, or the program stops when it runs elsewhere.
    public struct CallPublisher<Output: Sendable>: Publisher, Sendable {
        /// Why a call failed.
        public typealias Failure = BackstopCore.Failure

        private let call: @Sendable (CallOrigin, CallSubscription<Output>, Client) async throws(Failure) -> Void
        private let client: Client
        private let maker = RepeatedCall.Maker()
        private let defaults = DefaultHandlers.replacing

        init<E: Endpoint>(_ endpoint: E, of client: Client) where E.Content == Output {
            self.client = client
            call = { origin, subscription, client async throws(Failure) in
                let content = try await client.run(endpoint, as: origin.call)
                subscription.deliver(content, of: origin, isLast: true)
            }
        }

        init<Elements: AsyncSequence & SendableMetatype>(
            of client: Client, _ open: @escaping @Sendable (Client) async throws -> Elements
        ) where Elements.Element == Output, Elements.AsyncIterator: SendableMetatype {
            self.client = client
            call = { origin, subscription, client async throws(Failure) in
                // The origin tells the observers, as it knows whether an operator handles the failure.
                var client = client
                client.handling.observers = []
                do {
                    var elements = try await open(client).makeAsyncIterator()
                    // One is read ahead: the end needs no demand.
                    var next = try await elements.next()
                    while let element = next {
                        let changes = AccountChanges.count
                        guard await subscription.waitForDemand() else {
                            return
                        }
                        // If somebody has signed out meanwhile, the stream says first whether the element was his.
                        let isCertain = AccountChanges.count == changes
                        if isCertain {
                            subscription.deliver(element, of: origin, isLast: false)
                        }
                        next = try await elements.next()
                        if !isCertain {
                            subscription.deliver(element, of: origin, isLast: false)
                        }
                    }
                } catch {
                    throw error as? Failure ?? Failure(error)
                }
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
                call: { [call, client] origin, subscription async throws(Failure) in
                    var limited = client
                    if let deadline = subscribing?.deadline {
                        let remaining = deadline - client.options.clock.now
                        limited.options.deadline = Swift.min(remaining, client.options.deadline ?? remaining)
                    }
                    try await Self.leavingActor(continuing: begun) { [limited] () async throws(Failure) in
                        try await call(origin, subscription, limited)
                    }
                })
            subscriber.receive(subscription: subscription)
        }

        @concurrent
        private static func leavingActor(
            continuing continued: ContinuedCall?, _ call: @Sendable () async throws(Failure) -> Void
        ) async throws(Failure) {
            try await FailureHandling.result(continuing: continued) { () async throws(Failure) in
                try await call()
            }.get()
        }
    }
#endif
