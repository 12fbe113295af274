import Backstop
import BackstopAuthentication
import BackstopStreams
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The recipe for caching", .limited)
struct MemoryCacheTests {
    private static let problem: HTTP.Headers = ["Content-Type": "application/problem+json"]
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

    @Test("a change makes what was asked for before it stale, and what is newer stays") func changes() async throws {
        let transport = ScriptedTransport(.json(200, "[1]"), .status(204), .json(200, "[2]"))
        let client = try client(transport)

        #expect(try await client.get("books", as: [Int].self) == [1])
        clock.advance(by: .seconds(1))
        try await client.put("books/1", json: 2)
        clock.advance(by: .seconds(1))
        #expect(try await client.get("books", as: [Int].self) == [2])
        #expect(try await client.get("books", as: [Int].self) == [2])
        try transport.checkFinished()
    }

    @Test("a slow response from before a change is not given again, nor takes the place of a newer one")
    func slow() async throws {
        let shared = Lock<Client?>(nil)
        let slow = ScriptedTransport.Step.respond { [clock] _, _ in
            let client = try #require(shared.withLock { $0 })
            clock.advance(by: .seconds(1))
            try await client.put("books/1", json: 2)
            clock.advance(by: .seconds(1))
            #expect(try await client.get("books", as: [Int].self) == [2])
            return HTTP.Response(status: 200, headers: ["Content-Type": "application/json"], body: Data("[1]".utf8))
        }
        let transport = ScriptedTransport(slow, .status(204), .json(200, "[2]"))
        let client = try client(transport)
        shared.withLock { $0 = client }

        #expect(try await client.get("books", as: [Int].self) == [1])
        #expect(try await client.get("books", as: [Int].self) == [2])
        try transport.checkFinished()
    }

    @Test("a stream is never answered with what was kept, nor kept") func streams() async throws {
        let client = try client(ScriptedTransport(.stream([.bytes("a\nb\n")]).repeated()))
        for _ in 0..<2 {
            var lines: [String] = []
            for try await line in try await client.stream("rows", as: .lines) { lines.append(line) }
            #expect(lines == ["a", "b"])
        }
        #expect(try await client.get("rows").body == Data("a\nb\n".utf8))
    }

    @Test(
        "an old response stands in for a service that cannot be reached",
        arguments: [
            .failure(TransportError(.offline)), .failure(TimeoutError(.attempt, after: .seconds(30))), .status(502),
            .status(503), .status(504), .json(503, #"{"title":"Maintenance"}"#, headers: MemoryCacheTests.problem),
            .failure(RejectionError(.breakerOpen, "The service was down a moment ago.")),
        ] as [ScriptedTransport.Step])
    func outage(step: ScriptedTransport.Step) async throws {
        let transport = ScriptedTransport(.json(200, "[1]"), step)
        let client = try client(transport)
        _ = try await client.get("books", as: [Int].self)
        clock.advance(by: .seconds(3600))

        #expect(try await client.get("books", as: [Int].self) == [1])

        try transport.checkFinished()
    }

    @Test("a refusal is shown, also one with an error body", arguments: [401, 403, 404, 500])
    func refusalByService(status: Int) async throws {
        let transport = ScriptedTransport(
            .json(200, "[1]"), .json(status, #"{"title":"No"}"#, headers: Self.problem))
        let client = try client(transport)
        _ = try await client.get("books")
        clock.advance(by: .seconds(60))

        let failure = await #expect(throws: Failure.self) { _ = try await client.get("books") }

        #expect(failure?.code == "service.problem")
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

    @Test("requests with other headers do not share a response", arguments: ["X-Tenant", "Accept", "Range", "Prefer"])
    func otherHeaders(name: String) async throws {
        let transport = ScriptedTransport(
            .json(200, "[1]", headers: ["Vary": "X-Tenant"]), .json(200, "[2]", headers: ["Vary": "X-Tenant"]))
        let client = try client(transport)
        let headers = ["north", "south"].map { value -> HTTP.Headers in
            var headers = HTTP.Headers()
            headers[.init(name)] = value
            return headers
        }

        var seen: [[Int]] = []
        for index in [0, 1, 0, 1] {
            seen.append(try await client.get("books", headers: headers[index]).json())
        }

        #expect(seen == [[1], [2], [1], [2]])
    }

    @Test(
        "what depends on a header that is added further inside is not kept",
        arguments: [
            ("X-Tenant", 2), ("Accept, x-tenant", 2), ("*", 2), ("X-Session-Locale", 2), ("Accept, Accept-Encoding", 1),
        ])
    func headerFromInside(vary: String, requests: Int) async throws {
        let transport = ScriptedTransport(.json(200, "[1]", headers: ["Vary": vary]).repeated())
        let client = try client(transport).withChain {
            try $0.inserting(AddHeader(name: "X-Tenant", value: { "north" }), inside: .retry)
                .inserting(AddHeader(name: "X-Session-Locale", value: { "de" }), inside: .retry)
        }

        _ = try await client.get("books")
        _ = try await client.get("books")

        #expect(transport.requests.count == requests)
    }

    @Test("what depends on the credentials is kept for the account") func credentials() async throws {
        let transport = ScriptedTransport(.json(200, "[1]", headers: ["Vary": "Authorization"]).repeated())
        let client = try client(transport).withChain {
            try $0.inserting(AddHeader(name: .authorization, value: { "Bearer a" }), inside: .retry)
        }

        _ = try await client.get("books")
        _ = try await client.get("books")
        _ = try await client.withOptions { $0.values.account = "bob" }.get("books")

        #expect(transport.requests.count == 2)
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
