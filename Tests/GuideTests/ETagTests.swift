import Backstop
import BackstopTesting
import Foundation
import Testing

@Suite("The recipe for ETag and 304")
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

    @Test("a new response takes the place of the one that was kept") func modified() async throws {
        let transport = ScriptedTransport(
            .json(200, "[1]", headers: ["ETag": #""a""#]), .json(200, "[2]", headers: ["ETag": #""b""#]),
            .status(304))
        let client = try client(transport)

        let values = try await (1...3).asyncMap { _ in try await client.get("books", as: [Int].self) }

        #expect(values == [[1], [2], [2]])
        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, #""a""#, #""b""#])
    }

    @Test("a request with other credentials does not ask for what was kept") func otherCredentials() async throws {
        let transport = ScriptedTransport(.json(200, "[1]", headers: ["ETag": #""a""#]).repeated())
        let client = try client(transport)

        for token in ["Bearer ann", "Bearer bob", "Bearer ann"] {
            _ = try await client.get("books", headers: [.authorization: token])
        }

        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, nil, #""a""#])
    }

    @Test(
        "some responses are not kept",
        arguments: [
            ["Cache-Control": "private, No-Store"], ["Vary": "Accept, X-Tenant"], ["Vary": "*"],
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
