/// Failure handlers and observers.
///
/// Handlers are asked in this order: the call's own, then those of each scope, innermost first, then the registered
/// defaults. The first that handles the failure decides. A `Client` has one; you need it only for a client of your own.
public struct FailureHandling: Sendable {
    /// The scopes, innermost first.
    public var scopes: [HandlerScope] = []
    /// The observers of all failures.
    public var observers: [any FailureObserver] = []
    /// How often handlers may repeat one call. A negative number counts as 0. Default: 3, because after three taps on
    /// "Try again" a person wants another way out, and a handler that always retries must end.
    public var maximumHandlerRetries = 3
    /// The log for reports of unhandled failures.
    public var log: any LogSink = SystemLog.shared

    /// Makes a handling without scopes and observers.
    public init() {}

    /// A handler of one call: a name, and a function that may return a value.
    package struct OwnHandler<Value: Sendable>: Sendable {
        /// The handler's name in outcomes.
        package let name: String
        /// Whether a failure passed to it is final: no later handler can repeat the call.
        package let endsRetries: Bool
        package let resolve: @Sendable (Failure) async -> Resolution<Value>

        /// A function that may return a value.
        ///
        /// - Parameters:
        ///   - name: The handler's name in outcomes.
        ///   - endsRetries: Whether a failure passed to it is final. Default: false.
        ///   - resolve: Handles a failure, or leaves it to the next handler.
        package init(
            _ name: String, endsRetries: Bool = false,
            resolve: @escaping @Sendable (Failure) async -> Resolution<Value>
        ) {
            self.name = name
            self.endsRetries = endsRetries
            self.resolve = resolve
        }

        /// A handler that returns no value.
        package init(_ handler: any FailureHandler, name: String? = nil) {
            self.init(name ?? handler.name) { Resolution(await handler.handle($0)) }
        }
    }

    /// Whether the running handler can still repeat the call.
    ///
    /// It is false once the call was repeated ``maximumHandlerRetries`` times, after a callback received a final failure,
    /// and where nothing would be sent: a body that was read once, a second order (`rejected.idempotencyKey`). `.retry`
    /// then counts as `.unhandled`. Check it before a handler offers "Try again":
    ///
    /// ```swift
    /// let alert = Otherwise { failure in
    ///     let offersAgain = failure.isRetryable && FailureHandling.canRetry
    ///     return offersAgain ? .retry : .handled
    /// }
    /// ```
    /// True outside handlers.
    public static var canRetry: Bool {
        mayRetry
    }

    @TaskLocal private static var mayRetry = true

    /// Whether handlers have already repeated the call of the running handler.
    @TaskLocal package static var hasRetried = false

    /// Whether a handler repeats the call that is running: with `.retry`, because a person asked for it.
    package static var isRepeating: Bool { Repetition.current?.value != nil }

    /// Called by a handler that returns `.retry` by itself, and not because somebody chose to.
    @TaskLocal package static var whenRetryingAlone: Signal?

    /// Called by a handler that is about to wait for somebody who may never come, such as a person. Nil in an app; a table
    /// of handlers learns with it which one waits, and does not.
    @TaskLocal package static var whenWaiting: Signal?

    /// A closure as the value of a task. Not the closure itself: an optimized build does not find its type at run time
    /// (Swift 6.3), and ends the process.
    package struct Signal: Sendable {
        private let action: @Sendable () -> Void

        package init(_ action: @escaping @Sendable () -> Void) {
            self.action = action
        }

        package func callAsFunction() {
            action()
        }
    }

    /// Makes a call and passes its failure to the handlers. Never throws; ends in exactly one outcome.
    ///
    /// This is for a client of your own; ``Chain/call(_:options:)`` makes the call.
    ///
    /// ```swift
    /// func ask(_ chain: Chain<String, String>, _ handling: FailureHandling) async -> Outcome<String> {
    ///     await handling.perform(clock: SystemClock()) { () async throws(Failure) in try await chain.call("hello") }
    /// }
    /// ```
    /// Once the task is cancelled, no further handler is asked and nothing is sent.
    ///
    /// - Parameters:
    ///   - clock: The clock for the pause before a call is repeated.
    ///   - handle: The call's own handler, asked first. Default: none.
    ///   - call: The call.
    nonisolated(nonsending) public func perform<Value: Sendable>(
        clock: any CallClock, handle: (@Sendable (Failure) async -> Resolution<Value>)? = nil,
        call: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async -> Outcome<Value> {
        await perform(clock: clock, own: handle.map { [OwnHandler("call", resolve: $0)] } ?? [], call: call)
    }

    /// Same, with several handlers of the call's own, asked in order.
    nonisolated(nonsending) package func perform<Value: Sendable>(
        clock: any CallClock, own: [OwnHandler<Value>],
        call: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async -> Outcome<Value> {
        var retries = 0
        var doubt = Doubt.nothing
        var continued: ContinuedCall?
        var accountChanges = ContinuedCall.current?.accountChanges ?? AccountChanges.count
        while true {
            let result: Result<Value, Failure>
            if retries == 0 {
                result = await Self.result(continuing: nil, of: call)
            } else {
                // A call within a repeated one is part of it.
                let scope = TaskScope(())
                defer { scope.end() }
                result = await Repetition.$current.withValue(scope) {
                    await Self.result(continuing: continued, of: call)
                }
            }
            switch result {
            case .success(let value): return .value(value)
            case .failure(let error):
                let (outcome, values) = await settle(error.after(doubt), own: own, retries: retries, clock: clock)
                if let outcome {
                    return outcome
                }
                if values == nil {
                    accountChanges = AccountChanges.count
                }
                continued = values.map { ContinuedCall(values: $0, accountChanges: accountChanges) }
                retries += 1
                doubt = doubt.and(error.doubt)
            }
        }
    }

    /// The same as a result, as a call that continues another one.
    nonisolated(nonsending) package static func result<Value: Sendable>(
        continuing call: ContinuedCall?, of operation: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        if let call {
            return await call.continuing { await result(continuing: nil, of: operation) }
        }
        do throws(Failure) {
            return .success(try await operation())
        } catch {
            return .failure(error)
        }
    }

    /// Passes one failure to the handlers, and waits for the pause before the call is repeated.
    ///
    /// - Parameters:
    ///   - retries: How often handlers have already repeated the call.
    ///   - isRepeatable: Whether they may at all. Default: true.
    /// - Returns: The outcome; nil when the call is made again, now: continuing the one with these values if nobody
    ///   decided that.
    nonisolated(nonsending) package func settle<Value: Sendable>(
        _ failure: Failure, own: [OwnHandler<Value>], retries: Int, isRepeatable: Bool = true, clock: any CallClock
    ) async -> (outcome: Outcome<Value>?, continuing: CallValues?) {
        var seen = ObservedOutcome.cancelled
        var outcome: Outcome<Value>? = .cancelled
        let isAlone = Lock(false)
        if !failure.isCancelled {
            let mayRetry = isRepeatable && failure.canBeRepeated && retries < maximumHandlerRetries
            let (resolution, name) = await Self.$hasRetried.withValue(retries > 0) {
                await Self.$whenRetryingAlone.withValue(Signal { isAlone.withLock { $0 = true } }) {
                    await ask(own, about: failure, mayRetry: mayRetry)
                }
            }
            switch resolution {
            case .value(let value): (seen, outcome) = (.replaced(by: name), .value(value))
            case .handled: (seen, outcome) = (.handled(by: name), .handled(failure, by: name))
            case .unhandled where Task.isCancelled: break
            case .unhandled:
                reportUnhandled(failure, retries: retries)
                (seen, outcome) = (.unhandled, .unhandled(failure))
            case .retry(let pause):
                if (try? await clock.sleep(for: pause)) != nil, !Task.isCancelled {
                    (seen, outcome) = (.retried(by: name), nil)
                }
            }
        }
        await observe(failure, seen)
        return (outcome, outcome == nil && isAlone.withLock { $0 } ? failure.values : nil)
    }

    /// Reports a failure that is thrown to the caller to the observers.
    nonisolated(nonsending) public func observeThrown(_ failure: Failure) async {
        await observe(failure, failure.isCancelled ? .cancelled : .thrown)
    }

    /// Tells the observers what came of a failure.
    nonisolated(nonsending) package func observe(_ failure: Failure, _ outcome: ObservedOutcome) async {
        for observer in observers {
            await observer.observe(failure, outcome: outcome)
        }
    }

    /// Asks the handlers in order; the first that does not return `.unhandled` decides. In a cancelled task, none is
    /// asked.
    private nonisolated(nonsending) func ask<Value: Sendable>(
        _ own: [OwnHandler<Value>], about failure: Failure, mayRetry: Bool
    ) async -> (Resolution<Value>, by: String) {
        let others =
            scopes.flatMap { scope in scope.handlers.map { OwnHandler<Value>($0, name: "\(scope.name): \($0.name)") } }
            + (DefaultHandlers.current?.handlers ?? []).map { OwnHandler<Value>($0) }
        var mayRetry = mayRetry
        for handler in own + others {
            guard !Task.isCancelled else {
                break
            }
            mayRetry = mayRetry && !handler.endsRetries
            let resolution = await Self.$mayRetry.withValue(mayRetry) { await handler.resolve(failure) }
            switch resolution {
            case .unhandled: continue
            case .retry where !mayRetry: continue
            case .handled, .value, .retry: return (resolution, handler.name)
            }
        }
        return (.unhandled, "")
    }

    private func reportUnhandled(_ failure: Failure, retries: Int) {
        guard log.isEnabled(.error) else {
            return
        }
        let before = retries == 0 ? "" : " Handlers repeated the call \(retries == 1 ? "once" : "\(retries) times")."
        let report = failure.report(redaction: failure.redaction.messages(to: log))
        log.write(
            LogEntry(
                .error, "No handler handled this failure.\(before)\n\(report)", callID: failure.id,
                fields: log.keepsFields ? failure.logFields + ObservedOutcome.unhandled.logFields : []))
    }
}
