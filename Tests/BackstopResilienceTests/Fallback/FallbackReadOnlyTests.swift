import BackstopCore
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("Fallback, when the app does not say what it stands in for", .limited)
struct FallbackReadOnlyTests {
    private typealias Server = Script<Ask, Answer>

    private func isAnswered(
        _ ask: Ask, _ server: Server, inside: [any Interceptor<Ask, Answer>] = []
    ) async throws -> Bool {
        let value = Fallback<Ask, Answer>(value: Answer("old"), log: nil)
        return try await AskChain(transport: server, interceptors: [value] + inside + [Judge()])
            .result(ask, options: .with(RecordingClock())).failure == nil
    }

    private static func ask(isIdempotent: Bool = true, key: String? = nil) -> Ask {
        var ask = Ask()
        ask.isIdempotent = isIdempotent
        ask.idempotencyKey = key
        return ask
    }

    static let requests: [(ask: Ask, isAnswered: Bool)] = [
        (ask(), true), (ask(isIdempotent: false), false), (ask(key: "k"), false),
        (ask(isIdempotent: false, key: "k"), false),
    ]
    static let errors: [any Error & Sendable] = [
        TransportError(.lost),  // it may have been executed
        StatusError(503),
        TimeoutError(.connection, after: .seconds(1)),  // it was not sent
    ]

    @Test(
        "it stands in for a request that is idempotent without a key, sent or not, and for no other",
        arguments: requests, errors)
    func defaults(request: (ask: Ask, isAnswered: Bool), error: any Error & Sendable) async throws {
        #expect(try await isAnswered(request.ask, Server(.failure(error))) == request.isAnswered)
    }

    @Test("it does not stand in for a request that was refused before it was sent, unless it only reads")
    func refused() async throws {
        let breaker = Step { _, _, _ in throw RejectionError(.breakerOpen, "open") }
        #expect(try await isAnswered(Ask(), Server(), inside: [breaker]))
        #expect(try await !isAnswered(Self.ask(isIdempotent: false), Server(), inside: [breaker]))
    }

    @Test(
        "every request of the call counts: what an interceptor made of it, sent or not, and what it was",
        arguments: errors)
    func changed(error: any Error & Sendable) async throws {
        let post = Step { _, _, next in try await next(Self.ask(isIdempotent: false)) }
        let get = Step { _, _, next in try await next(Ask()) }
        #expect(try await !isAnswered(Ask(), Server(.failure(error)), inside: [post]))
        #expect(try await !isAnswered(Self.ask(isIdempotent: false), Server(.failure(error)), inside: [get]))
        #expect(try await isAnswered(Ask(), Server(.failure(error)), inside: [get]))
    }

    @Test("every request of the call counts: earlier attempts, and those before a redirect", arguments: [true, false])
    func earlier(isRead: Bool) async throws {
        // given: a first attempt that was redirected, and a second
        let first = Self.ask(isIdempotent: isRead)
        let retry = Step { ask, context, next in
            do {
                return try await next(first, context: context.firstAttempt())
            } catch {
                return try await next(
                    ask, context: context.nextAttempt(after: error, waited: .zero, because: "backoff"))
            }
        }
        let redirect = Stub<Ask, Answer>.respond { _, context in
            context.recordHop(Ask("there"))
            throw TransportError(.lost)
        }
        // then
        #expect(
            try await isAnswered(Ask(), Server(redirect, .failure(TransportError(.lost))), inside: [retry]) == isRead)
        #expect(try await isAnswered(first, Server(redirect)) == isRead)
    }

    @Test("every request of the call counts: those of a client inside it", arguments: [true, false])
    func nested(isRead: Bool) async throws {
        let inner = try AskChain(transport: Server(.failure(TransportError(.lost))), interceptors: [])
        let server = Server(.respond { _, _ in try await inner.call(Self.ask(isIdempotent: isRead)) })
        #expect(try await isAnswered(Ask(), server) == isRead)
    }

    @Test("it stands in for an operation that is idempotent, which none is unless the run says so")
    func policy() async throws {
        let policy = try Policy {
            Fallback<Policy.Operation, Policy.Output>(value: Policy.Output("old"), log: nil)
        }
        let fails: @Sendable () async throws -> String = { throw ShopError() }
        #expect(try await policy.run(isIdempotent: true, operation: fails) == "old")
        await #expect(throws: Failure.self) { try await policy.run(operation: fails) }
    }

    @Test("a policy of retry is asked with the same facts", arguments: [true, false])
    func retry(isRead: Bool) async throws {
        // given
        let retry = Retry<Ask, Answer>(
            try RetryPolicy(attempts: 2, backoff: .none, isRetryable: { $0.isReadOnly }))
        let server = Server(.failure(TransportError(.lost)), .response(Answer()))
        let chain = try AskChain(transport: server, interceptors: [retry])
        // when
        _ = await chain.result(isRead ? Ask() : Self.ask(key: "k"), options: .with(RecordingClock()))
        // then
        #expect(server.requests.count == (isRead ? 2 : 1))
    }

    @Test("a `when:` of the app's own decides about every request")
    func own() async throws {
        let value = Fallback<Ask, Answer>(value: Answer("old"), when: { !$0.isReadOnly }, log: nil)
        let chain = try AskChain(
            transport: Server(.failure(TransportError(.lost)).repeated()), interceptors: [value])
        #expect(await chain.result(Self.ask(isIdempotent: false)).failure == nil)
        #expect(await chain.result(Ask()).failure?.code == "transport.lost")
    }
}
