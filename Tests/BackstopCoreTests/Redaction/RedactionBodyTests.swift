import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("Redaction of bodies and texts", .limited)
struct RedactionBodyTests {
    @Test(
        "names decide in JSON, whole, cut, malformed, and inside of strings",
        arguments: [
            (#"{"user":"ann","password":"hunter2"}"#, #"{"user":"ann","password":"<redacted>"}"#),
            (
                #"{"grant_type":"authorization_code","code":"abc"}"#,
                #"{"grant_type":"authorization_code","code":"<redacted>"}"#
            ),
            (#"{"pin": 1234, "n": 1}"#, #"{"pin": "<redacted>", "n": 1}"#),
            (
                #"{"credentials":{"a":["}",{"b":1}],"c":true},"n":1}"#,
                #"{"credentials":{"a":["<redacted>",{"b":"<redacted>"}],"c":true},"n":1}"#
            ),
            (
                #"{"tokens":{"9f86d081884c7d65":{"accessTokenExpiresAt":7},"5":1},"n":{"0123456789abcdef":1}}"#,
                #"{"tokens":{"<redacted>":{"accessTokenExpiresAt":"<redacted>"},"5":"<redacted>"},"n":{"0123456789abcdef":1}}"#
            ),
            (#"{"tokens":["a","b"],"n":[1]}"#, #"{"tokens":["<redacted>","<redacted>"],"n":[1]}"#),
            (
                #"{"backup_codes":["1","2"],"pins":[1, 2],"n":[1]}"#,
                #"{"backup_codes":["<redacted>","<redacted>"],"pins":["<redacted>", "<redacted>"],"n":[1]}"#
            ),
            (
                #"{"reset_code":"a","magic_link":"https://a.example/x","n":"b"}"#,
                #"{"reset_code":"<redacted>","magic_link":"<redacted>","n":"b"}"#
            ),
            (
                #"{"connectionString":"Server=a","mnemonic":"one two","cardNumber":"4111"}"#,
                #"{"connectionString":"<redacted>","mnemonic":"<redacted>","cardNumber":"<redacted>"}"#
            ),
            (#"{"pass\u0077ord":"hunter2"}"#, #"{"pass\u0077ord":"<redacted>"}"#),
            (#"{"password":"hun\"ter2\\","n":1}"#, #"{"password":"<redacted>","n":1}"#),
            (#"{"a":{"b":[{"secret":"x"}]}}"#, #"{"a":{"b":[{"secret":"<redacted>"}]}}"#),
            (#"{"ticket":{"id":7,"token":"x"}}"#, #"{"ticket":{"id":7,"token":"<redacted>"}}"#),
            (
                #"{"sessions":["abc",{"id":1,"secret":"x"}]}"#,
                #"{"sessions":["abc",{"id":1,"secret":"<redacted>"}]}"#
            ),
            (#"{"errors":{"password":"hunter2"}}"#, #"{"errors":{"password":"<redacted>"}}"#),
            (#"{"errors":{"a":["b"]},"pins":["1234"]}"#, #"{"errors":{"a":["b"]},"pins":["<redacted>"]}"#),
            // JSON inside of strings.
            (
                #"{"log":"{\"password\":\"hun\\\"ter2\",\"n\":1}"}"#,
                #"{"log":"{\"password\":\"<redacted>\",\"n\":1}"}"#
            ),
            (
                #"{"a":"{\"b\":\"{\\\"pin\\\": 1234, \\\"token\\\":\\\"x\\\"}\"}","n":1}"#,
                #"{"a":"{\"b\":\"{\\\"pin\\\": "<redacted>", \\\"token\\\":\\\"<redacted>\\\"}\"}","n":1}"#
            ),
            (#"log: {"password":"a b"} at 12:00"#, #"log: {"password":"<redacted>"} at 12:00"#),
            // Cut and malformed.
            (#"{"password":"hunt"#, #"{"password":"<redacted>"#),
            (#"{"credentials":{"user":"ann","x":["y"#, #"{"credentials":{"user":"<redacted>","x":["<redacted>"#),
            (#"nter2","x":"y","password":"hunter2","n":1}"#, #"nter2","x":"y","password":"<redacted>","n":1}"#),
            (#"{"password":hunter2,"n":1}"#, #"{"password":<redacted>,"n":1}"#),
            // GraphQL.
            (
                #"{"query":"mutation{login(password:\"hunter2\",pin: 1234,n:\"x\"){id}}","variables":{"otp":"77"}}"#,
                #"{"query":"mutation{login(password:\"<redacted>\",pin: "<redacted>",n:\"x\"){id}}","variables":{"otp":"<redacted>"}}"#
            ),
            (
                #"{"query":"{a(otp:\"\"\"x \"y\" z\"\"\",n:1)}","n":"password: \"x\""}"#,
                #"{"query":"{a(otp:\"\"\"<redacted>\"\"\",n:1)}","n":"password: \"x\""}"#
            ),
            (
                #"{"query":"query Q($tokens: [String!]){a(tokens:[\"ab\" \"\"\"c]\"\"\", $t],n:\"x\")}"}"#,
                #"{"query":"query Q($tokens: [String!]){a(tokens:[\"<redacted>\" \"\"\"<redacted>\"\"\", $t],n:\"x\")}"}"#
            ),
            (
                #"{"query":"{a(credentials:{user: \"ann\", pw: $pw, in: {x: \"hunter2\"}},n:\"x\"){tokens{id}}}"}"#,
                #"{"query":"{a(credentials:{user: \"<redacted>\", pw: $pw, in: {x: \"<redacted>\"}},n:\"x\"){tokens{id}}}"}"#
            ),
            (
                #"{"query":"{a(pins:[\"11\" \"22\"],password: # of \n \"hunter2\")}"}"#,
                #"{"query":"{a(pins:[\"<redacted>\" \"<redacted>\"],password: # of \n \"<redacted>\")}"}"#
            ),
            (
                #"{"query":"{a(pin:\"\"\"a \\\"\"\" b\"\"\",n:1)}"}"#,
                #"{"query":"{a(pin:\"\"\"<redacted>\"\"\",n:1)}"}"#
            ),
        ] as [(String, String)])
    func json(text: String, shown: String) {
        #expect(Redaction.standard.body(text, contentType: "application/json") == shown)
        #expect(Redaction.standard.body(text, contentType: nil) == shown)
        #expect(Redaction.off.body(text, contentType: nil) == text)
    }

    @Test(
        "names decide in forms, multipart, XML, and items anywhere",
        arguments: [
            (
                "user=ann&pass%77ord=hunter2&n=1", "application/x-www-form-urlencoded; charset=utf-8",
                "user=ann&pass%77ord=<redacted>&n=1"
            ),
            (
                #"{a(password: "hunter2", tokens: ["x"], n: "y") { id }}"#, "application/graphql; charset=utf-8",
                #"{a(password: "<redacted>", tokens: ["<redacted>"], n: "y") { id }}"#
            ),
            ("password=a,b;c&n=1", nil, "password=<redacted>&n=1"),
            ("code=abc&state=1", nil, "code=<redacted>&state=1"),
            (
                "--X\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nann\r\n--X\r\n"
                    + "Content-Disposition: form-data; name=\"password\"\r\n\r\nhun\r\n--ter2\r\n--X--\r\n",
                "multipart/form-data; boundary=X",
                "--X\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nann\r\n--X\r\n"
                    + "Content-Disposition: form-data; name=\"password\"\r\n\r\n<redacted>\n--X--\r\n"
            ),
            (
                "--X\nContent-Disposition: form-data; name=\"pin\"\n\n1234\n--X--", nil,
                "--X\nContent-Disposition: form-data; name=\"pin\"\n\n<redacted>\n--X--"
            ),
            (
                "--X\nContent-Disposition: form-data; name=\"pin\"\n\n12", nil,
                "--X\nContent-Disposition: form-data; name=\"pin\"\n\n<redacted>"
            ),
            (
                "<user>ann</user><password>hunter2</password>", "text/xml",
                "<user>ann</user><password><redacted></password>"
            ),
            (
                "<a:Password x=\"1\"><![CDATA[hun]<ter2]]></a:Password><a>1</a>", "text/xml",
                "<a:Password x=\"1\"><![CDATA[<redacted>]]></a:Password><a>1</a>"
            ),
            (
                "<secret><a>abc</a><!-- c -->def<secret/><secret>ghi</secret>jkl</secret><b>1</b>", nil,
                "<secret><a><redacted></a><!--<redacted>--><redacted><secret/><secret><redacted></secret><redacted></secret><b>1</b>"
            ),
            // One without an end tag ends with what it is in.
            ("<p>no <token> yet <b>1</b></p><i>2</i>", nil, "<p>no <token><redacted><b><redacted></b></p><i>2</i>"),
            (
                "<token><c><a>abc</a><pin>12</pin>", nil,
                "<token><c><a><redacted></a><pin><redacted></pin>"
            ),
            (
                #"{"m":"no <token> yet","n":["<secret>1"],"o":1}"#, nil,
                #"{"m":"no <token><redacted>","n":["<secret><redacted>"],"o":1}"#
            ),
            (
                #"{"x":"<secret a=\"1\"><b c=\"abc\">d<\/b><\/secret><i>2<\/i>","n":1}"#, nil,
                #"{"x":"<secret a=\"1\"><b c=\"<redacted>\"><redacted><\/b><\/secret><i>2<\/i>","n":1}"#
            ),
            ("<password>a<3b<c</password><b>1</b>", nil, "<password><redacted></password><b>1</b>"),
            (
                "<secret><a b='x>y' c = \"z\"/></secret><b>1</b>", nil,
                "<secret><a b='<redacted>' c = \"<redacted>\"/></secret><b>1</b>"
            ),
            ("<apiKey id=\"abc\"/><b>1</b>", nil, "<apiKey id=\"<redacted>\"/><b>1</b>"),
            ("<a apiKey = \"abc\" b=\"1\"/>", nil, "<a apiKey = \"<redacted>\" b=\"1\"/>"),
            (
                "<Credentials><SecretAccessKey>abc</SecretAccessKey></Credentials>", nil,
                "<Credentials><SecretAccessKey><redacted></SecretAccessKey></Credentials>"
            ),
            ("POST failed: password=hunter2, n=1", nil, "POST failed: password=<redacted>, n=1"),
            (
                #"{"m":"see /cb?state=1\u0026code=abc\u0026n=1"}"#, nil,
                #"{"m":"see /cb?state=1\u0026code=<redacted>\u0026n=1"}"#
            ),
            ("go to /cb?state=1&amp;code=abc now", "text/html", "go to /cb?state=1&amp;code=<redacted> now"),
            (#"level=info token="hun ter2" n=1"#, nil, #"level=info token="<redacted>" n=1"#),
            (
                #"{"u":"https:\/\/ann:pw@a.example\/?token=x\/y&n=1"}"#, nil,
                #"{"u":"https:\/\/<redacted>@a.example\/?token=<redacted>&n=1"}"#
            ),
            (
                #"{"next":"/login?return_to=https%3A%2F%2Fa.example%2Fcb%3Fsig%3Dabc","n":1}"#, nil,
                #"{"next":"/login?return_to=<redacted>","n":1}"#
            ),
            ("see https%3A%2F%2Fann%3Ahunter2%40a.example now", "text/plain", "see <redacted> now"),
        ] as [(String, String?, String)])
    func items(text: String, contentType: String?, shown: String) {
        #expect(Redaction.standard.body(text, contentType: contentType) == shown)
        #expect(Redaction.off.body(text, contentType: contentType) == text)
    }

    @Test(
        "what is a secret by its shape is hidden anywhere",
        arguments: [
            (#"{"sent":"Basic YW5uOmh1bnRlcjI="}"#, #"{"sent":"Basic <redacted>"}"#),
            (#"{"sent":"Basic YW5uOmh1bnRlcjI=="}"#, #"{"sent":"Basic <redacted>"}"#),
            (#"{"sent":"{\"auth\":\"Basic YW5uOmh1bnRlcjI=\"}"}"#, #"{"sent":"{\"auth\":\"<redacted>\"}"}"#),
            ("sent 'Bearer abc123=' to it", "sent 'Bearer <redacted>' to it"),
            (#"Bearer "hunter2" n=1"#, #"Bearer "<redacted>" n=1"#),
            ("Bearer <hunter2> n=1", "Bearer <<redacted>> n=1"),
            ("bearer Abc1 x", "bearer <redacted> x"),
            ("Bearer\tabc-def n=1", "Bearer\t<redacted> n=1"),
            (#"{"m":"one\nBearer hunter2\nthree"}"#, #"{"m":"one\nBearer <redacted>\nthree"}"#),
            (#"{"m":"Bearer a\/b+c=="}"#, #"{"m":"Bearer <redacted>"}"#),
            ("x=Bearer+abcdef", "x=Bearer+<redacted>"), ("x=Bearer%20abcdef&n=1", "x=<redacted>&n=1"),
            ("Authorization: Basic dXNlcjpw", "Authorization: Basic <redacted>"),
            (#"{"t":"eyJhbGciOiJI.eyJzdWIi.c2ln"}"#, #"{"t":"<redacted>"}"#),
            (#"{"t":"eyJhbGciOiJI"#, #"{"t":"<redacted>"#), ("saw eyJhbGciOiJI… there", "saw <redacted>… there"),
            ("key sk_live_0123456789abcdef is", "key <redacted> is"), ("x-ghp_0123456789abcdefXYZ.", "x-<redacted>."),
            (#"{"id":"AKIAIOSFODNN7EXAMPLE"}"#, #"{"id":"<redacted>"}"#), ("xoxb-123456789012-abc", "<redacted>"),
            ("AIzaSyA-0123456789_0123456789-012345678", "<redacted>"), ("glpat-0123456789abcdefghij", "<redacted>"),
            ("SG.0123456789.abcdefghijklm ok", "<redacted> ok"),
            ("see sk-proj-0123456789abcdefghij!", "see <redacted>!"),
            (
                "k: -----BEGIN RSA PRIVATE KEY-----\nMIIB\nabc=\n-----END RSA PRIVATE KEY-----\nrest",
                "k: -----BEGIN RSA PRIVATE KEY-----<redacted>-----END RSA PRIVATE KEY-----\nrest"
            ),
            (#"{"k":"-----BEGIN PRIVATE KEY-----\nMIIB"#, #"{"k":"-----BEGIN PRIVATE KEY-----<redacted>"#),
            ("see https://ann:p/hunter2@a.example/p", "see https://<redacted>@a.example/p"),
            ("see http://a.example:80/p?x=@y", "see http://a.example:80/p?x=@y"),
            ("GET https://ann:correct horse@a.example/p", "GET https://<redacted>@a.example/p"),
            ("see http://a.example:8080, or ask ann@a.example", "see http://a.example:8080, or ask ann@a.example"),
            ("no 'http://a.example:8080', ask ann@a.example", "no 'http://a.example:8080', ask ann@a.example"),
            ("{base: http://a.example:80}... ann@a.example", "{base: http://a.example:80}... ann@a.example"),
            (#"["https://a.example:x","ann@a.example"]"#, #"["https://a.example:x","ann@a.example"]"#),
        ] as [(String, String)])
    func shapes(text: String, shown: String) {
        #expect(Redaction.standard.text(text) == shown)
        #expect(Redaction.standard.text(shown) == shown)
    }

    @Test("nothing secret is left of JSON that was cut anywhere, at both ends", arguments: Seed.ofRun)
    func randomCuts(seed: Seed) {
        var random = seed.numbers
        for _ in 0..<1500 {
            let text = Array(Self.json(depth: 0, &random).utf8)
            let start = Bool.random(using: &random) ? 0 : Int.random(in: 0..<text.count, using: &random)
            // A cut inside of a secret at the front leaves a nameless piece; that is the one thing nobody can see.
            let from = text[start...].firstIndex(of: 0x2C) ?? 0
            let end = Int.random(in: from...text.count, using: &random)
            let part = String(decoding: text[from..<end], as: UTF8.self)
            let shown = Redaction.standard.body(
                part, contentType: Bool.random(using: &random) ? "application/json" : nil)
            #expect(!shown.contains("zq"), "\(part)\n\(shown)")
        }
    }

    /// An object with secrets, all of which contain `zq`, and none of which has a comma outside of its value's brackets.
    private static func json(depth: Int, _ random: inout SeededNumbers) -> String {
        let members = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            switch Int.random(in: 0..<9, using: &random) {
            case 0: #""password":"zq1\"zq2\\""#
            case 1: #""api\u004bey" : "zq3""#
            case 2: #""token":["zq4"]"#
            case 3: #""m":"Bearer zq5""#
            case 4: #""m":"see https:\/\/ann:zq6@a.example\/?sig=zq7&x=1""#
            case 5: #""t":"eyJhbGciOizq8.eyJzq9.zq10""#
            case 6 where depth < 3: "\"o\":[\(json(depth: depth + 1, &random)),1]"
            case 7: #""credentials":{"a":{"b":"zq11}"}}"#
            default: #""name":"a \"quote\": b","n":-1.5,"ok":true"#
            }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    @Test("a part of a body is redacted with the names before it")
    func part() {
        let text = Array(#"{"credentials":{"a":"hunter2","b":"hunter3"},"n":1}"#.utf8)
        let shown = text.withUnsafeBytes { Redaction.standard.json($0, within: 30..<text.count) }
        #expect(String(decoding: shown, as: UTF8.self) == #""b":"<redacted>"},"n":1}"#)
    }
}
