public import BackstopCore

extension FailureMatrix {
    /// Shows every sample to the handlers, as a failed call would.
    ///
    /// ```swift
    /// let checkout = HandlerScope("checkout") { On(status: 409) { _ in } }
    /// let matrix = await FailureMatrix.run(
    ///     own: [.init("book") { failure in failure.statusCode == 404 ? .value(0) : .unhandled }],
    ///     scopes: [checkout]
    /// ) {
    ///     Otherwise { _ in }
    /// }
    /// ```
    /// Default handlers that the app registered are not asked, pauses are not waited for, and nothing is written to the
    /// log or told to the observers of `handling`. The first answer counts: a handler that says `.retry` is not asked
    /// about a second failure.
    ///
    /// - Parameters:
    ///   - own: The call's own handlers. Default: none.
    ///   - scopes: Scopes inside those of `handling`, innermost first. Default: none.
    ///   - handling: A client's handling, with its scopes and its limit of retries.
    ///   - samples: The failures. Default: ``FailureSamples/all``.
    ///   - defaults: The default handlers. Default: none.
    public static func run<Value: Sendable>(
        own: [FailureHandling.OwnHandler<Value>] = [FailureHandling.OwnHandler<Never>](),
        scopes: [HandlerScope] = [],
        handling: FailureHandling = FailureHandling(),
        samples: [FailureSample] = FailureSamples.all,
        @HandlerBuilder defaults: () -> [any FailureHandler] = { [] }
    ) async -> FailureMatrix {
        var handling = handling
        handling.scopes = scopes + handling.scopes
        handling.log = RecordingLog()
        let defaults = defaults()
        let rows = await DefaultHandlers.withHandlers {
            defaults
        } operation: {
            var rows: [Row] = []
            for sample in samples {
                rows.append(await row(for: sample, own: own, handling: handling))
            }
            return rows
        }
        let names =
            handling.scopes.flatMap { scope in scope.handlers.map { "\(scope.name): \($0.name)" } }
            + defaults.map(\.name)
        let busy = Set(rows.compactMap(\.handledBy))
        return FailureMatrix(rows: rows, idleHandlers: names.filter { !busy.contains($0) })
    }

    private static func row<Value: Sendable>(
        for sample: FailureSample, own: [FailureHandling.OwnHandler<Value>], handling: FailureHandling
    ) async -> Row {
        let clock = RecordingClock()
        let observer = RecordingObserver()
        var handling = handling
        handling.observers = [observer]
        var calls = 0
        _ = await handling.perform(clock: clock, own: own) { () async throws(Failure) -> Value in
            calls += 1
            // A second call means that a handler asked for it; a cancellation ends it without asking anybody.
            throw calls == 1 ? sample.failure : Failure(CancellationError())
        }
        let (verdict, name): (Verdict, String?) =
            switch observer.failures.first?.outcome {
            case .handled(let name): (.handled, name)
            case .replaced(let name): (.value, name)
            case .retried(let name): (.retry(after: clock.sleeps.first ?? .zero), name)
            case .cancelled: (.cancelled, nil)
            case .unhandled, .thrown, nil: (.unhandled, nil)
            }
        return Row(name: sample.name, failure: sample.failure, verdict: verdict, handledBy: name)
    }
}
