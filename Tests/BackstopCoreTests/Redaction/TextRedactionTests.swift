import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("Redaction of texts inside of texts")
struct TextRedactionTests {
    @Test(
        "a secret is hidden whole, whatever quotes, escapes and lines it has, and what stands behind it is shown",
        arguments: [
            (
                #"mutation{login(password:"""hunter2""",n:1){a}}"#,
                #"mutation{login(password:"""<redacted>""",n:1){a}}"#
            ),
            (
                #"mutation{login(password: """\#n  hunter2\#n"""){a}}"#,
                #"mutation{login(password: """<redacted>"""){a}}"#
            ),
            (#"{a(otp:"""x"hunter2""",n:1)}"#, #"{a(otp:"""<redacted>""",n:1)}"#),
            (#"{a(otp:"""x \""" hunter2""",n:1)}"#, #"{a(otp:"""<redacted>""",n:1)}"#),
            (
                #"{"query":"{login(password:\"\"\"hunter2\"\"\",n:1)}"}"#,
                #"{"query":"{login(password:\"\"\"<redacted>\"\"\",n:1)}"}"#
            ),
            (
                #"{"a":"{\"query\":\"{login(password:\\\"\\\"\\\"hunter2\\\"\\\"\\\",n:1)}\"}"}"#,
                #"{"a":"{\"query\":\"{login(password:\\\"\\\"\\\"<redacted>\\\"\\\"\\\",n:1)}\"}"}"#
            ),
            (
                #"query($password: String = "hunter2", $n: Int = 1){a}"#,
                #"query($password: <redacted>, $n: Int = 1){a}"#
            ),
            (#"query($password:String="hun ter2",$n:Int){a}"#, #"query($password:<redacted>,$n:Int){a}"#),
            (#"query($pins: [String!]! = ["1", "2"], $n: Int){a}"#, #"query($pins: <redacted>, $n: Int){a}"#),
            (#"query($secret:S={a:"hunter2"}){a}"#, #"query($secret:<redacted>){a}"#),
            (#"query($token: String!, $n: Int){a}"#, #"query($token: <redacted> $n: Int){a}"#),
            (#"{login(pin:1234,token:"hun ter2",n:1)}"#, #"{login(pin:<redacted>,token:"<redacted>",n:1)}"#),
            (#"{login(pin:$p,token:"hun ter2",n:1)}"#, #"{login(pin:<redacted>,token:"<redacted>",n:1)}"#),
            (#"{a(password:"x\\",token:"hunter2",n:1)}"#, #"{a(password:"<redacted>",token:"<redacted>",n:1)}"#),
            (
                #"{"log":"{\"password\":\"x\\\\\",\"token\":\"hunter2\",\"n\":1}"}"#,
                #"{"log":"{\"password\":\"<redacted>\",\"token\":\"<redacted>\",\"n\":1}"}"#
            ),
            (#"password = """hunter2"""\#nn = 1"#, #"password = """<redacted>"""\#nn = 1"#),
            (#"password = '''hun'ter2'''\#nn = 1"#, #"password = '''<redacted>'''\#nn = 1"#),
            (#"password = ""\#nn = 1"#, #"password = ""\#nn = 1"#),
            (
                #"Cookie: theme=a; sid="hun ter2"; x=hunter2\#nHost: a.example"#,
                #"Cookie: <redacted>\#nHost: a.example"#
            ),
            (#"{"m":"Cookie: theme=a; sid=\"hunter2\"; x=hunter2","n":1}"#, #"{"m":"Cookie: <redacted>","n":1}"#),
            (
                #"Authorization: Digest username="bob", response="hunter2"\#nHost: a.example"#,
                #"Authorization: <redacted>\#nHost: a.example"#
            ),
            (
                #"{"m":"Authorization: Digest username=\"bob\", response=\"hunter2\"","n":1}"#,
                #"{"m":"Authorization: <redacted>","n":1}"#
            ),
            (#"Cookie: a=b"c; sid=hunter2\#nHost: a.example"#, #"Cookie: <redacted>\#nHost: a.example"#),
            (#"{"h":{"cookie":"a=\"x\"; sid=hunter2"},"n":1}"#, #"{"h":{"cookie":"<redacted>"},"n":1}"#),
            (
                #"curl -H 'Cookie: a="x"; sid=hunter2' -H 'Host: a.example'"#,
                #"curl -H 'Cookie: <redacted>' -H 'Host: a.example'"#
            ),
            (#"password=pa'hunter2 n=1"#, #"password=<redacted> n=1"#),
            (#"password=a<hunter2 n=1"#, #"password=<redacted> n=1"#),
            (#"password=a"hunter2 n=1"#, #"password=<redacted> n=1"#),
            (#"{"m":"password=abc","n":1}"#, #"{"m":"password=<redacted>","n":1}"#),
            (#"{'m': 'password=abc', 'n': 1}"#, #"{'m': 'password=<redacted>', 'n': 1}"#),
            (#"password=abc<br>n=1"#, #"password=<redacted><br>n=1"#),
            (#"<b>password=abc</b>"#, #"<b>password=<redacted></b>"#),
            (#"password=<redacted>hunter2 n=1"#, #"password=<redacted> n=1"#),
            (#"{'password': u'hun ter2', 'n': 1}"#, #"{'password': u'<redacted>', 'n': 1}"#),
            (#"password='it''s hunter2' n=1"#, #"password='<redacted>' n=1"#),
            (#"password: Optional("hun ter2"), n: 1"#, #"password: <redacted>), n: 1"#),
            (#"["password"]=>\#n  string(8) "hun ter2"\#n"#, #"["password"]=>\#n  <redacted>\#n"#),
            (#"password := hunter2 n=1"#, #"password := <redacted> n=1"#),
            (#"password -> hunter2 n=1"#, #"password -> <redacted> n=1"#),
            (#"{"m":"password\t=\thunter2 n=1"}"#, #"{"m":"password\t=\t<redacted> n=1"}"#),
            (
                #"{"m":"one\npin=1234 two\nBearer hunter2\nthree"}"#,
                #"{"m":"one\npin=<redacted> two\nBearer <redacted>\nthree"}"#
            ),
            (#"password:\#n  hunter2\#nn: 1"#, #"password:\#n  <redacted>\#nn: 1"#),
            (#"pin:\#ntoken: hunter2\#nn: 1"#, #"pin:\#ntoken: <redacted>\#nn: 1"#),
            (#"password: |\#n  hun\#n  ter2\#nn: 1"#, #"password: <redacted>\#nn: 1"#),
            (#"a:\#n  password: >-\#n    hun\#n\#n    ter2\#n  n: 1"#, #"a:\#n  password: <redacted>\#n  n: 1"#),
            (#"password: !secret hunter2\#nn: 1"#, #"password: <redacted>\#nn: 1"#),
            (#"password: &anchor hunter2\#nn: 1"#, #"password: <redacted>\#nn: 1"#),
            (
                #"{"log":"{\u0022password\u0022:\u0022hun ter2\u0022,\u0022n\u0022:1}"}"#,
                #"{"log":"{\"password\":\"<redacted>\",\"n\":1}"}"#
            ),
            (
                #"{"log":"[\u0022{\\u0022password\\u0022:\\u0022hun ter2\\u0022,\\u0022n\\u0022:1}\u0022]"}"#,
                #"{"log":"[\"{\\\"password\\\":\\\"<redacted>\\\",\\\"n\\\":1}\"]"}"#
            ),
            (#"{"m":"a\u003db \u0026 c"}"#, #"{"m":"a\u003db \u0026 c"}"#),
            (#"{"m":"password\u003dhunter2 \u0026 c"}"#, #"{"m":"password=<redacted> & c"}"#),
            (
                #"<m>&lt;password&gt;hunter2&lt;/password&gt;&lt;n/&gt;</m>"#,
                #"<m><password><redacted></password><n/></m>"#
            ),
            (#"&lt;a password=&quot;hun ter2&quot; n=&#34;1&#34;/&gt;"#, #"<a password="<redacted>" n="1"/>"#),
            (#"a &lt; b &amp; c"#, #"a &lt; b &amp; c"#),
            (
                #"<textarea name="secret">hun ter2</textarea><p>x</p>"#,
                #"<textarea name="secret"><redacted></textarea><p>x</p>"#
            ),
            (
                #"<property name="db.password"><value>hunter2</value></property><a>1</a>"#,
                #"<property name="db.password"><redacted></property><a>1</a>"#
            ),
            (
                #"<entry key="password">hunter2</entry><entry key="size">3</entry>"#,
                #"<entry key="<redacted>"><redacted></entry><entry key="<redacted>">3</entry>"#
            ),
            (
                #"<add key="ApiKey" value="hun ter2"/><add key="size" value="3"/>"#,
                #"<add key="<redacted>" value="<redacted>"/><add key="<redacted>" value="3"/>"#
            ),
            (#"<form id="password"><p>Sign in</p></form>"#, #"<form id="password"><p>Sign in</p></form>"#),
            (#"<input name="pin"> Remember me"#, #"<input name="pin"> Remember me"#),
            (#"Bearer "hunter2" n=1"#, #"Bearer "<redacted>" n=1"#),
            (#"Bearer 'hunter2' n=1"#, #"Bearer '<redacted>' n=1"#),
            (#"Bearer <hunter2> n=1"#, #"Bearer <<redacted>> n=1"#),
            (#"Bearer "token" is missing"#, #"Bearer "token" is missing"#),
            (#"{"m":"Bearer\thunter2","n":1}"#, #"{"m":"Bearer\t<redacted>","n":1}"#),
            (#"{"m":"Bearer \"hunter2\"","n":1}"#, #"{"m":"Bearer \"<redacted>\"","n":1}"#),
            (#"{"m":"Bearer ","n":1}"#, #"{"m":"Bearer ","n":1}"#),
            (#"{"k":"password","v":"hunter2"}"#, #"{"k":"password","v":"<redacted>"}"#),
            (#"{"name":"X-Api-Key","value":"hunter2"}"#, #"{"name":"X-Api-Key","value":"<redacted>"}"#),
            (
                #"[["X-Api-Key","hunter2"],["Accept","text/html"]]"#,
                #"[["X-Api-Key","<redacted>"],["Accept","text/html"]]"#
            ),
            (#"["password","hunter2"]"#, #"["password","<redacted>"]"#),
            (#"["password","email","name"]"#, #"["password","email","name"]"#),
            (#"["run","--token","hunter2","--size","3"]"#, #"["run","--token","<redacted>","--size","3"]"#),
            (
                #"{"pointer":"/data/password","rejected":"hunter2"}"#,
                #"{"pointer":"/data/password","rejected":"<redacted>"}"#
            ),
            (#"see https:\\/\\/ann:hunter2@a.example\\/p"#, #"see https:\\/\\/<redacted>@a.example\\/p"#),
            (#"see http://ann:p/hunter2@a.example/p"#, #"see http://<redacted>@a.example/p"#),
            (#"see http://a.example:80/p?x=@y"#, #"see http://a.example:80/p?x=@y"#),
            (#"{"code_verifier":"x","code":"hunter2"}"#, #"{"code_verifier":"<redacted>","code":"<redacted>"}"#),
            (
                #"{"grant":"authorization_code","code":"hunter2"}"#,
                #"{"grant":"authorization_code","code":"<redacted>"}"#
            ),
            (#"{"m":"password\u00a0=\u00a0hunter2 n=1"}"#, #"{"m":"password = <redacted> n=1"}"#),
        ] as [(String, String)])
    func text(text: String, shown: String) {
        #expect(Redaction.standard.body(text, contentType: nil) == shown)
        // Reports pass through more than one redaction.
        #expect(Redaction.standard.body(shown, contentType: nil) == shown)
        #expect(Redaction.off.body(text, contentType: nil) == text)
    }

    @Test(
        "user info of a URL is hidden where its slashes are missing",
        arguments: [
            ("bob:hunter2@a.example/?token=x&n=1", "<redacted>@a.example/?token=<redacted>&n=1"),
            ("http:bob:hunter2@a.example/p", "http:<redacted>@a.example/p"),
            ("HTTPS:/bob:hunter2@a.example", "HTTPS:/<redacted>@a.example"),
            ("http:\\\\bob:hunter2@a.example", "http:\\\\<redacted>@a.example"),
            ("/users/bob@a.example", "/users/bob@a.example"), ("a.example/@bob?x=@y", "a.example/@bob?x=@y"),
            ("@a.example", "@a.example"),
        ])
    func userInfo(text: String, shown: String) {
        #expect(Redaction.standard.url(text) == shown)
        #expect(Redaction.standard.header("Location", text) == shown)
        #expect(Redaction.standard.url(shown) == shown)
    }

    @Test("nothing secret is left of any text in any other, whole or cut", arguments: Seed.ofRun)
    func planted(seed: Seed) {
        var random = seed.numbers
        for _ in 0..<1500 {
            let whole = Array(PlantedText.text(&random).utf8)
            let isCut = Int.random(in: 0..<3, using: &random) == 0
            let end = isCut ? Int.random(in: 0...whole.count, using: &random) : whole.count
            let text = String(decoding: whole[..<end], as: UTF8.self)
            let type = Bool.random(using: &random) ? "application/json" : nil
            let shown = Redaction.standard.body(text, contentType: type)
            #expect(!shown.contains("zq"), "\(text)\n\(shown)")
        }
    }

    @Test(
        "many values that have no end take linear time",
        arguments: [
            "token=\"", "token=a'b", "cookie: a=\"", "cookie: a=\\\"x\" ", "token: |\n ", "token:\n#", "token=a,b:\"",
            "\"\"\"", "token:\"\"\"", "token=\\\"\\\"\\\"a ", "\\u0022", "&quot;", "//a:b/", "token=a\\", "token:[\"",
            "token:{\\\"", "[\"key\",", "[\"-key\",\"x\",", "<x name=\"key\">", "token=a<b", "token: !a ", "token=a''",
            "token: |\n\n\n\n", "x: |\n  a\n", "\\",
        ])
    func costs(piece: String) {
        let text = String(repeating: piece, count: 50_000 / piece.utf8.count) + "=\""
        let time = cpuTime { _ = Redaction.standard.body(text, contentType: nil) }
        // Generous: a quadratic pass would take minutes.
        #expect(time < .seconds(10), "\(time)")
    }
}
