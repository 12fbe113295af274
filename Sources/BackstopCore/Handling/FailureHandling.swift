/// The handler chain of a client: whom a failure is shown to, in which order, and what becomes of it.
///
/// The order is: the call's own handlers, then those of each enclosing scope from the inside out, then the registered
/// defaults. The first that handles the failure ends it. Clients hold one; you need it only for a client of your own.
public struct FailureHandling: Sendable {
    /// The scopes, innermost first.
    public var scopes: [HandlerScope] = []
    /// Who sees every failure with its outcome.
    public var observers: [any FailureObserver] = []
    /// How often handlers may have one call sent anew. Default: 3. Negative counts as 0.
    public var maximumHandlerRetries = 3
    /// Where the report of a failure goes that nobody handled.
    public var log: any LogSink = SystemLog.shared

    /// Handling without scopes and observers.
    public init() {}

    /// A handler of one call: a name, and a function that may give a value.
    public struct OwnHandler<Value: Sendable>: Sendable {
        /// How the handler is named in outcomes.
        public let name: String
        let resolve: @Sendable (Failure) async -> Resolution<Value>

        /// A function that may give a value.
        public init(_ name: String, resolve: @escaping @Sendable (Failure) async -> Resolution<Value>) {
            self.name = name
            self.resolve = resolve
        }

        /// A handler that gives no value.
        public init(_ handler: any FailureHandler) {
            name = handler.name
            resolve = { Resolution(await handler.handle($0)) }
        }
    }

    /// Makes a call and, when it fails, shows the failure to the handlers. Never throws, and ends exactly once.
    ///
    /// - Parameters:
    ///   - clock: The clock for the pause before a call is sent anew.
    ///   - own: The call's own handlers, asked first.
    ///   - call: The call.
    public func perform<Value: Sendable>(
        clock: any CallClock, own: [OwnHandler<Value>] = [],
        call: () async throws(Failure) -> Value
    ) async -> Outcome<Value> {
        var retries = 0
        while true {
            let failure: Failure
            do {
                return .value(try await call())
            } catch {
                failure = error
            }
            if failure.isCancelled {
                observe(failure, .cancelled)
                return .cancelled
            }
            let mayRetry = retries < maximumHandlerRetries
            let (resolution, name) = await ask(own, about: failure, mayRetry: mayRetry)
            switch resolution {
            case .value(let value):
                observe(failure, .replaced(by: name))
                return .value(value)
            case .handled:
                observe(failure, .handled(by: name))
                return .handled(failure, by: name)
            case .unhandled where Task.isCancelled:
                observe(failure, .cancelled)
                return .cancelled
            case .unhandled:
                reportUnhandled(failure)
                observe(failure, .unhandled)
                return .unhandled(failure)
            case .retry(let pause):
                retries += 1
                guard (try? await clock.sleep(for: pause)) != nil, !Task.isCancelled else {
                    observe(failure, .cancelled)
                    return .cancelled
                }
                observe(failure, .retried(by: name))
            }
        }
    }

    /// Tells the observers of a failure that is thrown to its caller.
    public func observeThrown(_ failure: Failure) {
        observe(failure, failure.isCancelled ? .cancelled : .thrown)
    }

    private func observe(_ failure: Failure, _ outcome: ObservedOutcome) {
        for observer in observers {
            observer.observe(failure, outcome: outcome)
        }
    }

    /// Asks the handlers in order; the first that is not `.unhandled` decides.
    private func ask<Value: Sendable>(
        _ own: [OwnHandler<Value>], about failure: Failure, mayRetry: Bool
    ) async -> (Resolution<Value>, by: String) {
        func decides(_ resolution: Resolution<Value>) -> Bool {
            switch resolution {
            case .unhandled: false
            case .retry: mayRetry
            case .handled, .value: true
            }
        }
        for handler in own {
            let resolution = await handler.resolve(failure)
            if decides(resolution) {
                return (resolution, handler.name)
            }
        }
        for scope in scopes {
            for handler in scope.handlers {
                let resolution = Resolution<Value>(await handler.handle(failure))
                if decides(resolution) {
                    return (resolution, "\(scope.name): \(handler.name)")
                }
            }
        }
        for handler in DefaultHandlers.current?.handlers ?? [] {
            let resolution = Resolution<Value>(await handler.handle(failure))
            if decides(resolution) {
                return (resolution, handler.name)
            }
        }
        return (.unhandled, "")
    }

    private func reportUnhandled(_ failure: Failure) {
        guard log.isEnabled(.error) else {
            return
        }
        log.write(LogEntry(.error, "Nobody handled this failure.\n\(failure.report)", callID: failure.id))
    }
}
