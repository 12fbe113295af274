internal import Backstop
public import BackstopCore

/// A transport that responds from a script and records the requests, for any type of request and response.
///
/// For HTTP it is called ``ScriptedTransport`` and has its own stubs. Each request takes the next stub; stubs with a
/// condition (`.on`) come first and answer the requests that meet it. A request without a stub fails with
/// ``ScriptError``, and ``checkFinished()`` throws it for unused stubs.
///
/// It also records what should not happen: requests of calls that had failed or were cancelled (``lateRequests``).
///
/// ```swift
/// let transport = Script<String, String>(
///     .failure(TransportError(.lost)),
///     .response("hello"))
/// let chain = try Chain(transport: transport) {}
/// ```
public final class Script<Request: Sendable, Response: Sendable>: Transport {
    /// A stub.
    public typealias Step = Stub<Request, Response>

    struct State {
        /// How many requests each stub answered.
        var used: [Int]
        /// Which of the stubs in turn is the first that may be left.
        var turn = 0
        /// How many of them were abandoned before their response.
        var cancelled: [Int]
        var requests: [Request] = []
        /// How many requests the stubs have started to answer.
        var begun = 0
        var late: [Request] = []
        var unanswered: [ScriptError.Unanswered] = []
    }

    /// The stubs, in order.
    public let steps: [Step]
    /// The indices of the stubs for particular requests, and of those in turn.
    private let routed: [Int], inTurn: [Int]
    /// The requests and the stubs they took, guarded by its lock.
    private let state: WatchedState<State>

    /// Makes a transport from stubs.
    public init(_ steps: [Step]) {
        // One that answers any number would leave none to a later one for the same requests.
        var later: Set<String> = []
        self.steps = steps.reversed().map { step in
            guard let route = step.route, !later.insert(route).inserted, !step.isCounted else {
                return step
            }
            return step.repeated(1)
        }.reversed()
        routed = steps.indices.filter { steps[$0].isFor != nil }
        inTurn = steps.indices.filter { steps[$0].isFor == nil }
        let none = steps.map { _ in 0 }
        state = WatchedState(State(used: none, cancelled: none))
    }

    /// Makes a transport from stubs.
    public convenience init(_ steps: Step...) {
        self.init(steps)
    }

    /// Responds with the next stub.
    ///
    /// - Throws: The stub's error, ``ScriptError`` when there is no stub, `CancellationError` when the task is
    ///   cancelled.
    public func send(_ request: Request, context: CallContext) async throws -> Response {
        guard !Task.isCancelled else {
            state.withLock { $0.late.append(request) }
            throw CancellationError()
        }
        // As in the real transport: an interceptor may have set an invalid header.
        if let refused = (request as? HTTP.Request)?.headers.refused {
            throw refused
        }
        // The conditions are the test's own code, so they run before the lock is taken.
        let routes = routed.filter { steps[$0].isFor?(request) == true }
        let (index, number) = state.withLock { state in
            state.requests.append(request)
            if context.isOver {
                state.late.append(request)
            }
            return (take(routes, &state), state.requests.count)
        }
        if let index {
            steps[index].begin?(request, context)
        }
        state.withLock { $0.begun += 1 }
        guard let index else {
            let missing = ScriptError.Unanswered(number: number, request: Summary.line(ofRequest: request))
            state.withLock { $0.unanswered.append(missing) }
            throw ScriptError(unanswered: [missing], unused: [], script: usages)
        }
        do {
            return try await steps[index].answer(request, context)
        } catch {
            if Task.isCancelled {
                state.withLock { $0.cancelled[index] += 1 }
            }
            throw error
        }
    }

    /// Takes the first remaining stub whose condition is met, else the next in turn.
    private func take(_ routes: [Int], _ state: inout State) -> Int? {
        func isLeft(_ index: Int) -> Bool {
            steps[index].limit.map { state.used[index] < $0 } ?? true
        }
        while state.turn < inTurn.count, !isLeft(inTurn[state.turn]) {
            state.turn += 1
        }
        let found = routes.first(where: isLeft) ?? (state.turn < inTurn.count ? inTurn[state.turn] : nil)
        if let found {
            state.used[found] += 1
        }
        return found
    }
}

extension Script {
    /// The requests, in the order they arrived.
    public var requests: [Request] {
        state.withLock { $0.requests }
    }

    /// The requests that arrived after their call was cancelled or had failed. Those of a cancelled task got no stub
    /// and are not among ``requests``.
    ///
    /// Correct interceptors send nothing after the end of a call, so a test may expect none. Only an interceptor that
    /// shares one exchange among several calls may continue for the others when the first is cancelled.
    public var lateRequests: [Request] {
        state.withLock { $0.late }
    }

    /// How many requests were abandoned before their response: cancelled, or past a time limit.
    public var cancellations: Int {
        state.withLock { $0.cancelled.reduce(0, +) }
    }

    /// All stubs, with how often each was used.
    public var usages: [StubUsage] {
        let (used, cancelled) = state.withLock { ($0.used, $0.cancelled) }
        return steps.indices.map { index in
            StubUsage(
                position: index + 1, step: steps[index].description, used: used[index], cancelled: cancelled[index],
                limit: steps[index].limit)
        }
    }

    /// The stubs that are not used up.
    public var unused: [StubUsage] {
        usages.filter { !$0.isUsed }
    }

    /// The requests without a stub.
    public var unanswered: [ScriptError.Unanswered] {
        state.withLock { $0.unanswered }
    }

    /// Throws when a stub is not used up or a request found none; call it at the end of a test.
    ///
    /// ```swift
    /// @Test("a book is fetched once") func fetch() async throws {
    ///     let transport = ScriptedTransport(.status(200))
    ///     // calls
    ///     try transport.checkFinished()
    /// }
    /// ```
    /// The same line works in an XCTest method that `throws`.
    ///
    /// - Throws: ``ScriptError``, which lists both.
    public func checkFinished() throws(ScriptError) {
        let (unanswered, unused) = (unanswered, unused)
        guard unanswered.isEmpty, unused.isEmpty else {
            throw ScriptError(unanswered: unanswered, unused: unused, script: usages)
        }
    }

    /// Suspends until at least this many requests were sent, or the waiting task is cancelled.
    ///
    /// ```swift
    /// let transport = ScriptedTransport(.hang)
    /// let chain = try HTTP.Chain(transport: transport) {}
    /// let request = try HTTP.Request(.get, "https://api.example.com/books")
    /// let task = Task { try await chain.call(request) }
    /// await transport.waitForRequests(1)
    /// task.cancel()
    /// ```
    public func waitForRequests(_ count: Int) async {
        await state.wait { $0.begun >= count }
    }

    /// Suspends until at least this many requests were abandoned, or the waiting task is cancelled.
    ///
    /// A cancelled call ends at once and does not wait for its transport. Use this to check that the exchange was
    /// cancelled too.
    ///
    /// ```swift
    /// let transport = ScriptedTransport(.hang)
    /// let chain = try HTTP.Chain(transport: transport) { Retry() }
    /// let request = try HTTP.Request(.get, "https://api.example.com/books")
    /// let task = Task { try await chain.call(request) }
    /// await transport.waitForRequests(1)
    /// task.cancel()
    /// await transport.waitForCancellations(1)
    /// ```
    public func waitForCancellations(_ count: Int) async {
        await state.wait { $0.cancelled.reduce(0, +) >= count }
    }
}
