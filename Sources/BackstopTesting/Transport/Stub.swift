public import BackstopCore

/// A stub of a ``Script``: a response, the requests that it is for, and how often.
///
/// Write stubs with a leading dot: `.failure(…)`, `.hang`, `.respond { … }`; those for HTTP are `.status`, `.json` and
/// `.on`.
public struct Stub<Request: Sendable, Response: Sendable>: Sendable, CustomStringConvertible {
    /// The stub in a few words, as shown in errors: `status 503`, `failure transport.lost`.
    public let description: String
    /// Which requests it answers; nil for any, in turn.
    let isFor: (@Sendable (Request) -> Bool)?
    /// The method and the path of the requests that it answers; nil for others.
    var route: String?
    /// How many requests it answers; nil for any number.
    let limit: Int?
    /// Whether somebody has said how many.
    let isCounted: Bool
    /// Runs before the waiters for the request are told; nil for nothing.
    let begin: (@Sendable (Request, CallContext) -> Void)?
    let answer: @Sendable (Request, CallContext) async throws -> Response
    /// Whether it answers nothing itself: ``network``, after what comes before it.
    let goesOn: Bool

    init(
        _ description: String, isFor: (@Sendable (Request) -> Bool)? = nil, route: String? = nil,
        limit: Int? = 1, isCounted: Bool = false, begin: (@Sendable (Request, CallContext) -> Void)? = nil,
        goesOn: Bool = false,
        answer: @escaping @Sendable (Request, CallContext) async throws -> Response
    ) {
        self.description = description
        self.isFor = isFor
        self.route = route
        self.limit = limit
        self.isCounted = isCounted
        self.begin = begin
        self.answer = answer
        self.goesOn = goesOn
    }

    /// A stub that continues with another, for the same requests, as often.
    init(
        _ description: String, then step: Stub, begin: (@Sendable (Request, CallContext) -> Void)? = nil,
        first: @escaping @Sendable (Request, CallContext) async throws -> Void = { _, _ in }
    ) {
        self.init(
            description, isFor: step.isFor, route: step.route, limit: step.limit, isCounted: step.isCounted,
            begin: begin, goesOn: step.goesOn
        ) { request, context in
            try await first(request, context)
            step.begin?(request, context)
            return try await step.answer(request, context)
        }
    }

    /// Responds with a response.
    public static func response(_ response: Response) -> Stub {
        Stub("response \(Summary.text(ofResponse: response))") { _, _ in response }
    }

    /// Fails with a `TransportError`, a `TimeoutError`, or any other error of a transport.
    ///
    /// ```swift
    /// let transport = ScriptedTransport(.failure(TransportError(.lost, phase: .receiving)), .status(200))
    /// ```
    public static func failure(_ error: any Error) -> Stub {
        Stub("failure \(Summary.text(of: error))") { _, _ in throw error }
    }

    /// Responds with a closure, which receives the request and may throw.
    ///
    /// ```swift
    /// let echo = ScriptedTransport(
    ///     .respond { request, context in
    ///         HTTP.Response(status: 200, headers: ["X-Attempt": "\(context.attempt)"], body: request.body.data ??
    ///         Data())
    ///     })
    /// ```
    /// - Parameters:
    ///   - name: The stub's name in errors. Default: `closure`.
    ///   - answer: Returns the response, or throws.
    public static func respond(
        _ name: String = "closure", _ answer: @escaping @Sendable (Request, CallContext) async throws -> Response
    ) -> Stub {
        Stub(name, answer: answer)
    }

    /// Never responds; ends with `CancellationError` when the call is cancelled or times out.
    ///
    /// Time limits need a clock whose time passes: a ``ManualClock``. With a ``RecordingClock`` the call fails after half
    /// a minute and says so.
    public static var hang: Stub {
        hang(upTo: .seconds(30))
    }

    /// Never responds, as ``hang`` does.
    ///
    /// - Parameter patience: The real time after which nobody is expected to cancel a call whose clock never gets to a
    ///   limit.
    package static func hang(upTo patience: Duration) -> Stub {
        Stub("hang") { _, context in
            guard context.clock is RecordingClock else {
                await WatchedState(()).wait { false }
                throw CancellationError()
            }
            try await Task.sleep(for: patience)
            throw RejectionError(
                .script,
                "The stub .hang waits for a time limit, and the time of a RecordingClock passes only with sleeps. Use a "
                    + "ManualClock and advance it, or .failure(TimeoutError(.attempt)).")
        }
    }

    /// Reports progress, and continues with another stub: a time limit or a failure then shows that progress.
    ///
    /// ```swift
    /// let transport = ScriptedTransport(
    ///     .progress(TransferProgress(.connecting), then: .hang),
    ///     .progress(TransferProgress(.sending), then: .failure(TransportError(.lost, phase: .sending))))
    /// ```
    /// For HTTP, `.partial` also has a head and bytes.
    ///
    /// - Parameters:
    ///   - progress: The progress.
    ///   - step: The stub that follows, for the same requests, as often.
    public static func progress(_ progress: TransferProgress, then step: Stub) -> Stub {
        Stub(
            "\(progress.phase.rawValue), then \(step.description)", then: step,
            begin: { _, context in context.track { progress } })
    }

    /// Waits on the call's clock, then responds with another stub.
    ///
    /// - Parameters:
    ///   - duration: How long; `RecordingClock.sleeps` records it.
    ///   - step: The stub that answers then, for the same requests, as often.
    public static func delay(_ duration: Duration, then step: Stub) -> Stub {
        Stub(
            "\(step.description) after \(duration.text)", then: step,
            first: { _, context in try await context.clock.sleep(for: duration) })
    }

    /// Responds to the requests that meet a condition, in any order.
    ///
    /// - Parameters:
    ///   - name: The condition in words, for errors.
    ///   - condition: Which requests.
    ///   - step: The stub that answers.
    ///   - times: How many requests, 0 or more; nil for as many as the stub is `.repeated` for, or any number. Default:
    ///     nil.
    public static func on(
        _ name: String, where condition: @escaping @Sendable (Request) -> Bool, _ step: Stub,
        repeating times: Int? = nil
    ) -> Stub {
        Stub(
            "on \(name): \(step.description)",
            isFor: { request in condition(request) && step.isFor?(request) != false },
            limit: times.map { max(0, $0) } ?? (step.isCounted ? step.limit : nil),
            isCounted: times != nil || step.isCounted, begin: step.begin, goesOn: step.goesOn, answer: step.answer)
    }

    /// Repeats the stub for several requests.
    ///
    /// ```swift
    /// let transport = ScriptedTransport(.status(503).repeated(2), .status(200))
    /// ```
    /// - Parameter times: How many requests, 0 or more; nil for all from then on. Default: nil.
    public func repeated(_ times: Int? = nil) -> Stub {
        Stub(
            description, isFor: isFor, route: route, limit: times.map { max(0, $0) }, isCounted: true, begin: begin,
            goesOn: goesOn, answer: answer)
    }
}
