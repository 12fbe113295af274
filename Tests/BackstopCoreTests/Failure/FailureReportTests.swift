import BackstopCore
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The report of a failure", .limited)
struct FailureReportTests {
    private static let secret = "hunter2secret"

    private func failure() -> Failure {
        Failure(
            StatusError(503),
            request: Ask(
                "books?page=2&token=\(Self.secret)", fields: [("Authorization", Self.secret), ("Accept", "text")]),
            response: Answer(
                #"{"reason":"busy","password":"\#(Self.secret)"}"#, status: 503,
                fields: ["Set-Cookie": Self.secret, "Server": "test"]),
            attempts: [
                Attempt(number: 1, duration: .milliseconds(12), result: .failed(code: "transport.lost")),
                Attempt(
                    number: 2, start: .milliseconds(107), duration: .milliseconds(31), wait: .milliseconds(95),
                    waitReason: "backoff", result: .failed(code: "status.503")),
            ],
            stopReason: .attemptsUsed(2), name: "books")
    }

    @Test("has what was asked, what came, every attempt, why it stopped, and what to do")
    func whole() {
        #expect(
            failure().report == """
                status.503: The server answered 503 Service Unavailable.
                  call:     books
                  request:  ask books?page=2&token=<redacted>
                            Authorization: <redacted>
                            Accept: text
                  response: answer 503, 44 bytes
                            Server: test
                            Set-Cookie: <redacted>
                            {"reason":"busy","password":"<redacted>"}
                  where:    in the head of the response
                  attempts: 1. transport.lost in 12 ms
                            2. status.503 in 31 ms after a wait of 95 ms (backoff)
                  stopped:  all 2 attempts were used
                  next:     Call again later: the server is overloaded or under maintenance.
                """)
    }

    @Test("keeps the words of interceptors on their line, without secrets")
    func words() {
        // given
        let attempt = Attempt(
            number: 2, wait: .seconds(1), waitReason: "asked\n  next:     nothing, token=\(Self.secret)", result: .ok)
        let failure = Failure(RejectionError("quota\n  next: x", "Used up."), attempts: [attempt])
        // then
        #expect(failure.report.contains("(asked next: nothing, token=<redacted>)"))
        #expect(failure.code == "rejected.quota next: x")
        #expect(!failure.report.contains("\n  next: x"))
    }

    @Test("says that nothing was sent and nothing came")
    func nothing() {
        let report = Failure(RequestError(.invalidURL, "no scheme in \"books\"")).report
        #expect(report.contains("request.invalidURL: The request could not be created: no scheme in \"books\""))
        #expect(report.contains("  request:  nothing was sent"))
        #expect(report.contains("  response: no response"))
    }

    @Test("says how far the transport had come")
    func phase() {
        let error = TransportError(
            .lost, phase: .receiving, detail: "Connection reset", bytesReceived: 512, underlying: ShopError())
        let report = Failure(error).report
        #expect(report.contains("The system says: Connection reset"))
        #expect(report.contains("  where:    while receiving the response, after 512 bytes of the body"))
    }

    @Test("says where decoding failed, what was expected and what was found")
    func decoding() {
        let failure = ErrorSample.decodingFailure
        let report = Failure(failure).report
        #expect(report.contains("  where:    \(failure.path)"))
        #expect(report.contains("  expected: \(failure.expected)"))
        #expect(report.contains("  found:    \(failure.found)"))
    }

    @Test("is the description of the failure")
    func description() {
        let failure = failure()
        #expect(failure.description == failure.report)
        #expect(failure.debugDescription == failure.report)
        #expect("\(failure)" == failure.report)
        #expect(String(reflecting: failure) == failure.report)
    }

    @Test("and all other texts of the failure are without secrets")
    func secrets() {
        // given
        let failure = failure()
        var dumped = ""
        dump(failure, to: &dumped)
        var outcome = ""
        dump(Outcome<Int>.unhandled(failure), to: &outcome)
        let texts = [
            failure.report, "\(failure)", String(describing: failure), String(reflecting: failure), dumped, outcome,
            "\(Outcome<Int>.unhandled(failure))", "\([failure])", "\(Optional(failure) as Any)", failure.trace.json,
            failure.trace.text, "\(failure.message)", failure.code,
        ]
        // then
        for text in texts {
            #expect(!text.contains(Self.secret), "\(text)")
        }
        #expect(failure.report.contains(Redaction.placeholder))
    }

    @Test("shows secrets only when they are asked for")
    func unredacted() {
        let failure = failure()
        #expect(failure.unredactedReport.contains("Authorization: \(Self.secret)"))
        #expect(failure.report(redaction: .off) == failure.unredactedReport)
        #expect(failure.report(redaction: .standard) == failure.report)
    }

    @Test("hides what the call's own redaction says")
    func ownRedaction() async throws {
        // given
        var options = CallOptions()
        options.redaction = .standard.adding("iban")
        let ask = Ask("x", fields: [("iban", Self.secret)])
        let chain = try AskChain(transport: Script<Ask, Answer>(.failure(TransportError(.lost)))) {}
        // when
        let failure = try #require(await chain.result(ask, options: options).failure)
        // then
        #expect(!"\(failure)".contains(Self.secret))
        #expect(failure.unredactedReport.contains(Self.secret))
    }

    @Test("of a call without redaction is whole; texts that go to others are not")
    func offForOthers() async throws {
        // given
        var options = CallOptions()
        options.redaction = .off
        let error = SoldOut(failureMessage: "Wrong password=\(Self.secret)")
        let chain = try AskChain(transport: Script<Ask, Answer>(.failure(error))) {}
        // when
        let failure = try #require(await chain.result(Ask(), options: options).failure)
        // then
        #expect(failure.report.contains(Self.secret))
        #expect(!failure.message.text.contains(Self.secret))
    }

    @Test("hides secrets in the texts of errors it does not know")
    func otherError() {
        // given
        struct Leaky: Error, CustomStringConvertible { let description: String }
        // then
        let failure = Failure(Leaky(description: "sent Authorization: Bearer \(Self.secret)"))
        #expect(!failure.report.contains(Self.secret))
        #expect(failure.report.contains("FailureReportTests.Leaky was thrown"))
    }

    @Test("begins with the code and explains every kind", arguments: ErrorSample.all)
    func everyKind(sample: ErrorSample) {
        // given
        let failure = Failure(sample.error)
        // then
        #expect(failure.report.hasPrefix("\(sample.code): "))
        #expect(failure.explanation.count > 10)
        #expect(failure.report.contains("  stopped:  no retry was set up"))
    }

    @Test("lets the system speak only where there are words of the system")
    func ownWords() {
        let own = Failure(TransportError(.redirects, detail: "More than the 20 redirects allowed"))
        #expect(
            own.explanation == "There were too many redirects. More than the 20 redirects allowed.")
        #expect(Failure(TransportError(.dns)).explanation == "The host name could not be resolved.")
    }

    @Test("says what to do next, but for what needs nothing", arguments: ErrorSample.all)
    func next(sample: ErrorSample) {
        let needsNothing = sample.code == "cancelled" || sample.code == "rejected.breakerOpen"
        #expect(Failure(sample.error).report.contains("\n  next:     ") == !needsNothing)
    }

    @Test("says how far the exchange had come where the error does not know")
    func phaseOfProgress() {
        let failure = Failure(
            TransportError(.lost), request: Ask(), progress: TransferProgress(.receiving, bytesReceived: 7))
        #expect(failure.report.contains("while receiving the response, after 7 bytes of the body"))
    }

    @Test(
        "shows twenty redirects, and the number of the rest",
        arguments: [(20, nil), (21, "(1 more)"), (30, "(10 more)")])
    func hops(redirects: Int, rest: String?) {
        // given
        let context = CallContext()
        for number in 0...redirects {
            context.recordHop(Ask("hop \(number)"))
        }
        // when
        let report = context.finish(failing: TransportError(.lost)).report
        // then
        #expect(report.contains("more)") == (rest != nil))
        #expect(rest.map { report.contains($0) } != false)
        #expect(report.contains("ask hop 20"))
        #expect(!report.contains("ask hop 21"))
    }

    @Test("shows what was sent where nobody knows what was asked")
    func unknownAsked() {
        // given
        let context = CallContext()
        context.recordHop(Ask("sent"))
        // then
        #expect(context.finish(failing: TransportError(.lost)).report.contains("ask sent"))
    }

    @Test("says in which attempt nothing was sent, when there were several")
    func unsentAttempt() {
        // given
        let context = CallContext()
        context.recordHop(Ask("sent"))
        let next = context.nextAttempt(after: ShopError(), waited: .zero, because: "test")
        // when
        let failure = context.finish(failing: TransportError(.lost), asked: Ask("asked"))
        // then
        #expect(next.attempt == 2)
        #expect(failure.report.contains("nothing in attempt 2"))
    }
}
