import BackstopCore
import BackstopTestSupport
import Testing

@Suite("The small texts of failures", .limited)
struct StopReasonTests {
    private static let reasons: [(StopReason, String, String)] = [
        (.noRetry, "noRetry", "no retry was set up"),
        (.outsideRetry, "outsideRetry", "it failed outside Retry, which never saw it"),
        (.notRetryable, "notRetryable", "retrying would not fix this failure"),
        (.rejected, "rejected", "the request was rejected, and the policy does not retry that"),
        (
            .notIdempotent, "notIdempotent",
            "the request is not idempotent, so it is not sent again"
        ),
        (.notReplayable, "notReplayable", "the body is a stream that cannot be sent again"),
        (.attemptsUsed(1), "attemptsUsed", "only one attempt is allowed"),
        (.attemptsUsed(3), "attemptsUsed", "all 3 attempts were used"),
        (
            .deadline(wait: .milliseconds(1500)), "deadline",
            "waiting 1.5 s would have exceeded the call's deadline"
        ),
        (
            .retryAfterTooLong(asked: .seconds(300), accepted: .seconds(60)), "retryAfterTooLong",
            "the server asked to wait 5 min, and at most 60 s is accepted"
        ),
        (
            .rateLimit(reset: .seconds(2400), accepted: .seconds(60)), "rateLimit",
            "the server's rate limit is used up for 40 min, and a wait of at most 60 s is accepted"
        ),
        (.budget, "budget", "the retry budget is used up"),
        (.cancelled, "cancelled", "the call was cancelled"),
        (.custom("because of the moon"), "custom", "because of the moon"),
    ]

    @Test("say why no further attempt was made", arguments: reasons)
    func stopped(reason: StopReason, code: String, text: String) {
        #expect(reason.code == code)
        #expect(reason.description == text)
        #expect(Failure(ShopError(), stopReason: reason).report.contains("stopped:  \(text)"))
    }

    @Test("name a status where it has a name")
    func status() {
        #expect(StatusError(503).description == "status 503 Service Unavailable")
        #expect(StatusError(599).description == "status 599")
        #expect(StatusError(200, detail: "text/html").description == "status 200 OK: text/html")
        #expect(StatusError.reasonPhrase(of: 404) == "Not Found")
        #expect(StatusError.reasonPhrase(of: 299) == nil)
    }

    @Test("name limit and length of a timeout")
    func timeout() {
        #expect(TimeoutError(.attempt).description == "timeout.attempt")
        #expect(TimeoutError(.deadline, after: .seconds(2)).description == "timeout.deadline after 2 s")
    }

    @Test("name code, phase and detail of the others")
    func others() {
        #expect(TransportError(.lost).description == "transport.lost (unknown)")
        #expect(
            TransportError(.tls, phase: .connecting, detail: "bad version").description
                == "transport.tls (connecting): bad version")
        #expect(RequestError(.invalidURL, "no scheme").description == "no scheme")
        #expect(RejectionError("limit", "Too many.").description == "rejected.limit: Too many.")
    }

    @Test(
        "give durations a human size",
        arguments: [
            (.zero, "0 ms"), (.microseconds(850), "850 µs"), (.milliseconds(12), "12 ms"),
            (.milliseconds(1500), "1.5 s"),
            (.seconds(2), "2 s"), (.seconds(125), "2 min 5 s"), (.seconds(300), "5 min"),
            (.milliseconds(-1500), "-1.5 s"),
            (.seconds(Int64.max), "forever"), (.nanoseconds(999_999), "1 ms"), (.microseconds(999_900), "1 s"),
            (.milliseconds(119_990), "2 min"), (.seconds(3600), "1 h"), (.seconds(5400), "1 h 30 min"),
            (.milliseconds(3_599_900), "1 h"), (.seconds(86_400), "1 day"), (.seconds(100_000), "1 day 4 h"),
            (.seconds(31_536_000), "1 year"), (.seconds(40_000_000), "1 year 98 days"),
            (.seconds(2_147_483_648 as Int64), "68 years"), (.seconds(59), "59 s"),
            (.seconds(Int64.max) * 4, "forever"), (.seconds(Int64.min) * 4, "-forever"),
        ] as [(Duration, String)])
    func durations(duration: Duration, text: String) {
        #expect(duration.text == text)
    }
}
