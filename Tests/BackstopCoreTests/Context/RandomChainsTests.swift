import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// Any stack of interceptors against any answers. The server counts; what the client says of itself is compared with
/// that.
@Suite("Random chains", .limited)
struct RandomChainsTests {
    // MARK: What the server saw

    /// One request that reached the server, or of which nobody knows whether it did.
    private struct Arrival {
        let serial: String
        let isIdempotent: Bool
        let key: String?
        /// When it was let go, and when it arrived: of two that are on their way at once, either may be first.
        let sent: Int
        let arrived: Int
        /// The attempts of retry interceptors that it belongs to, outermost first.
        let epochs: [Epoch]
    }

    /// One attempt of one run of a retry interceptor.
    private struct Epoch: Hashable {
        let run: Int
        let number: Int
    }

    @TaskLocal private static var epochs: [Epoch] = []
    @TaskLocal private static var isStraggling = false

    /// The seeded choices of a run, its counters and what arrived; several interceptors may use it at once.
    private final class World: Sendable {
        private struct State {
            var random: SeededNumbers
            var counter = 0
            var arrivals: [Arrival] = []
            var begun: [Epoch] = []
        }

        private let state: Lock<State>
        let stragglers = Notes<Task<Void, Never>>()

        init(seed: UInt64) {
            state = Lock(State(random: SeededNumbers(seed: seed)))
        }

        var arrivals: [Arrival] { state.withLock { $0.arrivals } }
        var begun: [Epoch] { state.withLock { $0.begun } }

        func next(_ bound: Int) -> Int {
            state.withLock { Int.random(in: 0..<bound, using: &$0.random) }
        }

        func number() -> Int {
            state.withLock { state in
                state.counter += 1
                return state.counter
            }
        }

        func arrive(_ arrival: Arrival) { state.withLock { $0.arrivals.append(arrival) } }
        func begin(_ epoch: Epoch) { state.withLock { $0.begun.append(epoch) } }
    }

    /// No complete answer to the request with this number.
    private struct Lost: Error, FailureReasonConvertible {
        let serial: String
        var classifiedReason: Failure.Reason { .transport(TransportError(.lost)) }
    }

    private struct Server: Transport {
        let world: World

        func send(_ request: Ask, context: CallContext) async throws -> Answer {
            // The number of the request was drawn before the chain let it go, and nothing can be drawn at that moment.
            let sent = Int(request.text) ?? 0
            let choice = world.next(12)
            for _ in 0..<world.next(4) { await Task.yield() }
            switch choice {
            case 0: throw TimeoutError(.connection, after: .seconds(60))
            case 1: throw RequestError(.invalidURL, "no host")
            default: arrive(request, sent: sent)
            }
            if world.next(5) == 0 {
                var hop = request
                // Where a server leads a straggler after the end, nobody can know at the end.
                hop.isIdempotent = world.next(3) > 0 || RandomChainsTests.isStraggling
                hop.idempotencyKey = nil
                hop.text = "\(request.text) redirected"
                context.recordHop(hop)
                arrive(hop, sent: sent)
            }
            for _ in 0..<world.next(4) { await Task.yield() }
            switch choice {
            case 2, 3: throw Lost(serial: request.text)
            case 4: throw CancellationError()
            case 5, 6, 7: return Answer(request.text, status: 503, wait: choice == 5 ? .seconds(1) : nil)
            case 8: return Answer(request.text, status: 404)
            default: return Answer(request.text)
            }
        }

        private func arrive(_ request: Ask, sent: Int) {
            world.arrive(
                Arrival(
                    serial: request.text, isIdempotent: request.isIdempotent, key: request.idempotencyKey,
                    sent: sent, arrived: world.number(), epochs: RandomChainsTests.epochs))
        }
    }

    // MARK: Interceptors

    private static func retry(_ world: World, attempts: Int) throws -> [any Interceptor<Ask, Answer>] {
        // The run's number is drawn outside of retry, the attempt's inside.
        let run = RunKey()
        return [
            Step { request, context, next in
                try await RandomChainsTests.$runs.withValue(RandomChainsTests.runs + [(run, world.number())]) {
                    try await next(request)
                }
            },
            Retry(attempts: attempts),
            Step { request, context, next in
                let number = RandomChainsTests.runs.last { $0.key == run }?.number ?? 0
                let epoch = Epoch(run: number, number: world.number())
                world.begin(epoch)
                return try await RandomChainsTests.$epochs.withValue(RandomChainsTests.epochs + [epoch]) {
                    try await next(request)
                }
            },
        ]
    }

    private final class RunKey: Sendable, Equatable {
        static func == (one: RunKey, other: RunKey) -> Bool { one === other }
    }

    @TaskLocal private static var runs: [(key: RunKey, number: Int)] = []

    /// Not a pair: in a group, an optimized build mixes those up (Swift 6.3).
    private struct HedgeEnd {
        let isOther: Bool
        let result: Result<Answer, any Error>
    }

    /// A copy beside the first; the first good answer, or else the last failure, decides.
    private static func hedge(_ world: World, isStraggling: Bool) -> any Interceptor<Ask, Answer> {
        Step { request, context, next in
            let own = context.firstAttempt()
            let other = context.parallelAttempt(because: "hedging")
            if isStraggling {
                world.stragglers.add(
                    Task {
                        await RandomChainsTests.$isStraggling.withValue(true) {
                            _ = try? await next(request, context: other)
                        }
                    })
                return try await next(request, context: own)
            }
            return try await withThrowingTaskGroup(of: HedgeEnd.self) { group in
                for (isOther, context) in [(false, own), (true, other)] {
                    group.addTask {
                        do {
                            let answer = try await next(request, context: context)
                            return HedgeEnd(isOther: isOther, result: .success(answer))
                        } catch {
                            return HedgeEnd(isOther: isOther, result: .failure(error))
                        }
                    }
                }
                var last = HedgeEnd(isOther: false, result: .failure(ShopError()))
                for try await result in group {
                    last = result
                    if case .success = result.result { break }
                }
                group.cancelAll()
                if last.isOther { context.decide(by: other) }
                return try last.result.get()
            }
        }
    }

    private static func interceptor(_ kind: Int, _ world: World) throws -> [any Interceptor<Ask, Answer>] {
        switch kind {
        case 0...3: return try retry(world, attempts: 1 + world.next(4))
        case 4: return [Judge()]
        case 5: return [AttemptTimeout(.seconds(1 + world.next(20)))]
        case 6:
            return [
                Step { request, _, next in
                    guard world.next(2) == 0 else { return try await next(request) }
                    _ = try? await next(request)
                    return try await next(request)
                }
            ]
        case 7:
            return [
                Step { request, _, next in
                    async let first = try? next(request)
                    async let second = next(request)
                    let answer = await first
                    guard let answer else { return try await second }
                    _ = try? await second
                    return answer
                }
            ]
        case 8: return [hedge(world, isStraggling: false)]
        case 9: return [hedge(world, isStraggling: true)]
        case 10:
            return [
                Step { request, context, next in
                    do {
                        return try await next(request)
                    } catch {
                        guard world.next(3) == 0, !Task.isCancelled else { throw error }
                        let kept = Answer("kept")
                        context.recordReceived(kept)
                        return kept
                    }
                }
            ]
        case 11:
            let isSame = world.next(2) == 0
            return [
                Step { request, _, next in
                    var request = request
                    request.isIdempotent = true
                    request.idempotencyKey = isSame ? "same" : "key \(world.number())"
                    return try await next(request)
                }
            ]
        case 12:
            return [
                Step { request, _, next in
                    var request = request
                    request.isIdempotent = request.isIdempotent && world.next(3) > 0
                    if !request.isIdempotent { request.idempotencyKey = nil }
                    return try await next(request)
                }
            ]
        case 13:
            return [
                Step { request, context, next in
                    do {
                        return try await next(request)
                    } catch let error as StatusError where error.code == 404 {
                        // As an interceptor does that renews a token, in an attempt of its own.
                        return try await next(
                            request, context: context.nextAttempt(after: error, waited: .zero, because: "renewed"))
                    }
                }
            ]
        case 14:
            return [Step { request, _, next in world.next(6) == 0 ? Answer("short cut") : try await next(request) }]
        default: return [Deadline(.seconds(5 + world.next(60)))]
        }
    }

    /// Gives each request a number, next to the transport.
    private static func stamp(_ world: World) -> any Interceptor<Ask, Answer> {
        Step { request, _, next in
            var request = request
            request.text = "\(world.number())"
            return try await next(request)
        }
    }

    // MARK: The promises

    private func run(seed: UInt64) async throws -> [String] {
        let world = World(seed: seed)
        var kinds: [Int] = []
        var interceptors: [any Interceptor<Ask, Answer>] = []
        for _ in 0...world.next(6) {
            kinds.append(world.next(16))
            interceptors += try Self.interceptor(kinds[kinds.count - 1], world)
        }
        let chain = try AskChain(transport: Server(world: world)) {
            interceptors
            Self.stamp(world)
        }
        var ask = Ask("asked")
        let own = world.next(3)
        ask.isIdempotent = own > 0
        ask.idempotencyKey = own == 1 ? "own" : nil
        let observer = RecordingObserver()
        var options = CallOptions.with(RecordingClock())
        options.observers = [observer]
        let result: Result<Answer, Failure>
        if world.next(5) == 0 {
            let (request, given) = (ask, options)
            let task = Task { await chain.result(request, options: given) }
            for _ in 0..<world.next(8) { await Task.yield() }
            task.cancel()
            result = await task.value
        } else {
            result = await chain.result(ask, options: options)
        }
        for straggler in world.stragglers.all { await straggler.value }
        var broken: [String] = []
        func check(_ holds: Bool, _ text: String) {
            if !holds { broken.append("\(text); interceptors \(kinds), own \(own)") }
        }
        check(observer.calls.count == 1, "\(observer.calls.count) outcomes")
        checkRetries(world.arrivals, begun: world.begun, check)
        guard let failure = result.failure else {
            return broken
        }
        // What a straggler was allowed to send may arrive after the end.
        checkFailure(failure, world.arrivals, check)
        // Of two that go on at once in one attempt the interceptor that began them decides, and says nothing.
        if !kinds.contains(7) {
            checkAttempt(failure, check)
        }
        return broken
    }

    /// Once something went out that may be done only once, or with a key, no further attempt sends it again.
    private func checkRetries(_ arrivals: [Arrival], begun: [Epoch], _ check: (Bool, String) -> Void) {
        for (position, arrival) in arrivals.enumerated() {
            for later in arrivals[(position + 1)...] {
                let isRepeated = arrival.epochs.contains { epoch in
                    later.epochs.contains { $0.run == epoch.run && $0.number > epoch.number }
                }
                guard isRepeated, later.sent > arrival.arrived else { continue }
                check(arrival.isIdempotent, "sent again after \(arrival.serial), by \(later.serial)")
                check(
                    arrival.key == nil || later.key == nil || later.key == arrival.key,
                    "another key: \(arrival.key ?? "") and \(later.key ?? "")")
                let isHop = later.serial.hasSuffix("redirected")
                check(arrival.key == nil || later.isIdempotent || isHop, "without the key: \(later.serial)")
            }
        }
    }

    private func checkFailure(_ failure: Failure, _ arrivals: [Arrival], _ check: (Bool, String) -> Void) {
        if failure.isRetryable {
            for arrival in arrivals {
                check(arrival.isIdempotent, "retryable, though \(arrival.serial) arrived")
                check(
                    arrival.key == nil || arrival.key == (failure.originalRequest as? Ask)?.idempotencyKey,
                    "retryable, though \(arrival.serial) had the key \(arrival.key ?? "")")
            }
        }
    }

    private func checkAttempt(_ failure: Failure, _ check: (Bool, String) -> Void) {
        check(failure.attempts.map(\.number) == Array(1...max(1, failure.attempts.count)), "attempts out of order")
        guard !failure.isCancelled else {
            return
        }
        let sent = failure.sentRequests.compactMap { ($0 as? Ask)?.text }
        if let lost = failure.underlying as? Lost {
            check(sent.contains(lost.serial), "lost \(lost.serial), and sent \(sent)")
        }
        if let answer = failure.receivedResponse as? Answer, answer.body != "kept", answer.body != "short cut" {
            check(sent.contains(answer.body), "answer to \(answer.body), and sent \(sent)")
        }
        if case .status(let error) = failure.reason, let judged = error.response as? Answer {
            check((failure.receivedResponse as? Answer) == judged, "another answer than the one judged")
        }
    }

    @Test("never send twice what may be done once, and tell of the attempt that decided", arguments: Seed.ofRun)
    func promises(seed: Seed) async throws {
        let environment = ProcessInfo.processInfo.environment
        let rounds = environment["BACKSTOP_ROUNDS"].flatMap(Int.init) ?? 1000
        var seeds = seed.numbers
        var broken: [String] = []
        for _ in 0..<rounds where broken.count < 10 {
            let number = seeds.next()
            broken += try await run(seed: number).prefix(2).map { "chain \(number): \($0)" }
        }
        #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
    }
}
