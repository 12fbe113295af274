import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A request", .limited)
struct RequestTests {
    @Test(
        "encodes the values of its query so that every server reads the same",
        arguments: [
            ("a+b", "a%2Bb"), ("a&b=c", "a%26b%3Dc"), ("a b", "a%20b"), ("åö", "%C3%A5%C3%B6"), ("100%", "100%25"),
            ("a/b?c#d", "a%2Fb%3Fc%23d"), ("🦊", "%F0%9F%A6%8A"), ("", ""), ("a;b,c", "a%3Bb%2Cc"), ("%2B", "%252B"),
            ("-._~", "-._~"), ("a\r\nb", "a%0D%0Ab"),
        ])
    func query(value: String, expected: String) throws {
        // when
        let request = try HTTP.Request(.get, "books", query: ["q": value])
        // then
        #expect(request.url.absoluteString == "books?q=\(expected)")
    }

    @Test("encodes names, keeps the order, repeats names, and writes a name alone where it is asked to")
    func names() throws {
        let request = try HTTP.Request(
            .get, "books", query: ["a b": "1", "c": HTTP.Query.nameOnly, "a b": "2", "d&": ""])
        #expect(request.url.absoluteString == "books?a%20b=1&c&a%20b=2&d%26=")
    }

    @Test(
        "adds its query to the one that the target has",
        arguments: [("books?page=1", "books?page=1&q=x"), ("books?", "books?q=x")])
    func added(target: String, expected: String) throws {
        #expect(try HTTP.Request(.get, target, query: ["q": "x"]).url.absoluteString == expected)
    }

    @Test("takes a query that is not known when the code is written")
    func items() throws {
        let items = [URLQueryItem(name: "tag", value: "a+b"), URLQueryItem(name: "tag", value: "c")]
        #expect(try HTTP.Request(.get, "books", queryItems: items).url.absoluteString == "books?tag=a%2Bb&tag=c")
    }

    @Test(
        "encodes what its target may not have",
        arguments: [("a b", "a%20b"), ("böcker", "b%C3%B6cker"), ("a\"b", "a%22b"), ("a%20b", "a%20b")])
    func target(target: String, expected: String) throws {
        #expect(try HTTP.Request(.get, target).url.absoluteString == expected)
    }

    @Test(
        "refuses targets that cannot be sent, and says why",
        arguments: [
            ("//evil.example/x", "begins with //"), ("books\n", "control character 0xA"),
            ("books\r\nX: 1", "control character 0xD"), ("a\u{0}b", "control character 0x0"),
            ("a\u{7F}", "control character 0x7F"), ("a\u{1B}[2J", "control character 0x1B"),
            (String(repeating: "a", count: 65_537), "65537 bytes long"), ("http://[::1", "cannot be read"),
        ])
    func refused(target: String, text: String) {
        let error = #expect(throws: RequestError.self) { try HTTP.Request(.get, target) }
        #expect(error?.code == .invalidURL)
        #expect(error?.detail.contains(text) == true)
        #expect(error.map { hasControls($0.detail) } == false)
        #expect(error.map { $0.detail.count < 300 } == true)
    }

    @Test("may have a target of 65,536 bytes")
    func longest() throws {
        #expect(try HTTP.Request(.get, String(repeating: "a", count: 65_536)).url.absoluteString.count == 65_536)
    }

    @Test(
        "does not tell the secrets of a target that cannot be read",
        arguments: [
            "//ann:hunter2@a.example", "https://ann:hunter2@[a.example", "https://[a.example/?token=hunter2",
            "a?token=hunter2\n",
        ])
    func refusedSecret(target: String) {
        let error = #expect(throws: RequestError.self) { try HTTP.Request(.get, target) }
        #expect(error.map { "\($0)".contains("hunter2") } == false)
    }

    @Test("is without headers and body, and by URL GET, unless it is told otherwise")
    func defaults() throws {
        let request = HTTP.Request(url: try #require(URL(string: "https://a.example")))
        #expect(request.method == .get)
        #expect(request.headers.fields.isEmpty)
        #expect(request.body.isNone)
    }
}

@Suite("A request with JSON", .limited)
struct JSONRequestTests {
    private struct Price: Encodable { var price = Double.nan }

    private struct Secretive: Encodable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                "hunter2", .init(codingPath: [], debugDescription: "It cannot be encoded."))
        }
    }

    private struct Stubborn: Encodable {
        func encode(to encoder: any Encoder) throws { throw OwnError() }
    }

    @Test("has the JSON as its body, and says so")
    func json() throws {
        // when
        let request = try HTTP.Request.json(.post, "books", Book.dune)
        // then
        #expect(request.method == .post)
        #expect(request.headers[.contentType] == "application/json")
        #expect(try JSONDecoder().decode(Book.self, from: #require(request.body.data)) == .dune)
    }

    @Test("has JSON that is data already as it is, and no body for data that is missing")
    func dataAsJSON() throws {
        let data: Data? = Data("[1]".utf8)
        #expect(try HTTP.Request.json(.post, "a", data).body.data == data)
        let nothing = try HTTP.Request.json(.post, "a", Data?.none)
        #expect(nothing.body.isNone && nothing.headers[.contentType] == nil)
        #expect(try HTTP.Request.json(.post, "a", Int?.none).body.data == Data("null".utf8))
    }

    @Test("has an idempotency key only where the key is what makes it one that may be sent again")
    func key() throws {
        // given
        let headers: HTTP.Headers = ["Idempotency-Key": "k"]
        var marked = try HTTP.Request(.post, "a", headers: headers)
        marked.isRepeatable = true
        // then
        #expect(try HTTP.Request(.post, "a", headers: headers).idempotencyKey == "k")
        let two: HTTP.Headers = ["Idempotency-Key": "k", "idempotency-key": "l"]
        #expect(try HTTP.Request(.post, "a", headers: two).idempotencyKey == "k, l")
        #expect(try HTTP.Request(.get, "a", headers: headers).idempotencyKey == nil)
        #expect(marked.idempotencyKey == nil)
        #expect(marked.isIdempotent)
    }

    @Test("uses the encoder that it is given")
    func encoder() throws {
        // given
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        // when
        struct Order: Encodable { var bookTitle = "Dune" }
        let request = try HTTP.Request.json(.post, "orders", Order(), encoder: encoder)
        // then
        #expect(request.body.data == Data(#"{"book_title":"Dune"}"#.utf8))
    }

    @Test("fails with request.encoding and the place when a number has no JSON")
    func nan() {
        let error = #expect(throws: RequestError.self) { try HTTP.Request.json(.post, "books", Price()) }
        #expect(error?.code == .encoding)
        #expect(error?.detail.hasPrefix("$.price: ") == true)
        #expect(error?.underlying is EncodingError)
    }

    @Test("does not tell the value that could not be encoded")
    func value() async throws {
        // given
        let rig = Rig()
        let client = try rig.standard()
        // when
        let failure = try #require(
            await #expect(throws: Failure.self) { try await client.post("books", json: Secretive()) as HTTP.Response })
        // then
        #expect(failure.code == "request.encoding")
        #expect(failure.report.contains("It cannot be encoded."))
        #expect(!failure.report.contains("hunter2"))
        #expect(rig.transport.requests.isEmpty)
    }

    @Test("names the type that threw an error of its own")
    func own() {
        let error = #expect(throws: RequestError.self) { try HTTP.Request.json(.post, "books", Stubborn()) }
        #expect(error?.code == .encoding)
        #expect(error?.detail == "Stubborn could not be encoded")
        #expect(error?.underlying is OwnError)
    }

    @Test("stays as it was when the value cannot be encoded")
    func unchanged() throws {
        // given
        var request = try HTTP.Request(.post, "books", body: .text("old"))
        // when
        #expect(throws: RequestError.self) { try request.setJSON(Price()) }
        // then
        #expect(request.body.data == Data("old".utf8))
        #expect(request.headers[.contentType] == nil)
    }
}
