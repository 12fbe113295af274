import Backstop
import BackstopTesting
import Testing

@Suite("The recipe for caching")
struct MemoryCacheTests {
    private let clock = RecordingClock()

    private func client(_ transport: ScriptedTransport) throws -> Client {
        try makeCachingClient(of: "ann", transport: transport)
            .withChain { try $0.replacing(.retry, with: Retry(.never)).removing(.logging) }
            .withOptions { $0.clock = clock }
    }

    @Test("it stands where the order rules want it") func order() throws {
        try makeCachingClient(of: "ann").chain.requireOrder()
    }

    @Test("a response is given again for a minute") func fresh() async throws {
        let transport = ScriptedTransport(.json(200, "[1]"), .json(200, "[2]"))
        let client = try client(transport)

        #expect(try await client.get("books", as: [Int].self) == [1])
        clock.advance(by: .seconds(59))
        #expect(try await client.get("books", as: [Int].self) == [1])
        clock.advance(by: .seconds(1))
        #expect(try await client.get("books", as: [Int].self) == [2])
    }

    @Test(
        "an old response stands in for a service that cannot be reached",
        arguments: [
            .failure(TransportError(.offline)), .failure(TimeoutError(.attempt, after: .seconds(30))), .status(503),
        ] as [ScriptedTransport.Step])
    func outage(step: ScriptedTransport.Step) async throws {
        let transport = ScriptedTransport(.json(200, "[1]"), step)
        let client = try client(transport)
        _ = try await client.get("books", as: [Int].self)
        clock.advance(by: .seconds(3600))

        #expect(try await client.get("books", as: [Int].self) == [1])

        try transport.checkFinished()
    }

    @Test("a refusal is shown", arguments: [401, 403, 404, 500]) func refusal(status: Int) async throws {
        let transport = ScriptedTransport(.json(200, "[1]"), .status(status))
        let client = try client(transport)
        _ = try await client.get("books")
        clock.advance(by: .seconds(60))

        let failure = await #expect(throws: Failure.self) { _ = try await client.get("books") }

        #expect(failure?.code == "status.\(status)")
    }

    @Test("nobody gets the response of another account, nor anybody without one") func accounts() async throws {
        let transport = ScriptedTransport(.json(200, "[1]"), .json(200, "[2]"), .json(200, "[3]"), .json(200, "[4]"))
        let ann = try client(transport)
        let bob = ann.withOptions { $0.values.account = "bob" }
        let nobody = ann.withOptions { $0.values.account = nil }

        var seen: [[Int]] = []
        for client in [ann, bob, nobody, nobody, ann] {
            seen.append(try await client.get("books", as: [Int].self))
        }

        #expect(seen == [[1], [2], [3], [4], [1]])
    }

    @Test("no-store is not kept, and nothing but GET is") func notKept() async throws {
        let transport = ScriptedTransport(
            .on(.get, "/v1/books", .json(200, "[1]", headers: ["Cache-Control": "no-store"])),
            .on(.put, "/v1/books", .json(200, "[1]")))
        let client = try client(transport)

        _ = try await client.get("books")
        _ = try await client.get("books")
        _ = try await client.put("books")
        _ = try await client.put("books")

        #expect(transport.requests.count == 4)
    }
}
