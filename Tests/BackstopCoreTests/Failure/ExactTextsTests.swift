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
        (.offline, "There is no connection to a network.", "Wait for a connection, then call again."),
        (
            .dns, "The name of the host could not be resolved.",
            "Check the host's name for a typing error, and the resolver."
        ),
        (
            .refused, "The host refused the connection.",
            "Check that the server runs, and listens on this address and port."
        ),
        (
            .unreachable, "The host could not be reached.",
            "Check the network, VPN and firewall between here and the host."
        ),
        (
            .lost, "The connection was lost before the response was complete.",
            "Look at the server and what stands before it: something closes connections early."
        ),
        (
            .truncated, "The response ended before it was complete.",
            "Look at the server and what stands before it: something closes connections early."
        ),
        (
            .tls, "The secure connection could not be made.",
            "Check which versions of TLS both sides accept, and whether the server wants a client certificate: with TLS 1.2 "
                + "a missing one looks like this."
        ),
        (.certificate, "The server's certificate is not trusted.", "Check the certificate's dates, names and issuer."),
        (
            .clientCertificate, "The server wants a certificate of the client's, or refused the one it got.",
            "Give the session a client certificate that the server accepts."
        ),
        (
            .badResponse, "What came back is not an HTTP response that can be read.",
            "Check that the port speaks HTTP, and whether with TLS or without."
        ),
        (.redirects, "The redirects did not come to an end.", "Ask the final address, or follow more redirects."),
        (
            .redirectRefused, "A redirect could not be followed.",
            "Ask the final address directly, with a body that can be sent again."
        ),
        (
            .tooLarge, "The response is larger than is accepted.",
            "Ask for less, in pages or ranges, or raise responseLimit of the transport."
        ),
        (
            .notAllowed, "The system does not allow this connection.",
            "Check the app's permissions and App Transport Security."
        ),
        (
            .system, "The system could not carry out the transfer.",
            "Check the session's configuration, and the space on the disk."
        ),
        (.unknown, "The transfer failed.", "Look at the underlying error."),
    ]

    @Test("each code of a transport is what happened, and what to do", arguments: transports)
    func transport(code: TransportError.Code, explanation: String, next: String) {
        let failure = Failure(TransportError(code))
        #expect(failure.explanation == explanation)
        #expect(Self.step(failure) == next)
    }

    @Test("codes of transports and requests leaves none out")
    func complete() {
        #expect(Set(Self.transports.map(\.0)) == Set(TransportError.Code.builtIn))
        #expect(Set(Self.requests.map(\.0)) == Set(RequestError.Code.builtIn))
    }

    private static let requests: [(RequestError.Code, String)] = [
        (.invalidURL, "Correct the URL, or what the endpoint puts into it."),
        (.invalidHeader, "Take line ends and control characters out of the header's name and value."),
        (.invalidMethod, "Use a method of letters only, such as GET or POST."),
        (.encoding, "Make the value encodable, or give the encoder a strategy for it."),
        (.bodyUnreadable, "Check that the file or the stream is there and can be read."),
        (.bodyLength, "Announce the length that the body has, or none."),
        (.invalid, "Correct what makeRequest() of the endpoint threw."),
    ]

    @Test("each code of a request is what to do", arguments: requests)
    func request(code: RequestError.Code, next: String) {
        let failure = Failure(RequestError(code, "Why."))
        #expect(failure.explanation == "The request could not be made: Why.")
        #expect(Self.step(failure) == next)
    }

    private static let statuses: [(Int, String)] = [
        (
            304,
            "Send If-None-Match and If-Modified-Since only with a cache that has the answer, or accept 304 in "
                + "StatusValidation."
        ),
        (300, "The redirect was not followed: ask the address in Location, if there is one."),
        (399, "The redirect was not followed: ask the address in Location, if there is one."),
        (400, "Correct the request: the server's answer says what it does not accept."),
        (422, "Correct the request: the server's answer says what it does not accept."),
        (401, "Send credentials, or renew those that were sent."),
        (402, "Pay, or raise the plan that the service is used with."),
        (403, "Give this account the right, or call with another: the credentials are known, but not enough."),
        (404, "Check host and path of the endpoint, and that the item exists."),
        (405, "Use a method that the server's Allow header names."),
        (406, "Ask with Accept for a type that the server has."),
        (407, "Give the proxy the credentials it asks for."),
        (408, "Send the request again, and check that its body goes out without a pause."),
        (409, "Load the current state, and apply the change to that."),
        (410, "Forget this address: the server says that it is gone for good."),
        (412, "Load the current version, and send its ETag with If-Match."),
        (413, "Send less: in parts, or smaller."),
        (414, "Shorten the URL, or send the query in a body."),
        (415, "Send a Content-Type that the server reads."),
        (421, "Send it on a connection of its own: the server does not answer for this host on the one used."),
        (425, "Send it again without early data."),
        (426, "Use the protocol that the server's Upgrade header names."),
        (428, "Send If-Match with the ETag of the version that is to be changed."),
        (429, "Send fewer requests in the same time."),
        (431, "Send shorter headers; mostly cookies are what is too long."),
        (451, "Do not ask again: the server may not answer for legal reasons."),
        (501, "Ask for what the server supports: it does not know this method or version of HTTP."),
        (505, "Ask for what the server supports: it does not know this method or version of HTTP."),
        (502, "Look at the server behind the gateway: it gave no good answer, or none in time."),
        (504, "Look at the server behind the gateway: it gave no good answer, or none in time."),
        (503, "Call again later: the server is overloaded, or in maintenance."),
        (507, "Make room on the server: its storage is full."),
        (508, "Correct the server: it found a loop in what was asked."),
        (511, "Sign in to the network that the device is in."),
        (500, "Look into the server's log: the fault is inside the server."),
        (506, "Look into the server's log: the fault is inside the server."),
        (599, "Look into the server's log: the fault is inside the server."),
        (418, "Look at the body above, or accept this status in StatusValidation."),
    ]

    @Test("each status is what to do", arguments: statuses)
    func status(code: Int, next: String) {
        #expect(Self.step(Failure(StatusError(code))) == next)
    }

    @Test(
        "a time limit is which one it was",
        arguments: [
            (TimeoutError(.attempt), "There was no complete response within the limit of one attempt."),
            (
                TimeoutError(.attempt, after: .seconds(2)),
                "There was no complete response within the limit of 2 s of one attempt."
            ),
            (TimeoutError(.deadline), "The call was not done within its deadline."),
            (TimeoutError(.deadline, after: .seconds(2)), "The call was not done within its deadline of 2 s."),
            (
                TimeoutError(.connection),
                "There was no free connection to the host within the time allowed: other calls were using all of them."
            ),
        ])
    func timeout(error: TimeoutError, explanation: String) {
        #expect(Failure(error).explanation == explanation)
    }
}
