import BackstopCore
import BackstopTestSupport
import Testing

extension TransportError.Code {
    static let proxy = Self(
        "proxy", isTransient: true, leavesDoubt: true, explanation: "The proxy gave up.",
        nextStep: "Look at the proxy.",
        message: FailureMessage(title: "No way out", text: "The office does not let this out.", suggestion: "Go home."))
    static let plain = Self("plain", isTransient: false, explanation: "Plainly failed.", nextStep: "Look at it.")
}

extension TimeoutError.Kind {
    static let approval = Self(
        "approval", isTransient: true, isBeforeSending: true, explanation: "Nobody approved it.",
        nextStep: "Ask earlier.",
        message: FailureMessage(title: "Not approved", text: "This was not approved in time.", suggestion: nil))
}

extension RequestError.Code {
    static let unsigned = Self(
        "unsigned", explanation: "It could not be signed.", nextStep: "Import the signing key.")
}

extension RejectionError.Code {
    static let quota = Self(
        "quota", isTransient: true, explanation: "The quota is used up.", nextStep: "Buy more.",
        message: FailureMessage(title: "Used up", text: "Nothing is left for today.", suggestion: "Come back tomorrow.")
    )
}

@Suite("A code of an app's own", .limited)
struct OwnCodeTests {
    /// The line of a report that begins with a word.
    private func line(_ word: String, of failure: Failure) -> String? {
        failure.report.split(separator: "\n").first { $0.hasPrefix("  \(word):") }
            .map { String($0.dropFirst(12)) }
    }

    private func keys(_ failure: Failure) -> [String] {
        var keys: [String] = []
        _ = failure.message { key, english in
            keys.append(key)
            return english
        }
        return keys
    }

    @Test("of a transport is told, retried and translated as it says")
    func transport() {
        // given
        let failure = Failure(TransportError(.proxy))
        // then
        #expect(failure.code == "transport.proxy")
        #expect(failure.isTransient)
        #expect(failure.explanation == "The proxy gave up.")
        #expect(line("next", of: failure) == "Look at the proxy.")
        #expect(failure.message.text == "The office does not let this out.")
        #expect(keys(failure) == ["transport.proxy.title", "transport.proxy.text", "transport.proxy.suggestion"])
        #expect(FailurePattern.transport(.proxy).matches(failure))
    }

    @Test("of a transport has neutral words when it gives none, and warns of nothing")
    func neutral() {
        var order = Ask("order")
        order.isIdempotent = false
        let failure = Failure(TransportError(.plain, phase: .receiving), request: order)
        #expect(!failure.isTransient)
        #expect(failure.message == Failure(TransportError(.unknown)).message)
        #expect(line("next", of: failure) == "Look at it.")
    }

    @Test("that leaves doubt warns where an order may have gone through")
    func doubt() {
        var order = Ask("order")
        order.isIdempotent = false
        let failure = Failure(TransportError(.proxy, phase: .receiving), request: order)
        #expect(failure.message.suggestion == "Please check whether it worked before you try again.")
    }

    @Test("of a time limit is told as it says, with the length of the limit")
    func timeout() {
        var order = Ask("order")
        order.isIdempotent = false
        let failure = Failure(TimeoutError(.approval, after: .seconds(5)), request: order)
        #expect(failure.code == "timeout.approval")
        #expect(failure.isTransient)
        #expect(failure.explanation == "Nobody approved it. The limit was 5 s.")
        #expect(Failure(TimeoutError(.approval)).explanation == "Nobody approved it.")
        #expect(line("next", of: failure) == "Ask earlier.")
        #expect(failure.message.title == "Not approved")
        #expect(failure.message.suggestion == nil)
        #expect(keys(failure) == ["timeout.approval.title", "timeout.approval.text"])
    }

    @Test("of a request is told as it says, in its own words where the error has none")
    func request() {
        let failure = Failure(RequestError(.unsigned, ""))
        #expect(failure.code == "request.unsigned")
        #expect(!failure.isTransient)
        #expect(failure.explanation == "The request could not be created: It could not be signed.")
        #expect(Failure(RequestError(.unsigned, "No key")).explanation == "The request could not be created: No key")
        #expect(line("next", of: failure) == "Import the signing key.")
    }

    @Test("of a refusal is told, retried and translated as it says, unless the error says otherwise")
    func rejected() {
        let failure = Failure(RejectionError(.quota, "100 of 100"))
        #expect(failure.code == "rejected.quota")
        #expect(failure.isTransient)
        #expect(!Failure(RejectionError(.quota, "100 of 100", isTransient: false)).isTransient)
        #expect(failure.explanation == "The request was not sent: 100 of 100")
        #expect(Failure(RejectionError(.quota, "")).explanation == "The request was not sent: The quota is used up.")
        let late = Failure(RejectionError(.quota, "100 of 100"), request: Ask())
        #expect(late.explanation == "The call was rejected after a request was sent: 100 of 100")
        #expect(line("next", of: failure) == "Buy more.")
        #expect(failure.message.title == "Used up")
        #expect(keys(failure) == ["rejected.quota.title", "rejected.quota.text", "rejected.quota.suggestion"])
    }

    @Test("of a refusal may be a name in quotes; one of Backstop's means what Backstop says")
    func literal() {
        let own = Failure(RejectionError("own", "No."))
        #expect(own.code == "rejected.own")
        #expect(!own.isTransient)
        #expect(line("next", of: own) == nil)
        #expect(own.message.title == "Not possible right now")
        #expect(Failure(RejectionError("limit", "Full.")).isTransient)
        #expect(Failure(RejectionError("cacheMiss", "")).message == Failure(RejectionError(.cacheMiss, "")).message)
    }

    @Test("is equal to another of its name, and cannot redefine one of Backstop's")
    func equality() {
        let other = TransportError.Code("proxy", isTransient: false, explanation: "Other.", nextStep: "Other.")
        #expect(other == .proxy)
        #expect(Set([other, .proxy, .dns]).count == 2)
        #expect("\(other)" == "proxy")
        let dns = TransportError.Code("dns", isTransient: false, explanation: "Other.", nextStep: "Other.")
        #expect(dns.isTransient)
        #expect(dns.explanation == "The host name could not be resolved.")
        let attempt = TimeoutError.Kind("attempt", isTransient: false, explanation: "Other.", nextStep: "Other.")
        #expect(attempt.isTransient)
        let encoding = RequestError.Code("encoding", explanation: "Other.", nextStep: "Other.")
        #expect(encoding.explanation == "The content could not be encoded.")
    }

    @Test("cannot break a line of a log")
    func hostile() {
        let code = TransportError.Code("a\nb \u{1B}", isTransient: false, explanation: "x", nextStep: "y")
        #expect(Failure(TransportError(code)).code == "transport.a b ")
    }

    @Test("can be told apart from others by a switch with a default")
    func switching() {
        func word(_ code: TransportError.Code) -> String {
            switch code {
            case .proxy: "own"
            case .dns, .offline: "known"
            default: "other"
            }
        }
        #expect([.proxy, .dns, .lost].map(word) == ["own", "known", "other"])
    }
}
