import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("Redaction")
struct RedactionTests {
    @Test(
        "names of secrets are sensitive",
        arguments: [
            "Authorization", "authorization", "Cookie", "Set-Cookie", "Proxy-Authorization", "X-Auth", "oauth",
            "token", "accessToken", "access_token", "ACCESS-TOKEN", "accesstoken", "csrfToken", "tokens",
            "secret", "client_secret", "clientSecret", "key", "api_key", "apiKey", "APIKey", "apikey", "APIKEY",
            "x-api-key", "X-API-Key", "Idempotency-Key", "key1", "privateKeys", "password", "passwd", "pwd",
            "userPassword2", "PassWord", "credential", "credentials", "session", "sessionid", "session_id",
            "JSESSIONID",
            "PHPSESSID", "auth", "signature", "sig", "x.sig", "X-Amz-Signature", "otp", "otpCode", "pin", "user_pin",
            "user[password]", "refreshtoken", "code_verifier", "codeVerifier", "SAMLResponse", "SAMLart", "ticket",
            "XSRFHeader", "JWTValue", "userPIN", "myJWT", "X-Ticket", "assertion", "client_assertion", "DPoP",
            "device_code", "verificationCode", "auth-code", "X-MFA", "mfaValue", "X-2FA", "2fa", "X-TFA-Value",
        ])
    func sensitive(name: String) {
        #expect(Redaction.standard.isSensitive(name))
        #expect(!Redaction.off.isSensitive(name))
    }

    @Test(
        "names that only look alike are not",
        arguments: [
            "", "-", "monkey", "keyboard", "keyboardType", "turkey", "author", "authority", "authored_by", "pinned",
            "spin", "opinion", "shipping", "sign", "signal", "design", "possession", "obsession", "option", "passenger",
            "compass", "Accept", "Content-Type", "WWW-Authenticate", "name", "title", "id", "ETag", "count", "zip",
            "code",
            "statusCode", "error_code", "countryCode", "code_challenge", "verifier", "Access-Control-Allow-Credentials",
            "access-control-allow-headers", "assertionsEnabled", "tickets_left", "öpin",
            "fa", "fa-IR", "sofa", "e72fa1", "12fa", "umfang",
        ])
    func harmless(name: String) {
        #expect(!Redaction.standard.isSensitive(name))
    }

    @Test("an app adds its own words, in any spelling")
    func adding() {
        let redaction = Redaction.standard.adding("iban", "taxNumber", "geheimwört", "", "--")
        for name in [
            "iban", "IBAN", "customer_iban", "customerIban", "tax_number", "taxNumber", "myTaxNumberOld", "GEHEIMWÖRT",
        ] {
            #expect(redaction.isSensitive(name), "\(name)")
            #expect(!Redaction.standard.isSensitive(name), "\(name)")
        }
        for name in ["urbaniban", "tax", "number", "number_tax", ""] {
            #expect(!redaction.isSensitive(name), "\(name)")
        }
        #expect(redaction.isSensitive("password"))
        #expect(redaction.url("/accounts/iban/DE89/rows/5") == "/accounts/iban/<redacted>/rows/5")
        #expect(
            redaction.body(#"{"tax_number":"12","a":1}"#, contentType: nil) == #"{"tax_number":"<redacted>","a":1}"#)
    }

    @Test(
        "header fields",
        arguments: [
            ("Authorization", "Bearer abc", "<redacted>"),
            ("set-cookie", "id=1; Path=/", "<redacted>"),
            ("Accept", "application/json", "application/json"),
            (
                "Location", "https://ann:pw@a.example/cb?code=1&token=abc#id_token=x",
                "https://<redacted>@a.example/cb?code=<redacted>&token=<redacted>#id_token=<redacted>"
            ),
            ("Location", "/login?return=%2Fa%3Ftoken%3Dabc&x=1", "/login?return=<redacted>&x=1"),
            ("Link", "<https://a.example/?page=2>; rel=\"next\"", "<https://a.example/?page=2>; rel=\"next\""),
            (
                "WWW-Authenticate", "Bearer realm=\"shop\", error=\"invalid_token\"",
                "Bearer realm=\"shop\", error=\"invalid_token\""
            ),
            ("X-Debug", "sent Basic dXNlcjpwYXNz to upstream", "sent Basic <redacted> to upstream"),
        ])
    func header(name: String, value: String, shown: String) {
        #expect(Redaction.standard.header(name, value) == shown)
        #expect(Redaction.off.header(name, value) == value)
    }

    @Test(
        "URLs",
        arguments: [
            ("https://shop.example:8080/a/b?page=2#top", "https://shop.example:8080/a/b?page=2#top"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("https://ann:hunter2@shop.example/", "https://<redacted>@shop.example/"),
            ("https://ann@shop.example", "https://<redacted>@shop.example"),
            ("https://ann:hun@ter2@shop.example/a@b", "https://<redacted>@shop.example/a@b"),
            ("https://ann:hunter", "https://<redacted>"),
            ("//ann:hunter2@shop.example", "//<redacted>@shop.example"),
            ("?token=abc&a=1", "?token=<redacted>&a=1"),
            ("/p?a=1&api%5Fkey=abc", "/p?a=1&api%5Fkey=<redacted>"),
            ("/p?%74oken=abc", "/p?%74oken=<redacted>"),
            ("/p?user[password]=abc&user%5Bpin%5D=12", "/p?user[password]=<redacted>&user%5Bpin%5D=<redacted>"),
            ("/p?token=ab%20c\"d<e&x", "/p?token=<redacted>&x"),
            ("/p?token=", "/p?token="),
            ("/p?token", "/p?token"),
            ("/cb#access_token=abc&state=1", "/cb#access_token=<redacted>&state=1"),
            ("/cb#code=abc&state=1", "/cb#code=<redacted>&state=1"),
            ("/a#code=abc?x=1", "/a#code=<redacted>?x=1"),
            ("/login?return=(%3Ftoken%3D)abc&x=1", "/login?return=<redacted>&x=1"),
            ("/login?return=%25252Fa%25253Ftoken%25253Dabc&x=1", "/login?return=<redacted>&x=1"),
            ("/p?data=%7B%22password%22+:+%22hunter2%22%7D&x=1", "/p?data=<redacted>&x=1"),
            ("app://x#/route?access_token=abc", "app://x#/route?access_token=<redacted>"),
            ("/reset/eyJhbGciOiJI.eyJzdWIi.c2ln-_/done", "/reset/<redacted>/done"),
            // Segments behind one with the name of a secret, where they look like one.
            (
                "https://a.example/reset-password/9f86d081884c7d65?x=1",
                "https://a.example/reset-password/<redacted>?x=1"
            ),
            ("/sessions/550e8400-e29b-41d4-a716-446655440000/items", "/sessions/<redacted>/items"),
            ("/auth/login/keys/3/oauth/authorize-somebody", "/auth/login/keys/3/oauth/authorize-somebody"),
            ("/monkeys/550e8400-e29b-41d4-a716-446655440000", "/monkeys/550e8400-e29b-41d4-a716-446655440000"),
            ("/a;jsessionid=abc/b", "/a;jsessionid=<redacted>"),
            ("", ""),
            ("%", "%"),
        ])
    func url(text: String, shown: String) {
        #expect(Redaction.standard.url(text) == shown)
        #expect(Redaction.standard.url(shown) == shown)
        #expect(Redaction.off.url(text) == text)
    }

    @Test(
        "bodies",
        arguments: [
            // JSON.
            (
                #"{"grant_type":"authorization_code","code":"abc"}"#, nil,
                #"{"grant_type":"authorization_code","code":"<redacted>"}"#
            ),
            (#"{"error":"failed","code":"abc"}"#, nil, #"{"error":"failed","code":"abc"}"#),
            (#"{"user":"ann","password":"hunter2"}"#, "application/json", #"{"user":"ann","password":"<redacted>"}"#),
            (#"{"pin": 1234, "n": 1}"#, nil, #"{"pin": "<redacted>", "n": 1}"#),
            (#"{"credentials":{"a":["}",{"b":1}]},"n":1}"#, nil, #"{"credentials":"<redacted>","n":1}"#),
            (#"{"tokens":["a","b"],"n":[1]}"#, nil, #"{"tokens":"<redacted>","n":[1]}"#),
            (#"{"pass\u0077ord":"hunter2"}"#, nil, #"{"pass\u0077ord":"<redacted>"}"#),
            (#"{"p\u0061ssword":"hunter2"}"#, nil, #"{"p\u0061ssword":"<redacted>"}"#),
            (#"{"password":"hun\"ter2\\","n":1}"#, nil, #"{"password":"<redacted>","n":1}"#),
            (#"{"token":null,"hasPassword":true}"#, nil, #"{"token":null,"hasPassword":true}"#),
            (#"{"a":{"b":[{"secret":"x"}]}}"#, nil, #"{"a":{"b":[{"secret":"<redacted>"}]}}"#),
            (#"{"message":"use Bearer abc.def or so"}"#, nil, #"{"message":"use Bearer <redacted> or so"}"#),
            (#"{"t":"eyJhbGciOiJI.eyJzdWIi.c2ln"}"#, nil, #"{"t":"<redacted>"}"#),
            (
                #"{"u":"https:\/\/ann:pw@a.example\/?token=x\/y&n=1"}"#, nil,
                #"{"u":"https:\/\/<redacted>@a.example\/?token=<redacted>&n=1"}"#
            ),
            (
                #"{"log":"{\"password\":\"hun\\\"ter2\",\"n\":1}"}"#, nil,
                #"{"log":"{\"password\":\"<redacted>\",\"n\":1}"}"#
            ),
            // What was given, beside the name of what it was given for.
            (
                #"[{"field":"password","rejectedValue":"hunter2","n":1},{"field":"age","rejectedValue":"x"}]"#, nil,
                #"[{"field":"password","rejectedValue":"<redacted>","n":1},{"field":"age","rejectedValue":"x"}]"#
            ),
            (
                #"{"detail":[{"input":1234,"ctx":{"input":"a"},"loc":["body","pin"]},{"input":"x","loc":["age"]}]}"#,
                nil,
                #"{"detail":[{"input":"<redacted>","ctx":{"input":"a"},"loc":["body","pin"]},{"input":"x","loc":["age"]}]}"#
            ),
            (
                #"{"pointer":"/user/password","attempted_value":"hun\"ter2","msg":"x"}"#, nil,
                #"{"pointer":"/user/password","attempted_value":"<redacted>","msg":"x"}"#
            ),
            (#"{"name":"size","value":"3"}"#, nil, #"{"name":"size","value":"3"}"#),
            (
                #"{"field":"age","rejectedValue":"x","other":"password"}"#, nil,
                #"{"field":"age","rejectedValue":"x","other":"password"}"#
            ),
            // Cut and malformed JSON.
            (#"{"field":"password","value":"hunt"#, nil, #"{"field":"password","value":"<redacted>""#),
            (#"{"password":"hunt"#, nil, #"{"password":"<redacted>""#),
            (#"{"credentials":{"user":"ann","x":["#, nil, #"{"credentials":"<redacted>""#),
            (
                #"nter2","x":"y","password":"hunter2","n":1}"#, "application/json",
                #"nter2","x":"y","password":"<redacted>","n":1}"#
            ),
            (#"{"password":hunter2 and more,"n":1}"#, nil, #"{"password":"<redacted>","n":1}"#),
            (#"{'password':'hunter2'}"#, nil, #"{'password':'<redacted>'}"#),
            (#"{"t":"eyJhbGciOiJI"#, nil, #"{"t":"<redacted>"#),
            (#"{"t":"eyJhbGciOiJI.eyJ…"#, nil, #"{"t":"<redacted>"#),
            (#"{"m":"Bearer ab"#, nil, #"{"m":"Bearer <redacted>"#),
            // Forms.
            (
                "user=ann&pass%77ord=hunter2&n=1", "application/x-www-form-urlencoded; charset=utf-8",
                "user=ann&pass%77ord=<redacted>&n=1"
            ),
            ("password=a,b;c&n=1", nil, "password=<redacted>&n=1"),
            ("code=abc&state=1", "application/x-www-form-urlencoded", "code=<redacted>&state=1"),
            ("code=abc&state=1", nil, "code=<redacted>&state=1"),
            ("x=Bearer+abcdef", nil, "x=Bearer+<redacted>"),
            (
                "--X\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nann\r\n--X\r\n"
                    + "Content-Disposition: form-data; name=\"password\"\r\n\r\nhun\r\n--ter2\r\n--X--\r\n",
                "multipart/form-data; boundary=X",
                "--X\nContent-Disposition: form-data; name=\"user\"\n\nann\n--X\n"
                    + "Content-Disposition: form-data; name=\"password\"\n\n<redacted>\n--X--\n"
            ),
            (
                "--X\nContent-Disposition: form-data; name=\"pin\"\n\n1234\n--X--", nil,
                "--X\nContent-Disposition: form-data; name=\"pin\"\n\n<redacted>\n--X--"
            ),
            // HTML and XML.
            (
                #"<input name="csrf_token" value="abc"><input name="q" value="tea">"#, "text/html",
                #"<input name="csrf_token" value="<redacted>"><input name="q" value="tea">"#
            ),
            (
                #"<meta name="csrf-token" content="abc" />"#, "text/html",
                #"<meta name="csrf-token" content="<redacted>" />"#
            ),
            (
                "<user>ann</user><password>hunter2</password>", "text/xml",
                "<user>ann</user><password><redacted></password>"
            ),
            (
                "<password><![CDATA[hun<ter2]]></password><a>1</a>", "text/xml",
                "<password><redacted></password><a>1</a>"
            ),
            (
                "<a><Credentials>\n <user>ann</user><x/><!-- > --><y>hunter2</y>\n</Credentials></a>", "text/xml",
                "<a><Credentials><redacted></Credentials></a>"
            ),
            (
                "<credentials><a>1</a><![CDATA[<x></credentials>hunter2]]></credentials><b>2</b>", "text/xml",
                "<credentials><redacted></credentials><b>2</b>"
            ),
            ("<secret><value>hunter2", "text/xml", "<secret><redacted>"),
            ("<password/><a>1</a>", "text/xml", "<password/><a>1</a>"),
            ("<token type=\"x\"/>text", "text/xml", "<token type=\"x\"/>text"),
            (
                "<dict><key>Password</key>\n<string>hunter2</string><key>Size</key><integer>3</integer></dict>",
                "text/xml",
                "<dict><key><redacted></key>\n<string><redacted></string><key><redacted></key><integer>3</integer></dict>"
            ),
            // Codes of OAuth, however `&` is written, and what is percent-encoded inside of other texts.
            (
                #"{"to":"https://a.example/cb?state=1\u0026code=abc"}"#, nil,
                #"{"to":"https://a.example/cb?state=1\u0026code=<redacted>"}"#
            ),
            ("go to /cb?state=1&amp;code=abc now", "text/html", "go to /cb?state=1&amp;code=<redacted> now"),
            (
                #"{"next":"/login?return_to=https%3A%2F%2Fa.example%2Fcb%3Fsig%3Dabc","n":1}"#, nil,
                #"{"next":"/login?return_to=<redacted>","n":1}"#
            ),
            ("see https%3A%2F%2Fann%3Ahunter2%40a.example now", "text/plain", "see <redacted> now"),
            ("a%252Fb%20c is 100% fine", "text/plain", "a%252Fb%20c is 100% fine"),
            (#"{"at":"/reset-password\/9f86d081884c7d65"}"#, nil, #"{"at":"/reset-password\/<redacted>"}"#),
            // Text.
            (
                "Authorization: Basic dXNl cjpw\nHost: a.example", "text/plain",
                "Authorization: <redacted>\nHost: a.example"
            ),
            ("password: hunter2 was wrong", "text/plain", "password: <redacted> was wrong"),
            ("Cookie: id=1; theme=2\nHost: a.example", "text/plain", "Cookie: <redacted>\nHost: a.example"),
            ("[password => hunter2, n => 1]", "text/plain", "[password => <redacted> n => 1]"),
            ("p%61ssword=hunter2 n=1", "text/plain", "p%61ssword=<redacted> n=1"),
            ("saw eyJhbGciOiJI… there", "text/plain", "saw <redacted> there"),
            ("open session://a.example/x now", "text/plain", "open session://a.example/x now"),
            ("Bearer\tabcdef n=1", "text/plain", "Bearer\t<redacted> n=1"),
            ("Bearer ab~c+d/e== n=1", "text/plain", "Bearer <redacted> n=1"),
            (#"credentials={"a":"} hunter2"} n=1"#, "text/plain", "credentials=<redacted> n=1"),
            ("a bearer token is missing", "text/plain", "a bearer token is missing"),
            ("a basic plan", "text/plain", "a basic plan"),
            ("Basic xyz", nil, "Basic <redacted>"),
            ("The monkey=5 saw https://a.example/?page=2", nil, "The monkey=5 saw https://a.example/?page=2"),
            ("", nil, ""),
        ] as [(String, String?, String)])
    func body(text: String, contentType: String?, shown: String) {
        #expect(Redaction.standard.body(text, contentType: contentType) == shown)
        #expect(Redaction.off.body(text, contentType: contentType) == text)
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

    /// An object with secrets, all of which contain `zq`, and none of which has a comma outside of its value's
    /// brackets.
    private static func json(depth: Int, _ random: inout SeededNumbers) -> String {
        let members = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            switch Int.random(in: 0..<9, using: &random) {
            case 0: #""password":"zq1\"zq2\\""#
            case 1: #""api\u004bey" : "zq3""#
            case 2: #""token":["zq4"]"#
            case 3: #""m":"Bearer zq5""#
            case 4: #""m":"see https:\/\/ann:zq6@a.example\/?sig=zq7&x=1""#
            case 5: #""t":"eyJzq8.eyJzq9.zq10""#
            case 6 where depth < 3: "\"o\":[\(json(depth: depth + 1, &random)),1]"
            case 7: #""session":{"a":{"b":"zq11}"}}"#
            default: #""name":"a \"quote\": b","n":-1.5,"ok":true"#
            }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    @Test("random text never stops the program, and large text takes linear time", arguments: Seed.ofRun)
    func noise(seed: Seed) {
        var random = seed.numbers
        let pieces = [
            "\"", "\\", "{", "}", "[", ":", "=", "&", "token", "eyJ", ".", "//", "@", "<", ">", "Bearer ", "%", "é",
            "\n", "--",
        ]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            for type in [nil, "application/json", "application/x-www-form-urlencoded", "multipart/form-data"] {
                _ = Redaction.standard.body(text, contentType: type)
            }
            _ = Redaction.standard.url(text)
            _ = Redaction.standard.adding("tea").header(text, text)
        }
        for piece in pieces + [
            "\"a\":", "token", "<a name=", "a=", "a= ", "//a@", "bearer ", "\"a\" ", "aB", "a_b", "[{\"key\":", "<key>",
            "<key><", "<key><![CDATA[", "<!--", "/key", "%3Dkey%3D", "{\"name\":\"key\",\"value\":[", "{\"value\":1,",
            "&amp;", "\\u0026code=", "\"value\":1", "Bearer+",
        ] {
            let text = String(repeating: piece, count: 50_000 / piece.utf8.count) + "=\""
            let time = cpuTime { _ = Redaction.standard.adding("tea").body(text, contentType: nil) }
            // Generous: a quadratic pass would take minutes.
            #expect(time < .seconds(10), "\(piece): \(time)")
        }
    }

    @Test("what was given is hidden where the name that tells what it was for stands behind the part")
    func nameBehindPart() {
        let text = Array(#"{"rejectedValue":"hunter2","field":"password"}"#.utf8)
        let shown = text.withUnsafeBytes { Redaction.standard.json($0, within: 0..<26) }
        #expect(String(decoding: shown, as: UTF8.self) == #"{"rejectedValue":"<redacted>""#)
    }

    @Test("many schemes in one parameter take linear time")
    func manySchemes() {
        let text = String(repeating: "Bearer+", count: 50_000) + "=\"x\""
        let time = cpuTime { _ = Redaction.standard.body(text, contentType: "text/plain") }
        #expect(time < .seconds(20))
    }
}
