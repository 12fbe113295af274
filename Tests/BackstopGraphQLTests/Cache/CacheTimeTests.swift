import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The cache and time", .limited)
struct CacheTimeTests {
    static let seeds = Seed.ofRun(and: [1, 2, 3])

    /// A service whose answers are the names of its requests, each sent when the test says so.
    private final class Service: Sendable {
        private struct State {
            var gates: [String: Gate] = [:]
            var forbidden: Set<String> = []
        }

        /// What holds the answers, and which of them may not be kept, guarded by the lock.
        private let state = Lock(State())

        func hold(_ name: String, isKept: Bool = true) {
            state.withLock { state in
                state.gates[name] = Gate()
                if !isKept {
                    state.forbidden.insert(name)
                }
            }
        }

        func answer(_ name: String) {
            state.withLock { $0.gates[name] }?.open()
        }

        var transport: ScriptedTransport {
            let step = Stub<HTTP.Request, HTTP.Response>.respond("service") { request, _ in
                let name = request.headers["X-Request-ID"] ?? ""
                let (gate, isForbidden) = self.state.withLock { ($0.gates[name], $0.forbidden.contains(name)) }
                try await gate?.passUnlessCancelled()
                return HTTP.Response(
                    status: 200,
                    headers: [
                        "Content-Type": "application/json", "Cache-Control": isForbidden ? "no-store" : "public",
                    ],
                    body: .init(#"{"data":{"hero":{"name":"\#(name)"}}}"#.utf8))
            }
            return ScriptedTransport(step.repeated())
        }
    }

    private let service = Service()
    private let clock = RecordingClock(date: .seconds(1_000_000))

    private func client(_ cache: ResponseCache, _ transport: ScriptedTransport? = nil) throws -> Client {
        try makeClient(transport ?? service.transport, clock: clock) {
            cache
            Decoding()
            StatusValidation()
        }
    }

    private func fetch(
        _ client: Client, _ name: String, _ policy: GraphQL.CachePolicy = .networkOnly, of episode: String = "JEDI"
    ) async throws -> String? {
        let options = client.graphQLOptions.changing { options in
            options.headers["X-Request-ID"] = name
            options.cachePolicy = policy
        }
        return try await client.data(for: HeroOfEpisode(variables: .init(episode: episode)), options: options).hero?
            .name
    }

    private func mutate(
        _ client: Client, _ name: String = "mutation", _ policy: GraphQL.CachePolicy = .networkOnly
    ) async throws {
        let options = client.graphQLOptions.changing { options in
            options.headers["X-Request-ID"] = name
            options.cachePolicy = policy
        }
        _ = try await client.fetch(CreateReview(), options: options)
    }

    /// What the cache alone gives; nil for nothing.
    private func stored(_ client: Client, of episode: String = "JEDI") async -> String? {
        try? await fetch(client, "never sent", .cacheOnly, of: episode)
    }

    @Test("a slow query's late answer does not take the place of what was asked for after it")
    func late() async throws {
        // given
        let transport = service.transport
        let client = try client(ResponseCache(), transport)
        service.hold("ada")
        let slow = Task { try await fetch(client, "ada") }
        await transport.waitForRequests(1)
        // when
        try await mutate(client)
        #expect(try await fetch(client, "grace") == "grace")
        service.answer("ada")
        #expect(try await slow.value == "ada")
        // then
        #expect(await stored(client) == "grace")
        #expect(try await fetch(client, "new", .cacheFirst) == "grace")
    }

    @Test("nor does it after the later answer was evicted, forbidden or removed", arguments: 0..<3)
    func lateAndGone(reason: Int) async throws {
        // given
        let transport = service.transport
        let cache = ResponseCache(capacity: 10_000)
        let client = try client(cache, transport)
        service.hold("ada")
        service.hold("grace", isKept: reason != 1)
        service.answer("grace")
        let slow = Task { try await fetch(client, "ada") }
        await transport.waitForRequests(1)
        #expect(try await fetch(client, "grace") == "grace")
        // when
        switch reason {
        case 0:
            for index in 0..<20 {
                _ = try await fetch(client, "other", of: "\(index)")
            }
        case 2: cache.removeAll { $0.operation == "HeroOfEpisode" }
        default: break
        }
        service.answer("ada")
        _ = try await slow.value
        // then
        #expect(await stored(client) == nil)
    }

    @Test("what the service forbids to keep ends what was kept before")
    func forbidden() async throws {
        let client = try client(ResponseCache())
        _ = try await fetch(client, "ada")
        service.hold("grace", isKept: false)
        service.answer("grace")
        _ = try await fetch(client, "grace")
        #expect(await stored(client) == nil)
    }

    @Test("a mutation makes stale what is stored, and what was asked for before it ended", arguments: [true, false])
    func mutation(succeeds: Bool) async throws {
        // given
        let transport = service.transport
        let client = try client(ResponseCache(), transport)
        _ = try await fetch(client, "ada")
        service.hold("mutation")
        let change = Task { try await mutate(client) }
        await transport.waitForRequests(2)
        _ = try await fetch(client, "meanwhile", of: "EMPIRE")
        // when
        if succeeds {
            service.answer("mutation")
        } else {
            change.cancel()
        }
        _ = await change.result
        // then
        #expect(await stored(client) == nil)
        #expect(await stored(client, of: "EMPIRE") == nil)
        #expect(try await fetch(client, "grace", .cacheFirst) == "grace")
        #expect(await stored(client) == "grace")
    }

    @Test(
        "what is stale stands in for a service that cannot be reached, and for no refusal",
        arguments: [GraphQL.CachePolicy.cacheFirst, .networkFirst])
    func stale(policy: GraphQL.CachePolicy) async throws {
        // given
        let mutated = Stub<HTTP.Request, HTTP.Response>.graphQL(200, #"{"data":{}}"#)
        let transport = ScriptedTransport(
            .hero, mutated, .failure(TransportError(.offline)), .status(403), .status(503))
        let client = try client(ResponseCache(), transport)
        _ = try await fetch(client, "1")
        try await mutate(client)
        // then
        #expect(try await fetch(client, "2", policy) == "R2-D2")
        await #expect(throws: Failure.self) { try await fetch(client, "3", policy) }
        await #expect(throws: Failure.self) { try await fetch(client, "4", .networkOnly) }
    }

    @Test("a mutation that goes past the cache leaves it alone, and so does such a query")
    func bypass() async throws {
        let client = try client(ResponseCache())
        _ = try await fetch(client, "ada")
        try await mutate(client, "mutation", .bypass)
        #expect(try await fetch(client, "grace", .bypass) == "grace")
        #expect(await stored(client) == "ada")
        _ = try await fetch(client, "grace", .bypass, of: "EMPIRE")
        #expect(await stored(client, of: "EMPIRE") == nil)
    }

    @Test("nothing older than the maximum age is given, not even in an outage")
    func age() async throws {
        // given
        let failing = Stub<HTTP.Request, HTTP.Response>.failure(TransportError(.offline))
        let transport = ScriptedTransport(.hero, failing, failing, .hero)
        let client = try client(ResponseCache(maximumAge: .seconds(60)), transport)
        _ = try await fetch(client, "1")
        // when: just in time, then too late
        clock.advance(by: .seconds(60))
        #expect(await stored(client) == "R2-D2")
        #expect(try await fetch(client, "2", .networkFirst) == "R2-D2")
        clock.advance(by: .nanoseconds(1))
        #expect(await stored(client) == nil)
        await #expect(throws: Failure.self) { try await fetch(client, "3", .networkFirst) }
        #expect(try await fetch(client, "4", .cacheFirst) == "R2-D2")
        // then: a date that is set makes nothing older or younger
        for seconds in [-3600, 7200, -3600] {
            clock.date += .seconds(seconds)
            #expect(await stored(client) == "R2-D2")
        }
        clock.advance(by: .seconds(60) + .nanoseconds(1))
        clock.date -= .seconds(61)
        #expect(await stored(client) == nil)
    }

    @Test("what is kept answers where an attempt runs out of time, and not where the call does", arguments: [1, 3])
    func limits(seconds: Int) async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport(.hero, .hang)
        let client = try makeClient(transport, clock: clock) {
            Deadline(.seconds(2))
            ResponseCache()
            Decoding()
            StatusValidation()
            AttemptTimeout(.seconds(seconds))
        }
        _ = try await fetch(client, "1")
        let task = Task { try await fetch(client, "2", .networkFirst) }
        await transport.waitForRequests(2)
        await clock.waitForSleeper(remaining: .seconds(min(seconds, 2)))
        await clock.advance(by: .seconds(min(seconds, 2)))
        if seconds == 1 {
            #expect(try await task.value == "R2-D2")
        } else {
            let failure = await #expect(throws: Failure.self) { try await task.value }
            #expect(failure?.code == "timeout.deadline")
        }
    }

    @Test("an age of nothing is refused", arguments: [Duration.zero, .seconds(-1)])
    func noAge(age: Duration) {
        let error = #expect(throws: ConfigurationError.self) { try requireValid(ResponseCache(maximumAge: age)) }
        #expect(error?.setting == "ResponseCache.maximumAge")
    }

    @Test("some are removed by operation, variables, partition or date, and calls under way do not bring them back")
    func removal() async throws {
        // given
        let transport = service.transport
        let cache = ResponseCache(partition: { _ in "ann" })
        let client = try client(cache, transport)
        for episode in ["A", "B", "C"] {
            _ = try await fetch(client, "old", of: episode)
            clock.date += .seconds(10)
        }
        service.hold("late")
        let late = Task { try await fetch(client, "late", of: "A") }
        await transport.waitForRequests(4)
        // when
        cache.removeAll { $0.operation == "HeroOfEpisode" && $0.variables?["episode"] == "A" }
        service.answer("late")
        _ = try await late.value
        // then
        #expect(await stored(client, of: "A") == nil)
        #expect(await stored(client, of: "B") == "old")
        cache.removeAll { $0.partition == "bob" || $0.date <= .seconds(1_000_010) }
        #expect(await stored(client, of: "B") == nil)
        #expect(await stored(client, of: "C") == "old")
    }

    @Test("random schedules: what is given is what was asked for last, and from no time before", arguments: seeds)
    func random(seed: Seed) async throws {
        /// A call as the model knows it.
        struct Call {
            let name: String
            let episode: String
            let begin: Int
            let isKept: Bool
            let task: Task<String?, any Error>
        }
        // given
        let random = SeededRandom(seed: seed.number)
        let transport = service.transport
        let cache = ResponseCache()
        let client = try client(cache, transport)
        let episodes = ["A", "B"]
        var time = 0
        var sent = 0
        var pending: [Call] = []
        var answered: [Call] = []
        var mutations: [(name: String, task: Task<String?, any Error>)] = []
        var lastRemoval = 0
        var lastMutation = 0
        for step in 0..<400 {
            time += 1
            // when
            switch random.next() % 8 {
            case 0...2:
                let name = "call \(step)"
                let episode = episodes[Int(random.next() % 2)]
                let isKept = random.next() % 4 != 0
                service.hold(name, isKept: isKept)
                let task = Task { try await fetch(client, name, of: episode) }
                sent += 1
                await transport.waitForRequests(sent)
                pending.append(Call(name: name, episode: episode, begin: time, isKept: isKept, task: task))
            case 3...5 where !pending.isEmpty:
                let call = pending.remove(at: Int(random.next() % UInt64(pending.count)))
                service.answer(call.name)
                #expect(try await call.task.value == call.name)
                answered.append(call)
            case 6 where random.next() % 3 == 0:
                let name = "mutation \(step)"
                service.hold(name)
                mutations.append(
                    (
                        name,
                        Task {
                            try await mutate(client, name)
                            return nil
                        }
                    ))
                sent += 1
                await transport.waitForRequests(sent)
            case 7 where !mutations.isEmpty:
                let mutation = mutations.removeFirst()
                service.answer(mutation.name)
                _ = try await mutation.task.value
                lastMutation = time
            case 7 where random.next() % 4 == 0:
                cache.removeAll()
                lastRemoval = time
            default: break
            }
            // then
            for episode in episodes {
                let last = answered.filter { $0.episode == episode && $0.begin > lastRemoval }.max {
                    $0.begin < $1.begin
                }
                let expected = last.flatMap { $0.isKept && $0.begin > lastMutation ? $0.name : nil }
                #expect(await stored(client, of: episode) == expected, "step \(step)")
            }
        }
        for call in pending {
            service.answer(call.name)
            _ = try await call.task.value
        }
        for mutation in mutations {
            service.answer(mutation.name)
            _ = try await mutation.task.value
        }
    }
}
