import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A chain", .limited)
struct ChainTests {
    @Test("shows the request to the first interceptor first, and the response to it last")
    func order() async throws {
        // given
        let chain = try AskChain(transport: Echo()) {
            Mark("a")
            Mark("b")
            Mark("c")
        }
        // when
        let answer = try await chain.call(Ask("x"))
        // then
        #expect(answer.body == "x>a>b>c<c<b<a")
    }

    @Test("without interceptors goes straight to its transport")
    func empty() async throws {
        // given
        let chain = try AskChain(transport: Echo(), interceptors: [])
        // then
        #expect(try await chain.call(Ask("x")).body == "x")
        #expect(chain.roles.isEmpty)
        #expect(chain.interceptors.isEmpty)
        #expect(chain.transport is Echo)
    }

    @Test("lets an interceptor answer without going on")
    func shortCut() async throws {
        // given
        let transport = Script<Ask, Answer>()
        let chain = try AskChain(transport: transport) {
            Mark("outside")
            Step { _, _, _ in Answer("stored") }
            Mark("inside")
        }
        // when
        let answer = try await chain.call(Ask())
        // then
        #expect(answer.body == "stored<outside")
        #expect(transport.requests.isEmpty)
    }

    @Test("lets an interceptor go on several times, each time through all interceptors inside")
    func severalTimes() async throws {
        // given
        let recorder = ChainRecorder()
        let transport = Script<Ask, Answer>(
            .response(Answer("1")), .response(Answer("2")), .response(Answer("3")))
        let chain = recorder.recording(
            try AskChain(transport: transport) {
                Stand(.deadline)
                Step { request, _, next in
                    _ = try await next(request)
                    _ = try await next(request)
                    return try await next(request)
                }
                Stand(.attemptTimeout)
            })
        // when
        let answer = try await chain.call(Ask())
        // then
        #expect(answer.body == "3")
        #expect(recorder.requests(seenBy: .deadline) == 1)
        #expect(recorder.requests(seenBy: .attemptTimeout) == 3)
        #expect(recorder.order == [.deadline, .custom("Step"), .attemptTimeout])
        try transport.checkFinished()
    }

    @Test("lets an interceptor go on several times at once")
    func sideBySide() async throws {
        // given
        let chain = try AskChain(transport: Echo()) {
            Step { request, _, next in
                async let first = next(request)
                async let second = next(request)
                return try await Answer(first.body + second.body)
            }
            Mark("i")
        }
        // then
        #expect(try await chain.call(Ask("x")).body == "x>i<ix>i<i")
    }

    @Test("shows errors to its interceptors as they were thrown")
    func errors() async throws {
        // given
        let seen = Notes<any Error>()
        let chain = try AskChain(transport: Script<Ask, Answer>(.failure(ShopError(article: "chair")))) {
            Step { request, _, next in
                do {
                    return try await next(request)
                } catch {
                    seen.add(error)
                    throw error
                }
            }
            Stand(.retry)
        }
        // when
        let failure = try #require(await chain.result(Ask()).failure)
        // then
        #expect(seen.all.first as? ShopError == ShopError(article: "chair"))
        #expect(failure.underlying as? ShopError == ShopError(article: "chair"))
    }

    @Test("lets an interceptor turn an error into a response")
    func recovery() async throws {
        // given
        let chain = try AskChain(transport: Script<Ask, Answer>(.failure(TransportError(.lost)))) {
            Step { request, _, next in
                do {
                    return try await next(request)
                } catch {
                    return Answer("instead")
                }
            }
        }
        // then
        #expect(try await chain.call(Ask()).body == "instead")
    }

    @Test("sends errors on unwrapped where a client keeps the context itself")
    func sendUnwrapped() async throws {
        // given
        let chain = try AskChain(transport: Script<Ask, Answer>(.failure(ShopError()), .response(Answer("b")))) {}
        let context = CallContext()
        // then
        await #expect(throws: ShopError()) { try await chain.send(Ask(), context: context) }
        #expect(try await chain.send(Ask(), context: context).body == "b")
    }

    @Test("gives all interceptors of a call the same context, and each call another")
    func contexts() async throws {
        // given
        let seen = Notes<UInt64>()
        let look = Step { request, context, next in
            seen.add(context.id)
            return try await next(request)
        }
        let chain = try AskChain(transport: Echo(), interceptors: [look, look])
        // when
        _ = try await chain.call(Ask())
        _ = try await chain.call(Ask())
        // then
        let ids = seen.all
        #expect(ids.count == 4)
        #expect(ids[0] == ids[1])
        #expect(ids[2] == ids[3])
        #expect(ids[0] != ids[2])
    }

    @Test("prints itself one interceptor a line, with roles where they are not the type's name")
    func description() throws {
        // given
        let chain = try AskChain(transport: Echo()) {
            Retry(.standard)
            Mark("a")
            Stand(.custom("tenant"))
        }
        // then
        #expect(
            chain.description == """
                1. Retry (retry)
                2. Mark
                3. Stand (custom(tenant))
                4. Echo (transport)
                """)
    }

    /// Does nothing; tells by its life whether its chain is still there.
    private final class Resident: Interceptor {
        func intercept(_ request: Ask, context: CallContext, next: AskNext) async throws -> Answer {
            try await next(request)
        }
    }

    @Test("is there for an interceptor that goes on after the call and the chain are gone")
    func keptNext() async throws {
        // given: an interceptor that keeps its next step
        let kept = Lock<AskNext?>(nil)
        weak var resident: Resident?
        func call() async throws {
            let inner = Resident()
            resident = inner
            let chain = try AskChain(transport: Echo()) {
                Step { request, _, next in
                    kept.withLock { $0 = next }
                    return try await next(request)
                }
                inner
            }
            _ = try await chain.call(Ask("x"))
        }
        // when
        try await call()
        // then
        try #require(resident != nil, "the interceptors that the step leads to are gone")
        let next = try #require(kept.withLock { $0 })
        #expect(try await next(Ask("later")).body == "later")
    }
}
