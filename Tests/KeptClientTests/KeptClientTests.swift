import Backstop
import BackstopLibraryStandIns
import BackstopPresentation
import BackstopResilience
import BackstopTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(Combine) || OpenCombine
    import BackstopCombine
#endif

@Suite("The recipes that keep a client", .timeLimit(.minutes(10)))
struct KeepYourClientTests {
    private static let url = URL(string: "https://shop.example.com/books?token=s3cret")

    private static func request(_ method: String = "GET") throws -> URLRequest {
        var request = URLRequest(url: try #require(url))
        request.httpMethod = method
        return request
    }

    private static func response(_ status: Int, _ headers: [String: String] = [:]) throws -> HTTPURLResponse {
        let url = try #require(url)
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers))
    }

    /// A policy that retries, and waits for nothing.
    private static func policy() throws -> Policy {
        var options = CallOptions()
        options.clock = RecordingClock()
        return try Policy(options: options) { Retry(attempts: 3) }
    }

    // MARK: URLSession

    @Test(
        "URLSession: a value, or a failure that says what happened",
        arguments: [
            ("/200/[1]", nil), ("/503/down", "status.503"), ("/404/[1]", "status.404"), ("/200/[1", "decoding"),
            ("/nowhere", "transport.dns"),
        ] as [(String, String?)])
    func session(path: String, code: String?) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Answers.self]
        let session = URLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        var url = URLComponents()
        (url.scheme, url.host, url.path) = ("http", "shop.example.com", path)
        let request = URLRequest(url: try #require(url.url))

        do throws(Failure) {
            #expect(try await load(request, as: [Int].self, with: session) == [1])
            #expect(code == nil)
        } catch {
            #expect(error.code == code)
            #expect(error.request?.url == request.url)
            #expect((error.response == nil) == (code == "transport.dns"))
        }
    }

    // MARK: Alamofire

    private static func answer(_ error: AFError, status: Int? = nil, body: String? = nil) throws -> DataTask<[Int]> {
        DataTask(
            DataResponse(
                request: try request(), response: try status.map { try response($0) }, data: body.map { Data($0.utf8) },
                result: .failure(error)))
    }

    private static func failure<Value: Sendable>(
        _ call: @escaping @Sendable () async throws -> Value
    ) async throws -> Failure {
        let policy = try policy()
        return try #require(await #expect(throws: Failure.self) { _ = try await policy.run("load", operation: call) })
    }

    @Test("Alamofire: what stands in an AFError is what counts")
    func alamofire() async throws {
        let offline = try Self.answer(.sessionTaskFailed(error: URLError(.notConnectedToInternet)))
        let invalid = try Self.answer(
            .responseValidationFailed(reason: .unacceptableStatusCode(code: 503)), status: 503)
        let cancelled = try Self.answer(.explicitlyCancelled)

        let failure = try await Self.failure { try await offline.valueOrFailure() }
        #expect(failure.code == "transport.offline")
        let inner = NSError(domain: "app", code: 1, userInfo: [NSUnderlyingErrorKey: URLError(.timedOut)])
        let wrapped = try Self.answer(.sessionTaskFailed(error: inner))
        #expect(try await Self.failure { try await wrapped.valueOrFailure() }.code == "timeout.attempt")
        #expect(failure.underlying is AFError)
        #expect(failure.error(as: URLError.self)?.code == .notConnectedToInternet)
        #expect(failure.request?.url == Self.url)
        #expect(!failure.report.contains("s3cret"))
        #expect(try await Self.failure { try await invalid.valueOrFailure() }.code == "status.503")
        #expect(try await Self.failure { try await invalid.valueOrFailure() }.response?.status == 503)
        // Nobody cancelled the call of the policy: it is no success, and repeated by nobody.
        #expect(try await Self.failure { try await cancelled.valueOrFailure() }.isRetryable == false)
        #expect(Failure(AFError.explicitlyCancelled).isCancelled)
    }

    @Test("Alamofire: content that cannot be decoded is shown with the key that is like the one expected")
    func alamofireDecoding() async throws {
        struct Book: Decodable { let title: String }
        let body = #"[{"titel":"Emma"}]"#
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Book].self, from: Data(body.utf8))
        }
        let task = try Self.answer(
            .responseSerializationFailed(reason: .decodingFailed(error: try #require(error))), status: 200, body: body)

        let failure = try await Self.failure { try await task.valueOrFailure() }

        #expect(failure.code == "decoding")
        #expect(failure.report.contains(#"similar: "titel""#), "\(failure.report)")
    }

    @Test(
        "Alamofire: what has no error in it is known by its kind",
        arguments: [
            (.responseSerializationFailed(reason: .inputDataNilOrZeroLength), "", "decoding", "the body is empty"),
            (
                .responseValidationFailed(
                    reason: .unacceptableContentType(
                        acceptableContentTypes: ["application/json"], responseContentType: "text/html")),
                "<!DOCTYPE html><html><title>Sign in</title></html>", "decoding", "an HTML page titled"
            ),
            (.invalidURL(url: "::"), nil, "request.invalidURL", ""),
            (.sessionDeinitialized, nil, "other", "AFError.classifiedReason"),
        ] as [(AFError, String?, String, String)])
    func alamofireKinds(error: AFError, body: String?, code: String, text: String) async throws {
        let task = try Self.answer(error, status: body.map { _ in 200 }, body: body)
        let failure = try await Self.failure { try await task.valueOrFailure() }
        #expect(failure.code == code)
        #expect(text.isEmpty || failure.report.contains(text), "\(failure.report)")
        #expect(failure.underlying is AFError)
    }

    @Test("Alamofire: a handler sees the failure, and the presenter says what happened until a call succeeds")
    @MainActor func handled() async throws {
        let presenter = FailurePresenter(policy: PresentationPolicy(texts: .english))
        let policy = try Self.policy().withOptions { $0.observers.append(presenter) }
        let task = try Self.answer(.sessionTaskFailed(error: URLError(.notConnectedToInternet)))
        let seen = Notes()

        let outcome = await policy.perform("load books") {
            try await task.valueOrFailure()
        } handlers: {
            On(.offline) { failure -> Verdict in
                seen.add(failure.code)
                return .unhandled
            }
            presenter
        }

        #expect(seen.all == ["transport.offline"])
        #expect(outcome.failure?.name == "load books")
        #expect(presenter.state.banners.map(\.presentation.message.title) == ["You are offline"])
        await policy.perform("load books") { 1 }
        for await state in presenter.states where state.banners.isEmpty { break }
    }

    @Test(
        "Alamofire: Policy repeats what may be repeated, and nothing else",
        arguments: [(false, "GET", 1), (true, "GET", 3), (false, "POST", 1)])
    func repeats(isIdempotent: Bool, method: String, runs expected: Int) async throws {
        let response = DataResponse<[Int], AFError>(
            request: try Self.request(method), response: nil, data: nil,
            result: .failure(.sessionTaskFailed(error: URLError(.networkConnectionLost))))
        let runs = Notes()

        let outcome = await (try Self.policy()).perform("order", isIdempotent: isIdempotent) {
            runs.add("run")
            return try await DataTask(response).valueOrFailure()
        } handlers: {
            Otherwise { _ in }
        }

        #expect(runs.all.count == expected)
        #expect(outcome.failure?.isRetryable == isIdempotent)
        if method == "POST" {
            #expect(outcome.failure?.message.suggestion == "Please check whether it worked before you try again.")
            // To run it as idempotent would not have it repeated either.
            #expect(outcome.failure?.report.contains("check before running it again.") == true)
        }
    }

    // MARK: The others

    @Test("Moya: what stands in a MoyaError is what counts, without a word about it")
    func moya() throws {
        let response = Response(
            statusCode: 429, data: Data(#"{"password":"hunter2"}"#.utf8), request: try Self.request(),
            response: try Self.response(429, ["Retry-After": "7"]))
        #expect(
            MoyaError.underlying(AFError.sessionTaskFailed(error: URLError(.timedOut)), nil).failure.code
                == "timeout.attempt")
        let failure = MoyaError.statusCode(response).failure
        #expect(failure.code == "status.429")
        #expect(failure.retryAfter == .seconds(7))
        #expect(failure.underlying is MoyaError)
        #expect(failure.report.contains("GET https://shop.example.com/books"))
        #expect(!failure.report.contains("hunter2") && !failure.report.contains("s3cret"), "\(failure.report)")
    }

    @Test("Apollo: a refusal is its status, with the response")
    func apollo() async throws {
        let error = ResponseCodeInterceptor.ResponseCodeError(
            response: try Self.response(503, ["Retry-After": "9"]), chunk: Data("Down".utf8))
        let failure = try await Self.failure { () -> Int in throw error }
        #expect(failure.code == "status.503")
        #expect(failure.retryAfter == .seconds(9))
        #expect(failure.response?.body == Data("Down".utf8))
    }

    #if canImport(Combine) || OpenCombine
        @Test("publishers: a handler sees the failure of a pipeline")
        func publisher() async throws {
            let request = try Self.request()
            let seen = Notes()
            let values = Fail<Int, any Error>(error: URLError(.cannotFindHost))
                .mapError { Failure($0, request: request) }
                .handleFailures { On(.transport) { failure in seen.add(failure.code) } }
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let subscription = values.sink(receiveCompletion: { _ in end.finish() }, receiveValue: { _ in })
            for await _ in ends {}
            subscription.cancel()
            #expect(seen.all == ["transport.dns"])
        }
    #endif
}

/// Answers without a network, with the status and the content that the URL names; a URL without them has no host.
private final class Answers: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let parts = request.url?.pathComponents ?? []
        guard parts.count == 3, let url = request.url, let status = Int(parts[1]),
            let head = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: nil)
        else {
            client?.urlProtocol(self, didFailWithError: URLError(.cannotFindHost))
            return
        }
        client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(parts[2].utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

/// What several tasks write down.
private final class Notes: @unchecked Sendable {
    private let lock = NSLock()
    /// What was written, guarded by the lock.
    private var kept: [String] = []
    var all: [String] { lock.withLock { kept } }

    func add(_ note: String) { lock.withLock { kept.append(note) } }
}
