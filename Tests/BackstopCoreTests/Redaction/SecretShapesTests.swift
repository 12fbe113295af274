import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("Secrets by their shape", .limited)
struct SecretShapesTests {
    @Test(
        "are keys with a known beginning that are long enough and have a digit",
        arguments: [
            ("glpat-abcdefghi1", true), ("glpat-abcdefgh1", false), ("glpat-abcdefghij", false),
            ("glpat-abcdefghijklmno_", false), ("sk_test_environment_variable_name", false),
            ("sk_live_abcdefghijklmnop", true), ("sk_live_abcdefghijklmno", false),
            ("sk_test_environment", false),
            ("AKIAQWERTYUIOPASDFGH", true), ("AKIAQWERTYUIOPASDFG", false), ("AKIA_QWERTYUIOPASDFG", false),
            ("sk-learn-and-all-other-packages", false), ("sk-learn-and-all-other-package1", true),
            ("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", true), ("hf_QwErTyUiOpAsDfGhJkLzXcVbNm_from_the_hub", false),
        ])
    func keys(word: String, isSecret: Bool) {
        #expect(Redaction.standard.text("Not \(word) here.") == "Not \(isSecret ? "<redacted>" : word) here.")
    }

    private static let before = [
        " ", "“", "«", "：", "—", "…", "ä", "🔑", "\u{FEFF}", ".", "_", "-", "(", "\u{1B}[31m", "\u{1B}[1;31m", "\\n",
        "\\\\n",
        #"\u201c"#, #"\u001b[31m"#, #"\\u003c"#,
    ]

    @Test("are found behind any sign but a letter or a digit", arguments: before)
    func places(before: String) {
        let key = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
        for (secret, shown) in [
            ("Bearer Q7kX2mV9p”", "Bearer <redacted>”"), ("basic dXNlcjpR==", "basic <redacted>"),
            (key, "<redacted>"),
            ("-----BEGIN PRIVATE KEY-----\nQ7k\n-----END", "-----BEGIN PRIVATE KEY-----<redacted>-----END"),
            ("bearer” token", "bearer” token"), ("basic” needs", "basic” needs"),
        ] {
            #expect(Redaction.standard.text("bad\(before)\(secret) end") == "bad\(before)\(shown) end")
            #expect(Redaction.standard.text("\(before)\(secret)") == "\(before)\(shown)")
        }
        #expect(Redaction.standard.text("bad \(before)pin=12 x") == "bad \(before)pin=<redacted> x")
    }

    @Test(
        "are credentials behind a scheme and white space in any spelling",
        arguments: [
            "\u{A0}", "\u{3000}", " \u{200B}", "\u{200B}", "\u{AD}", "\u{FEFF}", #"\u200b"#, "+", #"\u0020"#,
            #"\u00a0"#, #"\n"#, "&nbsp;", "&#160;", "&#xA0;",
            " &quot;",
            " &lt;", " “", " «", " \"", #" \""#, " (",
        ])
    func gaps(gap: String) {
        #expect(Redaction.standard.text("no Bearer\(gap)Q7kX2mV9p here") == "no Bearer\(gap)<redacted> here")
        #expect(Redaction.standard.text("no bearer\(gap)token here") == "no bearer\(gap)token here")
    }

    @Test("are credentials on the next line as well where they look like some", arguments: ["\n", "\r\n  ", " \\\n"])
    func nextLine(gap: String) {
        #expect(Redaction.standard.text("Bearer\(gap)Q7kX2mV9pL4rTz81 x") == "Bearer\(gap)<redacted> x")
        #expect(Redaction.standard.text("Bearer\(gap)authentication-scheme") == "Bearer\(gap)authentication-scheme")
    }

    @Test(
        "are no words that only begin like a scheme",
        arguments: ["Basically x1", "Bearers x1", "Bearer&b=x1", "Bearer", "Bearer\nabc123def456"])
    func noScheme(text: String) {
        #expect(Redaction.standard.text(text) == text)
    }

    @Test(
        "are private keys in the formats of RFC 7468, OpenPGP and SSH2",
        arguments: [
            ("-----BEGIN PGP PRIVATE KEY BLOCK-----", "-----END PGP PRIVATE KEY BLOCK-----"),
            ("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", "---- END SSH2 ENCRYPTED PRIVATE KEY ----"),
            ("-----BEGIN RSA PRIVATE KEY-----", ""),
        ])
    func privateKeys(head: String, end: String) {
        let key = "\nComment: of ann-lee\n\nQ7kX2mV9p\n=4rTz\n"
        #expect(Redaction.standard.text("\(head)\(key)\(end)") == "\(head)<redacted>\(end)")
        let isOpen = Redaction.standard.text(head.split(separator: "PRIVATE").joined(separator: "PUBLIC") + key)
        #expect(isOpen.contains(key))
    }

    @Test("have spaces where their name says so")
    func items() {
        #expect(
            Redaction.standard.text("KEY='-----BEGIN PRIVATE KEY-----\nQ7k\n-----END x'")
                == "KEY='<redacted>-----END x'")
        #expect(Redaction.standard.text("Authorization=Bearer Q7kX2mV9p x") == "Authorization=<redacted> x")
        #expect(
            Redaction.standard.text("PRIVATE_KEY=-----BEGIN PRIVATE KEY-----\nQ7k\n-----END x")
                == "PRIVATE_KEY=<redacted>-----END x")
    }

    @Test(
        "cost time linear in the text",
        arguments: ["bearer\u{A0}", "Bearer&", "-b", "BEGIN ", "-----BEGIN PRIVATE KEY", "B\\u"])
    func cost(piece: String) {
        func time(_ size: Int) -> Duration {
            let text = String(repeating: piece, count: size / piece.utf8.count)
            return cpuTime { _ = Redaction.standard.text(text) }
        }
        _ = time(4000)
        let times = [1, 8].map { time($0 * 4000) }
        #expect(times[1] < times[0] * 24 + .milliseconds(40), "\(times)")
    }

    @Test(
        "are values with a digit, and long words",
        arguments: [
            ("price", false), ("T-1000", true), ("abcdefghijklmno", false), ("abcdefghijklmnop", true),
            ("Session 1: Intro", false), ("12 34 56", true), ("- -", false),
        ])
    func values(value: String, isSecret: Bool) {
        #expect(SecretShapes.looksLikeSecret(value.utf8) == isSecret)
    }
}
