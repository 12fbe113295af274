import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("Secrets of a call", .limited)
struct SecretValuesTests {
    /// What a call sent or received.
    private struct Message: SecretCarrier, Sendable {
        var url = ""
        var headers: [(String, String)] = []
        var body = ""
        var isSent = true

        var bounded: any SecretCarrier { self }

        func addSecrets(to collector: inout SecretCollector) {
            collector.url(url)
            for (name, value) in headers { collector.header(name, value) }
            collector.body(body.utf8, contentType: nil)
        }
    }

    private static func redaction(_ message: Message) -> Redaction {
        Redaction.standard.knowing(CallSecrets([message]))
    }

    @Test(
        "a value is hidden wherever it turns up, in any encoding",
        arguments: [
            ("no: hun+ter/2&3 is wrong", "no: <redacted> is wrong"),
            ("hun%2Bter%2F2%263", "<redacted>"), ("x=hun%252bter%252F2%25263.", "x=<redacted>."),
            ("hun ter/2&amp;3!", "<redacted>!"), (#"{"said":"hun+ter\/2\u00263"}"#, #"{"said":"<redacted>"}"#),
            (#"{"said":"{\"it\":\"hun\\u002bter\\/2&3\"}"}"#, #"{"said":"{\"it\":\"<redacted>\"}"}"#),
            ("hun&#43;ter&#x2F;2&amp;3", "<redacted>"), (#"hun\x2Bter\x2F2\u0026amp;3"#, "<redacted>"),
            ("ahun+ter/2&3b", "a<redacted>b"), ("it ends with hun+ter/2", "it ends with <redacted>"),
            ("it is cut: hun+ter… there", "it is cut: <redacted>… there"), ("hunter 2", "hunter 2"),
        ])
    func encodings(text: String, shown: String) {
        let redaction = Self.redaction(Message(body: #"{"user":"ann","password":"hun+ter\/2&3"}"#))
        #expect(redaction.text(text) == shown)
        #expect(redaction.body(text, contentType: "text/plain") == shown)
        #expect(redaction.text(redaction.text(text)) == shown)
        #expect(redaction.withoutValues(text) == shown)
    }

    @Test(
        "a value is hidden as it is on one line, with signs that are not seen or are spaces there",
        arguments: [
            "\u{A0}", "\u{85}", "\u{2003}", "\u{3000}", "\u{2028}", "\u{AD}", "\u{200B}", "\u{200E}", "\u{202A}",
            "\u{2060}", "\u{FEFF}", "\u{E0041}", "\u{200D}", "é", "\u{FE0F}",
        ])
    func unseen(sign: String) {
        let password = "Tr0ub4dor\(sign)horse77"
        let redaction = Self.redaction(Message(body: "password=\(password)"))
        for text in [password, Excerpt.printable(password)] {
            #expect(redaction.text("\u{200B}\(text) is\(sign)too weak") == "\u{200B}<redacted> is\(sign)too weak")
        }
    }

    @Test(
        "values are found wherever names and shapes decide",
        arguments: [
            (Message(url: "https://a.example/?token=abcd1234&page=2"), "abcd1234", "page=2"),
            (Message(url: "https://ann:pa%20ss9@a.example/"), "pa ss9", "ann"),
            (Message(url: "https://ann:hunter2@a.example/"), "YW5uOmh1bnRlcjI", "a.example"),
            (Message(headers: [("Authorization", "Bearer abcd1234")]), "abcd1234", "abcd"),
            (Message(headers: [("Authorization", "Basic YW5uOmh1bnRlcjI=")]), "hunter2", "ann"),
            (Message(headers: [("Authorization", "Basic YW5uOmh1bnRlcjI=")]), "YW5uOmh1bnRlcjI", "ann"),
            (
                Message(headers: [("Authorization", "Digest username=\"ann\", response=\"0123456789\"")]), "0123456789",
                "ann"
            ),
            (Message(headers: [("X-Api-Key", "k-77")]), "k-77", "k-7"),
            (Message(headers: [("Cookie", "id=0123456789; theme=dark; sid=s-77")]), "0123456789", "dark"),
            (Message(headers: [("Cookie", "id=0123456789; theme=dark; sid=s-77")]), "s-77", "theme"),
            (
                Message(headers: [("Set-Cookie", "id=0123456789; Domain=longer.example")]), "0123456789",
                "longer.example"
            ),
            (Message(headers: [("Location", "/cb?code=abcd1234&x=long_enough")]), "abcd1234", "long_enough"),
            (Message(headers: [("X-Note", "see ghp_0123456789abcd")]), "ghp_0123456789abcd", "see"),
            (Message(body: "user=annabelle&password=hun%20ter2"), "hun ter2", "annabelle"),
            (Message(body: #"{"pin":4711,"n":4712}"#), "4711", "4712"),
            (Message(body: #"{"query":"{a(otp:\"4b\\\"cd\")}"}"#), #"4b"cd"#, "query"),
            (Message(body: #"{"query":"{a(password:\"\"\"hunter\n2\"\"\")}"}"#), "hunter 2", "query"),
            (Message(body: #"{"query":"{a(tokens:[\"4bcd\"],user:\"annabelle\")}"}"#), "4bcd", "annabelle"),
            (Message(body: #"{"session":"{\"id\":\"annabelle\",\"token\":\"4bcd\"}"}"#), "4bcd", "annabelle"),
            (
                Message(url: "/?variables=%7B%22user%22:%22annabelle%22,%22password%22:%22hun%2Bter2%22%7D"),
                "hun+ter2", "annabelle"
            ),
            (Message(body: #"{"password":"back\\nslash"}"#), #"back\u005Cnslash"#, "slash"),
            (Message(url: "/?query=%7Ba(tokens%3A%5B%22hunter2%22%5D,b:%22visible%22)%7D"), "hunter2", "visible"),
            (Message(url: "/?to=https%3A%2F%2Fann%3Ahunter2%40a.example%3Fuser%3Dannabelle"), "hunter2", "annabelle"),
            (Message(body: "user=annabelle&payload=%7B%22password%22%3A%22hunter2%22%7D"), "hunter2", "annabelle"),
            (Message(body: "--X\nContent-Disposition: form-data; name=\"pin\"\n\n98765\n--X--"), "98765", "form-data"),
            (Message(body: "<a><Password>hunter2</Password><b>visible</b></a>"), "hunter2", "visible"),
        ])
    private func sources(message: Message, hidden: String, shown: String) {
        let redaction = Self.redaction(message)
        #expect(redaction.text("it is \(hidden) there") == "it is <redacted> there")
        #expect(redaction.text("it is \(shown) there") == "it is \(shown) there")
    }

    @Test("short values are hidden only as whole words, and the shortest not at all")
    func short() {
        let redaction = Self.redaction(
            Message(body: #"{"pin":"1234","cvv":"123","token":"true","secret":"none","key":"abcdefg1"}"#))
        #expect(
            redaction.text("1234, 12345, a1234, -1234-, 123, true, none")
                == "<redacted>, 12345, a1234, -<redacted>-, 123, true, none")
        #expect(redaction.text("xabcdefg1x") == "x<redacted>x")
    }

    @Test(
        "a word under a name that often means something else is hidden only there",
        arguments: [
            (Message(body: #"{"filters":[{"key":"price","min":"9,50"}],"auth":"required"}"#), "sort=price is required"),
            (Message(body: #"{"sessions":["Intro","Part 2: Actors"],"pass":null}"#), "Intro, Part 2: Actors"),
            (Message(url: "https://a.example/?key=price&session=Keynote"), "the price of Keynote"),
            (Message(headers: [("Surrogate-Key", "price")]), "price"),
            (
                Message(headers: [
                    (
                        "Authorization",
                        #"Digest username="ann", realm="api-v2@a.example", uri="/books/2024", response="0123456789""#
                    )
                ]), "/books/2024 of api-v2@a.example"
            ),
            (
                Message(headers: [("Authorization", "AWS4-HMAC-SHA256 SignedHeaders=host;x-amz-date, Signature=0a1b")]),
                "host;x-amz-date"
            ),
        ])
    private func weak(message: Message, text: String) {
        #expect(Self.redaction(message).text(text) == text)
    }

    @Test("what the server sends leaves room for what was sent, and of many requests the first counts too")
    func room() {
        let flood = (0..<300).map { #""token":"value-\#($0)""# }.joined(separator: ",")
        let answer = Message(body: "{\(flood)}", isSent: false)
        let redirects = (0..<40).map { Message(url: "https://a.example/\($0)?token=redirect-\($0)") }
        let carriers = [answer, Message(body: #"{"password":"hunter2"}"#)] + redirects + [answer]
        let redaction = Redaction.standard.knowing(CallSecrets(carriers))
        #expect(redaction.text("hunter2, redirect-39") == "<redacted>, <redacted>")
        let document = String(repeating: "a%20", count: 5000) + "a(pin:%22pin-1%22)"
        let call = Message(url: "/?query=\(document)", headers: [("Authorization", "Bearer abcd1234")])
        #expect(Self.redaction(call).text("pin-1, abcd1234") == "<redacted>, <redacted>")
    }

    @Test("words of the app decide what is a value, and nothing is hidden where redaction is off")
    func words() {
        let source = CallSecrets([Message(body: #"{"iban":"DE8937","ticket":"T-1000"}"#)])
        let text = "DE8937 has T-1000"
        #expect(Redaction.standard.knowing(source).text(text) == "DE8937 has <redacted>")
        #expect(
            Redaction.standard.adding("iban").removing("ticket").knowing(source).text(text) == "<redacted> has T-1000")
        #expect(Redaction.off.knowing(source).text(text) == text)
        #expect(Redaction.off.knowing(source).forOthers.text(text) == "DE8937 has <redacted>")
        #expect(Redaction.standard.knowing(source).ofNames.text(text) == text)
    }

    @Test("long values are hidden whole, and many of them up to a limit")
    func long() {
        let value = (0..<1000).map { "\($0)." }.joined()
        let redaction = Self.redaction(Message(body: #"{"token":"\#(value)"}"#))
        #expect(redaction.text("a \(value) b") == "a <redacted> b")
        let many = (0..<5000).map { #""token":"value-\#($0)""# }.joined(separator: ",")
        #expect(Self.redaction(Message(body: "{\(many)}")).text("value-0 and value-200") == "<redacted> and <redacted>")
    }

    @Test(
        "twice the text takes twice the time, whatever the values are",
        arguments: ["a", "ab", "abcdefgh", "aaaaaaab", "%61", "\\\\", "&amp;", "&#38;", "&amp;#", "\\x5C", "+ ", "…"])
    func cost(piece: String) {
        let values =
            (1...60).map { #""token":"\#(String(repeating: "a", count: $0 * 4))b""# }
            + (1...60).map { #""token":"\#(String(repeating: piece.filter { $0.isLetter }, count: $0))""# }
        let redaction = Self.redaction(Message(body: "{\(values.joined(separator: ","))}"))
        func time(_ size: Int) -> Duration {
            let text = String(repeating: piece, count: size / piece.utf8.count)
            return cpuTime { _ = redaction.text(text) }
        }
        _ = time(1500)
        let times = [1, 2, 4, 8].map { time($0 * 1500) }
        #expect(times[3] < times[0] * 24 + .milliseconds(40), "\(times)")
    }

    @Test("a value in every encoding, in one another, is never shown", arguments: Seed.ofRun)
    func random(seed: Seed) {
        var random = seed.numbers
        let signs = Array("abcXYZ019-_.~!$&'()*+,;=:@/?#[]{}<>\"\\ é√🎉%")
        for _ in 0..<300 {
            let length = Int.random(in: 8...90, using: &random)
            let value = "zq" + String((0..<length).map { _ in signs.randomElement(using: &random) ?? "a" }) + "zq"
            let redaction = Self.redaction(Message(body: #"{"password":"\#(Self.escaped(value))"}"#))
            var text = value
            for _ in 0..<Int.random(in: 0...2, using: &random) { text = Self.encoded(text, &random) }
            let shown = redaction.text("before \(text) after")
            #expect(!shown.contains("zq"), "\(value)\n\(text)\n\(shown)")
        }
    }

    private static func encoded(_ text: String, _ random: inout SeededNumbers) -> String {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return escaped(text)
        case 2, 3:
            let radix = Bool.random(using: &random) ? 10 : 16
            let zeros = String(repeating: "0", count: Int.random(in: 0...3, using: &random))
            return text.unicodeScalars.map { scalar in
                scalar.isASCII && !"&\"'<>+/=`\\".unicodeScalars.contains(scalar)
                    ? String(scalar) : "&#\(radix == 10 ? "" : "x")\(zeros)\(String(scalar.value, radix: radix));"
            }.joined()
        case 1:
            return text.replacing("&", "&amp;").replacing("\"", "&quot;").replacing("<", "&lt;").replacing(">", "&gt;")
        default:
            return text.utf8.map { byte in
                let isPlain = (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D
                let digits = String(byte, radix: 16)
                return isPlain
                    ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits.uppercased()
            }.joined()
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", "\\\\").replacing("\"", "\\\"")
    }
}

extension String {
    /// Without Foundation.
    fileprivate func replacing(_ sign: Character, _ text: String) -> String {
        map { $0 == sign ? text : String($0) }.joined()
    }
}
