import BackstopCore
import Testing

@Suite("The message of a failure")
struct FailureMessageTests {
    @Test("has a title and a sentence for every code", arguments: FailureSample.all)
    func everyCode(sample: FailureSample) {
        // when
        let message = Failure(sample.error).message
        // then
        #expect(!message.title.isEmpty)
        #expect(!message.title.hasSuffix("."))
        #expect(message.text.hasSuffix("."))
        #expect(message.suggestion?.hasSuffix(".") != false)
    }

    @Test("has no technical words", arguments: FailureSample.all)
    func plain(sample: FailureSample) {
        let message = Failure(sample.error).message
        let all = "\(message.title) \(message.text) \(message.suggestion ?? "")".lowercased()
        for word in ["http", "json", "status", "timeout", "dns", "tls", "null", "exception", "decod", "5", "4"] {
            #expect(!all.contains(word), "\(word) in: \(all)")
        }
    }

    @Test("goes through the translator, part by part", arguments: FailureSample.all)
    func translated(sample: FailureSample) {
        // given
        let failure = Failure(sample.error)
        var asked: [String: String] = [:]
        // when
        let message = failure.message { key, english in
            asked[key] = english
            return "<\(key)>"
        }
        // then
        #expect(message.title.hasPrefix("<") && message.title.hasSuffix(".title>"))
        #expect(message.text.hasSuffix(".text>"))
        #expect(message.suggestion?.hasSuffix(".suggestion>") != false)
        #expect(asked.count == (message.suggestion == nil ? 2 : 3))
        #expect(Set(asked.values).isSuperset(of: [failure.message.title, failure.message.text]))
    }

    @Test("is what the service says to people, when it says something")
    func service() {
        // given
        let own = Failure(SoldOut(failureMessage: "The lamp is sold out."))
        let none = Failure(SoldOut())
        let empty = Failure(SoldOut(failureMessage: ""))
        // then
        #expect(own.message { _, _ in "translated" }.text == "The lamp is sold out.")
        #expect(own.message { _, _ in "translated" }.title == "translated")
        #expect(none.message.text == "The server could not do what was asked.")
        #expect(empty.message == none.message)
    }

    @Test("is bounded, whatever the service says")
    func bounded() {
        let long = String(repeating: "x", count: 10_000)
        #expect(Failure(SoldOut(failureMessage: long)).message.text.count == 500)
    }

    @Test("says that the server is busy when an error of the service may pass")
    func transientService() {
        #expect(Failure(SoldOut(isTransient: true)).message == Failure(StatusError(503)).message)
    }

    @Test("tells a person what to do about being offline")
    func offline() {
        #expect(
            Failure(TransportError(.offline)).message
                == FailureMessage(
                    title: "You are offline", text: "There is no connection to the internet.",
                    suggestion: "Please check the connection and try again."))
    }
}
