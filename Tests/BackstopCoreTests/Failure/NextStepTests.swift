import BackstopCore
import BackstopTestSupport
import Foundation
import Testing

@Suite("The next step of a report", .limited)
struct NextStepTests {
    private static func step(_ failure: Failure) -> String {
        let line = failure.report.split(separator: "\n").last ?? ""
        return line.hasPrefix("  next:     ") ? String(line.dropFirst(12)) : ""
    }

    @Test(
        "says how long the server asks to wait, in words",
        arguments: [
            (503, Duration.seconds(120), "Wait 2 min before the next call, as the server asks with Retry-After."),
            (429, .seconds(5), "Send fewer requests: the server asks for a wait of 5 s before the next one."),
            (503, RetryAfter.maximum, "Wait 68 years before the next call, as the server asks with Retry-After."),
            (503, .zero, "Call again later: the server is overloaded or under maintenance."),
        ])
    func retryAfter(status: Int, wait: Duration, words: String) {
        let failure = Failure(StatusError(status), request: Ask(), response: Answer(status: status, wait: wait))
        #expect(Self.step(failure) == words)
    }

    @Test(
        "of a time limit is about what was going on",
        arguments: [
            (TimeoutError(.attempt), TransportError.Phase.queued, "connectionsPerHost"),
            (TimeoutError(.connection), .queued, "connectionsPerHost"),
            (TimeoutError(.attempt), .connecting, "firewall"),
            (TimeoutError(.attempt), .sending, "Send less, or raise the limit of AttemptTimeout"),
            (TimeoutError(.attempt), .waiting, "takes so long to respond"),
            (TimeoutError(.attempt), .receiving, "Request less, or raise the limit of AttemptTimeout"),
            (TimeoutError(.deadline), .receiving, "Request less, or raise the deadline"),
            (TimeoutError(.deadline), .unknown, "raise the deadline for this call"),
            (TimeoutError(.silence), .queued, "connectionsPerHost"),
            (TimeoutError(.silence), .connecting, "firewall"),
            (TimeoutError(.silence), .sending, "or the body paused. Or raise the transport's idleTimeout."),
            (TimeoutError(.silence), .waiting, "so long to respond, or raise the transport's idleTimeout."),
            (TimeoutError(.silence), .receiving, "paused within the response, or raise the transport's idleTimeout."),
            (TimeoutError(.silence), .unknown, "is silent, or raise the transport's idleTimeout."),
        ])
    func timeouts(error: TimeoutError, phase: TransportError.Phase, words: String) {
        let failure = Failure(error, request: Ask(), progress: TransferProgress(phase))
        #expect(Self.step(failure).contains(words), "\(Self.step(failure))")
    }

    @Test("of silence names its limit everywhere, and is an attempt's limit for everything else")
    func silence() {
        let error = TimeoutError(.silence, after: .milliseconds(800))
        let failure = Failure(error, request: Ask(), progress: TransferProgress(.waiting))
        #expect(error == TimeoutError(.attempt, after: .milliseconds(800)))
        #expect(failure.code == "timeout.attempt")
        #expect(failure.report.contains("No byte came or went for 800 ms, which is the limit of the transport's idle"))
        #expect(!failure.report.contains("AttemptTimeout"))
    }

    @Test("of a header is about its size where that was the problem")
    func header() {
        let long = RequestError(.invalidHeader, "The header fields have 20000 bytes, but SwiftNIO sends at most 16384")
        #expect(Self.step(Failure(long)).hasPrefix("Send fewer or shorter header fields"))
        #expect(Self.step(Failure(RequestError(.invalidHeader, "a line break"))).hasPrefix("Remove line breaks"))
    }

    @Test("of a deadline after several attempts is about their number")
    func manyAttempts() {
        let attempts = (1...2).map { Attempt(number: $0, result: .failed(code: "status.503")) }
        let failure = Failure(TimeoutError(.deadline), request: Ask(), attempts: attempts)
        #expect(Self.step(failure).hasPrefix("Allow fewer attempts, or raise the deadline"))
    }

    private static let transports: [(TransportError.Code, String, String)] = [
        (.certificate, "SSL certificate problem: certificate has expired", "Renew the server's certificate"),
        (.certificate, "SSL certificate problem: certificate is not yet valid", "Set this device's clock"),
        (.certificate, "SSL certificate problem: self-signed certificate", "Use a certificate from an issuer"),
        (
            .certificate, "SSL: no alternative certificate subject name matches target host name",
            "Use a host name from the server"
        ),
        (.certificate, "", "Check the certificate's dates, names and issuer."),
        (.certificate, "The operation failed (-1201)", "Renew the server's certificate"),
        (.certificate, "The operation failed (-1203)", "Use a certificate from an issuer"),
        (.certificate, "The operation failed (-1204)", "Set this device's clock"),
        (.tls, "handshake failure", "whether the server requires a client certificate: with TLS 1.2"),
        (.redirects, "The redirects lead in a loop, back to http://a.example/", "which form a loop"),
        (.redirects, "More than the 20 redirects allowed", "allow more redirects"),
        (
            .redirectRefused, "A redirect leads to ftp://a.example/, which is not an http or https URL with a host",
            "Fix the server's redirect"
        ),
        (.redirectRefused, "The target of a redirect cannot be read as a URL", "Fix the server's redirect"),
        (
            .redirectRefused, "A redirect with status 307 asks for the body again, which can be read only once",
            "with a body that can be sent again"
        ),
        (.badResponse, "Failed writing header", "not valid UTF-8"), (.badResponse, "", "whether it uses TLS"),
        (.badResponse, "The server chose the subprotocol \"graphql-ws\"", "speaks graphql-transport-ws"),
        (.badResponse, "The multipart response is malformed.", "changes or buffers responses"),
        (.badResponse, "The server sent a message over the socket that is not JSON", "or graphql-sse for events"),
        (.badResponse, "The request for a stream of events was answered with 200", "the single connection mode"),
        (.overrun, "More than 1 bytes waited, and a connection that others share cannot wait", "that others share"),
        (.overrun, "", "use AsyncHTTPClientTransport"),
        (.tooLarge, "A part of the response, or its head, has more than the 16 bytes accepted", "Request less at once"),
        (.tooLarge, "The parts of the response have more than the 64 bytes accepted", "Request less at once"),
        (.tooLarge, "Out of memory", "Send fewer or shorter headers"),
        (.tooLarge, "Too large response headers: 307232 > 307200", "Send fewer or shorter headers"),
        (.tooLarge, "too many header bytes seen; overflow detected", "SwiftNIO reads at most 256"),
        (.tooLarge, "HTTP/2: excessively large header block", "over HTTP/2 16 KB in all"),
        (.refused, "refused, on the way through the proxy that is set", "Check the transport's proxy setting"),
        (.refused, "", "Check that the server is running"),
        (.badResponse, "Invalid proxy response", "Check the transport's proxy setting"),
        (.lost, "closed, on the way through the proxy that is set", "Check the transport's proxy setting"),
        (.notAllowed, "Proxy authentication required", "the credentials that the proxy accepts"),
        (.system, "Already shutdown", "Shut the HTTPClient down after its last call"),
        (.lost, "Cancelled, as when the app shuts its HTTPClient down", "Shut the HTTPClient down after its last"),
        (.system, "", "the free disk space"),
        (.tooLarge, "", "raise the transport's responseLimit"), (.offline, "", "Wait for a connection"),
    ]

    @Test("of a transport is about the cause that its text names", arguments: transports.indices)
    func transport(index: Int) {
        let (code, detail, words) = Self.transports[index]
        #expect(Self.step(Failure(TransportError(code, detail: detail))).contains(words))
    }

    @Test(
        "of a status is one for that status",
        arguments: [(304, "accept 304"), (409, "current state"), (412, "If-Match")])
    func status(code: Int, words: String) {
        #expect(Self.step(Failure(StatusError(code))).contains(words))
    }

    @Test("of an error of the service is its own, then the server's wait, then how to read it")
    func service() {
        struct Own: ServiceError {
            var failureNextStep: String? { "Ask the shop." }
        }
        let busy = Answer(status: 400, wait: .seconds(2))
        #expect(Self.step(Failure(Own(), response: busy)) == "Ask the shop.")
        #expect(Self.step(Failure(SoldOut(), response: busy)).hasPrefix("Wait 2 s before the next call"))
        #expect(
            Self.step(Failure(SoldOut(), response: Answer(status: 400)))
                == "Read the error's fields with failure.error(as: SoldOut.self).")
        #expect(Self.step(Failure(SoldOut(), response: Answer(status: 401))).hasPrefix("Send credentials"))
    }

    @Test(
        "of an error of the service is that of its status, where the status says more",
        arguments: [401, 403, 404, 410, 500, 503])
    func serviceStatus(status: Int) {
        let answer = Answer(status: status)
        #expect(
            Self.step(Failure(SoldOut(), response: answer)) == Self.step(Failure(StatusError(status), response: answer))
        )
    }

    @Test("of a time limit looks at the interceptors only where the whole response had arrived")
    func arrived() {
        let whole = Failure(TimeoutError(.attempt), request: Ask(), response: Answer("x"))
        let part = Failure(
            TimeoutError(.attempt), request: Ask(), response: Answer("x"), progress: TransferProgress(.unknown))
        #expect(Self.step(whole) != Self.step(part))
        #expect(Self.step(part).contains("raise the limit of AttemptTimeout for this call"))
    }

    /// What a transport throws when somebody cancelled its transfer.
    private struct TransferCancelled: Error, FailureReasonConvertible {
        var classifiedReason: Failure.Reason { .cancelled }
    }

    @Test("of a cancellation that nobody asked for names what calls share, and what else cancels")
    func foreignCancellation() async {
        // given
        let context = CallContext()
        // when
        let shared = context.finish(failing: CancellationError(), asked: nil)
        let transfer = CallContext().finish(failing: TransferCancelled(), asked: nil)
        // then
        #expect(shared.code == "other")
        #expect(
            shared.explanation
                == "CancellationError was thrown, but this call was not cancelled: something it waited for was, "
                + "such as a task shared with other calls.")
        #expect(Self.step(shared).contains("give it an unstructured Task of its own"))
        #expect(transfer.explanation.contains("TransferCancelled was thrown, but this call was not cancelled"))
        #expect(Self.step(transfer).contains("code that invalidated the session"))
    }

    @Test("of a transport that has no word for it points to what stands above")
    func unknown() {
        #expect(Self.step(Failure(TransportError(.unknown))) == "Look at the underlying error.")
        #expect(
            Self.step(Failure(TransportError(.unknown, detail: "No peer"))) == "See the transport's message above.")
        #expect(
            Self.step(Failure(TransportError(.unknown, detail: "No peer", underlying: ShopError())))
                == "See the system's message above.")
    }

    @Test("for a date in a format of the app's own is about that format")
    func ownFormat() throws {
        let error = DecodingError.dataCorrupted(
            .init(
                codingPath: [], debugDescription: "Date string does not match format expected by formatter."))
        let failure = DecodingFailure(
            error, decoding: Date.self, from: Data(#""05.03.2024""#.utf8), contentType: "application/json")
        #expect(
            Failure(failure).report.contains(
                "Set the decoder's dateDecodingStrategy to the format that the server sends"))
    }

    @Test("for content of another type than events is to look at the address")
    func noEvents() {
        let failure = DecodingFailure(
            contentType: "application/json", accepted: ["text/event-stream"], body: Data("{}".utf8))
        #expect(Failure(failure).report.contains("Check that the address is that of a stream of events"))
    }

    @Test("cannot be a line of the report that an error makes up")
    func forged() {
        struct Forged: ServiceError {
            var failureNextStep: String? { "One.\n  response: forged \u{1B}[2J token=hunter2" }
        }
        let report = Failure(Forged()).report
        #expect(!report.contains("\n  response: forged"))
        #expect(!report.contains("\u{1B}"))
        #expect(!report.contains("hunter2"))
    }
}

@Suite("The wait that a failure tells", .limited)
struct RetryAfterViewTests {
    @Test("is that of the response that decided, and nil when it says nothing")
    func value() {
        #expect(Failure(StatusError(503), response: Answer(status: 503, wait: .seconds(7))).retryAfter == .seconds(7))
        #expect(Failure(StatusError(503), response: Answer(status: 503)).retryAfter == nil)
        for status in [429, 500, 503, 200] {
            let failure = Failure(
                StatusError(status), response: Answer(status: status),
                stopReason: .rateLimit(reset: .seconds(2400), accepted: .seconds(60)))
            #expect(failure.retryAfter == .seconds(2400))
        }
        #expect(Failure(TransportError(.lost)).retryAfter == nil)
    }
}
