internal import Backstop
public import BackstopCore
internal import BackstopTransfers
internal import Foundation

/// One realistic failure of every kind, with request, response and attempts as in a real call.
///
/// Use them in previews of error views, and in tests of handlers; ``FailureMatrix`` runs them all.
///
/// ```swift
/// let titles = FailureSamples.all.map { "\($0.name): \($0.failure.message.title)" }
/// let offline = FailureSamples.failure("transport.offline")
/// ```
public enum FailureSamples {
    /// All of them: requests, transport, time limits, statuses, service, decoding, rejections, storage,
    /// cancellation, other.
    public static let all: [FailureSample] =
        requests + transport + timeouts + statuses + service + decoding + rejections + storage + rest

    /// The failure with a code, or with a sample's whole name; nil when there is none.
    public static func failure(_ name: String) -> Failure? {
        (all.first { $0.name == name } ?? all.first { $0.failure.code == name })?.failure
    }

    private static let url = URL(string: "https://api.example.com/books/1")

    private static func request(_ method: HTTP.Method) -> HTTP.Request? {
        url.map { url in
            HTTP.Request(method, url: url, headers: ["Accept": "application/json", "Authorization": "Bearer sample"])
        }
    }

    private static func response(
        _ status: Int, _ body: String = "", type: String = "application/json", headers: HTTP.Headers = [:]
    ) -> HTTP.Response {
        var headers = headers
        headers[.contentType] = body.isEmpty ? nil : type
        return HTTP.Response(status: status, headers: headers, body: Data(body.utf8), url: url)
    }

    /// A failure as left by `Retry` with its standard policy: three attempts if it is transient, else one.
    private static func sample(
        _ error: any Error, isSent: Bool = true, method: HTTP.Method = .get, response: HTTP.Response? = nil,
        took duration: Duration = .milliseconds(120), progress: TransferProgress? = nil, detail: String? = nil
    ) -> FailureSample {
        let sent = isSent ? request(method) : nil
        let plain = Failure(error, request: sent, response: response)
        let asked = response?.headers[.retryAfter] != nil
        let pauses: [Duration] = asked ? [.seconds(1), .seconds(1)] : [.milliseconds(310), .milliseconds(740)]
        let isRejected = plain.reason.kind == "rejected"
        let isUnanswered = plain.reason.isTimeoutAfterSending(in: progress?.phase) && plain.isRetryable
        let waits = [.zero] + (plain.isRetryable && !isRejected && !isUnanswered ? pauses : [])
        var attempts: [Attempt] = []
        var start = Duration.zero
        for (index, wait) in waits.enumerated() {
            start += wait
            attempts.append(
                Attempt(
                    number: index + 1, start: start, duration: duration, wait: wait,
                    waitReason: index == 0 ? nil : asked ? "Retry-After" : "backoff", result: .failed(code: plain.code))
            )
            start += duration
        }
        let stopReason: StopReason =
            plain.isCancelled
            ? .cancelled
            : !plain.isRetryable
                ? .notRetryable
                : isRejected
                    ? .rejected : isUnanswered ? .unanswered : .attemptsUsed(waits.count)
        let failure = Failure(
            error, request: sent, response: response, attempts: attempts, stopReason: stopReason, name: "book",
            progress: progress)
        return FailureSample(failure, detail: detail)
    }

    /// A failure before anything was sent.
    private static func unsent(_ error: any Error) -> FailureSample {
        sample(error, isSent: false, took: .zero)
    }
}

extension FailureSamples {
    private static let requests = RequestError.Code.builtIn.map { code in
        unsent(RequestError(code, details[code] ?? code.explanation))
    }

    /// The details of a real error.
    private static let details: [RequestError.Code: String] = [
        .invalidURL: "The target \"http://\" cannot be read as a URL",
        .invalidHeader: "The value of the header X-Tenant has the control character 0xA",
        .invalidMethod: "\"GET BOOKS\" is not a method",
        .encoding: "$.price: Unable to encode Double.nan directly in JSON.",
        .bodyUnreadable: "The file photo.jpg could not be read",
        .bodyLength: "The stream of the body ended after 512 of the 1024 announced bytes",
        .invalid: "The endpoint has no identifier",
    ]

    private static let transport = TransportError.Code.builtIn.map { code -> FailureSample in
        let (answer, bytes): (HTTP.Response?, Int64?) =
            switch code {
            case .redirects, .redirectRefused: (response(302, headers: ["Location": "http://other.example.com/"]), nil)
            case .truncated: (response(200, partial, headers: ["Content-Length": "512"]), Int64(partial.utf8.count))
            case .tooLarge: (nil, 10_485_760)
            default: (nil, nil)
            }
        let phase = code.usualPhase
        let error = TransportError(code, phase: phase, bytesReceived: bytes)
        // A failure before the network has no progress, and one with a complete response needs none.
        let progress = phase == .unknown ? nil : TransferProgress(phase, bytesReceived: bytes)
        return sample(error, response: answer, progress: answer?.status == 302 ? nil : progress)
    }

    /// A body that ends too early.
    private static let partial = #"{"id":1,"title":"Du"#

    private static let timeouts = TimeoutError.Kind.builtIn.map { kind in
        switch kind {
        case .attempt:
            sample(TimeoutError(kind, after: .seconds(30)), took: .seconds(30), progress: TransferProgress(.waiting))
        case .deadline:
            sample(
                TimeoutError(kind, after: .seconds(60)),
                response: response(200, partial, headers: ["Content-Length": "512"]), took: .seconds(60),
                progress: TransferProgress(.receiving, bytesReceived: Int64(partial.utf8.count)))
        default:
            sample(TimeoutError(kind, after: .seconds(60)), took: .seconds(60), progress: TransferProgress(.queued))
        }
    }

    private static let statuses = [400, 401, 403, 404, 408, 409, 410, 422, 425, 429, 500, 502, 503, 504].map { code in
        let name = StatusError.reasonPhrase(of: code) ?? ""
        let body = #"{"title":"\#(name)","status":\#(code)}"#
        let headers: HTTP.Headers =
            switch code {
            case 401: ["WWW-Authenticate": "Bearer"]
            case 429, 503: ["Retry-After": "1"]
            default: [:]
            }
        return sample(
            StatusError(code), method: [400, 422].contains(code) ? .put : .get,  // what is not accepted was entered
            response: response(code, body, type: "application/problem+json", headers: headers))
    }

    private static let service = [
        sample(SampleServiceError(), response: response(409, #"{"error":true,"reason":"The book is sold out."}"#))
    ]

    private static let rejections = RejectionError.Code.builtIn.map { code in
        let detail =
            switch code {
            case .breakerOpen: "The circuit breaker is open for another 12 s"
            case .limit: "20 calls are running and 100 are waiting"
            case .rateLimit: "10 calls per 1 s are allowed, and the next may start in 12 s"
            case .cacheMiss: "The cache has no response, and nothing may be sent"
            default: code.explanation
            }
        return unsent(RejectionError(code, detail))
    }

    private static let storage = StorageError.Code.builtIn.map { code in
        sample(StorageError(code, path: "/downloads/map.zip"), response: response(200))
    }

    private static let rest = [sample(CancellationError()), sample(SampleUnknownError())]
}

extension FailureSamples {
    /// What the samples of decoding failures are not.
    struct Book: Decodable, Sendable {
        let id: Int
        let title: String
        let cover: URL
    }

    /// Real errors of a real decoder, one for each problem of a body.
    private static let decoding = [
        undecodable(""),
        undecodable("<!DOCTYPE html><html><body>Please sign in</body></html>", type: "text/html"),
        undecodable("the database is corrupted"),
        undecodable(#"{"id":1,"title":"Du"#),
        undecodable(String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)),
        undecodable(#"{"id":1,"cover":"https://example.com/1.jpg"}"#),
        undecodable(#"{"id":"one","title":"Dune","cover":"https://example.com/1.jpg"}"#),
        undecodable(#"{"id":1,"title":null,"cover":"https://example.com/1.jpg"}"#),
        undecodable(#"{"id":1,"title":"Dune","cover":""}"#),
    ].compactMap { $0 }

    private static func undecodable(_ body: String, type: String = "application/json") -> FailureSample? {
        do {
            _ = try JSONDecoder().decode(Book.self, from: Data(body.utf8))
            return nil
        } catch {
            let failure = DecodingFailure(error, decoding: Book.self, from: Data(body.utf8), contentType: type)
            return sample(failure, response: response(200, body, type: type), detail: failure.kind.name)
        }
    }
}

/// An error of a shop's server.
private struct SampleServiceError: ServiceError {
    var failureCode: String { "soldOut" }
    var failureMessage: String? { "The book is sold out." }
}

/// An error unknown to Backstop.
private struct SampleUnknownError: Error {}
