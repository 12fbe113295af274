import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("What may be done only once", .limited)
struct OnceOnlyTests {
    private var order: Ask {
        var order = Ask("order")
        order.isIdempotent = false
        return order
    }

    private func keyed(_ key: String) -> Ask {
        var order = Ask("order")
        order.idempotencyKey = key
        return order
    }

    private var lost: Stub<Ask, Answer> { Stub.failure(TransportError(.lost)).repeated() }

    @Test(
        "is sent by one of two attempts side by side, whichever is first, even if one was renewed",
        arguments: [true, false], [false, true])
    func sideBySide(isOwnFirst: Bool, isRenewed: Bool) async throws {
        // given
        let transport = Script<Ask, Answer>(lost)
        let chain = try AskChain(transport: transport) {
            Step { request, context, next in
                let own = context.firstAttempt()
                var other = context.parallelAttempt(because: "hedging")
                if isRenewed {
                    other = other.nextAttempt(after: ShopError(), waited: .zero, because: "renewed")
                }
                _ = try? await next(request, context: isOwnFirst ? own : other)
                return try await next(request, context: isOwnFirst ? other : own)
            }
        }
        // when
        let failure = try #require(await chain.result(order).failure)
        // then
        #expect(transport.requests.count == 1)
        #expect(failure.code == "rejected.idempotencyKey")
        #expect(!failure.isRetryable)
    }

    @Test(
        "is not sent for a call that has failed, by an interceptor that goes on in a task of its own",
        arguments: [
            (nil, nil, true), (nil, "made by an interceptor", true), ("own", "other", true), ("own", "own", false),
        ])
    func afterTheEnd(own: String?, sent: String?, isStopped: Bool) async throws {
        // given
        let asked = own.map(keyed) ?? order
        let late = sent.map(keyed) ?? order
        let (gate, tasks) = (Gate(), Notes<Task<Bool, Never>>())
        let transport = Script<Ask, Answer>(lost)
        let chain = try AskChain(transport: transport) {
            Step { _, _, next in
                tasks.add(
                    Task {
                        await gate.pass()
                        do {
                            _ = try await next(late)
                            return false
                        } catch {
                            return error is CancellationError
                        }
                    })
                throw ShopError()
            }
        }
        _ = try #require(await chain.result(asked).failure)
        // when
        gate.open()
        let isRefused = try #require(tasks.all.first)
        // then
        #expect(await isRefused.value == isStopped)
        #expect(transport.requests.isEmpty == isStopped)
    }

    @Test(
        "is not sent again by retry, where a task that was given up has sent it meanwhile",
        arguments: [false, true], [false, true])
    func straggler(isRenewed: Bool, isSame: Bool) async throws {
        // given: the first attempt leaves a task behind, which sends the order in the pause
        let (gate, tasks) = (Gate(), Notes<Task<Void, Never>>())
        let transport = Script<Ask, Answer>(lost)
        let order = order
        let chain = try AskChain(transport: transport) {
            Retry(.standard)
            Step { request, context, next in
                guard context.attempt == 1 else {
                    gate.open()
                    await tasks.all.first?.value
                    return try await next(isSame ? order : Ask())
                }
                tasks.add(
                    Task {
                        await gate.pass()
                        let own =
                            isRenewed
                            ? context.nextAttempt(after: ShopError(), waited: .zero, because: "renewed") : context
                        _ = try? await next(order, context: own)
                    })
                throw TransportError(.refused)
            }
        }
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(RecordingClock())).failure)
        // then
        #expect(transport.requests.count == 1)
        #expect(failure.stopReason == .idempotencyKeyChanged)
        #expect(!failure.isRetryable)
    }

    @Test("and went out before is not forgotten, though a later question of the same attempt never left")
    func notForgotten() async throws {
        // given
        let transport = Script<Ask, Answer>(
            .failure(TransportError(.lost)), .failure(TransportError(.lost)),
            .failure(TimeoutError(.connection, after: .seconds(60))))
        let order = order
        let chain = try AskChain(transport: transport) {
            Step { request, context, next in
                let first = context.firstAttempt()
                _ = try? await next(order, context: first)
                let second = context.nextAttempt(after: ShopError(), waited: .zero, because: "again")
                _ = try? await next(request, context: second)
                return try await next(request, context: first)
            }
        }
        // when
        let failure = try #require(await chain.result(Ask()).failure)
        // then
        #expect(failure.code == "timeout.connection")
        #expect(!failure.isRetryable)
    }

    @Test(
        "ends the call with its key, even if the attempt that sent it again does not decide, or it never left",
        arguments: [TransportError(.lost) as any Error, TimeoutError(.connection, after: .seconds(60))])
    func secondKeyBeside(_ problem: any Error) async throws {
        // given: the second attempt asks once more, and a parallel one, which decides, has a key of its own
        let transport = Script<Ask, Answer>(.failure(TransportError(.lost)), .failure(problem))
        let (first, second) = (keyed("k"), keyed("l"))
        let chain = try AskChain(transport: transport) {
            Retry(.standard)
            Step { request, context, next in
                guard context.attempt == 2 else {
                    return try await next(first)
                }
                _ = try? await next(first)
                let other = context.parallelAttempt(because: "hedging")
                context.decide(by: other)
                return try await next(second, context: other)
            }
        }
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(RecordingClock())).failure)
        // then: it does not tell of the first attempt, whose request is no longer kept
        #expect(transport.requests.map(\.idempotencyKey) == ["k", "k"])
        #expect(failure.stopReason == .idempotencyKeyChanged)
        #expect(failure.code == "rejected.idempotencyKey")
    }

    @Test("ends the call with its key, and the failure tells of the attempt that sent it")
    func secondKeyInOneAttempt() async throws {
        // given: the second attempt asks twice, and the second question has a key of its own
        let transport = Script<Ask, Answer>(lost)
        let (first, second) = (keyed("k"), keyed("l"))
        let chain = try AskChain(transport: transport) {
            Retry(.standard)
            Step { request, context, next in
                if context.attempt == 2 {
                    _ = try? await next(first)
                    return try await next(second)
                }
                return try await next(first)
            }
        }
        // when
        let failure = try #require(await chain.result(Ask(), options: .with(RecordingClock())).failure)
        // then
        #expect(transport.requests.map(\.idempotencyKey) == ["k", "k"])
        #expect(failure.stopReason == .idempotencyKeyChanged)
        #expect(failure.sentRequests.compactMap { ($0 as? Ask)?.idempotencyKey } == ["k"])
        #expect(failure.attempts.map(\.result) == [.failed(code: "transport.lost"), .failed(code: failure.code)])
    }
}
