import BackstopResilience
import BackstopTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The failure of a call that other code made", .limited)
struct FailureOfOtherCodeTests {
    private static func request(_ method: String = "GET", body: String? = nil) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "https://api.example.com/books?access_token=s3cret")))
        request.httpMethod = method
        request.setValue("Bearer s3cret", forHTTPHeaderField: "Authorization")
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private static func response(_ status: Int, _ headers: [String: String] = [:]) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "https://api.example.com/books"))
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers))
    }

    // MARK: What is not known

    @Test("claims nothing about a timeout that it cannot know")
    func unknown() throws {
        for failure in [Failure(URLError(.timedOut)), Failure(URLError(.timedOut), request: try Self.request("POST"))] {
            #expect(failure.code == "timeout.attempt")
            for claim in [
                "nothing", "idleTimeout", "no response", "before anything", "transport", "interceptor", "No byte",
            ] {
                #expect(!failure.report.contains(claim), "\(failure.report)")
            }
            #expect(failure.report.contains("  response: unknown\n"))
        }
        let failure = Failure(URLError(.timedOut))
        #expect(failure.report.contains("  request:  unknown\n"))
        #expect(
            failure.report.contains(
                "raise timeoutInterval of the request, or timeoutIntervalForResource of the session"))
        #expect(failure.message.text == "This could not be completed in time.")
    }

    @Test("asks to check an order that may have been taken, and offers a question again")
    func order() throws {
        let order = Failure(URLError(.timedOut), request: try Self.request("POST", body: "{}"))
        #expect(!order.isRetryable)
        #expect(order.message.suggestion == "Please check whether it worked before you try again.")
        #expect(Failure(URLError(.timedOut), request: try Self.request()).isRetryable)
    }

    @Test("says in which phase it failed only where the error knows")
    func phase() throws {
        #expect(Failure(URLError(.notConnectedToInternet)).report.contains("  where:    while connecting\n"))
        let own = TransportError(.lost, phase: .receiving)
        #expect(Failure(own).report.contains("  where:    while receiving the response\n"))
        let failures = [
            Failure(URLError(.networkConnectionLost), request: try Self.request()),
            Failure(URLError(.networkConnectionLost), request: nil, response: try Self.response(200)),
            Failure(URLError(.notConnectedToInternet), request: nil, response: try Self.response(200)),
        ]
        for failure in failures {
            #expect(!failure.report.contains("  where:"), "\(failure.report)")
        }
    }

    @Test(
        "asks to check an order whose response had begun, whatever went wrong then",
        arguments: [
            URLError.Code.notConnectedToInternet, .cannotConnectToHost, .cannotFindHost, .networkConnectionLost,
        ])
    func answered(code: URLError.Code) throws {
        func suggestion(_ status: Int) throws -> String? {
            let failure = Failure(
                URLError(code), request: try Self.request("POST"), response: try Self.response(status))
            return failure.message.suggestion
        }
        let check = "Please check whether it worked before you try again."
        #expect(try suggestion(200) == check)
        #expect(try suggestion(404) != check)
    }

    @Test("still says that nothing was sent of a request that could not be made or was refused")
    func notSent() {
        #expect(Failure(URLError(.badURL)).report.contains("  request:  nothing was sent\n"))
        #expect(Failure(RejectionError(.limit, "")).report.contains("  request:  nothing was sent\n"))
    }

    // MARK: Errors

    /// A wrapper as some libraries have them, with a case of its own under it.
    private struct Wrapper: CustomNSError {
        let inner: (any Error)?
        var errorUserInfo: [String: Any] { inner.map { [NSUnderlyingErrorKey: $0] } ?? [:] }
    }

    /// Wraps an error, perhaps several times.
    private static func wrapped(_ error: any Error, times: Int) -> any Error {
        (0..<times).reduce(error) { inner, _ in Wrapper(inner: inner) }
    }

    @Test("has the meaning of the error under it, and keeps the one that was thrown", arguments: [1, 2, 32])
    func underlying(times: Int) throws {
        let offline = Failure(Self.wrapped(URLError(.notConnectedToInternet), times: times), request: nil)
        #expect(offline.code == "transport.offline")
        #expect(offline.underlying is Wrapper)
        #expect(offline.error(as: Wrapper.self) != nil)
        #expect(offline.error(as: URLError.self)?.code == .notConnectedToInternet)

        let system = NSError(
            domain: "app", code: 1,
            userInfo: [NSUnderlyingErrorKey: NSError(domain: NSURLErrorDomain, code: -1001)])
        #expect(Failure(Self.wrapped(system, times: times - 1), request: nil).code == "timeout.attempt")
        #expect(Failure(Self.wrapped(URLError(.cancelled), times: times), request: nil).isCancelled)
    }

    @Test("looks no deeper than 32 errors")
    func depth() {
        #expect(Failure(Self.wrapped(URLError(.timedOut), times: 33), request: nil).code == "other")
        #expect(Failure(Wrapper(inner: nil), request: nil).code == "other")
    }

    @Test("is the failure that was thrown, with request and response")
    func failure() throws {
        let failure = Failure(
            Failure(TransportError(.lost)), request: try Self.request(), response: try Self.response(200))
        #expect(failure.code == "transport.lost")
        #expect(failure.underlying is TransportError)
        #expect(failure.request?.method == .get)
        #expect(failure.response?.status == 200)
    }

    // MARK: Responses

    @Test("is a status where there is no error, and nothing below 400", arguments: [200, 304, 399, 400, 503])
    func status(code: Int) throws {
        let failure = Failure(
            nil, request: try Self.request(), response: try Self.response(code, ["Retry-After": "3"]),
            body: Data("down".utf8))
        #expect(failure?.code == (code < 400 ? nil : "status.\(code)"))
        #expect(failure?.response?.body == (code < 400 ? nil : Data("down".utf8)))
        #expect(failure?.retryAfter == (code < 400 ? nil : .seconds(3)))
    }

    @Test("is nothing without an error and a response of HTTP")
    func noResponse() throws {
        let url = try #require(URL(string: "file:///books"))
        let file = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        #expect(Failure(nil, request: nil, response: nil, body: nil) == nil)
        #expect(Failure(nil, request: nil, response: file, body: nil) == nil)
        #expect(Failure(URLError(.timedOut), request: nil, response: file).response == nil)
    }

    @Test("is the status rather than an error that says less, and no other error")
    func precedence() throws {
        let response = try Self.response(500)
        let context = DecodingError.Context(codingPath: [], debugDescription: "")
        let failure = Failure(Wrapper(inner: nil), request: nil, response: response)
        #expect(failure.code == "status.500")
        #expect(failure.underlying is Wrapper)
        #expect(Failure(DecodingError.dataCorrupted(context), request: nil, response: response).code == "status.500")
        #expect(Failure(URLError(.networkConnectionLost), request: nil, response: response).code == "transport.lost")
        #expect(Failure(URLError(.cancelled), request: nil, response: response).isCancelled)
    }

    @Test("holds an error of decoding against the body")
    func decoding() throws {
        struct Book: Decodable { let title: String }
        let body = Data(#"{"titel":"Emma"}"#.utf8)
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Book.self, from: body) }
        let failure = Failure(
            try #require(error), request: try Self.request(), response: try Self.response(200), body: body)
        #expect(failure.code == "decoding")
        #expect(failure.report.contains(#"similar: "titel""#), "\(failure.report)")
        let text = Data("down".utf8)
        let page = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Book.self, from: text) }
        let unread = Failure(
            try #require(page), request: nil, response: try Self.response(200, ["Content-Type": "text/plain"]),
            body: text)
        #expect(unread.report.contains("JSON") && !unread.report.contains("Any"), "\(unread.report)")
        // Without a body, only what the decoder says.
        #expect(!Failure(try #require(error), request: try Self.request()).report.contains("titel"))
    }

    @Test("keeps 64 KiB of the body, and its size")
    func bounded() throws {
        let body = Data(repeating: 0x61, count: 1 << 20)
        let failures = [
            Failure(nil, request: nil, response: try Self.response(503), body: body),
            Failure(URLError(.timedOut), request: nil, response: try Self.response(200), body: body),
            Failure(StatusError(503, response: HTTP.Response(status: 503, body: body))),
            Failure(URLError(.timedOut), response: HTTP.Response(status: 503, body: body)),
        ]
        for failure in failures {
            #expect(failure?.response?.body.count == 65_536)
            #expect(failure?.response?.bodySize == 1 << 20)
        }
    }

    @Test("keeps 4,000 characters of the system's message")
    func longMessage() throws {
        let text = String(repeating: "a=b; ", count: 2000)
        let failure = Failure(URLError(.networkConnectionLost, userInfo: [NSLocalizedDescriptionKey: text]))
        guard case .transport(let error) = failure.reason else {
            Issue.record("\(failure)")
            return
        }
        #expect(error.detail.count <= 4001)
    }

    @Test("hides the secrets of URL, headers and bodies in every text")
    func secrets() throws {
        let error = NSError(
            domain: "app", code: 1, userInfo: [NSLocalizedDescriptionKey: "refused https://a/?access_token=s3cret"])
        let failure = Failure(
            error, request: try Self.request("POST", body: #"{"password":"hunter2"}"#),
            response: try Self.response(401, ["Set-Cookie": "session=c00kie"]),
            body: Data(#"{"refresh_token":"r3fresh"}"#.utf8))
        let shown = failure as NSError
        for text in [failure.report, "\(shown) \(shown.userInfo)", "\(failure.nsError)", "\(failure.message)"] {
            for secret in ["s3cret", "hunter2", "c00kie", "r3fresh"] {
                #expect(!text.contains(secret), "\(text)")
            }
        }
        #expect(failure.report.contains("POST https://api.example.com/books"))
    }
}
