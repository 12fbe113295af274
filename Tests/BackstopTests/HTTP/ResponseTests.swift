import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A response", .limited)
struct ResponseTests {
    private static func response(
        _ body: String = "", type: String? = nil, status: Int = 200, url: String? = nil
    ) -> HTTP.Response {
        var headers = HTTP.Headers()
        headers[.contentType] = type
        return HTTP.Response(
            status: status, headers: headers, body: Data(body.utf8), url: url.flatMap { URL(string: $0) })
    }

    @Test(
        "gives the media type in lower case and without parameters",
        arguments: [
            ("application/json", "application/json"), ("Application/JSON; charset=utf-8", "application/json"),
            (" text/html ;charset=x", "text/html"), ("text/plain;", "text/plain"), ("", ""), (nil, nil),
        ] as [(String?, String?)])
    func mediaType(type: String?, expected: String?) {
        #expect(Self.response(type: type).mediaType == expected)
    }

    @Test(
        "is a success from 200 to 299", arguments: [(199, false), (200, true), (299, true), (300, false), (404, false)])
    func success(status: Int, expected: Bool) {
        #expect(Self.response(status: status).isSuccess == expected)
    }

    @Test("sums up status, content type, size and where it came from")
    func summary() {
        let page = Self.response("hello", type: "text/plain", status: 404, url: "https://a.example/x?token=hunter2")
        #expect(
            page.summary(.standard) == "404 Not Found, text/plain, 5 bytes, from https://a.example/x?token=<redacted>")
        #expect(Self.response(status: 299).summary(.standard) == "299, no content type, 0 bytes")
        let nothing = HTTP.Response(status: 299, headers: ["Content-Type": " "])
        #expect(nothing.summary(.standard) == "299, no content type, 0 bytes")
        #expect(page.summary(.off).hasSuffix("token=hunter2"))
    }

    @Test("hides the secrets of headers and body")
    func details() {
        // given
        let headers: HTTP.Headers = ["Set-Cookie": "id=hunter2", "Content-Type": "application/json; charset=utf-8"]
        let body = Data(#"{"user":"ann","refresh_token":"hunter2"}"#.utf8)
        let response = HTTP.Response(status: 200, headers: headers, body: body)
        // then
        #expect(
            response.details(.standard) == [
                "Set-Cookie: <redacted>", "Content-Type: application/json; charset=utf-8",
                #"body: {"user":"ann","refresh_token":"<redacted>"}"#,
            ])
        for text in [dumped(response), String(reflecting: response), "\(response)"] {
            #expect(!text.contains("hunter2"))
        }
        #expect(response.details(.off).joined().contains("hunter2"))
    }

    @Test(
        "shows no bytes that are not text",
        arguments: [
            Data([0x1F, 0x8B, 8, 0, 0, 0]), Data([0xFF, 0xD8, 0xFF, 0xE1, 0x9C, 0x80, 0xB1, 0x42]),
        ])
    func binary(body: Data) {
        #expect(HTTP.Response(status: 200, body: body).details(.standard) == ["body (not text)"])
    }

    @Test("never lets control characters reach a terminal")
    func controls() {
        // given
        let escape = "a\u{1B}[2J\u{7}\u{9B}31m\r\nb\u{7F}\u{0}"
        var headers = HTTP.Headers()
        headers.addReceived(escape, for: "Content-Type")
        headers.addReceived(escape, for: "X-\(escape)")
        let body = Data("text \u{1B}[2J\u{7}\u{9B}31m\r\nb\u{7F}".utf8)
        let response = HTTP.Response(status: 200, headers: headers, body: body)
        // then
        for redaction in [Redaction.standard, .off] {
            #expect(!hasControls(response.summary(redaction)))
            #expect(!response.summary(redaction).contains("\n"))
            #expect(response.details(redaction).allSatisfy { !hasControls($0) && !$0.contains("\n") })
        }
        #expect(!hasControls(dumped(response)))
    }

    @Test("stays short, however much the server sends")
    func hostile() {
        // given
        var headers = HTTP.Headers()
        headers.addReceived(String(repeating: "t", count: 100_000), for: "Content-Type")
        headers.addReceived(String(repeating: "v", count: 100_000), for: "X-Long")
        headers.addReceived("1", for: String(repeating: "n", count: 100_000))
        for number in 0..<1000 {
            headers.addReceived("\(number)", for: "X-Many")
        }
        let url = URL(string: "https://a.example/" + String(repeating: "u", count: 60_000))
        let body = Data(repeating: 0x41, count: 1_000_000)
        // when
        let response = HTTP.Response(status: 200, headers: headers, body: body, url: url)
        // then
        #expect(response.summary(.standard).count < 3000)
        #expect(response.details(.standard).joined().count < 5000)
        #expect(response.details(.standard).contains("(963 more headers)"))
    }

    @Test("that is cut keeps its size and all else")
    func bounded() {
        // given
        let response = Self.response("hello", type: "text/plain", status: 404, url: "https://a.example/x")
        // when
        let cut = response.bounded(to: 2)
        // then
        #expect(cut.body == Data("he".utf8))
        #expect(cut.bodySize == 5)
        #expect(cut.status == 404)
        #expect(cut.headers == response.headers)
        #expect(cut.summary(.standard) == response.summary(.standard))
        #expect(response.bounded(to: 5).body.count == 5)
        #expect(response.bounded(to: 0).body.isEmpty)
        #expect(response.bounded(to: -1).body.isEmpty)
        #expect(response.bounded(to: 0).bodySize == 5)
    }

    @Test("decodes JSON, and explains what cannot be decoded")
    func json() throws {
        // given
        let good = Self.response(Book.json, type: "application/json")
        let bad = Self.response(#"{"id":"one","title":"Dune"}"#, type: "application/json")
        // then
        #expect(try good.json(Book.self) == .dune)
        let error = #expect(throws: DecodingFailure.self) { try bad.json(Book.self) }
        #expect(error?.path == "$.id")
        #expect(error?.kind == .typeMismatch)
    }
}
