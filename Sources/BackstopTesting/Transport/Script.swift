internal import Backstop
public import BackstopCore

/// A transport that responds from a script and records the requests, for any type of request and response.
///
/// For HTTP it is called ``ScriptedTransport`` and has stubs of its own. Each request takes the next stub; stubs
/// with a condition (`.on`) go before, and answer whatever request they are for. A request without a stub fails with
/// ``ScriptError``, and so does ``checkFinished()`` when a stub was not used.
///
/// It keeps as well what should not happen: requests of calls that were over already (``lateRequests``).
///
/// ```swift
/// let transport = Script<String, String>(
///     .failure(TransportError(.lost)),
///     .response("hello"))
/// let chain = Chain(transport: transport) {}
/// ```
public final class Script<Request: Sendable, Response: Sendable>: Transport {
    /// A stub.
    public typealias Step = Stub<Request, Response>

    struct State {
        /// How many requests each stub answered.
        var used: [Int]
        /// How many of them were given up before they had their answer.
        var cancelled: [Int]
        var requests: [Request] = []
        /// How many of the requests their stubs have begun with.
        var begun = 0
        var late: [Request] = []
        var unanswered: [ScriptError.Unanswered] = []
    }

    /// The stubs, in order.
    public let steps: [Step]
    /// What was sent and which stubs it took, guarded by its lock.
    private let state: WatchedState<State>

    /// Makes a transport from stubs.
    public init(_ steps: [Step]) {
        self.steps = steps
        let none = steps.map { _ in 0 }
        state = WatchedState(State(used: none, cancelled: none))
    }

    /// Makes a transport from stubs.
    public convenience init(_ steps: Step...) {
        self.init(steps)
    }

    /// Responds with the stub whose turn it is.
    ///
    /// - Throws: What the stub says, ``ScriptError`` when there is none, `CancellationError` when the task is
    ///   cancelled.
    public func send(_ request: Request, context: CallContext) async throws -> Response {
        guard !Task.isCancelled else {
            state.withLock { $0.late.append(request) }
            throw CancellationError()
        }
        // As the real transport does: an interceptor may have set what a header must not have.
        if let refused = (request as? HTTP.Request)?.headers.refused {
            throw refused
        }
        // The conditions are the test's own code, so they are asked before the lock is taken.
        let routes = steps.indices.filter { steps[$0].isFor?(request) == true }
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

    /// Takes the first stub that is left: of those whose condition holds, else the next in turn.
    private func take(_ routes: [Int], _ state: inout State) -> Int? {
        func isLeft(_ index: Int) -> Bool {
            steps[index].limit.map { state.used[index] < $0 } ?? true
        }
        let found =
            routes.first(where: isLeft)
            ?? steps.indices.first { steps[$0].isFor == nil && isLeft($0) }
        if let found {
            state.used[found] += 1
        }
        return found
    }
}

extension Script {
    /// The requests, in the order in which they arrived.
    public var requests: [Request] {
        state.withLock { $0.requests }
    }

    /// The requests that came when their call had been cancelled or had failed already. Those of a cancelled task got
    /// no stub, and are not among ``requests``.
    ///
    /// Interceptors that are right send nothing after the end of a call, so a test may expect none. Only an interceptor
    /// that lets several calls share one exchange may go on for the others when the first is cancelled.
    public var lateRequests: [Request] {
        state.withLock { $0.late }
    }

    /// How many requests were given up before they had their answer: cancelled, or past a time limit.
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

    /// The requests for which no stub was left.
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
    /// It is the same line in an XCTest method that `throws`.
    ///
    /// - Throws: ``ScriptError``, which lists both.
    public func checkFinished() throws(ScriptError) {
        let (unanswered, unused) = (unanswered, unused)
        guard unanswered.isEmpty, unused.isEmpty else {
            throw ScriptError(unanswered: unanswered, unused: unused, script: usages)
        }
    }

    /// Suspends until at least so many requests were sent, or the waiting task is cancelled.
    ///
    /// ```swift
    /// let transport = ScriptedTransport(.hang)
    /// let chain = HTTP.Chain(transport: transport) {}
    /// let request = try HTTP.Request(.get, "https://api.example.com/books")
    /// let task = Task { try await chain.call(request) }
    /// await transport.waitForRequests(1)
    /// task.cancel()
    /// ```
    public func waitForRequests(_ count: Int) async {
        await state.wait { $0.begun >= count }
    }

    /// Suspends until at least so many requests were given up, or the waiting task is cancelled.
    ///
    /// A call that is cancelled ends at once and does not wait for its transport. Use this to see that the exchange was
    /// ended too.
    ///
    /// ```swift
    /// let transport = ScriptedTransport(.hang)
    /// let chain = HTTP.Chain(transport: transport) { Retry() }
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
