import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("Small texts inside others", .limited)
struct ExcerptTests {
    @Test(
        "have no control characters, and stay on one line",
        arguments: [
            ("a\nb\r\n c", "a b c"), ("a\u{9B}2Jb\u{7F}", "a 2Jb "), ("\u{0}a", " a"), ("é😀", "é😀"),
            ("a\u{202E}b\u{2066}c\u{2069}d\u{200B}e\u{FEFF}f", "abcdef"), ("a\u{2028}b\u{2029}c", "a b c"),
            ("👩\u{200D}👧", "👩\u{200D}👧"),
        ])
    func printable(text: String, expected: String) {
        #expect(Excerpt.printable(text) == expected)
    }

    @Test("are as short in quotes as they are to be, whatever their letters bear")
    func quoted() {
        #expect(Redaction.quoted("b" + String(repeating: "\u{301}", count: 5000), upTo: 3) == "\"b\u{301}\u{301}…\"")
        #expect(Redaction.quoted("a\n\"b") == #""a \"b""#)
        // Nobody reads all that a server sends.
        #expect(Redaction.quoted(String(repeating: "\u{200B}", count: 1001) + "x") == "\"…\"")
    }

    @Test(
        "of files and details stay on the line of the error that has them",
        arguments: [
            StorageError(
                StorageError.Code(row: "a", explanation: "", nextStep: "", message: .other), path: "/x/" + forged),
            RequestError(.invalid, forged), TransportError(.lost, detail: forged), StatusError(500, detail: forged),
            RejectionError("own", forged),
        ] as [any Error])
    func ofErrors(error: any Error) {
        for text in ["\(error)", "\(Failure(error).reason)"] {
            #expect(!text.contains { $0.isNewline || $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(text.debugDescription)")
        }
    }

    @Test("of errors hide what several lines, or signs that are not seen, say is secret")
    func secrets() {
        let form = "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--b--"
        for detail in [form, "pass\u{200B}word=hunter2"] {
            #expect(!"\(StatusError(500, detail: detail))".contains("hunter2"), "\(detail.debugDescription)")
        }
    }

    private static let forged = "a\nstatus.200: All is well\u{1B}[2K\u{202E}b\u{2028}c"

    @Test(
        "are cut only where they are longer than they may be", arguments: [("abc", "abc"), ("abcd", "abc…"), ("", "")])
    func cut(text: String, expected: String) {
        #expect(Excerpt.cut(text, to: 3) == expected)
    }

    @Test(
        "a key is taken for one with few slips, the fewer the shorter it is, and the first of equals",
        arguments: [
            ("name", ["nane", "namf"], "nane"), ("tile", ["tiel"], "tiel"), ("tile", ["tlie", "tiles"], "tlie"),
            ("id", ["ix"], nil), ("ab", ["a_b"], "a_b"), ("date", ["data", "date_"], "date_"),
            ("firstName", ["first_nmae"], "first_nmae"), ("title", ["author"], nil), ("", ["a"], nil),
        ] as [(String, [String], String?)])
    func similar(wanted: String, keys: [String], expected: String?) {
        #expect(SimilarKey.find(wanted, among: keys) == expected)
    }
}
