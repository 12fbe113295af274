import BackstopTestSupport
import Testing

@testable import BackstopAuthentication
@testable import BackstopCore

@Suite("Credentials against a model, step by step", .limited)
struct CredentialsModelTests {
    @Test(
        "whatever calls, refreshes, sign-ins, cancellations and the clock do, each call gets what the model says",
        arguments: Seed.ofRun(and: [1, 2, 3]))
    func schedules(seed: Seed) async throws {
        var numbers = seed.numbers
        for _ in 0..<60 {
            let run = try CredentialsRun()
            for step in 0..<80 {
                let action = run.step(&numbers)
                guard await run.settles() else {
                    Issue.record("after step \(step), \(action): \(run.difference)")
                    return
                }
            }
            await run.finish()
            #expect(run.credentials.load.waiting == 0)
            #expect(!run.credentials.load.isBusy)
            #expect(run.refreshesAtOnce <= 1)
        }
    }
}

/// Real credentials beside the model.
private final class CredentialsRun {
    /// What the tasks report, guarded by the lock.
    private struct Seen {
        var phases: [CredentialsPhase] = []
        var refreshes: [Refresh] = []
        var atOnce = 0
    }

    private struct Refresh {
        let old: String
        let answer: AsyncStream<Result<TokenSet?, SomeError>>.Continuation
        var isOver = false
    }

    private struct SomeError: Error {}

    private var model = CredentialsModel()
    private let seen: Lock<Seen>
    private let clock = StillClock()
    let credentials: Credentials
    private var tasks: [Task<Void, Never>] = []
    /// Whether what a call has sent is accepted; nil if it is refused, and cannot be sent again.
    private var orders: [AsyncStream<Bool?>.Continuation] = []
    private var lastToken = 0
    private var lastOwner = 0

    init() throws {
        let seen = Lock(Seen())
        self.seen = seen
        credentials = try Credentials(refreshMargin: .seconds(10)) { old in
            let (answers, source) = AsyncStream<Result<TokenSet?, SomeError>>.makeStream()
            let position = seen.withLock { seen in
                seen.refreshes.append(Refresh(old: old.access, answer: source))
                let running = seen.refreshes.filter { !$0.isOver && $0.old == old.access }.count
                seen.atOnce = max(seen.atOnce, running)
                return seen.refreshes.count - 1
            }
            defer { seen.withLock { $0.refreshes[position].isOver = true } }
            for await answer in answers {
                return try answer.get()
            }
            throw CancellationError()
        }
    }

    /// The most refreshes of one token at a time.
    var refreshesAtOnce: Int { seen.withLock { $0.atOnce } }

    var difference: String {
        let seen = seen.withLock { $0.phases }
        let wanted = model.calls.map(\.phase)
        let calls = wanted.indices.filter { seen[$0] != wanted[$0] }
        return calls.map { "call \($0) \(seen[$0]) instead of \(wanted[$0])" }.joined(separator: ", ")
            + "; waiting \(credentials.load), refreshing \(model.isRefreshing)"
    }

    /// Does something at random.
    func step(_ numbers: inout SeededNumbers) -> String {
        let holding = model.calls.indices.filter { if case .has(_?) = model.calls[$0].phase { true } else { false } }
        let waiting = model.calls.indices.filter { model.calls[$0].phase == .waits }
        let choice = numbers.below(21)
        let lifetime: Duration? = numbers.below(2) == 0 ? nil : .seconds(2 + 2 * numbers.below(30))
        switch choice {
        case 0..<6:
            begin()
            return "a call"
        case 6..<10 where !holding.isEmpty:
            let call = holding[numbers.below(holding.count)]
            model.refuse(call)
            seen.withLock { $0.phases[call] = .waits }
            orders[call].yield(false)
            return "a refusal of call \(call)"
        case 10..<12 where !holding.isEmpty:
            let call = holding[numbers.below(holding.count)]
            model.end(call, "ok")
            orders[call].yield(true)
            return "the end of call \(call)"
        case 12..<16 where model.isRefreshing:
            return answer(&numbers, lifetime)
        case 16 where !waiting.isEmpty:
            let call = waiting[numbers.below(waiting.count)]
            model.end(call, "cancelled")
            tasks[call].cancel()
            return "a cancellation of call \(call)"
        case 17:
            return signIn(&numbers, lifetime)
        case 18 where !holding.isEmpty:
            let call = holding[numbers.below(holding.count)]
            model.mark(call)
            orders[call].yield(nil)
            return "a refusal of call \(call), which cannot be sent again"
        default:
            let time = Duration.seconds(numbers.below(15))
            model.now += time
            clock.advance(by: time)
            return "\(time)"
        }
    }

    private func answer(_ numbers: inout SeededNumbers, _ lifetime: Duration?) -> String {
        let running = seen.withLock { $0.refreshes.last { !$0.isOver && $0.old == model.token } }
        switch numbers.below(5) {
        case 0..<2:
            lastToken += 1
            running?.answer.yield(.success(tokens(lifetime, account: nil)))
            model.refreshed("token\(lastToken)", lifetime: lifetime)
            return "a new token"
        case 2..<4:
            running?.answer.yield(.failure(SomeError()))
            model.failed()
            return "a failed refresh"
        default:
            running?.answer.yield(.success(nil))
            model.refusedForGood()
            return "a refused refresh token"
        }
    }

    private func signIn(_ numbers: inout SeededNumbers, _ lifetime: Duration?) -> String {
        let credentials = credentials
        lastToken += 1
        let person = ["ann", "bob", nil][numbers.below(3)]
        let isSame = person != nil && person == credentials.account
        lastOwner += isSame ? 0 : 1
        let new = person.map { tokens(lifetime, account: $0) }
        // In memory at once, and there is no store to wait for.
        _ = new.map { credentials.replaceNow(with: $0) } ?? credentials.replaceNow(with: nil)
        model.replace(
            new?.access, owner: isSame ? model.owner : person.map { "\($0) \(lastOwner)" },
            lifetime: new == nil ? nil : lifetime)
        return "a sign-in of \(person ?? "nobody")"
    }

    private func tokens(_ lifetime: Duration?, account: String?) -> TokenSet {
        TokenSet(access: "token\(lastToken)", expirySince1970: lifetime.map { clock.date + $0 }, account: account)
    }

    private func begin() {
        let call = tasks.count
        let (accepted, source) = AsyncStream<Bool?>.makeStream()
        orders.append(source)
        seen.withLock { $0.phases.append(.waits) }
        model.begin()
        tasks.append(Self.task(credentials, clock, accepted, call, seen))
    }

    private static func task(
        _ credentials: Credentials, _ clock: StillClock, _ accepted: AsyncStream<Bool?>, _ position: Int,
        _ seen: Lock<Seen>
    ) -> Task<Void, Never> {
        Task {
            var outcome = ""
            do {
                outcome = try await call(credentials, clock, accepted, position, seen)
            } catch {
                outcome = Failure.Reason(classifying: error).code
            }
            let ended = CredentialsPhase.ended(outcome)
            seen.withLock { $0.phases[position] = ended }
        }
    }

    private static func call(
        _ credentials: Credentials, _ clock: StillClock, _ accepted: AsyncStream<Bool?>, _ call: Int,
        _ seen: Lock<Seen>
    ) async throws -> String {
        var binding: CredentialsState.Binding?
        var orders = accepted.makeAsyncIterator()
        var ticket = try await credentials.ticket(
            insteadOf: nil, binding: &binding, account: nil, clock: clock, deadline: nil)
        while true {
            let token = ticket?.access
            seen.withLock { $0.phases[call] = .has(token) }
            guard let order = await orders.next() else {
                return "ok"
            }
            guard let isAccepted = order else {
                ticket.map { credentials.mark($0) }
                return "401"
            }
            if isAccepted {
                return "ok"
            }
            ticket = try await credentials.ticket(
                insteadOf: ticket, binding: &binding, account: nil, clock: clock, deadline: nil)
            if ticket == nil {
                return "401"
            }
        }
    }

    /// Waits until the calls are where the model has them.
    func settles() async -> Bool {
        let wanted = model.calls.map(\.phase)
        let waiting = wanted.filter { $0 == .waits }.count
        for _ in 0..<100_000 {
            let isRefreshing = seen.withLock { seen in
                seen.refreshes.contains { !$0.isOver && $0.old == model.token }
            }
            let load = credentials.load
            if load.waiting == waiting, load.isBusy == model.isRefreshing, isRefreshing == model.isRefreshing,
                seen.withLock({ $0.refreshes.count }) == model.refreshes,
                seen.withLock({ $0.phases }) == wanted
            {
                return true
            }
            await Task.yield()
        }
        return false
    }

    /// Ends everything.
    func finish() async {
        for task in tasks {
            task.cancel()
        }
        for order in orders {
            order.yield(true)
        }
        for task in tasks {
            await task.value
        }
        seen.withLock { $0.refreshes }.forEach { $0.answer.yield(.failure(SomeError())) }
        while credentials.load.isBusy {
            await Task.yield()
        }
    }
}

/// A clock that a test moves, and whose sleeps end only by cancellation.
private final class StillClock: CallClock {
    /// Guarded by the lock.
    private let time = Lock(Duration.zero)

    var now: Duration { time.withLock { $0 } }
    var date: Duration { now }

    func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }

    func sleep(for duration: Duration) async throws {
        try await untilCancelled()
    }
}
