import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A one-line call", .limited)
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
            try await client.get("books", query: ["q": "a+b", "all": HTTP.Query.nameOnly], as: Book.self)
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

    @Test("post, put and patch send any body, or none")
    func anyBody() async throws {
        // when
        let requests = [
            try await Self.sent(200) { try await $0.post("logout").status },
            try await Self.sent(200) { try await $0.put("notes/1", body: .text("Buy milk.")).status },
            try await Self.sent(200) { try await $0.patch("notes/1", query: ["a": 1], headers: ["X-A": "1"]).status },
            try await Self.sent(Book.dune) { try await $0.post("books", body: .text("Dune"), as: Book.self) },
            try await Self.sent(Book.dune) { try await $0.put("books", as: Book.self) },
            try await Self.sent(Book.dune) { try await $0.patch("books", body: .text("Dune")) },
        ]
        // then
        #expect(requests.map(\.method) == [.post, .put, .patch, .post, .put, .patch])
        #expect(
            requests.map { $0.body.data.map { String(decoding: $0, as: UTF8.self) } ?? "" } == [
                "", "Buy milk.", "", "Dune", "", "Dune",
            ])
        let json = "application/json"
        #expect(requests.map { $0.headers[.accept] } == [nil, nil, nil, json, json, json])
        #expect(requests[2].url.query == "a=1")
        #expect(requests[2].headers["X-A"] == "1")
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

    @Test("of every method takes a query of variables, and a path of segments")
    func queries() async throws {
        // given
        let page = 2
        let missing: String? = nil
        let id = "../a b"
        let query: HTTP.Query = ["page": page, "q": missing, "on": true, "tag": ["a", "b"]]
        // when
        let requests = [
            try await Self.sent(200) { try await $0.get(["books", id], query: query).status },
            try await Self.sent(200) { try await $0.head(["books", id], query: query).status },
            try await Self.sent(200) { try await $0.delete(["books", id], query: query).status },
            try await Self.sent(200) { try await $0.post(["books", id], json: 1, query: query).status },
            try await Self.sent(200) { try await $0.put(["books", id], json: 1, query: query).status },
            try await Self.sent(200) { try await $0.patch(["books", id], json: 1, query: query).status },
            try await Self.sent(Book.dune) { try await $0.get(["books", id], query: query, as: Book.self) },
            try await Self.sent(Book.dune) { try await $0.delete(["books", id], query: query, as: Book.self) },
            try await Self.sent(Book.dune) { try await $0.post(["books", id], json: 1, query: query, as: Book.self) },
            try await Self.sent(Book.dune) { try await $0.put(["books", id], json: 1, query: query, as: Book.self) },
            try await Self.sent(Book.dune) { try await $0.patch(["books", id], json: 1, query: query, as: Book.self) },
        ]
        // then
        #expect(
            requests.map(\.method) == [.get, .head, .delete, .post, .put, .patch, .get, .delete, .post, .put, .patch])
        #expect(
            Set(requests.map(\.url.absoluteString)) == [
                "https://api.example.com/v1/books/..%2Fa%20b?page=2&on=true&tag=a&tag=b"
            ])
    }

    @Test("can be performed, with handlers and with callbacks")
    func performed() async throws {
        // given
        let client = try Rig(.json(200, Book.json), .status(404), .json(200, Book.json)).standard()
        let titles = RecordingLog()
        // when
        let found = await client.perform(.get("books/1", as: Book.self))
        let missing = await client.perform(.get("books/2", as: Book.self)) { On(status: 404, 410) { _ in } }
        await client.perform(
            .patch("books/1", json: ["title": "Dune"], as: Book.self),
            onSuccess: { titles.write(LogEntry(.info, $0.title)) }, onFailure: { _ in true }
        ).value
        // then
        #expect(found.value == .dune)
        #expect(missing.handledBy == "On(status.404 or status.410)")
        #expect(titles.messages == ["Dune"])
    }

    private struct Dated: Codable, Sendable, Equatable {
        var publishedAt: Date
    }

    @Test("uses the client's decoder and encoder, unless it is given its own")
    func coders() async throws {
        // given
        let rig = Rig(
            ScriptedTransport.Step.json(200, #"{"publishedAt":"1965-08-01T00:00:00Z"}"#).repeated(3),
            .json(200, #"{"publishedAt":1}"#))
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let client = try Client.standard(
            baseURL: Rig.base, transport: rig.transport, logging: nil, decoder: decoder, encoder: encoder,
            options: rig.options)
        let seconds = JSONDecoder()
        seconds.dateDecodingStrategy = .secondsSince1970
        let expected = Dated(publishedAt: Date(timeIntervalSince1970: -139_449_600))
        struct Endpoint: JSONEndpoint {
            typealias Content = Dated
            func makeRequest() throws -> HTTP.Request {
                try .json(.post, "books", Dated(publishedAt: Date(timeIntervalSince1970: 0)))
            }
        }
        // then
        #expect(try await client.get("books", as: Dated.self) == expected)
        #expect(try await client.send(Endpoint()) == expected)
        #expect(await client.perform(.post("books", json: expected, as: Dated.self)).value == expected)
        #expect(
            try await client.get("books", decoder: seconds, as: Dated.self)
                == Dated(publishedAt: Date(timeIntervalSince1970: 1)))
        #expect(
            rig.transport.requests.compactMap(\.body.data).map { String(decoding: $0, as: UTF8.self) } == [
                "", #"{"publishedAt":"1970-01-01T00:00:00Z"}"#, #"{"publishedAt":"1965-08-01T00:00:00Z"}"#, "",
            ])
    }

    /// Renews a token by a client of its own, before each request.
    private struct Renewing: HTTP.Interceptor {
        struct Token: Decodable, Sendable {
            enum CodingKeys: String, CodingKey { case value = "access_token" }
            let value: String
        }
        let tokens: Client

        func intercept(_ request: HTTP.Request, context: CallContext, next: HTTP.Next) async throws -> HTTP.Response {
            var request = request
            request.headers[.authorization] = try await tokens.get("token", as: Token.self).value
            return try await next(request)
        }
    }

    @Test("of a client within the call of another one has nothing of that one's decoder")
    func coderOfAnotherClient() async throws {
        // given
        let tokens = Rig(ScriptedTransport.Step.json(200, #"{"access_token":"a"}"#))
        let rig = Rig(ScriptedTransport.Step.json(200, #"{"published_at":1}"#))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        let inner = try Client.standard(
            baseURL: Rig.base, transport: tokens.transport, logging: nil, options: tokens.options)
        let client = try Client.standard(
            baseURL: Rig.base, transport: rig.transport, logging: nil, decoder: decoder, options: rig.options
        ).withChain { $0.prepending(Renewing(tokens: inner)) }
        // then
        #expect(try await client.get("books", as: Dated.self) == Dated(publishedAt: Date(timeIntervalSince1970: 1)))
        #expect(rig.transport.requests.first?.headers[.authorization] == "a")
    }

    @Test("into an optional is nil for a 204 and for an empty body, and the value otherwise")
    func optionals() async throws {
        // given
        struct Maybe: JSONEndpoint {
            typealias Content = Book?
            func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books/1") }
        }
        struct Title: JSONEndpoint {
            func makeRequest() throws -> HTTP.Request { try HTTP.Request(.get, "books/1") }
            func content(from root: Book?) throws -> String { root?.title ?? "none" }
        }
        let rig = Rig(
            .status(204), .status(204), .status(200), .status(200), .json(200, Book.json), .json(200, "null"),
            .status(200))
        let client = try rig.standard()
        // then
        #expect(try await client.get("books/1", as: Book?.self) == nil)
        #expect(try await client.send(Maybe()) == nil)
        #expect(try await client.send(Title()) == "none")
        #expect(try await client.delete("books/1", as: Book?.self) == nil)
        #expect(try await client.send(Maybe()) == .dune)
        #expect(try await client.send(Maybe()) == nil)
        // An empty body is no value of a type that has none for nothing.
        let failure = await #expect(throws: Failure.self) { try await client.get("books/1", as: Book.self) }
        #expect(failure?.code == "decoding")
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

    private typealias Call = @Sendable (Client, String) async throws -> Void

    @Test(
        "with a target that cannot be sent fails, and nothing is sent", arguments: ["//evil.example", "a\nb", "../x"])
    func refused(target: String) async throws {
        // given
        let rig = Rig()
        let client = try rig.standard()
        let calls: [Call] = [
            { client, target in _ = try await client.get(target, as: Book.self) },
            { client, target in try await client.post(target, json: Book.dune) },
            { client, target in try await client.delete(target) },
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
        #expect(failure?.stopReason == .notIdempotent)
        try rig.transport.checkFinished()
    }
}
