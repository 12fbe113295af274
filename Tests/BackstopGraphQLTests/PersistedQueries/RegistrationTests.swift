import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("First calls of one operation side by side", .limited)
struct RegistrationTests {
    private func client(_ transport: ScriptedTransport, clock: any CallClock) throws -> Client {
        try makeClient(transport, clock: clock) {
            Decoding()
            StatusValidation()
            PersistedQueries(hasher: .sha256)
        }
    }

    private func start(_ count: Int, _ client: Client) -> [Task<String?, any Error>] {
        (0..<count).map { _ in Task { try await client.fetch(HeroName()).data.hero?.name } }
    }

    @Test("need one registration")
    func one() async throws {
        // given
        let gate = Gate()
        let clock = ManualClock()
        let transport = ScriptedService(gate: gate).transport
        // when: one asks, and the others wait for it
        let tasks = start(50, try client(transport, clock: clock))
        await clock.waitForSleepers(49)
        #expect(forms(transport.requests) == ["H"])
        gate.open()
        // then
        for task in tasks {
            #expect(try await task.value == "R2-D2")
        }
        let sent = forms(transport.requests)
        #expect(sent.count == 51)
        #expect(sent.filter { $0 == "HT" }.count == 1)
        #expect(clock.sleepers.isEmpty)
    }

    @Test("of different operations do not wait for each other")
    func different() async throws {
        // given
        let clock = ManualClock()
        let gate = Gate()
        let transport = ScriptedService(gate: gate).transport
        let client = try client(transport, clock: clock)
        // when
        let tasks = [
            Task { _ = try await client.fetch(HeroName()) }, Task { _ = try await client.fetch(HeroOfEpisode()) },
        ]
        await transport.waitForRequests(2)
        // then
        #expect(clock.sleepers.isEmpty)
        gate.open()
        for task in tasks {
            try await task.value
        }
    }

    @Test("need one registration also when the first of them is cancelled")
    func cancelledLeader() async throws {
        // given
        let gate = Gate()
        let clock = ManualClock()
        let transport = ScriptedService(gate: gate).transport
        let client = try client(transport, clock: clock)
        let leader = Task { try await client.fetch(HeroName()) }
        await transport.waitForRequests(1)
        let others = start(20, client)
        await clock.waitForSleepers(20)
        // when
        leader.cancel()
        await #expect(throws: Failure.self) { try await leader.value }
        await transport.waitForRequests(2)
        gate.open()
        // then
        for task in others {
            #expect(try await task.value == "R2-D2")
        }
        #expect(forms(transport.requests).filter { $0 == "HT" }.count == 1)
        #expect(clock.sleepers.isEmpty)
    }

    @Test("go on one after the other when the first of them fails")
    func failedLeader() async throws {
        // given
        let gate = Gate()
        let clock = ManualClock()
        let transport = ScriptedTransport(
            .respond("lost") { _, _ in
                try await gate.passUnlessCancelled()
                throw TransportError(.lost)
            }, ScriptedService().step)
        let client = try client(transport, clock: clock)
        let leader = Task { try await client.fetch(HeroName()) }
        await transport.waitForRequests(1)
        let others = start(20, client)
        await clock.waitForSleepers(20)
        // when
        gate.open()
        // then
        let failure = await #expect(throws: Failure.self) { try await leader.value }
        #expect(failure?.code == "transport.lost")
        for task in others {
            #expect(try await task.value == "R2-D2")
        }
        #expect(forms(transport.requests).filter { $0 == "HT" }.count == 1)
    }

    @Test("send no hash after the first of them learned that it is in vain")
    func unsupported() async throws {
        // given
        let gate = Gate()
        let clock = ManualClock()
        let transport = ScriptedTransport(
            .respond("not supported") { request, _ in
                try await gate.passUnlessCancelled()
                return try await ScriptedTransport(
                    .json(200, #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#)
                ).send(request, context: CallContext())
            }, .hero.repeated())
        // when
        let tasks = start(20, try client(transport, clock: clock))
        await clock.waitForSleepers(19)
        gate.open()
        for task in tasks {
            #expect(try await task.value == "R2-D2")
        }
        // then
        let sent = forms(transport.requests)
        #expect(sent.filter { $0 == "H" }.count == 1)
        #expect(sent.filter { $0 == "T" }.count == 20)
    }

    @Test("can be cancelled while they wait")
    func cancelledWaiter() async throws {
        // given
        let gate = Gate()
        let clock = ManualClock()
        let transport = ScriptedService(gate: gate).transport
        let client = try client(transport, clock: clock)
        let leader = Task { try await client.fetch(HeroName()) }
        await transport.waitForRequests(1)
        let waiters = start(3, client)
        await clock.waitForSleepers(3)
        // when
        waiters[1].cancel()
        // then
        let failure = await #expect(throws: Failure.self) { try await waiters[1].value }
        #expect(failure?.isCancelled == true)
        #expect(transport.requests.count == 1)
        gate.open()
        _ = try await leader.value
        #expect(try await waiters[0].value == "R2-D2")
        #expect(try await waiters[2].value == "R2-D2")
        #expect(clock.sleepers.isEmpty)
    }

    @Test("wait for a first one that hangs for two seconds of the clock, and no longer")
    func hangingLeader() async throws {
        // given
        let clock = ManualClock()
        let transport = ScriptedTransport(.hang, .hero.repeated())
        let client = try client(transport, clock: clock)
        let leader = Task { try await client.fetch(HeroName()) }
        await transport.waitForRequests(1)
        let others = start(5, client)
        await clock.waitForSleepers(5)
        #expect(clock.sleepers == Array(repeating: .seconds(2), count: 5))
        // when
        await clock.advance(by: .milliseconds(1999))
        #expect(clock.sleepers.count == 5)
        #expect(transport.requests.count == 1)
        await clock.advance(by: .milliseconds(1))
        // then
        for task in others {
            #expect(try await task.value == "R2-D2")
        }
        #expect(transport.requests.count == 6)
        leader.cancel()
        _ = await leader.result
    }

    @Test("wait for two seconds in all, however many leaders give up")
    func patience() async throws {
        // given
        let clock = ManualClock()
        let transport = ScriptedTransport(.hang, .hang, .hero.repeated())
        let client = try client(transport, clock: clock)
        let leader = Task { try await client.fetch(HeroName()) }
        await transport.waitForRequests(1)
        let others = start(3, client)
        await clock.waitForSleepers(3)
        // when: the second leader hangs as well
        await clock.advance(by: .milliseconds(1500))
        leader.cancel()
        _ = await leader.result
        await transport.waitForRequests(2)
        await clock.waitForSleeper(remaining: .milliseconds(500))
        await clock.waitForSleepers(2)
        await clock.advance(by: .milliseconds(500))
        // then
        await transport.waitForRequests(4)
        for task in others {
            task.cancel()
            _ = await task.result
        }
        #expect(transport.requests.count == 4)
    }

    @Test("go on side by side when the first answer does not show whether the operation is known")
    func undecidedLeader() async throws {
        // given
        let gate = Gate()
        let clock = ManualClock()
        let transport = ScriptedTransport(
            .respond("a gateway") { _, _ in
                try await gate.passUnlessCancelled()
                return HTTP.Response(status: 502, body: Data("Bad gateway".utf8))
            }, Stub.hang.repeated())
        let client = try client(transport, clock: clock)
        let leader = Task { try await client.fetch(HeroName()) }
        await transport.waitForRequests(1)
        let others = start(3, client)
        await clock.waitForSleepers(3)
        // when
        gate.open()
        _ = await leader.result
        // then: none of them waits for another
        await transport.waitForRequests(4)
        #expect(forms(transport.requests) == ["H", "H", "H", "H"])
        for task in others {
            task.cancel()
            _ = await task.result
        }
    }

    @Test("do not wait for each other once the server knows the operation")
    func known() async throws {
        // given
        let clock = ManualClock()
        let transport = ScriptedTransport(.miss, .hero, Stub.hang.repeated())
        let client = try client(transport, clock: clock)
        _ = try await client.fetch(HeroName())
        // when
        let tasks = start(3, client)
        // then
        await transport.waitForRequests(5)
        #expect(clock.sleepers.isEmpty)
        for task in tasks {
            task.cancel()
            _ = await task.result
        }
    }

    @Test("learn from each other what a server supports, whoever signs in by the URL")
    func sameServer() async throws {
        // given
        let shared = PersistedQueries(hasher: .sha256)
        let transport = ScriptedTransport(
            .json(200, #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#), .hero.repeated())
        // when
        for account in ["ann:1", "bob:2"] {
            let client = try makeClient(transport, url: "https://\(account)@api.example.com/graphql") {
                Decoding()
                StatusValidation()
                shared
            }
            _ = try await client.fetch(HeroName())
        }
        // then
        #expect(forms(transport.requests) == ["H", "T", "T"])
    }
}
