import Backstop
import BackstopTesting
import Foundation
import Testing

@Suite("A one-line call")
struct CallsTests {
    /// Makes a call that gives a book, or its JSON, and returns the request that was sent.
    private static func sent<Value: Equatable>(
        _ expected: Value, _ call: (Client) async throws -> Value
    ) async throws -> HTTP.Request {
        let rig = Rig(.json(200, Book.json))
        let value = try await call(rig.standard())
        #expect(value == expected)
        try rig.transport.checkFinished()
        return try #require(rig.transport.requests.first)
    }

    private static func book(of request: HTTP.Request) throws -> Book {
        try JSONDecoder().decode(Book.self, from: #require(request.body.data))
    }

    @Test("get asks for JSON with a query, and decodes it")
    func get() async throws {
        // when
        let request = try await Self.sent(Book.dune) { client in
            try await client.get("books", query: ["q": "a+b", "all": nil], as: Book.self)
        }
        // then
        #expect(request.method == .get)
        #expect(request.url.absoluteString == "https://api.example.com/v1/books?q=a%2Bb&all")
        #expect(request.headers[.accept] == "application/json")
        #expect(request.body.isNone)
    }

    @Test("get without a type gives the response, and asks for nothing special")
    func getResponse() async throws {
        // when
        let request = try await Self.sent(Data(Book.json.utf8)) { client in
            try await client.get("books", query: ["page": "2"], headers: ["X-A": "1"]).body
        }
        // then
        #expect(request.url.absoluteString == "https://api.example.com/v1/books?page=2")
        #expect(request.headers.map(\.description) == ["X-A: 1"])
    }

    @Test("post, put and patch send JSON and decode the answer")
    func withContent() async throws {
        // when
        let requests = [
            try await Self.sent(Book.dune) { try await $0.post("books", json: Book.dune, as: Book.self) },
            try await Self.sent(Book.dune) { try await $0.put("books", json: Book.dune, as: Book.self) },
            try await Self.sent(Book.dune) { try await $0.patch("books", json: Book.dune, as: Book.self) },
        ]
        // then
        #expect(requests.map(\.method) == [.post, .put, .patch])
        for request in requests {
            #expect(request.url.absoluteString == "https://api.example.com/v1/books")
            #expect(request.headers[.contentType] == "application/json")
            #expect(request.headers[.accept] == "application/json")
            #expect(try Self.book(of: request) == .dune)
        }
    }

    @Test("post and put without a type send JSON and give the response")
    func withResponse() async throws {
        // when
        let requests = [
            try await Self.sent(200) { try await $0.post("books", json: Book.dune, headers: ["X-A": "1"]).status },
            try await Self.sent(200) { try await $0.put("books", json: Book.dune).status },
        ]
        // then
        #expect(requests.map(\.method) == [.post, .put])
        #expect(requests.first?.headers["X-A"] == "1")
        for request in requests {
            #expect(try Self.book(of: request) == .dune)
            #expect(request.headers[.accept] == nil)
        }
    }

    @Test("delete has no body and gives the response")
    func delete() async throws {
        // when
        let request = try await Self.sent(200) {
            try await $0.delete("books/1", headers: ["If-None-Match": "x"]).status
        }
        // then
        #expect(request.method == .delete)
        #expect(request.url.path == "/v1/books/1")
        #expect(request.headers[.ifNoneMatch] == "x")
        #expect(request.body.isNone)
    }

    @Test("keeps an Accept and a header that it is given")
    func headers() async throws {
        let request = try await Self.sent(Book.dune) {
            try await $0.get("books", headers: ["accept": "application/vnd.shop+json", "X-A": "1"], as: Book.self)
        }
        #expect(request.headers[values: .accept] == ["application/vnd.shop+json"])
        #expect(request.headers["X-A"] == "1")
    }

    @Test(
        "is named after method and path, without what a query or user information may tell",
        arguments: [
            ("books/1", "GET books/1"), ("books?token=hunter2", "GET books"), ("books#token=hunter2", "GET books"),
            ("?token=hunter2", "GET "), ("https://ann:hunter2@b.example/x?y", "GET https://<redacted>@b.example/x"),
        ])
    func names(target: String, name: String) async throws {
        // given
        let rig = Rig(.json(200, Book.json), .status(404))
        let client = try rig.standard()
        // when
        _ = try await client.get(target, as: Book.self)
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.get(target) as HTTP.Response })
        // then
        #expect(rig.observer.calls.map(\.name) == [name, name])
        #expect(!failure.report.contains("hunter2"))
        #expect(!failure.trace.json.contains("hunter2"))
    }

    private typealias Call = @Sendable (Client, String) async throws(Failure) -> Void

    @Test(
        "with a target that cannot be sent fails, and nothing is sent", arguments: ["//evil.example", "a\nb", "../x"])
    func refused(target: String) async throws {
        // given
        let rig = Rig()
        let client = try rig.standard()
        let calls: [Call] = [
            { (client, target) async throws(Failure) in _ = try await client.get(target, as: Book.self) },
            { (client, target) async throws(Failure) in try await client.post(target, json: Book.dune) },
            { (client, target) async throws(Failure) in try await client.delete(target) },
        ]
        // then
        for call in calls {
            let failure = await #expect(throws: Failure.self) { try await call(client, target) }
            #expect(failure?.code == "request.invalidURL")
        }
        #expect(rig.transport.requests.isEmpty)
    }

    @Test("of POST is not sent twice, unless it has an idempotency key or says that it may be repeated")
    func post() async throws {
        // given
        let rig = Rig(.status(503), .status(503), .status(200), .status(503), .status(200))
        let client = try rig.standard()
        // when
        let failure = await #expect(throws: Failure.self) { try await client.post("orders", json: Book.dune) }
        try await client.post("orders", json: Book.dune, headers: ["Idempotency-Key": "7f3a"])
        _ = try await client.send(
            RawEndpoint {
                var request = try HTTP.Request(.post, "search")
                request.isRepeatable = true
                return request
            })
        // then
        #expect(failure?.stopped == .notIdempotent)
        try rig.transport.checkFinished()
    }
}
