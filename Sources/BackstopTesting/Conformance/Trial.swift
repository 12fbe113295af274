internal import Backstop
internal import BackstopCore
internal import Foundation

/// One run of one case: it makes transports and servers, makes calls, and compares what comes.
struct Trial: Sendable {
    private let makeTransport: TransportConformance.Factory
    /// The servers of this run, guarded by the lock, to stop them at its end.
    private let servers = Lock<[WireServer]>([])

    init(_ makeTransport: @escaping TransportConformance.Factory) {
        self.makeTransport = makeTransport
    }

    /// A time limit that only a call that hangs reaches.
    static let longLimit = Duration.seconds(20)

    // MARK: Both sides

    /// A transport, with the suite's standard options unless others are given.
    func transport(
        _ options: TransportConformance.Options = TransportConformance.Options()
    ) async throws -> any HTTP.Transport {
        try await makeTransport(options)
    }

    /// A server that runs the script on each connection.
    func serve(on host: WireServer.Host = .ipv4, _ script: @escaping WireServer.Script) throws -> WireServer {
        let server = try WireServer(on: host, script: script)
        servers.withLock { $0.append(server) }
        return server
    }

    /// A server that answers each request with the same bytes, and keeps its connections.
    func answer(on host: WireServer.Host = .ipv4, _ bytes: some Sequence<UInt8>) throws -> WireServer {
        let bytes = Array(bytes)
        return try serve(on: host) { connection in
            while true {
                try connection.readRequest()
                try connection.send(bytes)
            }
        }
    }

    /// Ends what the run has started.
    func end() {
        for server in servers.withLock({ $0 }) {
            server.stop()
        }
    }

    // MARK: Calls

    /// Makes a call as a client does, within a time limit.
    ///
    /// - Parameter limit: The limit of the attempt. Default: one that only a call that hangs reaches.
    func send(
        _ request: HTTP.Request, through transport: any HTTP.Transport, limit: Duration = longLimit
    ) async -> Outcome {
        let context = CallContext()
        do {
            let chain = try HTTP.Chain(transport: transport, interceptors: [AttemptTimeout(limit)])
            let response = try await chain.send(request, context: context)
            context.finish(response)
            return Outcome(result: .success(response), sent: hops(context))
        } catch {
            let failure = context.finish(failing: HTTP.Request.recognized(error), asked: request)
            return Outcome(result: .failure(failure), sent: hops(context))
        }
    }

    /// Makes a call through a transport of its own.
    func send(_ request: HTTP.Request, limit: Duration = longLimit) async throws -> Outcome {
        await send(request, through: try await transport(), limit: limit)
    }

    /// Makes a GET call through a transport of its own.
    func get(_ url: String, limit: Duration = longLimit) async throws -> Outcome {
        try await send(try HTTP.Request(.get, url), limit: limit)
    }

    private func hops(_ context: CallContext) -> [HTTP.Request] {
        context.sentRequests.compactMap { $0 as? HTTP.Request }
    }

    // MARK: Comparing

    /// Throws unless an outcome is one of those that the rule allows.
    ///
    /// - Parameter place: What distinguishes this call from the others of the case, such as "cut after byte 7".
    func expect(_ outcome: Outcome, _ expected: [Expected], _ place: String = "") throws {
        guard !expected.contains(where: { $0.matches(outcome) }) else {
            return
        }
        throw Mismatch(
            expected: expected.map(\.description).joined(separator: ", or "),
            came: outcome.description + (place.isEmpty ? "" : ", \(place)"))
    }

    func expect(_ outcome: Outcome, _ expected: Expected..., at place: String = "") throws {
        try expect(outcome, expected, place)
    }

    /// Throws unless both are equal.
    func expect<Value: Equatable>(_ what: String, _ came: Value, is expected: Value) throws {
        guard came == expected else {
            throw Mismatch(
                expected: "\(what): \(String(describing: expected).shown)", came: String(describing: came).shown)
        }
    }

    /// Throws unless the condition holds.
    func require(_ condition: Bool, _ expected: String, came: @autoclosure () -> String) throws {
        guard condition else {
            throw Mismatch(expected: expected, came: came())
        }
    }

    /// Makes a call with a short time limit, which must end with one of these outcomes.
    ///
    /// On a busy machine the limit may be over before the exchange has come to where the case wants it. So the limit
    /// grows, and only the last one counts.
    func expectTimeout(
        _ expected: Expected..., at place: String = "", _ call: (_ limit: Duration) async throws -> Outcome
    ) async throws {
        for limit in [30, 150, 700, 2500] {
            let outcome = try await call(.milliseconds(limit))
            if expected.contains(where: { $0.matches(outcome) }) {
                return
            }
        }
        try expect(try await call(.seconds(10)), expected, place)
    }
}
