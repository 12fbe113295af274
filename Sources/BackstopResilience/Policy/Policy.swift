public import Backstop

/// Interceptors around any operation: a database query, a Bluetooth command, a call of another library.
///
/// A policy gives any asynchronous work what a chain gives requests: attempts, time limits, a circuit breaker, one
/// `Failure` with all attempts and a report. Interceptors that know no protocol, such as `Retry` and
/// `AttemptTimeout`, can be used in it as they are. An app that keeps its own networking gets failures, handlers and safe
/// retry around the calls that it has with ``perform(_:to:isIdempotent:operation:handlers:)``. Make one policy for each
/// dependency, and share it: a breaker learns from all calls.
///
/// ```swift
/// struct Database: Sendable {
///     func query(_ text: String) async throws -> [String] { [text] }
/// }
/// let database = Database()
///
/// let policy = try Policy {
///     Deadline(.seconds(5))
///     Retry()
///     AttemptTimeout(.seconds(1))
/// }
/// let rows = try await policy.run("load books", isIdempotent: true) {
///     try await database.query("SELECT * FROM books")
/// }
/// ```
/// An operation runs once, unless the run says that it may be repeated: `isIdempotent: true`.
///
/// A policy may contain others, outermost first: `Policy { Deadline(); databasePolicy }`. Their interceptors are
/// shared, with their state, and its own ``options`` and ``isTransient`` apply.
///
/// Each policy made separately has a `RetryBudget` of its own for each destination, as a client has, even if two share
/// one `Retry`; those derived from it share them, and a policy inside another keeps its own.
///
/// A policy is for work that is not a request of a client: a `Client` has a chain of its own.
public struct Policy: Sendable {
    /// An interceptor of a policy. Interceptors for any protocol, such as `Retry`, become one in a policy.
    public typealias Interceptor = BackstopCore.Interceptor<Operation, Output>
    /// The rest of a policy's chain.
    public typealias Next = BackstopCore.Next<Operation, Output>
    /// Builds the list of interceptors.
    public typealias Builder = ChainBuilder<Operation, Output>

    /// The interceptors, and the operation at their end. It tells about their order (`Chain.orderIssues`).
    public let chain: Chain<Operation, Output>
    /// The options of every run: clock, random source, deadline, tracing, observers.
    public var options: CallOptions
    /// The handlers and observers of failures, for ``perform(_:to:isIdempotent:operation:handlers:)``. Default: only the
    /// registered defaults.
    public var handling: FailureHandling
    /// Whether an error that Backstop does not know (`Failure.Reason.other`) is transient, so that it is worth
    /// trying again.
    ///
    /// Default: every one that does not mean a cancellation, because those who say that an operation is idempotent expect
    /// it to be repeated. Errors that Backstop knows are what they are everywhere: a `DecodingFailure` never is transient.
    public var isTransient: @Sendable (any Error) -> Bool
    /// The retry budgets, shared with all policies derived from this one.
    private let retryLedger: RetryLedger
    /// The end of the chain, which a recorder may have wrapped.
    private let runner: OperationRunner

    /// Makes a policy from interceptors, outermost first.
    ///
    /// - Parameters:
    ///   - options: The options of every run.
    ///   - handling: The handlers and observers of failures.
    ///   - isTransient: Whether an error that Backstop does not know is transient.
    ///   - interceptors: The interceptors, outermost first.
    /// - Throws: `ConfigurationError` for settings that are out of their ranges, all of them at once; any error thrown
    ///   while creating the interceptors.
    public init(
        options: CallOptions = CallOptions(), handling: FailureHandling = FailureHandling(),
        isTransient: @escaping @Sendable (any Error) -> Bool = { !Failure($0, request: nil).isCancelled },
        @Builder interceptors: () throws -> [any Interceptor]
    ) throws {
        let (retryLedger, runner) = (RetryLedger(), OperationRunner())
        chain = try Chain(transport: runner, interceptors: Self.bound(try interceptors(), to: retryLedger))
        self.options = options
        self.handling = handling
        self.isTransient = isTransient
        self.retryLedger = retryLedger
        self.runner = runner
    }

    private init(_ policy: Policy, chain: Chain<Operation, Output>) throws(ConfigurationError) {
        self.chain = try Chain(
            transport: chain.transport, interceptors: Self.bound(chain.interceptors, to: policy.retryLedger),
            orderRules: chain.orderRules)
        options = policy.options
        handling = policy.handling
        isTransient = policy.isTransient
        retryLedger = policy.retryLedger
        runner = policy.runner
    }

    /// The interceptors, with the policy's budgets in each retry that does not belong to a policy inside.
    private static func bound(_ interceptors: [any Interceptor], to ledger: RetryLedger) -> [any Interceptor] {
        interceptors.map { ($0 as? Retry<Operation, Output>)?.bound(to: ledger) ?? $0 }
    }

    /// Runs an operation inside the interceptors, perhaps several times.
    ///
    /// Cancelling the task cancels the operation, and gives `.cancelled`.
    ///
    /// ```swift
    /// func rows(_ policy: Policy, in shard: String) async throws(Failure) -> [String] {
    ///     try await policy.run("load books", to: shard, isIdempotent: true) { ["from \(shard)"] }
    /// }
    /// ```
    /// - Parameters:
    ///   - name: The name in logs, traces and reports. Default: that of the options.
    ///   - destination: Where the operation goes, if the policy is for several places, such as the shards of a database:
    ///     each has a `RetryBudget` of its own, so that one that is down costs the others no retry. Default: one place.
    ///   - isIdempotent: Whether running it twice has the effect of running it once, as for a query. Default: false;
    ///     the operation is then neither repeated nor hedged.
    ///   - operation: The work. It never runs on the caller's actor, so that it may take its time.
    /// - Returns: The value of the operation.
    /// - Throws: The failure; `Failure.underlying` is the error that the operation threw.
    @concurrent
    public func run<Value: Sendable>(
        _ name: String = "", to destination: String = "", isIdempotent: Bool = false,
        operation: @escaping @Sendable () async throws -> Value
    ) async throws(Failure) -> Value {
        try await run(name, to: destination, isIdempotent: isIdempotent) { _ in try await operation() }
    }

    /// Runs an operation that uses its context, inside the interceptors, perhaps several times.
    ///
    /// ```swift
    /// func load(_ policy: Policy, from hosts: [String]) async throws(Failure) -> String {
    ///     try await policy.run(isIdempotent: true) { context in
    ///         "from \(hosts[(context.attempt - 1) % hosts.count])"
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - name: The name in logs, traces and reports. Default: that of the options.
    ///   - destination: Where the operation goes, if the policy is for several places. Default: one place.
    ///   - isIdempotent: Whether running it twice has the effect of running it once, as for a query. Default: false;
    ///     the operation is then neither repeated nor hedged.
    ///   - operation: The work. Its context has the number of the attempt, the deadline and the clock. It never runs on
    ///     the caller's actor, so that it may take its time.
    /// - Returns: The value of the operation.
    /// - Throws: The failure; `Failure.underlying` is the error that the operation threw.
    @concurrent
    public func run<Value: Sendable>(
        _ name: String = "", to destination: String = "", isIdempotent: Bool = false,
        operation: @escaping @Sendable (CallContext) async throws -> Value
    ) async throws(Failure) -> Value {
        do {
            return try await runUnobserved(request(name, destination, isIdempotent: isIdempotent, operation))
        } catch {
            await handling.observeThrown(error)
            throw error
        }
    }

    /// The same; observers are not told of a failure.
    @concurrent
    func runUnobserved<Value: Sendable>(_ request: Operation) async throws(Failure) -> Value {
        var options = options
        options.name = request.name
        let context = CallContext(options: options)
        do {
            let value = try (try await chain.send(request, context: context)).required(Value.self)
            context.finish()
            return value
        } catch {
            throw context.finish(failing: error, asked: request, retries: chain.roles.contains(.retry))
        }
    }

    /// What a run sends through the chain.
    func request<Value: Sendable>(
        _ name: String, _ destination: String, isIdempotent: Bool,
        _ run: @escaping @Sendable (CallContext) async throws -> Value
    ) -> Operation {
        Operation(
            name: name.isEmpty ? options.name : name, destination: destination, isIdempotent: isIdempotent,
            transient: isTransient, run: { Output(try await run($0)) })
    }

    /// The operations that were cancelled and still run, in no particular order.
    ///
    /// A limit, a caller and the faster copy of an operation give it up by cancelling its task. Work that does not react
    /// to this goes on, and so does what it holds: a thread, a connection, a lock. Watch it where a driver can hang: one
    /// that ends when it is cancelled is in the list for a moment only. Policies made from one another with
    /// ``withChain(_:)`` and ``withOptions(_:)`` share it; what a policy runs is not in the list of those inside it.
    ///
    /// ```swift
    /// func hanging(_ database: Policy) async throws -> [String] {
    ///     let abandoned = database.abandonedOperations
    ///     guard abandoned.count > 8 else { return [] }
    ///     try await Task.sleep(for: .seconds(10))
    ///     return database.abandonedOperations.map(\.description)
    /// }
    /// ```
    public var abandonedOperations: [Operation] {
        runner.abandonedOperations
    }

    /// A copy of the policy with another chain, for one run or one feature.
    ///
    /// ```swift
    /// func patient(_ policy: Policy) throws -> Policy {
    ///     try policy.withChain { try $0.replacing(.retry, with: Retry(attempts: 5)) }
    /// }
    /// ```
    public func withChain(
        _ change: (Chain<Operation, Output>) throws -> Chain<Operation, Output>
    ) throws -> Policy {
        try Policy(self, chain: try change(chain))
    }

    /// A copy of the policy with other options, for one run or one feature.
    ///
    /// ```swift
    /// func hurried(_ policy: Policy) -> Policy {
    ///     policy.withOptions { $0.deadline = .seconds(3) }
    /// }
    /// ```
    public func withOptions(_ change: (inout CallOptions) throws -> Void) rethrows -> Policy {
        try changed(self) { try change(&$0.options) }
    }
}

extension Policy: CustomStringConvertible, CustomReflectable {
    /// The interceptors, one per line, outermost first, and the operation.
    public var description: String {
        chain.description
    }

    /// The same with the options.
    public var customMirror: Mirror {
        Mirror(self, children: ["chain": chain.description, "options": options], displayStyle: .struct)
    }
}

extension ListBuilder where Element == any BackstopCore.Interceptor<Policy.Operation, Policy.Output> {
    /// The interceptors of another policy, with their state.
    public static func buildExpression(_ policy: Policy) -> [Element] {
        policy.chain.interceptors
    }
}
