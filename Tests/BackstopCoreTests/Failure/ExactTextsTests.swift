import BackstopCore
import BackstopTestSupport
import Testing

/// What developers read of each code, word for word: people search for these sentences, and logs are filtered by them.
@Suite("The exact text of", .limited)
struct ExactTextsTests {
    private static func step(_ failure: Failure) -> String {
        let line = failure.report.split(separator: "\n").last ?? ""
        return line.hasPrefix("  next:     ") ? String(line.dropFirst(12)) : ""
    }

    private static let transports: [(TransportError.Code, String, String)] = [
        (.offline, "There is no network connection.", "Wait for a connection, then call again."),
        (
            .dns, "The host name could not be resolved.",
            "Check the host name for typos, and check the DNS resolver."
        ),
        (
            .refused, "The host refused the connection.",
            "Check that the server is running and listening on this address and port."
        ),
        (
            .unreachable, "The host could not be reached.",
            "Check the network, VPN and firewall between here and the host."
        ),
        (
            .lost, "The connection was lost before the response was complete.",
            "Check the server and any proxy in front of it: something closes connections early."
        ),
        (
            .truncated, "The response ended before it was complete.",
            "Check the server and any proxy in front of it: something closes connections early."
        ),
        (
            .tls, "The secure connection could not be established.",
            "Check whether the port speaks TLS, which versions both sides accept, and whether the server "
                + "requires a client certificate: with TLS 1.2, a missing one looks like this."
        ),
        (.certificate, "The server's certificate is not trusted.", "Check the certificate's dates, names and issuer."),
        (
            .clientCertificate, "The server requires a client certificate, or refused the one it received.",
            "Give the transport a client certificate that the server accepts."
        ),
        (
            .badResponse, "The response is not valid HTTP.",
            "Check that the port speaks HTTP, and whether it uses TLS."
        ),
        (.redirects, "There were too many redirects.", "Request the final address, or allow more redirects."),
        (
            .redirectRefused, "A redirect could not be followed.",
            "Fix the server's redirect, or request the final address directly."
        ),
        (
            .tooLarge, "The response is larger than the limit.",
            "Request less, in pages or ranges, or raise the transport's responseLimit."
        ),
        (
            .overrun, "The stream arrived faster than it was read.",
            "Read it faster, or use AsyncHTTPClientTransport: URLSession cannot make a server wait on Linux."
        ),
        (
            .notAllowed, "The system does not allow this connection.",
            "Check the app's permissions and App Transport Security."
        ),
        (
            .cellular, "Only a cellular network is available, and this request may not use one.",
            "Wait for another network, or set allowsCellularAccess for what the person asked for."
        ),
        (
            .expensive, "Only an expensive network is available, and this request may not use one.",
            "Wait for another network, or set allowsExpensiveNetworkAccess for what the person asked for."
        ),
        (
            .constrained, "The network is in Low Data Mode, and this request may not use it then.",
            "Ask for something smaller, or set allowsConstrainedNetworkAccess for what the person asked for."
        ),
        (
            .system, "The system could not carry out the transfer.",
            "Check the session's configuration, the free disk space and the limit of open files."
        ),
        (.unknown, "The transfer failed.", "Look at the underlying error."),
    ]

    @Test("each code of a transport is what happened, and what to do", arguments: transports)
    func transport(code: TransportError.Code, explanation: String, next: String) {
        let failure = Failure(TransportError(code))
        #expect(failure.explanation == explanation)
        #expect(Self.step(failure) == next)
    }

    @Test("codes of transports, requests and rejections leaves none out")
    func complete() {
        let advised = RejectionError.Code.builtIn.filter { $0.nextStep != nil }
        #expect(Set(Self.rejections.map(\.0)) == Set(advised))
        #expect(Set(Self.transports.map(\.0)) == Set(TransportError.Code.builtIn))
        #expect(Set(Self.requests.map(\.0)) == Set(RequestError.Code.builtIn))
    }

    private static let requests: [(RequestError.Code, String)] = [
        (.invalidURL, "Correct the URL, or what the endpoint puts into it."),
        (.invalidHeader, "Remove line breaks and control characters from the header's name and value."),
        (.invalidMethod, "Use a method with letters only, such as GET or POST."),
        (.encoding, "Make the value encodable, or give the encoder a strategy for it."),
        (.bodyUnreadable, "Check that the file or stream exists and can be read."),
        (.bodyLength, "Announce a stream's actual length, or none, and leave a file as it is while it is sent."),
        (.invalid, "Fix the error that was thrown while creating the request."),
    ]

    @Test("each code of a request is what to do", arguments: requests)
    func request(code: RequestError.Code, next: String) {
        let failure = Failure(RequestError(code, "Why."))
        // Of a body, it is known only while it is sent.
        let verb = [.bodyUnreadable, .bodyLength].contains(code) ? "sent" : "created"
        #expect(failure.explanation == "The request could not be \(verb): Why.")
        #expect(Self.step(failure) == next)
    }

    private static let rejections: [(RejectionError.Code, String)] = [
        (.cacheMiss, "Allow the network, or fill the cache first."),
        (
            .idempotencyKey,
            "Set the key in the endpoint, or in an interceptor outside Retry that keeps one that is there."
        ),
        (.tokenRefresh, "failure.error(as: TokenRefreshError.self) says why. The next call refreshes anew."),
        (
            .tokenRefreshLimit,
            "Compare audience, scope, lifetime and clocks: what the server has just issued is refused or has expired."
        ),
        (.tokenStore, "Look into the app's TokenStore, as a keychain cannot be read before the first unlock."),
        (.accountChanged, "Cancel the calls of an account when it signs out, and make new ones for the next account."),
    ]

    @Test("each code of a rejection with advice of its own is what to do", arguments: rejections)
    func rejection(code: RejectionError.Code, next: String) {
        #expect(Self.step(Failure(RejectionError(code, "Why."))) == next)
    }

    private static let statuses: [(Int, String)] = [
        (
            304,
            "Send If-None-Match and If-Modified-Since only with a cache that has the response, or accept 304 in "
                + "StatusValidation."
        ),
        (300, "The redirect was not followed: request the address in Location, if there is one."),
        (399, "The redirect was not followed: request the address in Location, if there is one."),
        (400, "Correct the request: the response says what the server does not accept."),
        (422, "Correct the request: the response says what the server does not accept."),
        (401, "Send credentials, or renew those that were sent."),
        (402, "Pay, or upgrade the service plan."),
        (403, "Grant this account access, or use another: its credentials are known, but not sufficient."),
        (404, "Check the endpoint's host and path, and that the item exists."),
        (405, "Use a method listed in the response's Allow header."),
        (406, "Send an Accept header with a type that the server provides."),
        (407, "Give the proxy the credentials it asks for."),
        (408, "Send the request again, and check that its body is sent without pauses."),
        (409, "Load the current state, and apply the change to it."),
        (410, "Stop using this address: the server says that it is gone for good."),
        (412, "Load the current version, and send its ETag with If-Match."),
        (413, "Send less, in parts or as smaller content."),
        (414, "Shorten the URL, or send the query in a body."),
        (415, "Send a Content-Type that the server accepts."),
        (421, "Use a separate connection: the server does not serve this host on the one used."),
        (425, "Send it again without early data."),
        (426, "Use the protocol named in the response's Upgrade header."),
        (428, "Send If-Match with the ETag of the version to change."),
        (429, "Send requests less often."),
        (431, "Send shorter headers; usually the cookies are too long."),
        (451, "Do not retry: the server must not answer, for legal reasons."),
        (501, "Use what the server supports: it does not know this method or HTTP version."),
        (505, "Use what the server supports: it does not know this method or HTTP version."),
        (502, "Check the server behind the gateway: it sent no valid response, or none in time."),
        (504, "Check the server behind the gateway: it sent no valid response, or none in time."),
        (503, "Call again later: the server is overloaded or under maintenance."),
        (507, "Free up storage on the server: it is full."),
        (508, "Fix the server: it found a loop while processing the request."),
        (511, "Sign in to the network that the device is using."),
        (500, "Check the server's log: the error is in the server."),
        (506, "Check the server's log: the error is in the server."),
        (599, "Check the server's log: the error is in the server."),
        (418, "See what the server means by this status, or accept it in StatusValidation."),
    ]

    @Test("each status is what to do", arguments: statuses)
    func status(code: Int, next: String) {
        #expect(Self.step(Failure(StatusError(code))) == next)
    }

    @Test(
        "a time limit is which one it was",
        arguments: [
            (TimeoutError(.attempt), "The attempt did not finish within its limit."),
            (
                TimeoutError(.attempt, after: .seconds(2)),
                "The attempt did not finish within its limit of 2 s."
            ),
            (TimeoutError(.deadline), "The call did not finish within its deadline."),
            (TimeoutError(.deadline, after: .seconds(2)), "The call did not finish within its deadline of 2 s."),
            (
                TimeoutError(.connection),
                "There was no free connection to the host within the time allowed: other calls were using all of them."
            ),
        ])
    func timeout(error: TimeoutError, explanation: String) {
        #expect(Failure(error).explanation == explanation)
    }
}
