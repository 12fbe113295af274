import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("Redaction", .limited)
struct RedactionTests {
    @Test(
        "names of secrets are sensitive",
        arguments: [
            "Authorization", "authorization", "Cookie", "Set-Cookie", "Proxy-Authorization", "X-Auth", "oauth",
            "token", "accessToken", "access_token", "ACCESS-TOKEN", "accesstoken", "csrfToken", "tokens",
            "secret", "client_secret", "clientSecret", "key", "api_key", "apiKey", "APIKey", "apikey", "APIKEY",
            "x-api-key", "X-API-Key", "Idempotency-Key", "key1", "privateKeys", "password", "passwd", "pwd",
            "userPassword2", "PassWord", "credential", "credentials", "session", "sessionid", "session_id",
            "JSESSIONID", "PHPSESSID", "auth", "signature", "sig", "x.sig", "X-Amz-Signature", "otp", "otpCode", "pin",
            "user_pin", "user[password]", "refreshtoken", "code_verifier", "codeVerifier", "SAMLResponse", "SAMLart",
            "ticket", "XSRFHeader", "JWTValue", "userPIN", "myJWT", "X-Ticket", "assertion", "client_assertion", "DPoP",
            "device_code", "verificationCode", "auth-code", "X-MFA", "mfaValue", "X-2FA", "2fa", "X-TFA-Value",
            "reset_code", "backup_codes", "magic_link", "connectionString", "connection_string", "mnemonic",
            "cardNumber", "card_number", "seedPhrase", "password_confirmation", "x-amz-security-token",
        ])
    func sensitive(name: String) {
        #expect(Redaction.standard.isSensitive(name))
        #expect(!Redaction.off.isSensitive(name))
    }

    @Test(
        "names that only look alike, or that only describe a secret, are not",
        arguments: [
            "", "-", "monkey", "keyboard", "keyboardType", "turkey", "author", "authority", "authored_by", "pinned",
            "spin", "opinion", "shipping", "sign", "signal", "design", "possession", "obsession", "option", "passenger",
            "compass", "Accept", "Content-Type", "WWW-Authenticate", "name", "title", "id", "ETag", "count", "zip",
            "code", "statusCode", "error_code", "countryCode", "code_challenge", "verifier",
            "Access-Control-Allow-Credentials", "access-control-allow-headers", "assertionsEnabled", "tickets_left",
            "öpin", "fa", "fa-IR", "sofa", "e72fa1", "12fa", "umfang", "max_tokens", "maxOutputTokens", "prompt_tokens",
            "token_type", "tokenType", "token_endpoint", "keySize", "password_policy", "tokenExpiresIn", "cookieName",
        ])
    func harmless(name: String) {
        #expect(!Redaction.standard.isSensitive(name))
    }

    @Test("an app adds its own words, in any spelling")
    func adding() {
        let redaction = Redaction.standard.adding("iban", "taxNumber", "geheimwört", "", "--")
        for name in [
            "iban", "IBAN", "customer_iban", "customerIban", "tax_number", "taxNumber", "myTaxNumberOld", "GEHEIMWÖRT",
            "iban_type",
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

    @Test("an app removes words and whole names, in any spelling; the last change of a word counts")
    func removing() {
        let redaction = Redaction.standard.removing("session", "promoToken", "key", "")
        for name in ["session", "sessionTitle", "talk_session", "promo_token", "PromoToken", "key", "sortKey"] {
            #expect(!redaction.isSensitive(name), "\(name)")
            #expect(Redaction.standard.isSensitive(name), "\(name)")
        }
        for name in ["session_token", "JSESSIONID", "promo_tokens", "token", "api_key", "apiKey", "password"] {
            #expect(redaction.isSensitive(name), "\(name)")
        }
        #expect(
            redaction.body(#"{"session":"Keynote","pin":"1234"}"#, contentType: nil)
                == #"{"session":"Keynote","pin":"<redacted>"}"#)
        #expect(Redaction.standard.adding("iban").removing("IBAN").isSensitive("iban") == false)
        #expect(Redaction.standard.removing("token").adding("token").isSensitive("token"))
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
            ("https://ann:correct horse@shop.example:99999/a b@c", "https://<redacted>@shop.example:99999/a b@c"),
            ("https://ann:12345 <\"x\"@shop.example", "https://<redacted>@shop.example"),
            ("https://ann:a/b \"c@shop.example/", "https://<redacted>@shop.example/"),
            ("https://ann:a\tb@shop.example/", "https://<redacted>@shop.example/"),
            ("https://ann:hunter", "https://<redacted>"), ("https://ann:443x", "https://<redacted>"),
            ("https://ann:443).x", "https://<redacted>"), ("https://ann:123456.", "https://<redacted>"),
            ("https://shop.example:443).", "https://shop.example:443)."),
            ("<https://shop.example:8443>", "<https://shop.example:8443>"),
            ("https://ann:443)@shop.example", "https://<redacted>@shop.example"),
            ("//ann:hunter2@shop.example", "//<redacted>@shop.example"),
            ("?token=abc&a=1", "?token=<redacted>&a=1"),
            ("?code=abc&a=1", "?code=<redacted>&a=1"),
            ("/p?a=1&api%5Fkey=abc", "/p?a=1&api%5Fkey=<redacted>"),
            ("/p?%74oken=abc", "/p?%74oken=<redacted>"),
            ("/p?user[password]=abc&user%5Bpin%5D=12", "/p?user[password]=<redacted>&user%5Bpin%5D=<redacted>"),
            ("/p?token=ab%20c\"d<e&x", "/p?token=<redacted>&x"),
            ("/p?token=", "/p?token="),
            ("/p?token", "/p?token"),
            ("/p?max_tokens=5&token_type=x", "/p?max_tokens=5&token_type=x"),
            ("/cb#access_token=abc&state=1", "/cb#access_token=<redacted>&state=1"),
            ("/cb#code=abc&state=1", "/cb#code=<redacted>&state=1"),
            ("/a#code=abc?x=1", "/a#code=<redacted>?x=1"),
            ("/login?return=(%3Ftoken%3D)abc&x=1", "/login?return=<redacted>&x=1"),
            ("/login?return=%25252Fa%25253Ftoken%25253Dabc&x=1", "/login?return=<redacted>&x=1"),
            ("/p?data=%7B%22password%22+:+%22hunter2%22%7D&x=1", "/p?data=<redacted>&x=1"),
            ("/g?query=%7Blogin(pin:%221234%22)%7Bid%7D%7D", "/g?query=<redacted>"),
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
            // Where the slashes are missing.
            ("bob:hunter2@a.example/?token=x&n=1", "<redacted>@a.example/?token=<redacted>&n=1"),
            ("http:bob:hunter2@a.example/p", "http:<redacted>@a.example/p"),
            ("HTTPS:/bob:hunter2@a.example", "HTTPS:/<redacted>@a.example"),
            ("/users/bob@a.example", "/users/bob@a.example"), ("a.example/@bob?x=@y", "a.example/@bob?x=@y"),
            ("", ""),
            ("%", "%"),
        ])
    func url(text: String, shown: String) {
        #expect(Redaction.standard.url(text) == shown)
        #expect(Redaction.standard.url(shown) == shown)
        #expect(Redaction.off.url(text) == text)
    }

    @Test(
        "what identifies no secret is shown",
        arguments: [
            "KeyError: 'price'", "Missing key: price", "Unexpected token: <", "Unexpected token '<' in JSON",
            #"{"ticket":{"id":7,"title":"Broken","sessions":[{"id":1,"room":"A"}]}}"#,
            #"{"sessions":[{"id":1},{"id":2}],"keys":[]}"#, #"{"sessions":["Intro","Part 2: Actors"]}"#,
            #"{"message":["password must be longer than or equal to 8 characters","email must be an email"]}"#,
            #"{"errors":{"password":["is too short (minimum is 8 characters)"],"pin":["invalid"]}}"#,
            #"{"status":400,"errors":{"Password":["Use a digit."],"token":"was used before"}}"#,
            #"{"error":{"password":["is too short"]}}"#, #"{"errors":[{"password":"is too short"}]}"#,
            #"{"max_tokens":4096,"usage":{"prompt_tokens":12}}"#, #"{"token_type":"bearer","expires_in":3600}"#,
            "panic at session.go:42", "auth.service: connection refused", "key: value", "password: required",
            "<Contents><Key>photos/a.jpg</Key><Size>1</Size></Contents>", "The monkey=5 saw https://a.example/?page=2",
            "a bearer token is missing", "a basic plan", "Bearer authentication is required",
            "Bearer \"token\" expired",
            "status code=404", #"{"error":"failed","code":"E17"}"#, #"The field "password": must not be empty"#,
            #"{"cursor":"eyJpZCI6MTd9","next":"eyJpZCI6MTh9"}"#, "sk-learn-is-a-library", "ghp_short",
            "open session://a.example/x now", "a%252Fb%20c is 100% fine", "token=", "keyboard=qwerty", "password=null",
            "if token == nil { }", "<password/><a>1</a>", #"{"token":null,"hasPassword":true}"#, "",
        ])
    func harmlessText(text: String) {
        #expect(Redaction.standard.body(text, contentType: nil) == text)
        #expect(Redaction.standard.text(text) == text)
    }

    @Test("random text never stops the program", arguments: Seed.ofRun)
    func noise(seed: Seed) {
        var random = seed.numbers
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                Self.pieces.randomElement(using: &random) ?? ""
            }.joined()
            for type in [nil, "application/json", "application/x-www-form-urlencoded", "multipart/form-data"] {
                let shown = Redaction.standard.body(text, contentType: type)
                #expect(Redaction.off.body(text, contentType: type) == text)
                _ = Redaction.standard.body(shown, contentType: type)
            }
            _ = Redaction.standard.url(text)
            _ = Redaction.standard.adding("tea").header(text, text)
        }
    }

    private static let pieces = [
        "\"", "\\", "{", "}", "[", ":", "=", "&", "token", "eyJ", ".", "//", "@", "<", ">", "Bearer ", "%", "é", "\n",
        "--", "-----BEGIN PRIVATE KEY-----", "errors", "query", "%25", "sk_live_", "Basic ", "\u{0}", "'", "+", "]",
    ]

    /// Each is a whole text, over and over, that somebody could send to cost time.
    private static let costly =
        pieces + [
            "\"a\":", "a=", "a= ", "//a@", "bearer ", "\"a\" ", "aB", "a_b", "\"key\":[", "\"token\":{", "<token>",
            "<token ",
            "<token><![CDATA[", "/key", "%3Dkey%3D", "\"errors\":{", "\"query\":\"", "\\\"query\\\":\\\"", "&amp;",
            "\\u0026code=", "Bearer+", "token=\"", "token=a'b", "token='", "\"\"\"", "pin:\"\"\"", "token=\\\"",
            "//a:b/",
            "\"token\":[\"", "{\\\"token\\\":", "eyJ-", "sk-", "AKIA", "key-----BEGIN ", "\"token\":\"", "\"code\":",
            "--\nname=\"token\"\n\n", "%2541", "\\\\\\\"",
        ]

    @Test("twice the text takes twice the time, whatever it is", arguments: costly)
    func cost(piece: String) {
        func time(_ size: Int) -> Duration {
            let text = String(repeating: piece, count: size / piece.utf8.count) + "=\""
            return cpuTime {
                _ = Redaction.standard.adding("tea").body(text, contentType: nil)
                _ = Redaction.standard.url(text)
            }
        }
        _ = time(1500)
        let times = [1, 2, 4, 8].map { time($0 * 1500) }
        // A quadratic pass would take 64 times as long.
        #expect(times[3] < times[0] * 24 + .milliseconds(40), "\(times)")
    }
}
