import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("A text as it is compared with secrets", .limited)
struct CanonicalTextTests {
    @Test(
        "is the same however it was printed",
        arguments: [
            "a<b", "a&lt;b", "a&amp;lt;b", "a&amp;amp;lt;b", "a%3Cb", "a%253Cb", #"a\u003cb"#,
            "a&#60;b", "a&#060;b", "a&#x3C;b", "a&#X003c;b", "a&amp;#60;b", #"a\u0026lt;b"#, #"a\u0026#60;b"#,
            #"a\x3Cb"#,
            #"a\\x3cb"#, "a&#92;u003Cb", "a%26%2360%3Bb",
        ])
    func encodings(text: String) {
        let bytes = Array(text.utf8).withUnsafeBytes { CanonicalText($0).bytes }
        #expect(bytes == Array("a<b".utf8))
    }

    @Test(
        "keeps what is no reference",
        arguments: [
            "a&", "a&#", "a&#;", "a&#x;", "a&#xD800;", "a&#1114112;", "a&#99999999999;", "a&lt", "a&ltx;",
        ])
    func noReference(text: String) {
        let bytes = Array(text.utf8).withUnsafeBytes { CanonicalText($0).bytes }
        #expect(bytes == Array(text.utf8))
    }

    @Test("of a secret has no spaces at its ends")
    func secret() {
        #expect(CanonicalText.secret(Array("  hunter2 x\n ".utf8)) == Array("hunter2 x".utf8))
    }
}
