import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A base URL", .limited)
struct BaseURLTests {
    private static let joined = [
        ("https://a.example/v1", "books", "https://a.example/v1/books"),
        ("https://a.example/v1/", "books", "https://a.example/v1/books"),
        ("https://a.example/v1", "/books", "https://a.example/v1/books"),
        ("https://a.example/v1/", "/books", "https://a.example/v1/books"),
        ("https://a.example", "books", "https://a.example/books"),
        ("https://a.example", "", "https://a.example"),
        ("https://a.example/v1", "", "https://a.example/v1"),
        ("https://a.example/v1/", "", "https://a.example/v1/"),
        ("https://a.example/v1", "books/", "https://a.example/v1/books/"),
        ("https://a.example/v1", "/", "https://a.example/v1/"),
        ("https://a.example/", "/", "https://a.example/"),
        ("https://a.example/v1", "?page=2", "https://a.example/v1?page=2"),
        ("https://a.example/v1?key=1", "books", "https://a.example/v1/books?key=1"),
        ("https://a.example/v1?key=1", "books?page=2", "https://a.example/v1/books?key=1&page=2"),
        ("https://a.example/v1?", "books?page=2", "https://a.example/v1/books?page=2"),
        ("https://a.example/v1#top", "books#end", "https://a.example/v1/books"),
        ("https://a.example/v1", "a%2Fb", "https://a.example/v1/a%2Fb"),
        ("https://a.example/v1", "å b", "https://a.example/v1/%C3%A5%20b"),
        ("https://a.example/å", "b", "https://a.example/%C3%A5/b"),
        ("http://a.example:8080/v1", "books", "http://a.example:8080/v1/books"),
        ("http://[::1]:8080", "books", "http://[::1]:8080/books"),
        ("HTTPS://a.example", "books", "HTTPS://a.example/books"),
        ("https://a.example/v1", "https://b.example/x?y=1", "https://b.example/x?y=1"),
        ("https://a.example/v1", "http://b.example", "http://b.example"),
        ("https://a.example/v1", "books/../authors", "https://a.example/v1/authors"),
        ("https://a.example/v1", "./books", "https://a.example/v1/books"),
        ("https://a.example/v1", "..books", "https://a.example/v1/..books"),
    ]

    @Test("stands before every target that is not a whole URL", arguments: joined)
    func joins(base: String, target: String, expected: String) async throws {
        // given
        let rig = Rig(.status(200))
        let client = try rig.client(base: base)
        // when
        _ = try await client.get(target)
        // then
        #expect(rig.urls == [expected])
    }

    @Test(
        "stands before a target with items of a query, after its own",
        arguments: [
            ("https://a.example/v1", "books", "https://a.example/v1/books?page=2"),
            ("https://a.example/v1/", "/books/", "https://a.example/v1/books/?page=2"),
            ("https://a.example/v1?key=1", "books", "https://a.example/v1/books?key=1&page=2"),
            ("https://a.example", "/", "https://a.example/?page=2"),
            ("https://a.example/v1", "", "https://a.example/v1?page=2"),
            ("https://a.example/v1", "å", "https://a.example/v1/%C3%A5?page=2"),
        ])
    func joinsQuery(base: String, target: String, expected: String) async throws {
        // given
        let rig = Rig(.status(200))
        let client = try rig.client(base: base)
        // when
        _ = try await client.get(target, query: ["page": "2"])
        // then
        #expect(rig.urls == [expected])
    }

    @Test(
        "and a path make the same URL where nothing is to be encoded in the path as where the whole is parsed",
        arguments: Seed.ofRun)
    func plain(seed: Seed) async throws {
        var random = seed.numbers
        for _ in 0..<500 {
            // given: what ends with a fragment, which is not sent, is always parsed
            let base =
                ["https://a.example", "https://a.example:8080/v1", "https://a.example/v1/", "https://a.example/?k=1"]
                .randomElement(using: &random) ?? ""
            let signs = Array("ab9-_//.:?%é")
            let target = String(
                (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in signs.randomElement(using: &random) })
            let query: HTTP.Query = Bool.random(using: &random) ? ["q": "x y"] : [:]
            let rig = Rig(.status(200).repeated())
            let client = try rig.client(base: base)
            // when
            let one = await client.result(of: .get(target, query: query, as: String.self))
            let other = await client.result(of: .get(target + "#f", query: query, as: String.self))
            // then
            #expect(one.failure?.code == other.failure?.code, "\(base) \(target)")
            #expect(rig.urls.count == (one.failure == nil ? 2 : 0), "\(base) \(target)")
            #expect(rig.urls.first == rig.urls.last, "\(base) \(target)")
            // and the origin that is known is that of the URL
            for request in rig.transport.requests {
                #expect(request.destination == HTTP.Request(url: request.url).destination, "\(base) \(target)")
            }
        }
    }

    @Test("is no longer where a request goes that an interceptor leads elsewhere")
    func ledElsewhere() async throws {
        // given
        let rig = Rig(.status(200))
        let destinations = Notes<String>()
        let client = try rig.client(base: "https://a.example/v1") {
            ClosureInterceptor { request, _, next in
                var request = request
                destinations.add(request.destination)
                request.url = try #require(URL(string: "http://b.example/books"))
                destinations.add(request.destination)
                return try await next(request)
            }
        }
        // when
        _ = try await client.get("books")
        // then
        #expect(destinations.all == ["https://a.example:443", "http://b.example:80"])
        #expect(rig.transport.requests.map(\.destination) == ["http://b.example:80"])
    }

    @Test(
        "is not left: a target that would is refused, and nothing is sent",
        arguments: [
            "../admin", "/../admin", "books/../../admin", "..", "%2e%2e/admin", ".%2E/admin", "./../admin",
            "a/../../../admin/a/b",
        ])
    func climbs(target: String) async throws {
        // given
        let rig = Rig()
        let client = try rig.client()
        // when
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.get(target) as HTTP.Response })
        // then
        #expect(failure.code == "request.invalidURL")
        #expect(failure.explanation.contains("above the base URL"))
        #expect(rig.transport.requests.isEmpty)
    }

    @Test(
        "is not replaced by a target of another scheme or without a host",
        arguments: [
            "ftp://a.example/x", "file:///etc/passwd", "javascript:alert(1)", "mailto:a@b.example", "http://",
            "https:///x",
            "data:,x", "books:1", "//evil.example/x",
        ])
    func otherScheme(target: String) async throws {
        // given
        let rig = Rig()
        let client = try rig.client()
        // when
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.get(target) as HTTP.Response })
        // then
        #expect(failure.code == "request.invalidURL")
        #expect(failure.explanation.contains("The target"))
        #expect(rig.transport.requests.isEmpty)
    }

    @Test(
        "has to be a whole http or https URL when the client is made",
        arguments: [
            "", " ", "books", "/v1", "ftp://a.example", "http://", "https://", "https:///v1", "//a.example",
            "a.example/v1",
            "localhost:8080", "https://a.example\n", "mailto:a@b.example", "file:///v1", "https://[::1",
            "https://" + String(repeating: "a", count: 70_000),
        ])
    func invalid(base: String) {
        let error = #expect(throws: RequestError.self) { try Client(baseURL: base, transport: ScriptedTransport()) {} }
        #expect(error?.code == .invalidURL)
        #expect(error.map { $0.detail.count < 300 } == true)
        #expect(throws: RequestError.self) { try Client.standard(baseURL: base, transport: ScriptedTransport()) }
        #expect(throws: RequestError.self) {
            try Client.standard(baseURL: base, apiError: SignUpError.self, transport: ScriptedTransport())
        }
    }

    @Test("as a URL is checked in the same way")
    func invalidURL() throws {
        let path = try #require(URL(string: "/v1"))
        let error = #expect(throws: RequestError.self) { try Client(baseURL: path, transport: ScriptedTransport()) {} }
        #expect(error?.detail.contains("https://api.example.com/v1") == true)
    }

    @Test("does not tell its secrets when it is refused", arguments: ["ftp://ann:hunter2@a.example/?token=hunter2"])
    func secret(base: String) {
        let error = #expect(throws: RequestError.self) { try Client(baseURL: base, transport: ScriptedTransport()) {} }
        #expect(error.map { "\($0)".contains("hunter2") } == false)
    }

    @Test("may be missing when all endpoints give whole URLs")
    func none() async throws {
        // given
        let rig = Rig(.status(200))
        let client = try Client(baseURL: nil, transport: rig.transport, options: rig.options) {}
        // when
        _ = try await client.get("https://b.example/x")
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.get("books") as HTTP.Response })
        // then
        #expect(rig.urls == ["https://b.example/x"])
        #expect(failure.code == "request.invalidURL")
        #expect(failure.explanation.contains("\"books\" is a path, and the client has no base URL"))
    }
}
