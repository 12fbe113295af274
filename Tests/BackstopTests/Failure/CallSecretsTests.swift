import Backstop
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

/// What a call sent and received under sensitive names is hidden in all of its texts, wherever else it turns up.
@Suite("Secrets of a call in its texts", .limited)
struct CallSecretsTests {
    /// The texts that know their call.
    private static func texts(_ failure: Failure, _ rig: Rig) -> [(String, String)] {
        var texts = [
            ("report", failure.report), ("standard report", failure.report(redaction: .standard)),
            ("description", "\(failure)"), ("reflection", String(reflecting: failure)), ("dump", dumped(failure)),
            ("explanation", failure.explanation), ("title", failure.message.title), ("message", failure.message.text),
            ("localized", failure.localizedDescription), ("trace", failure.trace.text), ("JSON", failure.trace.json),
            ("print of the trace", "\(failure.trace)"), ("fingerprint", failure.fingerprint),
            ("report in JSON", failure.jsonReport), ("JSON with details", failure.jsonReport(details: true)),
            ("dump of the trace", dumped(failure.trace)),
            ("log", rig.log.messages.joined(separator: "\n")),
        ]
        for (name, error) in [("NSError", failure as NSError), ("nsError", failure.nsError)] {
            var next: NSError? = error
            while let error = next {
                texts.append((name, "\(error) \(error.userInfo) \(error.localizedDescription)"))
                next = error.userInfo[NSUnderlyingErrorKey] as? NSError
            }
        }
        return texts
    }

    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private static func client(_ rig: Rig) throws -> Client {
        try rig.standard(bodyLimit: 5000, curl: .always).withOptions { $0.tracesInterceptors = true }
    }

    @Test("an answer that quotes what was sent does not spread it: NestJS, a proxy's page, a decoder's words")
    func quoted() async throws {
        let answers = [
            (400, #"{"message":["hunter2-x is too short","email must be an email"],"sent":"Basic YW5uOmh1bnRlcjI="}"#),
            (422, #"{"errors":{"password":["hunter2-x was found in a leak"]}}"#),
            (502, "<html><title>hunter2-x</title>upstream got password hunter2-x</html>"),
            (200, #"{"id":"hunter2-x","title":"hunter2%2Dx"}"#), (200, "hunter2-x"),
            (200, #"{"id":1,"title":2,"echo":"{\"p\":\"hunter2\\u002dx\"}"}"#),
        ]
        for (status, body) in answers {
            // given
            let rig = Rig(ScriptedTransport.Step.json(status, body).repeated())
            let request = try HTTP.Request(
                .put, "https://api.example.com/login", headers: ["Content-Type": "application/json"],
                body: .text(#"{"user":"ann","password":"hunter2-x"}"#))
            // when
            let failure = try #require(
                await #expect(throws: Failure.self) { try await Self.client(rig).send(Login(request: request)) })
            // then
            for (name, text) in Self.texts(failure, rig) {
                #expect(!text.contains("hunter2") && !text.contains("YW5uOmh1"), "\(name) of \(body): \(text)")
            }
            #expect(failure.unredactedReport.contains("hunter2"))
        }
    }

    private struct Login: JSONEndpoint {
        typealias Content = Book
        let request: HTTP.Request
        func makeRequest() throws -> HTTP.Request { request }
    }

    @Test("secrets planted at random come out of no text, wherever they are quoted", arguments: Seed.ofRun)
    func planted(seed: Seed) async throws {
        var random = seed.numbers
        for _ in 0..<60 {
            // given
            let secrets = (0..<6).map { _ in "zq\(UInt64.random(in: 0 ... .max, using: &random))" }
            var request = try HTTP.Request(
                .put, "https://ann:\(secrets[0])@api.example.com/a?token=\(secrets[1])&page=2",
                headers: ["Authorization": "Bearer \(secrets[2])", "Cookie": "theme=dark; id=\(secrets[3])"])
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                request.headers[.contentType] = "application/json"
                request.body = .text(#"{"user":{"login":"ann","password":"\#(secrets[4])"}}"#)
            case 1:
                request.headers[.contentType] = "application/x-www-form-urlencoded"
                request.body = .text("user=ann&password=\(secrets[4])")
            default:
                request.headers[.contentType] = "application/json"
                request.body = .text(#"{"query":"{a}","variables":{"pin":"\#(secrets[4])"}}"#)
            }
            let isThrown = Bool.random(using: &random)
            let isOwn = Bool.random(using: &random)
            // The last one is received.
            let quoted = secrets.prefix(isThrown ? 5 : 6).randomElement(using: &random) ?? ""
            let words = "no \(quoted), \(quoted)x (\(Data("ann:\(secrets[0])".utf8).base64EncodedString())) or 'it'"
            let received = "{\"session_token\":\"\(secrets[5])\",\"message\":\"\(words)\",\"n\":\"\(secrets[5])\"}"
            let error = NSError(
                domain: "shop", code: 7,
                userInfo: [
                    NSLocalizedDescriptionKey: words,
                    NSUnderlyingErrorKey: NSError(
                        domain: "inner", code: 1, userInfo: [NSLocalizedDescriptionKey: words]),
                    "list": [words, ["a": words]],
                ])
            let rig = Rig(
                ScriptedTransport.Step.respond { _, context in
                    context.note("said", words)
                    if isThrown { throw isOwn ? Refusal(description: words) : error }
                    return HTTP.Response(
                        status: 400, headers: ["Content-Type": "application/json", "X-Said": words],
                        body: Data(received.utf8))
                }.repeated())
            // when
            let failure = try #require(
                await #expect(throws: Failure.self) { try await Self.client(rig).send(Login(request: request)) })
            // then
            for (name, text) in Self.texts(failure, rig) {
                let found = text.range(of: "zq[0-9]{8}", options: .regularExpression).map {
                    text[$0.lowerBound...].prefix(30)
                }
                #expect(found == nil, "\(name)")
            }
            #expect(!isThrown || failure.report.contains("'it'"))
        }
    }

    @Test("what an app removes from the words is shown, also where it is quoted")
    func removed() async throws {
        // given
        let rig = Rig(ScriptedTransport.Step.json(409, #"{"message":"ticket T-10000 is taken"}"#).repeated())
        let client = try Self.client(rig)
        func failure(_ client: Client) async throws -> Failure {
            try #require(
                await #expect(throws: Failure.self) {
                    try await client.post("a", json: ["ticket": "T-10000"]) as HTTP.Response
                })
        }
        // then
        #expect(try await !failure(client).report.contains("T-10000"))
        let open = client.withOptions { $0.redaction = .standard.removing("ticket") }
        #expect(try await failure(open).report.contains("ticket T-10000 is taken"))
    }
}
