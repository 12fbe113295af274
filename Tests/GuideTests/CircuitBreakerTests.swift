import Backstop
import BackstopResilience
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The recipe for a circuit breaker", .limited)
struct CircuitBreakerTests {
    private let clock = RecordingClock()

    /// The recipe's client, with single attempts.
    private func client(_ transport: ScriptedTransport) throws -> Client {
        try makeClientWithBreaker(transport: transport)
            .withChain { try $0.replacing(.retry, with: Retry(.never)).removing(.logging) }
            .withOptions {
                $0.clock = clock
                $0.random = FixedRandom(units: 1)  // the longest breaks
            }
    }

    private func codes(_ count: Int, _ client: Client) async -> [String] {
        var codes: [String] = []
        for _ in 0..<count {
            do throws(Failure) {
                codes.append("\(try await client.get("books").status)")
            } catch {
                codes.append(error.code)
            }
        }
        return codes
    }

    @Test("it stands where the order rules want it") func order() throws {
        try makeClientWithBreaker().chain.requireOrder()
    }

    @Test("after five failures nothing is sent") func opens() async throws {
        let transport = ScriptedTransport(
            .status(503).repeated(3), .failure(TransportError(.refused)), .failure(TimeoutError(.attempt, after: .zero))
        )

        let codes = await codes(7, try client(transport))

        #expect(codes.suffix(3) == ["timeout.attempt", "rejected.breakerOpen", "rejected.breakerOpen"])
        #expect(transport.requests.count == 5)
    }

    @Test("refusals, and a device that is offline, say nothing against the service") func notCounted() async throws {
        let transport = ScriptedTransport(.status(404).repeated(6), .failure(TransportError(.offline)).repeated(6))

        let codes = await codes(12, try client(transport))

        #expect(codes == Array(repeating: "status.404", count: 6) + Array(repeating: "transport.offline", count: 6))
    }

    @Test("after the pause one call tries, and a good answer closes it") func closes() async throws {
        let transport = ScriptedTransport(.status(503).repeated(5), .status(200).repeated(2))
        let client = try client(transport)
        _ = await codes(5, client)

        clock.advance(by: .seconds(29))
        #expect(await codes(1, client) == ["rejected.breakerOpen"])
        clock.advance(by: .seconds(1))

        #expect(await codes(2, client) == ["200", "200"])
    }

    @Test("a try that fails opens it for a longer pause") func opensAgain() async throws {
        let transport = ScriptedTransport(.status(503).repeated(6), .status(200))
        let client = try client(transport)
        _ = await codes(5, client)

        clock.advance(by: .seconds(30))
        #expect(await codes(2, client) == ["status.503", "rejected.breakerOpen"])
        clock.advance(by: .seconds(59))
        #expect(await codes(1, client) == ["rejected.breakerOpen"])
        clock.advance(by: .seconds(1))

        #expect(await codes(1, client) == ["200"])
    }

    @Test("a rejected call says how long it takes, for a countdown") func countsDown() async throws {
        let client = try client(ScriptedTransport(.status(503).repeated(5), .status(404)))
        _ = await codes(5, client)
        clock.advance(by: .seconds(12))

        do throws(Failure) {
            _ = try await client.get("books")
        } catch {
            #expect(countdown(after: error) == .seconds(18))
        }

        clock.advance(by: .seconds(18))
        do throws(Failure) {
            _ = try await client.get("books")
        } catch {
            #expect(error.code == "status.404")
            #expect(countdown(after: error) == nil)
        }
    }

    @Test("while one tries the others are refused, and when it is cancelled the next may try") func oneTries()
        async throws
    {
        let transport = ScriptedTransport(.status(503).repeated(5), .hang, .status(200))
        let client = try client(transport)
        _ = await codes(5, client)
        clock.advance(by: .seconds(30))

        let trying = Task { await codes(1, client) }
        await transport.waitForRequests(6)
        #expect(await codes(1, client) == ["rejected.breakerOpen"])
        trying.cancel()
        #expect(await trying.value == ["cancelled"])

        #expect(await codes(1, client) == ["200"])
    }

    @Test(
        "a call that began before the breaker opened neither closes it nor opens it again",
        arguments: [200, 503])
    func late(status: Int) async throws {
        let arrival = Meeting(of: 2)
        let transport = ScriptedTransport(
            .on(
                .get, "/v1/slow",
                .respond { _, _ in
                    await arrival.arrive()
                    return HTTP.Response(status: status)
                }),
            .status(503).repeated(5), .hang, .status(200).repeated(2))
        let client = try client(transport)
        let slow = Task { try? await client.get("slow").status }
        await transport.waitForRequests(1)
        _ = await codes(5, client)
        clock.advance(by: .seconds(30))
        let trying = Task { await codes(1, client) }
        await transport.waitForRequests(7)

        await arrival.arrive()
        _ = await slow.value

        #expect(await codes(1, client) == ["rejected.breakerOpen"])
        trying.cancel()
        _ = await trying.value
        #expect(await codes(2, client) == ["200", "200"])
    }

    @Test("an old success does not close a breaker that is open") func lateSuccess() async throws {
        let arrival = Meeting(of: 2)
        let transport = ScriptedTransport(
            .on(
                .get, "/v1/slow",
                .respond { _, _ in
                    await arrival.arrive()
                    return HTTP.Response(status: 200)
                }),
            .status(503).repeated(5))
        let client = try client(transport)
        let slow = Task { try await client.get("slow").status }
        await transport.waitForRequests(1)
        _ = await codes(5, client)

        await arrival.arrive()
        #expect(try await slow.value == 200)

        #expect(await codes(1, client) == ["rejected.breakerOpen"])
        #expect(transport.requests.count == 6)
    }
}
