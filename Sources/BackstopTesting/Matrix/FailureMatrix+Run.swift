public import BackstopCore

extension FailureMatrix {
    /// Passes every sample to the handlers, as a failed call would.
    ///
    /// ```swift
    /// let checkout = HandlerScope("checkout") { On(status: 409) { _ in } }
    /// let matrix = await FailureMatrix.run(
    ///     own: [On(status: 404, name: "book") { _ in }], scopes: [checkout]
    /// ) {
    ///     Otherwise { _ in }
    /// }
    /// ```
    /// The app's registered defaults are not asked, pauses are skipped, and nothing is logged or reported to the
    /// observers of `handling`. The first verdict counts: after `.retry`, a handler is not asked about a second
    /// failure. A presenter that would wait for a person is not waited for: its verdict is `.waits`. Any other handler is
    /// waited for until it returns.
    ///
    /// - Parameters:
    ///   - own: The call's own handlers. Default: none.
    ///   - scopes: Scopes inside those of `handling`, innermost first. Default: none.
    ///   - handling: A client's handling, with its scopes and its retry limit.
    ///   - samples: The failures. Default: ``FailureSamples/all``.
    ///   - defaults: The default handlers. Default: none.
    public static func run(
        own: [any FailureHandler] = [],
        scopes: [HandlerScope] = [],
        handling: FailureHandling = FailureHandling(),
        samples: [FailureSample] = FailureSamples.all,
        @HandlerBuilder defaults: () -> [any FailureHandler] = { [] }
    ) async -> FailureMatrix {
        await run(
            resolving: own.map { FailureHandling.OwnHandler<Never>($0) }, scopes: scopes, handling: handling,
            samples: samples, defaults: defaults)
    }

    /// Passes every sample to the handlers, as a failed call with a handler that may return a value, as in
    /// `client.perform(_:handle:)`; that handler is named "call".
    ///
    /// ```swift
    /// let matrix = await FailureMatrix.run(handle: { failure in failure.statusCode == 404 ? .value(0) : .unhandled })
    /// ```
    /// - Parameters:
    ///   - handle: The call's own handler.
    ///   - scopes: Scopes inside those of `handling`, innermost first. Default: none.
    ///   - handling: A client's handling, with its scopes and its retry limit.
    ///   - samples: The failures. Default: ``FailureSamples/all``.
    ///   - defaults: The default handlers. Default: none.
    public static func run<Value: Sendable>(
        handle: @escaping @Sendable (Failure) async -> Resolution<Value>,
        scopes: [HandlerScope] = [],
        handling: FailureHandling = FailureHandling(),
        samples: [FailureSample] = FailureSamples.all,
        @HandlerBuilder defaults: () -> [any FailureHandler] = { [] }
    ) async -> FailureMatrix {
        await run(
            resolving: [FailureHandling.OwnHandler("call", resolve: handle)], scopes: scopes, handling: handling,
            samples: samples, defaults: defaults)
    }

    package static func run<Value: Sendable>(
        resolving own: [FailureHandling.OwnHandler<Value>],
        scopes: [HandlerScope] = [],
        handling: FailureHandling = FailureHandling(),
        samples: [FailureSample] = FailureSamples.all,
        trials: [Trial<Value>]? = nil,
        @HandlerBuilder defaults: () -> [any FailureHandler] = { [] }
    ) async -> FailureMatrix {
        let trials =
            trials
            ?? samples.map { sample in
                Trial(clock: RecordingClock(), attempts: nil) { () throws(Failure) in throw sample.failure }
            }
        var handling = handling
        handling.log = RecordingLog()
        // Names may occur more than once, so each handler is asked under its number.
        var line = Line()
        let numberedOwn = own.map { handler in
            let name = line.add(handler.name, pattern: nil)
            return FailureHandling.OwnHandler(name, endsRetries: handler.endsRetries) { failure in
                await Waits.named(name) { await handler.resolve(failure) }
            }
        }
        handling.scopes = (scopes + handling.scopes).map { scope in
            let handlers = scope.handlers.map { line.add($0, of: scope) }
            return HandlerScope(scope.name) { handlers }
        }
        let numberedDefaults = defaults().map { line.add($0, of: nil) }
        let decisions = await DefaultHandlers.withHandlers {
            numberedDefaults
        } operation: { [handling] in
            var decisions: [Decision] = []
            for trial in trials {
                decisions.append(await decision(on: trial, own: numberedOwn, handling: handling))
            }
            return decisions
        }
        let rows = zip(samples, decisions).map { sample, decision in
            Row(
                name: sample.name, failure: decision.failure ?? sample.failure, verdict: decision.verdict,
                handledBy: decision.handler.map { line.members[$0].name }, attempts: decision.attempts,
                elapsed: decision.elapsed)
        }
        return FailureMatrix(rows: rows, idleHandlers: line.idle(rows, decisions))
    }

    /// A call that fails as a sample does.
    package struct Trial<Value: Sendable>: Sendable {
        let clock: RecordingClock
        /// How many attempts have reached the transport; nil without a chain.
        let attempts: (@Sendable () -> Int)?
        /// Makes the call.
        let call: @Sendable () async throws(Failure) -> Value
    }

    private static func decision<Value: Sendable>(
        on trial: Trial<Value>, own: [FailureHandling.OwnHandler<Value>], handling: FailureHandling
    ) async -> Decision {
        let observer = RecordingObserver()
        var handling = handling
        handling.observers = [observer]
        let waits = Waits()
        // What the chain had done when the first handler was asked; guarded by the lock.
        let first = Lock(FirstCall())
        await waits.run { [handling] in
            _ = await handling.perform(clock: trial.clock, own: own) { () async throws(Failure) -> Value in
                // A second call means that a handler returned `.retry`; cancelling ends it without asking any other.
                guard first.withLock({ !exchange(&$0.hasBegun, with: true) }) else {
                    throw Failure(CancellationError())
                }
                do throws(Failure) {
                    let value = try await trial.call()
                    first.withLock { $0.end(trial.attempts?(), trial.clock, nil) }
                    return value
                } catch {
                    first.withLock { $0.end(trial.attempts?(), trial.clock, error) }
                    throw error
                }
            }
        }
        let call = first.withLock { $0 }
        func decision(_ verdict: Verdict, _ name: String?) -> Decision {
            Decision(
                verdict: verdict, handler: name.flatMap(Line.number), failure: call.failure, attempts: call.attempts,
                elapsed: trial.attempts == nil ? nil : call.elapsed)
        }
        if let name = waits.name {
            return decision(.waits, name)
        }
        switch observer.failures.first?.outcome {
        case .handled(let name): return decision(.handled, name)
        case .replaced(let name): return decision(.value, name)
        case .retried(let name):
            return decision(.retry(after: trial.clock.sleeps.dropFirst(call.sleeps).first ?? .zero), name)
        // What ends with the test's own task says nothing of the sample.
        case .cancelled: return decision(Task.isCancelled ? .unhandled : .cancelled, nil)
        case .unhandled, .thrown: return decision(.unhandled, nil)
        case nil: return decision(call.failure == nil ? .recovered : .unhandled, nil)
        }
    }

    /// A call up to the first question to a handler.
    private struct FirstCall {
        var hasBegun = false
        var failure: Failure?
        var attempts: Int?
        var elapsed = Duration.zero
        var sleeps = 0

        mutating func end(_ attempts: Int?, _ clock: RecordingClock, _ failure: Failure?) {
            self.attempts = attempts
            self.failure = failure
            elapsed = clock.now
            sleeps = clock.sleeps.count
        }
    }

    /// The outcome of a sample, and the number of the handler that decided; nil when none did.
    private struct Decision {
        let verdict: Verdict
        let handler: Int?
        let failure: Failure?
        let attempts: Int?
        let elapsed: Duration?
    }

    /// All handlers in the order they are asked.
    private struct Line {
        struct Member {
            /// The name in outcomes.
            let name: String
            /// The failures it matches; nil when unknown.
            let pattern: FailurePattern?
        }

        private(set) var members: [Member] = []

        /// Adds a handler, and returns the name it is asked under.
        mutating func add(_ name: String, pattern: FailurePattern?) -> String {
            members.append(Member(name: name, pattern: pattern))
            return "#\(members.count - 1)"
        }

        /// Adds a handler of a scope, or a default one, and returns it as asked.
        mutating func add(_ handler: any FailureHandler, of scope: HandlerScope?) -> any FailureHandler {
            let name = (scope.map { "\($0.name): " } ?? "") + handler.name
            return Numbered(name: add(name, pattern: (handler as? On)?.pattern), handler: handler)
        }

        /// The number in an outcome's name, which a scope's name may precede.
        static func number(in name: String) -> Int? {
            name.lastIndex(of: "#").flatMap { Int(name[name.index(after: $0)...]) }
        }

        /// Those that decided nothing, each with those that decided before it.
        func idle(_ rows: [Row], _ decisions: [Decision]) -> [IdleHandler] {
            let busy = Set(decisions.compactMap(\.handler))
            return members.indices.filter { !busy.contains($0) }.map { index in
                let member = members[index]
                var shadows: [Int] = []
                for (row, decision) in zip(rows, decisions) {
                    if let other = decision.handler, other < index, !shadows.contains(other),
                        member.pattern?.matches(row.failure) == true
                    {
                        shadows.append(other)
                    }
                }
                let occurrence = members[...index].count { $0.name == member.name }
                return IdleHandler(
                    name: member.name, occurrence: occurrence, shadowedBy: shadows.map { members[$0].name })
            }
        }
    }

    /// A handler identified by its number.
    private struct Numbered: FailureHandler {
        let name: String
        let handler: any FailureHandler

        func handle(_ failure: Failure) async -> BackstopCore.Verdict {
            await Waits.named(name) { await handler.handle(failure) }
        }
    }
}

/// Ends the question to a handler that waits for somebody who does not come in a test.
private final class Waits: Sendable {
    /// The task that asks, and the name of the handler that waits; guarded by the lock.
    private let state = Lock<(task: Task<Void, Never>?, name: String?)>((nil, nil))

    @TaskLocal private static var current: Waits?

    /// The handler that waits; nil for none.
    var name: String? {
        state.withLock { $0.name }
    }

    /// Runs until the end, or until a handler waits; that one is cancelled.
    func run(_ ask: @escaping @Sendable () async -> Void) async {
        let task = Task { await Self.$current.withValue(self) { await ask() } }
        let isWaiting = state.withLock { state in
            state.task = task
            return state.name != nil
        }
        await withTaskCancellationHandler {
            if isWaiting {
                task.cancel()
            }
            await task.value
        } onCancel: {
            task.cancel()
        }
        state.withLock { $0.task = nil }
    }

    /// Asks a handler under its name.
    static func named<Result>(_ name: String, _ ask: () async -> Result) async -> Result {
        await FailureHandling.$whenWaiting.withValue(FailureHandling.Signal { [current] in current?.stop(name) }) {
            await ask()
        }
    }

    private func stop(_ name: String) {
        let task = state.withLock { state in
            state.name = name
            return state.task
        }
        task?.cancel()
    }
}
