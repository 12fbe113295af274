import Backstop
import BackstopTestSupport
import Foundation
import Testing

@Suite("A curl command", .limited)
struct CurlTests {
    private static let type = "-H 'Content-Type: text/plain; charset=utf-8'"

    private static func command(
        _ method: HTTP.Method = .get, _ target: String = "https://a.example/b", headers: HTTP.Headers = [:],
        body: HTTP.Body = .none, _ redaction: Redaction = .standard
    ) throws -> String {
        try HTTP.Request(method, target, headers: headers, body: body).curlCommand(redaction: redaction)
    }

    @Test("says the method where curl would take another one")
    func methods() throws {
        #expect(try Self.command() == "curl 'https://a.example/b'")
        #expect(try Self.command(.head) == "curl --head 'https://a.example/b'")
        #expect(try Self.command(.delete) == "curl -X DELETE 'https://a.example/b'")
        #expect(
            try Self.command(.post, body: .text("a"))
                == "curl -X POST 'https://a.example/b' \(Self.type) --data-raw 'a'")
        #expect(
            try Self.command(.get, body: .text("a")) == "curl -X GET 'https://a.example/b' \(Self.type) --data-raw 'a'")
    }

    @Test(
        "puts everything in quotes that a shell could read",
        arguments: [
            ("it's", #"'it'\''s'"#), ("a\nb", #"$'a\nb'"#), ("$(id) `id` \"x\" \\ !1 *", "'$(id) `id` \"x\" \\ !1 *'"),
            ("'", #"''\'''"#), ("it's\r\\\u{1B}[1m\u{202E}é", #"$'it\'s\015\\\033[1m\342\200\256é'"#),
        ])
    func quoting(text: String, expected: String) throws {
        let command = try Self.command(.post, body: .text(text), .off)
        #expect(command == "curl -X POST 'https://a.example/b' \(Self.type) --data-raw \(expected)")
    }

    @Test("quotes headers and URL")
    func headers() throws {
        // given
        let headers: HTTP.Headers = ["X-Note": "it's $HOME", "Accept": "*/*"]
        // then
        #expect(
            try Self.command(headers: headers)
                == #"curl 'https://a.example/b' -H 'X-Note: it'\''s $HOME' -H 'Accept: */*'"#)
        #expect(try Self.command(.get, "https://a.example/it's") == #"curl 'https://a.example/it'\''s'"#)
    }

    @Test("quotes a method, whose characters a shell could read", arguments: ["`id`", "A&B", "A|B", "!1", "A*"])
    func method(name: String) throws {
        #expect(try Self.command(HTTP.Method(name)) == "curl -X '\(name)' 'https://a.example/b'")
        #expect(try Self.command(HTTP.Method("it's")) == #"curl -X 'it'\''s' 'https://a.example/b'"#)
    }

    @Test("sends a header without a value, which curl would leave out otherwise")
    func emptyHeader() throws {
        #expect(try Self.command(headers: ["X-Empty": ""]) == "curl 'https://a.example/b' -H 'X-Empty;'")
    }

    @Test("hides secrets unless it is told not to")
    func redaction() throws {
        // given
        func command(_ redaction: Redaction) throws -> String {
            try Self.command(
                .post, "https://ann:hunter2@a.example/?token=hunter2",
                headers: ["Authorization": "Bearer hunter2", "Content-Type": "application/json"],
                body: .text(#"{"password":"hunter2"}"#), redaction)
        }
        // then
        #expect(try !command(.standard).contains("hunter2"))
        #expect(
            try command(.off)
                == #"curl -X POST 'https://ann:hunter2@a.example/?token=hunter2' -H 'Authorization: Bearer hunter2' "#
                + #"-H 'Content-Type: application/json' --data-raw '{"password":"hunter2"}'"#)
        #expect(try HTTP.Request(.get, "https://a.example/?token=hunter2").curlCommand().contains("token=<redacted>"))
    }

    @Test("names files, and leaves streams and bytes that are not text to standard input")
    func bodies() throws {
        // given
        let stream = HTTP.Body.stream { pieces(of: Data()) }
        let bytes = "-H 'Content-Type: application/octet-stream'"
        // then
        #expect(
            try Self.command(.put, body: .file(URL(fileURLWithPath: "/tmp/it's.jpg")))
                == #"curl -X PUT 'https://a.example/b' -H 'Content-Type: application/octet-stream' --data-binary "#
                + #"'@/tmp/it'\''s.jpg'"#)
        #expect(try Self.command(.put, body: stream) == "curl -X PUT 'https://a.example/b' \(bytes) --data-binary @-")
        #expect(
            try Self.command(.put, body: .data(Data([0x89, 0, 0xFF, 0x1B])))
                == "curl -X PUT 'https://a.example/b' \(bytes) --data-binary @-")
    }
}
