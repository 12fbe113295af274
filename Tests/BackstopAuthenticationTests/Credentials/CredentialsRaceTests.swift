import BackstopTestSupport
import Testing

@testable import BackstopAuthentication
@testable import BackstopCore

@Suite("Credentials under races", .limited)
struct CredentialsRaceTests {
    /// The service: knows one token of the account that is signed in, and refuses it now and then.
    private struct Service {
        var numbers: SeededNumbers
        var issued = 0
        var owner = 0
        /// The token that is valid, as `OWNER-NUMBER`.
        var valid = "0-0"
        var runningFor: Set<String> = []
        var refreshes = 0
        /// What must not happen.
        var faults: [String] = []
        /// The newest token of each owner that a call was given.
        var newest: [Int: Int] = [:]

        mutating func issue() -> String {
            issued += 1
            valid = "\(owner)-\(issued)"
            return valid
        }
    }

    private struct Refused: Error {}
    private struct Broken: Error {}

    private static func parts(_ token: String) -> (owner: Int, number: Int) {
        let numbers = token.split(separator: "-").compactMap { Int($0) }
        return (numbers.first ?? -1, numbers.last ?? -1)
    }

    private let limit = try? TokenRefreshLimit(1000, per: .nanoseconds(1))
    /// Longer than a busy machine lets a task wait.
    private let patience = Duration.seconds(3600)

    @Test(
        "one refresh runs at a time, each call ends once, and nobody's token is used for another's call",
        arguments: Seed.ofRun(and: [1, 2]))
    func interleavings(seed: Seed) async throws {
        var numbers = seed.numbers
        for _ in 0..<100 {
            try await round(&numbers)
        }
    }

    private func round(_ numbers: inout SeededNumbers) async throws {
        let service = Lock(Service(numbers: SeededNumbers(seed: numbers.next())))
        let credentials = try Credentials(
            TokenSet(access: "0-0"), refreshLimit: try #require(limit), refreshMargin: .zero, refreshTimeout: patience
        ) { old in
            let (pauses, choice) = service.withLock { service in
                service.refreshes += 1
                if !service.runningFor.insert(old.access).inserted {
                    service.faults.append("two refreshes of \(old.access)")
                }
                return (service.numbers.below(6), service.numbers.below(4))
            }
            defer { service.withLock { _ = $0.runningFor.remove(old.access) } }
            for _ in 0..<pauses { await Task.yield() }
            guard choice > 0 else { throw Broken() }
            // An answer for an account that is gone names nobody's token.
            return service.withLock { service in
                Self.parts(old.access).owner == service.owner ? TokenSet(access: service.issue()) : old
            }
        }
        let outcomes = Counter()
        await withTaskGroup(of: Void.self) { group in
            for call in 0..<40 {
                let choice = numbers.below(12)
                let pauses = numbers.below(8)
                group.addTask {
                    for _ in 0..<pauses { await Task.yield() }
                    if choice == 0 {
                        Self.changeAccount(service, credentials)
                    } else {
                        let task = Task { await Self.call(service, credentials) }
                        if choice < 4 {
                            for _ in 0..<(call % 5) { await Task.yield() }
                            task.cancel()
                        }
                        await task.value
                    }
                    outcomes.increment()
                }
            }
        }
        while credentials.load.isBusy { await Task.yield() }
        #expect(outcomes.value == 40)
        #expect(credentials.load.waiting == 0)
        #expect(service.withLock { $0.faults } == [])
    }

    @Test(
        "a refresh that ends as the call that began it gives up serves the one that waits, thousands of times",
        arguments: Seed.ofRun)
    func givingUp(seed: Seed) async throws {
        var numbers = seed.numbers
        for round in 0..<2000 {
            // given: two calls whose token is refused
            let (turns, patience) = (numbers.below(5), numbers.below(12))
            let refreshes = Counter()
            let credentials = try Credentials(
                TokenSet(access: "old"), refreshLimit: try #require(limit), refreshMargin: .zero,
                refreshTimeout: self.patience
            ) { _ in
                refreshes.increment()
                for _ in 0..<turns { await Task.yield() }
                return TokenSet(access: "new")
            }
            let calls = (0..<2).map { _ in
                Task {
                    try await credentials.withToken(isRefused: { $0 is Refused }) { token in
                        guard token == "new" else { throw Refused() }
                        return token
                    }
                }
            }
            // when
            for _ in 0..<patience { await Task.yield() }
            calls[0].cancel()
            // then
            let first = await calls[0].result
            let isServed = (try? first.get()) == "new"
            try #require(isServed || isGivenUp(first), "round \(round): \(first)")
            try #require(try await calls[1].value == "new", "round \(round)")
            while credentials.load.isBusy { await Task.yield() }
            try #require(credentials.load.waiting == 0, "round \(round)")
            try #require(refreshes.value == 1, "round \(round)")
        }
    }

    /// Whether a cancelled call ended without a new token: in its wait for one, or before, with the operation's error.
    private func isGivenUp<Value>(_ result: Result<Value, any Error>) -> Bool {
        if case .failure(let error) = result { error is CancellationError || error is Refused } else { false }
    }

    private static func changeAccount(_ service: Lock<Service>, _ credentials: Credentials) {
        // Both under one lock, so that the service knows whose the credentials are.
        service.withLock { service in
            service.owner += 1
            _ = credentials.replaceNow(with: TokenSet(access: service.issue()))
        }
    }

    /// A call of whoever is signed in when it begins.
    private static func call(_ service: Lock<Service>, _ credentials: Credentials) async {
        var owner: Int?
        let known = service.withLock { $0.newest }
        _ = try? await credentials.withToken(isRefused: { $0 is Refused }) { token in
            let (tokenOwner, number) = parts(token ?? "")
            try service.withLock { service in
                if number < known[tokenOwner] ?? -1 {
                    service.faults.append("token \(number) after \(known[tokenOwner] ?? -1) was seen")
                }
                if let owner, owner != tokenOwner {
                    service.faults.append("a token of \(tokenOwner) for a call of \(owner)")
                }
                owner = tokenOwner
                service.newest[tokenOwner] = max(service.newest[tokenOwner] ?? 0, number)
                // Tokens expire at random.
                if service.numbers.below(4) == 0 { service.valid = "expired" }
                guard token == service.valid else { throw Refused() }
            }
            await Task.yield()
        }
    }
}
