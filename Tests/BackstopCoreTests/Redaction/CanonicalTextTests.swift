import Testing

@testable import BackstopCore

@Suite("A text as it is compared with secrets")
struct CanonicalTextTests {
    @Test(
        "is the same however it was printed",
        arguments: ["a<b", "a&lt;b", "a&amp;lt;b", "a&amp;amp;lt;b", "a%3Cb", "a%253Cb", #"a\u003cb"#])
    func encodings(text: String) {
        let bytes = Array(text.utf8).withUnsafeBytes { CanonicalText($0).bytes }
        #expect(bytes == Array("a<b".utf8))
    }

    @Test("of a secret has no spaces at its ends")
    func secret() {
        #expect(CanonicalText.secret("  hunter2 x\n ".utf8) == Array("hunter2 x".utf8))
    }
}
