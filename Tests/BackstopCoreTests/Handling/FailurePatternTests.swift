import BackstopCore
import BackstopTestSupport
import Testing

@Suite("A failure pattern", .limited)
struct FailurePatternTests {
    /// Pattern, its name, and the beginnings of the codes that it is for.
    private static let kinds: [(FailurePattern, String, [String])] = [
        (.any, "any", [""]),
        (.offline, "offline", ["transport.offline"]),
        (.transport, "transport", ["transport."]),
        (.transport(.dns), "transport.dns", ["transport.dns"]),
        (.timeout, "timeout", ["timeout."]),
        (.status, "status", ["status."]),
        (.status(404), "status.404", ["status.404"]),
        (.status(500...599), "status(500...599)", ["status.5"]),
        (.status(400..<500), "status(400..<500)", ["status.4"]),
        (.status(500...), "status(500...)", ["status.5"]),
        (.status(..<400), "status(..<400)", ["status.3"]),
        (.status(...499), "status(...499)", ["status.3", "status.4"]),
        (.service, "service", ["service."]),
        (.decoding, "decoding", ["decoding"]),
        (.request, "request", ["request."]),
        (.rejected, "rejected", ["rejected."]),
        (.other, "other", ["other"]),
        (.code("status.*"), "status.*", ["status."]),
        (.code("transport.*"), "transport.*", ["transport."]),
        (.code("decoding"), "decoding", ["decoding"]),
        (.code("cancelled"), "cancelled", ["cancelled"]),
        (.code("service.SoldOut"), "service.SoldOut", ["service.SoldOut"]),
    ]

    @Test("is for the failures it names, and no others", arguments: kinds)
    func table(pattern: FailurePattern, name: String, codes: [String]) {
        #expect(pattern.description == name)
        for sample in ErrorSample.all {
            let expected = codes.contains { sample.code.hasPrefix($0) }
            #expect(pattern.matches(Failure(sample.error)) == expected, "\(sample.code)")
        }
    }

    @Test("of what may pass is for transient failures", arguments: ErrorSample.all)
    func transient(sample: ErrorSample) {
        #expect(FailurePattern.transient.matches(Failure(sample.error)) == sample.isTransient)
        #expect(FailurePattern.transient.description == "transient")
    }

    @Test("for a code is not for codes that only begin the same")
    func exact() {
        #expect(!FailurePattern.code("status.40").matches(Failure(StatusError(404))))
        #expect(!FailurePattern.code("stat").matches(Failure(StatusError(404))))
        #expect(!FailurePattern.code("decod.*").matches(Failure(ErrorSample.decodingFailure)))
    }

    @Test("for all codes below one is for that one too")
    func codeWithStar() {
        #expect(FailurePattern.code("decoding.*").matches(Failure(ErrorSample.decodingFailure)))
        #expect(FailurePattern.code("status.*").matches(Failure(StatusError(404))))
        // What has no dot is a kind of failure, and nothing else.
        #expect(FailurePattern.code("status").matches(Failure(StatusError(404))))
        #expect(FailurePattern.code("timeout").matches(Failure(TimeoutError(.attempt))))
    }

    @Test(
        "may be one of two, or both at once", arguments: [(true, true), (true, false), (false, true), (false, false)])
    func combinations(first: Bool, second: Bool) {
        // given
        let left = FailurePattern("a") { _ in first }
        let right = FailurePattern("b") { _ in second }
        let failure = Failure(ShopError())
        // then
        #expect(left.or(right).matches(failure) == (first || second))
        #expect(left.and(right).matches(failure) == (first && second))
        #expect(left.or(right).description == "a or b")
        #expect(left.and(right).description == "a and b")
    }

    @Test("may be a list, of which any matches; an empty one matches nothing")
    func list() {
        let pattern: FailurePattern = [404, 410, .offline]
        #expect(pattern.description == "status.404 or status.410 or offline")
        #expect(pattern.matches(Failure(StatusError(410))) && !pattern.matches(Failure(StatusError(409))))
        #expect(!([] as FailurePattern).matches(Failure(StatusError(404))))
        #expect(On([404, 410]) { _ in }.name == "On(status.404 or status.410)")
    }

    @Test("for a status is for an error of the service that came with it, and for nothing else that did")
    func statusOfOthers() {
        let service = Failure(SoldOut(), response: Answer("", status: 503))
        let lost = Failure(TransportError(.lost), response: Answer("", status: 503))
        for pattern in [FailurePattern.status(503), .status(500...599)] {
            #expect(pattern.matches(service))
            #expect(!pattern.matches(lost))
        }
        #expect(!FailurePattern.code("status.503").matches(service))
    }
}
