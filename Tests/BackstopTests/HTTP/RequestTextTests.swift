import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A request in texts", .limited)
struct RequestTextTests {
    private static func details(_ body: String, type: String?) throws -> String {
        var request = try HTTP.Request(.post, "https://a.example/login", body: .text(body))
        request.headers[.contentType] = type
        return request.details(.standard).joined(separator: "\n")
    }

    @Test("is method and URL, without user info and secret items of the query")
    func summary() throws {
        // given
        let request = try HTTP.Request(.get, "https://ann:hunter2@a.example/books?page=2&access_token=hunter2")
        // then
        #expect(request.summary(.standard) == "GET https://<redacted>@a.example/books?page=2&access_token=<redacted>")
        #expect(request.description == request.summary(.standard))
        #expect(request.summary(.off) == "GET https://ann:hunter2@a.example/books?page=2&access_token=hunter2")
    }

    @Test(
        "hides the secrets of its body",
        arguments: [
            (#"{"user":"ann","password":"hunter2"}"#, "application/json"),
            (#"{"user":"ann","nested":[{"apiKey":"hunter2"}]}"#, "application/json"),
            (#"{"user":"ann","password":"hunter2"#, "application/json"),
            ("user=ann&password=hunter2", "application/x-www-form-urlencoded"), ("user=ann&pin=hunter2", nil),
            (#"{"user":"ann","password":"hunter2"}"#, nil),
            ("user ann, Authorization: Bearer hunter2hunter2", "text/plain"),
        ] as [(String, String?)])
    func body(body: String, type: String?) throws {
        let text = try Self.details(body, type: type)
        #expect(!text.contains("hunter2"))
        #expect(text.contains("ann"))
        #expect(text.contains("body: \(body.utf8.count) bytes: "))
    }

    @Test("hides the secrets of a form that nobody says is one")
    func unnamedForm() throws {
        for body in [HTTP.Body.text("user=ann&pin=hunter2"), .data(Data("user=ann&pin=hunter2".utf8))] {
            let request = try HTTP.Request(.post, "https://a.example", body: body)
            #expect(!request.details(.standard).joined().contains("hunter2"))
            #expect(!request.curlCommand().contains("hunter2"))
        }
    }

    @Test("shows the whole body on an explicit demand only")
    func unredacted() throws {
        let request = try HTTP.Request(.post, "https://a.example", body: .text(#"{"password":"hunter2"}"#))
        #expect(request.details(.off) == [#"body: 22 bytes: {"password":"hunter2"}"#])
    }

    @Test("shows the first 500 characters of the body, on one line")
    func bounded() throws {
        // given
        let body = "a\nb\tc\r\n" + String(repeating: "x", count: 10_000)
        // when
        let text = try Self.details(body, type: "text/plain")
        // then
        let shown = try #require(text.split(separator: "\n").last)
        #expect(shown.hasPrefix("body: 10007 bytes: a b c "))
        #expect(shown.hasSuffix("xxx…"))
        #expect(shown.count < 540)
    }

    @Test(
        "does not print bytes that are not text",
        arguments: [
            Data([0x89, 0x50, 0x4E, 0x47, 0, 1, 2, 3]), Data([0xFF, 0xD8, 0xFF, 0xE1, 0x9C, 0x80, 0xB1, 0x42]),
            Data((0..<2000).map { UInt8(truncatingIfNeeded: $0 | 0x80) }),
        ])
    func binary(body: Data) throws {
        let request = try HTTP.Request(.post, "https://a.example", body: .data(body))
        #expect(request.details(.standard) == ["body: \(body.count) bytes (not text)"])
    }

    @Test("prints text whose last character is cut")
    func cut() throws {
        let request = try HTTP.Request(.post, "https://a.example", body: .data(Data("lång text, å".utf8).dropLast()))
        #expect(request.details(.standard) == ["body: 13 bytes: lång text, \u{FFFD}"])
    }

    @Test("tells files by their name, and streams by their length")
    func filesAndStreams() throws {
        func details(_ body: HTTP.Body) throws -> [String] {
            try HTTP.Request(.post, "https://a.example", body: body).details(.standard)
        }
        #expect(try details(.file(URL(fileURLWithPath: "/home/ann/photo.jpg"))) == ["body: the file photo.jpg"])
        #expect(try details(.stream(length: 5) { pieces(of: Data()) }) == ["body: a stream of 5 bytes"])
        #expect(try details(.stream { pieces(of: Data()) }) == ["body: a stream of unknown length"])
        #expect(try details(.none) == [])
        #expect(try details(.data(Data())) == ["body: 0 bytes"])
    }

    @Test("stays short, however long URL, header names and header values are")
    func hostile() throws {
        // given
        var request = try HTTP.Request(.get, "https://a.example/" + String(repeating: "a", count: 60_000))
        try request.headers.set(String(repeating: "b", count: 100_000), for: "X-Long")
        try request.headers.set("1", for: HTTP.Headers.Name(String(repeating: "c", count: 100_000)))
        for number in 0..<500 {
            try request.headers.add("\(number)", for: "X-Many")
        }
        // then
        #expect(request.summary(.standard).count < 3000)
        #expect(request.details(.standard).joined().count < 15_000)
        #expect(request.details(.standard).last == "(462 more headers)")
    }

    @Test("hides the same in dumps")
    func dumps() throws {
        // given
        let request = try HTTP.Request(
            .post, "https://ann:hunter2@a.example/?token=hunter2", headers: ["Authorization": "Bearer hunter2"],
            body: .text(#"{"password":"hunter2"}"#))
        // then
        for text in [dumped(request), String(reflecting: request), "\(request)", dumped([request])] {
            #expect(!text.contains("hunter2"))
            #expect(text.contains("POST https://<redacted>@a.example/?token=<redacted>"))
        }
    }
}
