import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("The words of a presentation", .limited)
struct PresentationWordsTests {
    private struct Refused: ServiceError {
        var text: String
    }

    @Test("have no secret and no end of line, and are cut, also where a rule repeats what a server wrote")
    func bounded() {
        let policy = PresentationPolicy(texts: .english) {
            Present(error: Refused.self) { error, _ in
                .alert(message: FailureMessage(title: error.text, text: error.text, suggestion: error.text))
            }
        }
        let hostile = "token=s3cr3t-planted\nBearer s3cr3t-planted " + String(repeating: "ä", count: 10_000)

        let message = policy.presentation(of: Failure(Refused(text: hostile))).message

        #expect(message.title.unicodeScalars.count == 100)
        #expect(message.text.unicodeScalars.count == 500)
        #expect(message.suggestion?.unicodeScalars.count == 200)
        for text in [message.title, message.text, message.suggestion ?? ""] {
            #expect(!text.contains("s3cr3t") && !text.contains("\n"))
        }
    }

    @Test("never repeat what a server wrote for developers")
    func developers() {
        struct Fault: ServiceError {
            var failureExplanation: String { "relation \"users\" does not exist" }
        }
        let presentation = PresentationPolicy(texts: .english).presentation(of: Failure(Fault()))
        #expect(!presentation.spokenText.contains("users"))
        #expect(!presentation.json.contains("users"))
    }

    @Test("are spoken as sentences")
    func spoken() {
        let presentation = PresentationPolicy(texts: .english).presentation(of: Failure(TransportError(.offline)))
        #expect(
            presentation.spokenText
                == "You are offline. There is no connection to the internet. "
                + "Please check your connection and try again.")
    }

    @Test("are JSON for a page")
    func json() {
        let policy = PresentationPolicy(texts: .english) {
            Present(.decoding, as: .inline(field: #"a"b"#))
        }
        #expect(
            policy.presentation(of: Failure(TransportError(.offline))).json
                == #"{"kind":"banner","code":"transport.offline","field":null,"title":"You are offline","#
                + #""text":"There is no connection to the internet.","#
                + #""suggestion":"Please check your connection and try again.","#
                + #""actions":[{"name":"dismiss","title":"Close"}],"lifetime":"untilSuccess","countdown":null}"#)
        let field = policy.presentation(of: FailureSamples.failure("decoding (missingKey)") ?? Failure(StatusError(1)))
        #expect(field.json.contains(#""kind":"inline","code":"decoding","field":"a\"b","#))
        let banner = policy.presentation(of: Failure(StatusError(500)))
        #expect(banner.json.contains(#""lifetime":10,"#))
    }
}
