public import Backstop
public import BackstopCore

extension FailureMatrix {
    /// Lets every sample happen to a client, and says what its chain does and which handler then decides.
    ///
    /// ```swift
    /// func makeClient() throws -> Client {
    ///     try Client.standard(baseURL: "https://api.example.com")
    /// }
    /// func printMatrix() async throws {
    ///     let matrix = try await FailureMatrix.run(client: try makeClient()) { Otherwise { _ in } }
    ///     print(matrix)
    ///     // code               attempts  time    verdict  by
    ///     // transport.refused  3         1.9 s   handled  Otherwise
    ///     // decoding (html)    1         120 ms  handled  Otherwise
    ///     // ...
    ///     let attempts = matrix["status.503"]?.attempts  // 3
    /// }
    /// ```
    /// Each sample is a GET with budgets, breakers, limits and credentials of its own, so that what they learn from one
    /// does not show in the next, even if `client` is one that exists already. The device counts as online, and a token
    /// that is refused is replaced at once, without a request or the token store.
    ///
    /// The client's transport is replaced: every attempt fails as the sample does, after the sample's time or at the
    /// first time limit of the chain. Nothing waits, and the waits between attempts are as long as they can be.
    /// A status and a body that cannot be decoded arrive as a response, so the chain's own validation and decoding judge
    /// them; the other failures come from the transport. What the chain makes of a sample is in ``Row/failure``.
    ///
    /// The handlers are the scopes of the client, and those given here, as in ``run(own:scopes:handling:samples:defaults:)``.
    ///
    /// - Parameters:
    ///   - client: An expression that makes the client; evaluated for each sample.
    ///   - own: The call's own handlers. Default: none.
    ///   - scopes: Scopes inside those of the client, innermost first. Default: none.
    ///   - samples: The failures. Default: ``FailureSamples/all``.
    ///   - defaults: The default handlers. Default: none.
    /// - Throws: What making the client throws.
    public static func run(
        client: @autoclosure () throws -> Client,
        own: [any FailureHandler] = [],
        scopes: [HandlerScope] = [],
        samples: [FailureSample] = FailureSamples.all,
        @HandlerBuilder defaults: () -> [any FailureHandler] = { [] }
    ) async throws -> FailureMatrix {
        // Made first, so that handlers run for all samples or for none.
        let trials = try samples.map { try trial(of: $0, happeningTo: client()) }
        return await run(
            resolving: own.map { FailureHandling.OwnHandler<Void>($0) }, scopes: scopes,
            handling: try client().handling, samples: samples, trials: trials, defaults: defaults)
    }

    /// A call of a client to which a sample happens.
    private static func trial(of sample: FailureSample, happeningTo original: Client) throws -> Trial<Void> {
        let clock = RecordingClock()
        let transport = SampleTransport(
            sample: sample, limit: original.shortestAttempt, endsAtDeadline: original.chain.roles.contains(.deadline))
        let client = original.withNewState().deriving { $0.replacing(transport: transport) }
            .withOptions { options in
                options.clock = clock
                // The longest waits.
                options.random = FixedRandom(units: 1)
                options.observers = []
            }
        let target = client.baseURL == nil ? "https://api.example.com/books/1" : "books/1"
        return Trial(clock: clock, attempts: { transport.attempts }) { () async throws(Failure) in
            // In a task of its own, which the transport cancels where the sample is a cancelled call.
            let call = Task { () async -> Result<Void, Failure> in
                sample.failure.reason.kind == "decoding"
                    ? await client.result(of: .get(target, as: FailureSamples.Book.self)).map { _ in }
                    : await client.result(of: Unread(target: target))
            }
            transport.call.withLock { $0 = call }
            try await call.value.get()
        }
    }
}

/// A call that ignores the body, but not what a status says of it.
private struct Unread: EmptyEndpoint {
    let target: String

    func makeRequest() throws -> HTTP.Request {
        try HTTP.Request(.get, target)
    }
}

extension Client {
    /// The shortest time limit of an attempt; nil for none.
    fileprivate var shortestAttempt: Duration? {
        chain.interceptors.filter { $0.role == .attemptTimeout }
            .compactMap { InterceptorProfile(role: $0.role, settings: $0.settings).timeLimit }.min()
    }
}

/// Fails as a sample does, each time.
private final class SampleTransport: HTTP.Transport {
    private let sample: FailureSample
    /// The chain's limit of an attempt.
    private let limit: Duration?
    private let endsAtDeadline: Bool
    /// How often it was asked, guarded by the lock.
    private let count = Lock(0)
    /// The task of the call, guarded by the lock.
    let call = Lock<Task<Result<Void, Failure>, Never>?>(nil)

    init(sample: FailureSample, limit: Duration?, endsAtDeadline: Bool) {
        self.sample = sample
        self.limit = limit
        self.endsAtDeadline = endsAtDeadline
    }

    var attempts: Int {
        count.withLock { $0 }
    }

    func send(_ request: HTTP.Request, context: CallContext) async throws -> HTTP.Response {
        count.withLock { $0 += 1 }
        let failure = sample.failure
        let time = failure.attempts.first?.duration ?? .zero
        guard let clock = context.clock as? RecordingClock else {
            throw failure.underlying
        }
        // What takes as long as a limit is left to that limit, and to nothing else.
        let left = endsAtDeadline ? context.deadline.map { $0 - clock.now } : nil
        if let end = [limit, left].compactMap({ $0 }).min(), time >= end {
            clock.advance(by: end)
            try await Task.sleep(for: .seconds(3600))
        }
        clock.advance(by: time)
        if failure.isCancelled {
            // Cancelled outside the lock, because that runs the cancellation handlers of the whole call.
            while true {
                if let call = call.withLock({ $0 }) {
                    call.cancel()
                    break
                }
                await Task.yield()
            }
            try await Task.sleep(for: .seconds(3600))
        }
        // Where the content or the status is all that is wrong, the chain judges it.
        guard let response = failure.receivedResponse as? HTTP.Response,
            ["decoding", "status"].contains(failure.reason.kind)
        else {
            throw failure.underlying
        }
        return response
    }
}
