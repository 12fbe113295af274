import BackstopResilience
import BackstopTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests and responses of URLSession", .limited)
struct URLSessionConversionTests {
    private static func plain() throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "https://api.example.com/books?page=2")))
    }

    @Test("become those of Backstop, and requests become what they were")
    func roundTrip() throws {
        var plain = try Self.plain()
        plain.httpMethod = "PATCH"
        plain.setValue("application/json", forHTTPHeaderField: "Content-Type")
        plain.setValue("k1", forHTTPHeaderField: "Idempotency-Key")
        plain.httpBody = Data("{}".utf8)

        let request = try HTTP.Request(plain)

        #expect(request.method == .patch)
        #expect(request.url == plain.url)
        #expect(request.headers.map(\.name) == ["Content-Type", "Idempotency-Key"])
        #expect(request.idempotencyKey == "k1")
        #expect(request.body.data == Data("{}".utf8))
        let back = try URLRequest(request)
        #expect(back.httpMethod == "PATCH")
        #expect(back.url == plain.url)
        #expect(back.allHTTPHeaderFields == plain.allHTTPHeaderFields)
        #expect(back.httpBody == plain.httpBody)
        #expect(back.timeoutInterval == plain.timeoutInterval)
    }

    @Test("a body that only the session can read is not sent a second time, nor by another")
    func bodyStream() async throws {
        var plain = try Self.plain()
        plain.httpMethod = "PUT"
        plain.httpBodyStream = InputStream(data: Data("a".utf8))
        let request = try HTTP.Request(plain)
        #expect(!request.isReplayable)
        #expect(!Failure(URLError(.timedOut), request: plain).isRetryable)
        let error = await #expect(throws: RequestError.self) { _ = try await request.body.open() }
        #expect(error?.code == .bodyUnreadable)
    }

    @Test("a request of Backstop is checked as a client checks it")
    func checked() throws {
        func code(_ request: HTTP.Request) -> RequestError.Code? {
            do throws(RequestError) {
                _ = try URLRequest(request)
                return nil
            } catch {
                return error.code
            }
        }
        let url = try #require(URL(string: "https://api.example.com"))
        #expect(code(try HTTP.Request(.get, "books")) == .invalidURL)
        #expect(code(HTTP.Request(.get, url: url, headers: ["A": "b\r\nC: d"])) == .invalidHeader)
        #expect(code(HTTP.Request(.post, url: url, body: .file(url))) == .bodyUnreadable)
        #expect(code(HTTP.Request(.get, url: url, body: .text("a"))) == .invalid)
        #expect(code(HTTP.Request(.post, url: url, body: .text("a"))) == nil)
        #expect(
            try URLRequest(HTTP.Request(.post, url: url, body: .text("a"))).value(forHTTPHeaderField: "Content-Type")
                == "text/plain; charset=utf-8")
    }

    @Test("a request without a URL, or with a method that is none, is refused")
    func refused() throws {
        var plain = try Self.plain()
        plain.httpMethod = "GET /"
        #expect(throws: RequestError.self) { try HTTP.Request(plain) }
        plain = try Self.plain()
        plain.url = nil
        #expect(throws: RequestError.self) { try HTTP.Request(plain) }
    }

    @Test("a response has status, fields, body and URL")
    func response() throws {
        let url = try #require(URL(string: "https://api.example.com/books"))
        let head = try #require(
            HTTPURLResponse(url: url, statusCode: 206, httpVersion: "HTTP/1.1", headerFields: ["ETag": "\"a\""]))
        let response = HTTP.Response(head, body: Data("a".utf8))
        #expect(response.status == 206)
        #expect(response.headers["ETag"] == "\"a\"")
        #expect(response.body == Data("a".utf8))
        #expect(response.url == url)
        #expect(HTTP.Response(head).body.isEmpty)
    }
}
