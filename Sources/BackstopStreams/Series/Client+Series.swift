package import Backstop
package import BackstopCore

extension Client {
    /// Makes the calls of a stream or a transfer, each through the whole chain; observers are not told of a failure.
    ///
    /// A call that led further costs nothing but a wait; any other is an attempt of the chain's retry policy, and taken
    /// from its budget. All of them are the calls of the account that the first one began with.
    package func run<E: Endpoint>(
        _ endpoint: E, _ legs: Legs, as call: RepeatedCall? = nil
    ) async throws(Failure) {
        guard let series = legs.series else {
            return try await runLeg(endpoint, legs, as: call).result.get()
        }
        do throws(Failure) {
            try await run(endpoint, legs, series, as: call)
        } catch {
            throw legs.complete(error)
        }
    }

    private func run<E: Endpoint>(
        _ endpoint: E, _ legs: Legs, _ series: any CallSeries, as call: RepeatedCall?
    ) async throws(Failure) {
        let call = call ?? RepeatedCall()
        let end = options.deadline.map { options.clock.now.adding($0) }
        let changes = AccountChanges.count
        var client = self
        var course = SeriesCourse()
        let prepared = PreparedEndpoint(endpoint: endpoint, accept: endpoint.accept, series: series)
        while true {
            let leg: Leg
            if let first = course.first {
                leg = await ContinuedCall(values: first, accountChanges: changes).continuing {
                    [client, lost = course.lost] in
                    await client.runLeg(prepared, legs, as: call, after: lost)
                }
            } else {
                leg = await client.runLeg(prepared, legs, as: call)
            }
            let given = client.options.deadline
            guard let wait = try await pause(after: leg, legs, series, &course, given: given, until: end) else {
                return
            }
            try await sleep(wait, legs)
            if let end {
                client.options.deadline = end.subtracting(options.clock.now)
            }
        }
    }

    /// How long to wait for the next call of a series; nil when it is over. Apart, because it would stay in memory for as
    /// long as a stream is open.
    ///
    /// - Parameters:
    ///   - deadline: What the call was given of the deadline.
    ///   - end: When the deadline of the whole series is.
    /// - Throws: The failure, if none follows.
    @inline(never)
    private func pause(
        after leg: Leg, _ legs: Legs, _ series: any CallSeries, _ course: inout SeriesCourse,
        given deadline: Duration?, until end: Duration?
    ) async throws(Failure) -> Duration? {
        course.first = course.first ?? leg.values
        let time = legs.pause()
        if legs.readerError != nil, case .failure(let failure) = leg.result {
            throw failure
        }
        var failure: Failure?
        var step: SeriesStep
        course.lost = nil
        switch leg.result {
        case .success:
            step = leg.head.map { series.follow($0, lasting: time) } ?? .over
        case .failure(let error):
            failure = error
            course.lost = error.lostConnection
            if let deadline, let whole = options.deadline {
                failure = error.replacing(.deadline, of: deadline, with: whole)
            }
            step = await series.follow(error, lasting: time)
        }
        switch step {
        case .over:
            return nil
        case .failed(let error, let stopped):
            let new = error.map { leg.failure($0, legs.report) }
            let failure = new ?? failure ?? Failure(CancellationError())
            guard let stopped, new != nil || failure.stopReason == .begun else {
                throw failure
            }
            throw failure.repeated(failure.attempts, stopped: stopped)
        case .more(let wait):
            (course.fruitless, course.attempts) = (0, [])
            return min(wait, end.map { max(.zero, $0.subtracting(options.clock.now)) } ?? wait)
        case .again(let cause, let least, let isProgress):
            course.fruitless = isProgress ? 0 : course.fruitless + leg.tries
            course.attempts =
                isProgress
                ? []
                : course.attempts.followed(by: leg.attempts, after: course.waited, because: "backoff")
            let reason = failure ?? cause.map { leg.failure($0, legs.report) } ?? Failure(CancellationError())
            let wait = try wait(
                after: reason, of: leg, because: cause, course.fruitless, course.attempts, least, until: end)
            course.waited = wait ?? course.waited
            return wait
        }
    }

    /// How long to wait for the next call of a series; nil when the last one has ended well, and none is to follow.
    ///
    /// - Throws: The failure, if none follows.
    private func wait(
        after failure: Failure, of leg: Leg, because cause: (any Error)?, _ fruitless: Int, _ attempts: [Attempt],
        _ least: Duration, until end: Duration?
    ) throws(Failure) -> Duration? {
        let attempts = attempts.isEmpty ? failure.attempts : attempts
        // What failed before it began, the chain's own retry has judged.
        guard cause != nil || failure.transfer != nil || !chain.roles.contains(.retry) else {
            throw failure
        }
        let policy =
            options.retry ?? chain.interceptors.lazy.compactMap { $0 as? Retry<HTTP.Request, HTTP.Response> }.first?
            .policy
            ?? .standard
        if policy.attempts == 1, leg.head != nil {
            return nil
        }
        let asked: RetryWait
        if cause != nil {
            guard policy.attempts > 1, fruitless < policy.attempts else {
                throw failure.repeated(attempts, stopped: .attemptsUsed(max(1, fruitless)))
            }
            asked = RetryWait(policy.backoff, failedAttempts: max(1, fruitless), random: options.random)
        } else {
            switch policy.pause(
                after: failure, failed: max(1, fruitless), attempts: attempts, keepsKey: { _ in true },
                clock: options.clock, random: options.random)
            {
            case .wait(let wait, _): asked = wait
            case .stop(let reason):
                let timeIsUp = StopReason.deadline(wait: nil)
                throw failure.repeated(attempts, stopped: failure.stopReason == timeIsUp ? timeIsUp : reason)
            }
        }
        let wait = asked.atLeast(least)
        let now = options.clock.now
        if let end, now.adding(wait.chosen) >= end {
            throw failure.repeated(attempts, stopped: .deadline(wait: wait.chosen))
        }
        guard let request = failure.sentRequest else {
            return wait.chosen
        }
        guard
            let wait = retryLedger.take(
                fruitless > 0 ? 1 : 0, for: failure.lostConnection, from: request.destination, at: now, before: wait,
                within: end.map { $0.subtracting(now) }, policy.budget)
        else {
            throw failure.repeated(attempts, stopped: .budget)
        }
        return wait
    }

    private func sleep(_ wait: Duration, _ legs: Legs) async throws(Failure) {
        do {
            try await legs.sleep(for: wait, clock: options.clock)
            try Task.checkCancellation()
            try legs.confirm()
        } catch {
            throw legs.failure(legs.readerError ?? error)
        }
    }

    /// Makes one of the calls.
    ///
    /// - Parameter lost: The number of the connection that the call before it was lost with; nil for none.
    private func runLeg<E: Endpoint>(
        _ endpoint: E, _ legs: Legs, as call: RepeatedCall?, after lost: UInt64? = nil
    ) async -> Leg {
        let coding = JSONCoding(decoder: options.values.decoder, encoder: options.values.encoder)
        return await JSONCoding.$current.withValue(coding) { await runOnce(endpoint, legs, as: call, after: lost) }
    }

    private func runOnce<E: Endpoint>(
        _ endpoint: E, _ legs: Legs, as call: RepeatedCall?, after lost: UInt64?
    ) async -> Leg {
        let intake: HTTP.Intake
        do {
            intake = try legs.next()
        } catch {
            return Leg(result: .failure(legs.failure(error)))
        }
        var context = CallContext(
            options: sharedOptions, subject: StreamSubject(intake, name: endpoint.name, origin: origin),
            retryLedger: retryLedger, continuing: lost)
        var asked: HTTP.Request?
        let error: any Error
        do {
            let request = try begin(endpoint, as: call, asked: &asked, &context)
            legs.begin { [context, asked, retries = chain.roles.contains(.retry)] error in
                context.readerFailure(HTTP.Request.recognized(error), asked: asked, retries: retries)
            }
            call?.follow(context)
            defer { call?.end(context.repeatSafety) }
            let response = try await chain.send(request, context: context)
            try await intake.settle(response, context: context)
            context.finish(response)
            return Leg(
                result: .success(()), name: endpoint.name, head: response, request: asked, attempts: context.attempts,
                values: context.values)
        } catch let thrown {
            error = thrown
        }
        await intake.close()
        let failure = failure(context, error, asked: asked)
        return Leg(
            result: .failure(failure), request: asked, attempts: failure.attempts, values: failure.values)
    }
}

/// What a series of calls has come to.
private struct SeriesCourse {
    /// The values of the first call.
    var first: CallValues?
    var attempts: [Attempt] = []
    var fruitless = 0
    /// The number of the shared connection that was lost with the last call.
    var lost: UInt64?
    var waited = Duration.zero
}

/// How one of the calls has ended.
private struct Leg {
    let result: Result<Void, Failure>
    var name = ""
    var head: HTTP.Response?
    var request: HTTP.Request?
    var attempts: [Attempt] = []
    var values = CallValues()

    /// How many attempts it counts as: a request with a renewed token is no other one.
    var tries: Int { max(1, attempts.count { $0.waitReason != Attempt.tokenRefused }) }

    /// A failure that the chain knows nothing of: the call had ended well.
    func failure(_ error: any Error, _ report: TransferReport) -> Failure {
        if case .failure(let failure) = result {
            return Failure(
                error, request: failure.sentRequest ?? request, response: failure.receivedResponse,
                attempts: attempts, name: failure.name, transfer: report)
        }
        return Failure(error, request: request, response: head, attempts: attempts, name: name, transfer: report)
    }
}

/// The request of an endpoint, whose own content is not read, made fit for a format and for the next call of a series.
struct PreparedEndpoint<E: Endpoint>: EmptyEndpoint {
    let endpoint: E
    let accept: String?
    var series: (any CallSeries)?

    var name: String { endpoint.name }

    func makeRequest() throws -> HTTP.Request {
        try changed(endpoint.makeRequest()) { try series?.prepare(&$0) }
    }
}
