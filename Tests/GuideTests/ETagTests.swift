import Backstop
import BackstopCore
import BackstopStreams
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The recipe for ETag and 304", .limited)
struct ETagTests {
    private func client(_ transport: ScriptedTransport) throws -> Client {
        try makeClientWithETags(transport: transport).withChain { $0.removing(.logging) }
    }

    @Test("a 304 gives the body that was kept, with the new headers") func notModified() async throws {
        let transport = ScriptedTransport(
            .json(200, "[1]", headers: ["ETag": #""a""#, "X-Served": "1"]),
            .status(304, headers: ["ETag": #""a""#, "X-Served": "2", "Content-Length": "0"]))
        let client = try client(transport)

        _ = try await client.get("books", as: [Int].self)
        let second = try await client.get("books", headers: [.accept: "application/json"])

        #expect(second.status == 200)
        #expect(try second.json([Int].self) == [1])
        #expect(second.headers["X-Served"] == "2")
        #expect(second.headers[.contentLength] == nil)
        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, #""a""#])
    }

    @Test("a 304 with another tag is not about what was kept") func otherTag() async throws {
        let transport = ScriptedTransport(
            .json(200, "[1]", headers: ["ETag": #""a""#]), .status(304, headers: ["ETag": #"W/"a""#]),
            .status(304, headers: ["ETag": #""b""#]), .json(200, "[2]", headers: ["ETag": #""b""#]))
        let client = try client(transport)

        let values = try await (1...3).asyncMap { _ in try await client.get("books", as: [Int].self) }

        #expect(values == [[1], [1], [2]])
        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, #""a""#, #"W/"a""#, nil])
    }

    @Test("a new response takes the place of the one that was kept") func modified() async throws {
        let transport = ScriptedTransport(
            .json(200, "[1]", headers: ["ETag": #""a""#]), .json(200, "[2]", headers: ["ETag": #""b""#]),
            .status(304))
        let client = try client(transport)

        let values = try await (1...3).asyncMap { _ in try await client.get("books", as: [Int].self) }

        #expect(values == [[1], [2], [2]])
        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, #""a""#, #""b""#])
    }

    @Test("a stream is never answered with what was kept, nor kept") func streams() async throws {
        let rows = ScriptedTransport.Step.stream([.bytes("a\nb\n")], headers: ["ETag": #""a""#])
        let transport = ScriptedTransport(rows.repeated())
        let client = try client(transport)
        for _ in 0..<2 {
            var lines: [String] = []
            for try await line in try await client.stream("rows", as: .lines) { lines.append(line) }
            #expect(lines == ["a", "b"])
        }
        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, nil])
    }

    @Test("a 304 after a redirect to another resource is not about what was kept") func otherTarget() async throws {
        func answer(_ status: Int, _ book: Int) -> ScriptedTransport.Step {
            .respond { _, _ in
                HTTP.Response(
                    status: status, headers: ["ETag": #""1""#, "Content-Type": "application/json"],
                    body: Data((status == 200 ? "[\(book)]" : "").utf8),
                    url: URL(string: "https://api.example.com/v1/books/\(book)"))
            }
        }
        let transport = ScriptedTransport(answer(200, 1), answer(304, 1), answer(304, 2), answer(200, 2))
        let client = try client(transport)

        let values = try await (1...3).asyncMap { _ in try await client.get("latest", as: [Int].self) }

        #expect(values == [[1], [1], [2]])
        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, #""1""#, #""1""#, nil])
    }

    @Test(
        "a request with another header does not ask for what was kept",
        arguments: ["Authorization", "Cookie", "X-Api-Key", "X-Tenant", "Accept-Language", "X-Session"])
    func otherHeader(name: String) async throws {
        let transport = ScriptedTransport(.json(200, "[1]", headers: ["ETag": #""a""#]).repeated())
        let client = try client(transport)

        for value in ["ann", "bob", "ann"] {
            var headers = HTTP.Headers()
            headers[.init(name)] = value
            _ = try await client.get("books", headers: headers)
        }

        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, nil, #""a""#])
    }

    /// A server with `/me` at version 1 for everybody, whose answer depends on a header.
    private static func me(by name: HTTP.Headers.Name) -> ScriptedTransport {
        ScriptedTransport(
            .respond { request, _ in
                request.headers[.ifNoneMatch] == #""1""#
                    ? HTTP.Response(status: 304, headers: ["ETag": #""1""#])
                    : HTTP.Response(
                        status: 200, headers: ["ETag": #""1""#],
                        body: Data((request.headers[name] ?? "nobody").utf8))
            }.repeated())
    }

    @Test(
        "nobody gets the response of another person when credentials are added inside the cache, as a session does",
        arguments: [.cookie, .authorization, "X-Api-Key", "X-Tenant"] as [HTTP.Headers.Name])
    func credentialsFromInside(name: HTTP.Headers.Name) async throws {
        let person = Lock<String?>(nil)
        let session = AddHeader(name: name) { person.withLock { $0 } }
        let client = try client(Self.me(by: name)).withChain {
            try $0.inserting(session, outside: .attemptTimeout)
        }
        var seen: [String] = []
        for name in [nil, "ann", "bob", "ann", nil] {
            person.withLock { $0 = name }
            seen.append(String(decoding: try await client.get("me").body, as: UTF8.self))
        }

        #expect(seen == ["nobody", "ann", "bob", "ann", "nobody"])
    }

    @Test("what was answered without asking the server is not kept: it may be another's") func answeredInside()
        async throws
    {
        let transport = ScriptedTransport(.json(200, "[1]", headers: ["ETag": #""a""#]))
        let answer = HTTP.Response(status: 200, headers: ["ETag": #""b""#])
        let client = try client(transport).withChain {
            try $0.inserting(AnswerOnce(answer), outside: .attemptTimeout)
        }

        _ = try await client.get("books")
        _ = try await client.get("books")

        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil])
    }

    @Test(
        "a request for a part, or with a condition of its own, goes past the cache",
        arguments: [
            ["Range": "bytes=0-0"], ["If-Modified-Since": "Sat, 21 Nov 2026 20:00:00 GMT"], ["If-None-Match": "\"z\""],
        ] as [HTTP.Headers])
    func special(headers: HTTP.Headers) async throws {
        let transport = ScriptedTransport(
            .json(200, "[1]", headers: ["ETag": #""a""#]), .status(206, headers: ["ETag": #""a""#], body: "["),
            .status(304))
        let client = try client(transport)

        _ = try await client.get("books")
        let part = try await client.get("books", headers: headers)
        let last = try await client.get("books").json([Int].self)

        #expect(part.status == 206)
        #expect(transport.requests[1].headers[.ifNoneMatch] == headers[.ifNoneMatch])
        #expect(last == [1])
    }

    @Test("JSON that is broken is not kept") func broken() async throws {
        let transport = ScriptedTransport(
            .json(200, "[1", headers: ["ETag": #""a""#]), .json(200, "[1]", headers: ["ETag": #""a""#]))
        let client = try client(transport)

        await #expect(throws: Failure.self) { _ = try await client.get("books", as: [Int].self) }

        #expect(try await client.get("books", as: [Int].self) == [1])
        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, nil])
    }

    @Test("the number of a request does not tell responses apart") func requestNumber() async throws {
        let transport = ScriptedTransport(.json(200, "[1]", headers: ["ETag": #""a""#]), .status(304))
        let client = try client(transport)

        _ = try await client.get("books", headers: ["X-Request-ID": "1"])
        let second = try await client.get("books", headers: ["X-Request-ID": "2"])

        #expect(second.status == 200)
    }

    @Test(
        "some responses are not kept",
        arguments: [
            ["Cache-Control": "private, No-Store"], ["Vary": "Accept, user-agent"], ["Vary": "*"],
            ["Vary": "Accept,\t*"],
        ])
    func notKept(headers: [String: String]) async throws {
        var all: HTTP.Headers = ["ETag": #""a""#]
        for (name, value) in headers {
            try all.set(value, for: .init(name))
        }
        let transport = ScriptedTransport(.json(200, "[1]", headers: all).repeated())
        let client = try client(transport)

        _ = try await client.get("books")
        _ = try await client.get("books")

        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, nil])
    }

    @Test("the oldest response goes first when there are too many") func capacity() async throws {
        let transport = ScriptedTransport(.json(200, "[1]", headers: ["ETag": #""a""#]).repeated())
        let client = try Client(baseURL: "https://api.example.com", transport: transport) { ETagCache(capacity: 2) }

        for path in ["a", "b", "c", "b", "a"] {
            _ = try await client.get(path)
        }

        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, nil, nil, #""a""#, nil])
    }
}

/// Answers the first request by itself, as a cache does.
private actor AnswerOnce: HTTP.Interceptor {
    private var answer: HTTP.Response?

    init(_ answer: HTTP.Response) {
        self.answer = answer
    }

    func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
        guard let answer else { return try await next(request) }
        self.answer = nil
        return answer
    }
}

extension Sequence {
    /// The results of calls that are made one after the other.
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self {
            values.append(try await transform(element))
        }
        return values
    }
}
