import BackstopTestSupport
import Foundation
import Testing

@testable import Backstop

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests as URLSession gets them", .limited)
struct OutgoingRequestTests {
    @Test("method, URL, headers and timeout arrive")
    func head() throws {
        let request = try HTTP.Request(.put, "https://a.example/b?c=d", headers: ["Accept": "x/y"], body: .text("hi"))
        let outgoing = try OutgoingRequest(request, timeout: 7)
        #expect(outgoing.head.httpMethod == "PUT")
        #expect(outgoing.head.url?.absoluteString == "https://a.example/b?c=d")
        #expect(outgoing.head.value(forHTTPHeaderField: "accept") == "x/y")
        #expect(outgoing.head.timeoutInterval == 7)
        #expect(outgoing.body.data == Data("hi".utf8))
    }

    @Test("a body says what it is, unless the headers do")
    func contentType() throws {
        func sent(_ body: HTTP.Body, headers: HTTP.Headers = [:]) throws -> String? {
            let request = try HTTP.Request(.post, "https://a.example/b", headers: headers, body: body)
            return try OutgoingRequest(request, timeout: 1).head.value(forHTTPHeaderField: "Content-Type")
        }
        #expect(try sent(.text("hi")) == "text/plain; charset=utf-8")
        let stream = HTTP.Body.stream { AsyncStream<Data> { $0.finish() } }
        for body in [.data(Data("{}".utf8)), .file(URL(fileURLWithPath: "a")), stream] {
            #expect(try sent(body) == "application/octet-stream")
            #expect(try sent(body, headers: ["content-type": "image/png"]) == "image/png")
        }
        for body in [HTTP.Body.none, .text(""), .data(Data())] {
            #expect(try sent(body) == nil)
        }
    }

    @Test("several values of a name are joined, cookies in their own way")
    func joined() throws {
        let headers: HTTP.Headers = ["Accept": "a", "Cookie": "x=1", "ACCEPT": "b", "cookie": "y=2"]
        let fields = OutgoingRequest.fields(of: headers)
        #expect(fields.map(\.name) == ["Accept", "Cookie"])
        #expect(fields.map(\.value) == ["a, b", "x=1; y=2"])
    }

    @Test("what frames the body is left to the session")
    func framing() {
        let headers: HTTP.Headers = ["Content-Length": "99", "Transfer-Encoding": "chunked", "Host": "h"]
        #expect(OutgoingRequest.fields(of: headers).map(\.name) == ["Host"])
    }

    @Test("a header that was refused keeps the request from being sent")
    func refusedHeader() throws {
        var request = try HTTP.Request(.get, "https://a.example/")
        request.headers["X"] = "a\r\nEvil: 1"
        expect(.invalidHeader, request)
    }

    @Test("only http and https with a host are sent to", arguments: ["books", "ftp://a/b", "https:///x", "mailto:a@b"])
    func invalidURL(text: String) throws {
        expect(.invalidURL, HTTP.Request(.get, url: try #require(URL(string: text))))
    }

    @Test(
        "a user or a password in the URL is refused, with what to do instead, and not shown",
        arguments: ["https://ann:hunter2@a.example/", "https://ann@a.example/", "https://:hunter2@a.example/"])
    func userInfo(text: String) throws {
        let error = #expect(throws: RequestError.self) { try OutgoingRequest.checked(try #require(URL(string: text))) }
        #expect(error?.code == .invalidURL)
        #expect(error?.detail.contains("Authorization") == true)
        #expect(error?.detail.contains("hunter2") == false)
        let path = try #require(URL(string: "https://a.example/@ann?to=b@c.example"))
        #expect(try OutgoingRequest.checked(path) == path)
    }

    @Test("a scheme in capitals is written small, because Linux knows no other")
    func schemeInCapitals() throws {
        let url = try #require(URL(string: "HTTPS://a.example/B"))
        #expect(try OutgoingRequest.checked(url).absoluteString == "https://a.example/B")
    }

    @Test("a method whose content means nothing is not sent with any", arguments: ["GET", "HEAD", "TRACE", "get"])
    func contentWithoutMeaning(name: String) throws {
        let method = try HTTP.Method(name)
        expect(.invalid, try HTTP.Request(method, "https://a.example/", body: .text("x")))
        let empty = try OutgoingRequest(try HTTP.Request(method, "https://a.example/", body: .text("")), timeout: 1)
        #expect(empty.body.isNone)
    }

    @Test("a file that cannot be read is an unreadable body", arguments: ["/nonexistent/file", "/"])
    func unreadableFile(path: String) async throws {
        let request = try HTTP.Request(.post, "https://a.example/", body: .file(URL(fileURLWithPath: path)))
        await expectUnreadable(request)
    }

    @Test("a file that changes after its length was announced is found out, and named", arguments: [-1, 1])
    func changedFile(difference: Int) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer {
            try? FileManager.default.removeItem(at: file)
        }
        try Data(count: 1000).write(to: file)
        let request = try HTTP.Request(.post, "https://a.example/", body: .file(file))
        let chunks = try #require(try await OutgoingRequest(request, timeout: 1).openBody())
        #expect(chunks.length == 1000)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(1000 + difference))
        try handle.close()
        let error = #expect(throws: RequestError.self) {
            while try chunks.next() != nil {}
        }
        #expect(error?.code == .bodyLength)
        #expect(error?.detail.contains(file.lastPathComponent) == true)
    }

    @Test("a file must be one on this machine")
    func remoteFile() async throws {
        let url = try #require(URL(string: "https://a.example/file"))
        await expectUnreadable(try HTTP.Request(.post, "https://a.example/", body: .file(url)))
    }

    @Test("a stream that cannot be opened is an unreadable body")
    func unreadableStream() async throws {
        let body = HTTP.Body.stream { () throws -> AsyncStream<Data> in throw CocoaError(.fileReadNoSuchFile) }
        await expectUnreadable(try HTTP.Request(.post, "https://a.example/", body: body))
    }

    @Test(
        "the interval has whole seconds and ends after the deadline",
        arguments: [
            (Duration?.none, 1.0), (.milliseconds(1200), 7.0), (.seconds(-9), 5.0), (.seconds(99_999_999), 604_800.0),
        ])
    func timeout(remaining: Duration?, expected: TimeInterval) {
        #expect(RequestTimeout.interval(remaining: remaining, idle: .milliseconds(300)) == expected)
    }

    @Test("an interval that is no number is bounded", arguments: [Double.nan, .infinity, 1e300])
    func endlessTimeout(seconds: Double) {
        #expect(RequestTimeout.bounded(seconds) == RequestTimeout.longest)
    }

    @Test("headers of the session are added where the request has none of the name")
    func sessionHeaders() throws {
        // given
        let request = try HTTP.Request(.get, "https://a.example/", headers: ["accept": "text/plain"])
        // when
        let sent = OutgoingRequest.adding(["Accept": "image/png", "X-Tenant": "7"], to: request)
        // then
        #expect(sent.headers.map(\.description) == ["accept: text/plain", "X-Tenant: 7"])
    }

    @Test("an interval has a second at least", arguments: [0, -5, 0.2])
    func shortTimeout(seconds: Double) {
        #expect(RequestTimeout.bounded(seconds) == 1)
    }

    private func expect(_ code: RequestError.Code, _ request: HTTP.Request) {
        let error = #expect(throws: RequestError.self) { try OutgoingRequest(request, timeout: 1) }
        #expect(error?.code == code)
    }

    private func expectUnreadable(_ request: HTTP.Request) async {
        let error = await #expect(throws: RequestError.self) {
            _ = try await OutgoingRequest(request, timeout: 1).openBody()
        }
        #expect(error?.code == .bodyUnreadable)
    }
}
