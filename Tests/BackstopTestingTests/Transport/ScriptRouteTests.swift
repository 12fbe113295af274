import Backstop
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("An entry for particular requests", .limited)
struct ScriptRouteTests {
    @Test("answers wherever in the sequence its request comes")
    func route() async throws {
        // given
        let transport = ScriptedTransport(
            .status(500),
            .on(.get, "/books", .json(200, #"{"id":1}"#)),
            .status(501))
        let chain = try Sample.chain(transport)
        // when
        let statuses = [
            try await chain.call(Sample.request(.get, "/books?page=2")).status,
            try await chain.call(Sample.request(.post, "/books")).status,
            try await chain.call(Sample.request(.get, "/books")).status,
            try await chain.call(Sample.request(.get, "/authors")).status,
        ]
        // then
        #expect(statuses == [200, 500, 200, 501])
        try transport.checkFinished()
    }

    @Test("answers as many as its stub is repeated for, unless it says another number")
    func counted() async throws {
        let transport = ScriptedTransport(
            .on(.get, "/books", .status(500).repeated(0)), .on(.get, "/books", .status(501), repeating: 0),
            .on(.get, "/books", .status(503).repeated(2)),
            .on(.get, "/books", .delay(.zero, then: .status(401).repeated(1))),
            .on(.get, "/books", .status(200).repeated(5), repeating: 1))
        var statuses: [Int] = []
        for _ in 0..<4 {
            statuses.append(try await Sample.chain(transport).call(Sample.request(.get, "/books")).status)
        }
        #expect(statuses == [503, 503, 401, 200])
        try transport.checkFinished()
    }

    @Test("answers once, and then the next for the same method and path")
    func inTurn() async throws {
        let transport = ScriptedTransport(
            .on(.get, "/books", .json(200, "[1]")), .on(.post, "/books", .status(201)),
            .on(.get, "/books", .delay(.zero, then: .status(503))), .on(.get, "/books", .json(200, "[2]")))
        let chain = try Sample.chain(transport)
        var statuses: [Int] = []
        for _ in 0..<4 {
            statuses.append(try await chain.call(Sample.request(.get, "/books")).status)
            statuses.append(try await chain.call(Sample.request(.post, "/books")).status)
        }
        #expect(statuses == [200, 201, 503, 201, 200, 201, 200, 201])
        #expect(transport.usages.map(\.limit) == [1, nil, 1, nil])
    }

    @Test("answers any number beside another for the same method and path, if a condition tells them apart")
    func conditions() async throws {
        func stub(_ page: String, _ status: Int) -> ScriptedTransport.Step {
            .on(.get, "/books", .on(page, where: { $0.headers["X-Page"] == page }, .status(status)))
        }
        let chain = try Sample.chain(ScriptedTransport(stub("1", 200), stub("2", 201)))
        for (page, status) in [("1", 200), ("1", 200), ("2", 201), ("1", 200)] {
            var request = try Sample.request(.get, "/books")
            request.headers["X-Page"] = page
            #expect(try await chain.call(request).status == status)
        }
    }

    @Test("is for one query, if it has one, in any order")
    func query() async throws {
        let transport = ScriptedTransport(
            .on(.get, "/books?page=2&q=a%20b", .status(201)), .on(.get, "/books?", .status(204)),
            .on(.get, "/books", .status(200)))
        let chain = try Sample.chain(transport)
        for (query, status) in [("?q=a%20b&page=2", 201), ("?page=2", 200), ("?page=2&q=a", 200), ("", 204)] {
            #expect(try await chain.call(Sample.request(.get, "/books" + query)).status == status, "\(query)")
        }
    }

    @Test("leaves its requests to the next that fits when it is used up")
    func limited() async throws {
        // given
        let transport = ScriptedTransport(
            .on(.post, "/login", .status(401), repeating: 2),
            .on(.post, "/login", .status(200)))
        // when
        var statuses: [Int] = []
        for _ in 0..<4 {
            statuses.append(try await Sample.chain(transport).call(Sample.request(.post, "/login")).status)
        }
        // then
        #expect(statuses == [401, 401, 200, 200])
    }

    @Test(
        "matches paths by segments, with * for one and ** for any number",
        arguments: [
            ("/books", "/books", true), ("books/", "/books", true), ("/books", "/v1/books", false),
            ("/books/*", "/books/1", true), ("/books/*", "/books", false), ("/books/*", "/books/1/cover", false),
            ("/**/books", "/v1/eu/books", true), ("/**/books", "/books", true), ("/**", "/", true),
            ("/books/*", "/books/a%2Fb", true), ("/books/a%2Fb", "/books/a%2Fb", true),
            ("/books/a/b", "/books/a%2Fb", false),
            ("/bücher/*", "/b%C3%BCcher/1", true), ("/a/**/b", "/a/x/b/y/b", true), ("/a/**/b", "/a/x/c", false),
        ])
    func paths(pattern: String, path: String, fits: Bool) async throws {
        // given
        let transport = ScriptedTransport(.on(.get, pattern, .status(200)), .status(404).repeated())
        // when
        let response = try await Sample.chain(transport).call(Sample.request(.get, path))
        // then
        #expect((response.status == 200) == fits)
    }

    @Test("may have any condition")
    func condition() async throws {
        // given
        let transport = ScriptedTransport(
            .on("with a token", where: { $0.headers[.authorization] != nil }, .status(200)),
            .status(401).repeated())
        var request = try Sample.request()
        // when
        let without = try await Sample.chain(transport).call(request)
        request.headers[.authorization] = "Bearer t"
        let with = try await Sample.chain(transport).call(request)
        // then
        #expect(without.status == 401)
        #expect(with.status == 200)
    }

    @Test("may have a condition that looks at the transport itself")
    func reentrant() async throws {
        // given
        let holder = Holder()
        let transport = ScriptedTransport(
            .on("the second", where: { _ in holder.transport?.requests.count == 1 }, .status(202)),
            .status(201))
        holder.transport = transport
        // when
        let first = try await Sample.chain(transport).call(Sample.request())
        let second = try await Sample.chain(transport).call(Sample.request())
        // then
        #expect([first.status, second.status] == [201, 202])
    }

    @Test("keeps its requests when it is delayed")
    func delayed() async throws {
        // given
        let clock = RecordingClock()
        let transport = ScriptedTransport(
            .delay(.seconds(2), then: .on(.get, "/slow", .status(200))), .status(204).repeated())
        // when
        let fast = try await Sample.chain(transport).call(Sample.request(.get, "/fast"), options: Sample.options(clock))
        let slow = try await Sample.chain(transport).call(Sample.request(.get, "/slow"), options: Sample.options(clock))
        // then
        #expect(fast.status == 204)
        #expect(slow.status == 200)
        #expect(clock.sleeps == [.seconds(2)])
    }
}

/// Lets a condition see the transport that it belongs to; set once, before the first call.
private final class Holder: @unchecked Sendable {
    var transport: ScriptedTransport?
}
