internal import Backstop
public import BackstopCore

/// A transport that answers from a script, for any kind of request and response, and keeps what was sent.
///
/// For HTTP it is called ``ScriptedTransport`` and has entries of its own. Each request takes the next entry; entries
/// with a condition (`.on`) go before, and answer whatever request they are for. A request without an entry fails with
/// ``ScriptError``, and so does ``checkFinished()`` when an entry was not used.
///
/// ```swift
/// let transport = Script<String, String>(
///     .failure(TransportError(.lost)),
///     .response("hello"))
/// let chain = Chain(transport: transport) {}
/// ```
public final class Script<Request: Sendable, Response: Sendable>: Transport {
    /// One entry.
    public typealias Step = ScriptStep<Request, Response>

    struct State {
        /// How many requests each entry answered.
        var used: [Int]
        var requests: [Request] = []
        var unanswered: [ScriptError.Unanswered] = []
    }

    /// The entries in their order.
    public let steps: [Step]
    /// What was sent and which entries it took, guarded by its lock.
    private let state: WatchedState<State>

    /// Makes a transport of entries.
    public init(_ steps: [Step]) {
        self.steps = steps
        state = WatchedState(State(used: steps.map { _ in 0 }))
    }

    /// Makes a transport of entries.
    public convenience init(_ steps: Step...) {
        self.init(steps)
    }

    /// Answers by the entry whose turn it is.
    ///
    /// - Throws: What the entry says, ``ScriptError`` when there is none, `CancellationError` when the task is cancelled.
    public func send(_ request: Request, context: CallContext) async throws -> Response {
        try Task.checkCancellation()
        // As the real transport does: a link may have set what a header must not have.
        if let refused = (request as? HTTP.Request)?.headers.refused {
            throw refused
        }
        // The conditions are the test's own code, so they are asked before the lock is taken.
        let routes = steps.indices.filter { steps[$0].isFor?(request) == true }
        let (step, number) = state.withLock { state in
            state.requests.append(request)
            return (take(routes, &state), state.requests.count)
        }
        guard let step else {
            let missing = ScriptError.Unanswered(number: number, request: Summary.line(ofRequest: request))
            state.withLock { $0.unanswered.append(missing) }
            throw ScriptError(unanswered: [missing], unused: [], script: entries)
        }
        return try await step.answer(request, context)
    }

    /// Takes the first entry that is left: of those whose condition holds, else the next in turn.
    private func take(_ routes: [Int], _ state: inout State) -> Step? {
        func isLeft(_ index: Int) -> Bool {
            steps[index].limit.map { state.used[index] < $0 } ?? true
        }
        let found =
            routes.first(where: isLeft)
            ?? steps.indices.first { steps[$0].isFor == nil && isLeft($0) }
        guard let found else {
            return nil
        }
        state.used[found] += 1
        return steps[found]
    }
}

extension Script {
    /// What was sent, in the order in which it arrived.
    public var requests: [Request] {
        state.withLock { $0.requests }
    }

    /// All entries, with how many requests each has answered.
    public var entries: [ScriptEntry] {
        let used = state.withLock { $0.used }
        return zip(steps, used).enumerated().map { index, entry in
            ScriptEntry(position: index + 1, step: entry.0.description, used: entry.1, limit: entry.0.limit)
        }
    }

    /// The entries that are not used up.
    public var unused: [ScriptEntry] {
        entries.filter { !$0.isUsed }
    }

    /// The requests that no entry was left for.
    public var unanswered: [ScriptError.Unanswered] {
        state.withLock { $0.unanswered }
    }

    /// Throws when an entry is not used up, or a request found none; put it at the end of a test.
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
            throw ScriptError(unanswered: unanswered, unused: unused, script: entries)
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
        await state.wait { $0.requests.count >= count }
    }
}
