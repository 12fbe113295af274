import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("A failure's views", .limited)
struct FailureViewTests {
    private static func failure(
        _ step: ScriptedTransport.Step, bodyLimit: Int? = nil
    ) async throws -> Failure {
        let client = try Rig(step).standard().withOptions { options in
            options.failureBodyLimit = bodyLimit ?? options.failureBodyLimit
        }
        return try #require(await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) })
    }

    @Test("are the request as sent and the response, typed")
    func typed() async throws {
        // given
        let client = try Rig(.json(404, #"{"a":1}"#, headers: ["X-A": "1"])).standard().withChain {
            $0.appending(
                ClosureInterceptor { request, context, next in
                    var request = request
                    request.headers["X-Added"] = "1"
                    return try await next(request)
                })
        }
        // when
        let failure = try #require(await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) })
        // then
        #expect(failure.request?.method == .get)
        #expect(failure.request?.url.absoluteString == "https://api.example.com/v1/books/1")
        #expect(failure.request?.headers["X-Added"] == "1")
        #expect(failure.response?.status == 404)
        #expect(failure.response?.headers["X-A"] == "1")
        #expect(failure.response?.body == Data(#"{"a":1}"#.utf8))
        #expect(failure.statusCode == 404)
    }

    @Test("are the request as made, and no response, when nothing arrived")
    func nothingArrived() async throws {
        let failure = try await Self.failure(.failure(TransportError(.tls)))
        #expect(failure.request?.url.path == "/v1/books/1")
        #expect(failure.response == nil)
        #expect(failure.statusCode == nil)
    }

    @Test("do not show the response of an earlier attempt")
    func lastAttempt() async throws {
        // given
        let rig = Rig(.status(503), .failure(TransportError(.tls)))
        let client = try rig.standard()
        // when
        let failure = await #expect(throws: Failure.self) { try await client.send(BookEndpoint()) }
        // then
        #expect(failure?.code == "transport.tls")
        #expect(failure?.response == nil)
    }

    @Test("keep 64 KiB of the body, and its whole size")
    func bodyLimit() async throws {
        let failure = try await Self.failure(.data(404, Data(repeating: 0x41, count: 100_000)))
        #expect(failure.response?.body.count == 65_536)
        #expect(failure.response?.bodySize == 100_000)
        #expect(failure.report.contains("97.7 KiB"))
    }

    @Test("keep as much of the body as is wanted", arguments: [(10, 10), (0, 0), (-5, 0), (1_000_000, 1000)])
    func ownBodyLimit(limit: Int, kept: Int) async throws {
        let failure = try await Self.failure(.data(404, Data(repeating: 0x41, count: 1000)), bodyLimit: limit)
        #expect(failure.response?.body.count == kept)
        #expect(failure.response?.bodySize == 1000)
    }

    @Test("explain a decoding failure by the whole body, however little of it is kept")
    func decodedWhole() async throws {
        let body = #"{"filler":"\#(String(repeating: "x", count: 5000))","id":"one","title":"Dune"}"#
        let failure = try await Self.failure(.json(200, body), bodyLimit: 10)
        #expect(failure.decoding?.path == "$.id")
        #expect(failure.decoding?.excerpt?.contains("\"one\"") == true)
    }
}

@Suite("A failure for the system", .limited)
struct FailureBridgeTests {
    @Test("says to people what its message says")
    func localized() {
        for sample in FailureSamples.all {
            let (failure, message) = (sample.failure, sample.failure.message)
            #expect(failure.localizedDescription == message.text)
            #expect(failure.errorDescription == message.text)
            #expect(failure.failureReason == message.title)
            #expect(failure.recoverySuggestion == message.suggestion)
            #expect((failure as NSError).localizedDescription == message.text)
        }
    }

    private static let codes: [(any Error & Sendable, Int)] = [
        (CancellationError(), 1), (RequestError(.invalidURL, "No."), 2), (TransportError(.lost), 3),
        (TimeoutError(.attempt, after: .seconds(1)), 4), (StatusError(404), 404), (StatusError(503), 503),
        (SignUpError(error: true, reason: "No."), 5),
        (DecodingFailure(OwnError(), decoding: Book.self, from: [UInt8](), contentType: nil), 6),
        (RejectionError("limit", "No."), 7), (OwnError(), 8),
    ]

    @Test("has a domain of its own, and a code for each kind that stays the same", arguments: codes)
    func code(error: any Error & Sendable, code: Int) {
        let bridged = Failure(error) as NSError
        #expect(bridged.domain == "dev.backstop.failure")
        #expect(bridged.code == code)
        #expect(bridged.userInfo["BackstopCode"] as? String == Failure(error).code)
    }

    @Test("keeps the system's domain and code when a system error is behind it")
    func urlError() {
        // given
        let failure = Failure(TransportError(.offline, underlying: URLError(.notConnectedToInternet)))
        // then
        #expect(failure.nsError.domain == NSURLErrorDomain)
        #expect(failure.nsError.code == -1009)
        let behind = (failure as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(behind?.domain == NSURLErrorDomain)
        #expect(behind?.code == -1009)
    }

    @Test("keeps domain and code of an error that only the system knows")
    func other() {
        let failure = Failure(NSError(domain: NSPOSIXErrorDomain, code: 28))
        #expect(failure.nsError.domain == NSPOSIXErrorDomain)
        #expect(failure.nsError.code == 28)
    }

    @Test("hides secrets of a URL by its items, and by the names that the system gives along")
    func redactedInfo() {
        // given
        let error = NSError(
            domain: NSURLErrorDomain, code: -1004,
            userInfo: ["failing": "https://a.example/cb#code=abc", "token": "def", "count": 3])
        // when
        let shown = Failure(error).nsError
        // then
        #expect(shown.userInfo["failing"] as? String == "https://a.example/cb#code=<redacted>")
        #expect(shown.userInfo["token"] as? String == "<redacted>")
        #expect(shown.userInfo["count"] as? Int == 3)
    }

    @Test("is its own system error when none is behind it")
    func none() {
        let failure = Failure(StatusError(404))
        #expect(failure.nsError.domain == Failure.errorDomain)
        #expect(failure.nsError.code == 404)
    }

    @Test("has the error behind it in its user info, whatever its kind")
    func behind() throws {
        let failure = Failure(StatusError(404, detail: "token=hunter2"))
        let behind = try #require((failure as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(behind.localizedDescription == "status 404 Not Found: token=<redacted>")
    }

    @Test("brings what to do along in its user info, which other code reads")
    func suggestion() {
        for sample in FailureSamples.all {
            let info = sample.failure.errorUserInfo
            #expect(info[NSLocalizedRecoverySuggestionErrorKey] as? String == sample.failure.message.suggestion)
        }
    }

    @Test("speaks English where the app has no strings table")
    func bundle() {
        let failure = Failure(TransportError(.offline))
        #expect(failure.localizedMessage() == failure.message)
        #expect(failure.localizedMessage(table: "None") == failure.message)
    }
}
