import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("Texts of JSON", .limited)
struct JSONTextTests {
    @Test(
        "are read with their escapes, and what is malformed leaves a mark",
        arguments: [
            (#"a\nb\/c"#, "a\nb/c"), (#"\u00e9\ud83d\ude00"#, "é😀"), (#"\ud800\u0041"#, "\u{FFFD}A"),
            (#"\ud83dx"#, "\u{FFFD}x"), (#"a\qb"#, #"a\qb"#), (#"a\"#, #"a\"#),
        ])
    func unescaped(text: String, expected: String) {
        #expect(Array(text.utf8).withUnsafeBytes { JSONText.unescaped($0) } == expected)
    }

    @Test(
        "are written so that JSON and JavaScript read them",
        arguments: [
            ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t\u{1}", #""\n\r\t\u0001""#), ("\u{2028}\u{2029}", #""\u2028\u2029""#),
            ("é😀", "\"é😀\""),
        ])
    func quoted(text: String, expected: String) {
        #expect(JSONWriter.quoted(text) == expected)
    }

    @Test(
        "numbers have at most three decimals, at most 10^15, and one that is not finite is 0",
        arguments: [
            (0, "0"), (12, "12"), (0.5, "0.5"), (1.2344, "1.234"), (-0.25, "-0.25"), (-3, "-3"),
            (999_999_999_999, "999999999999"),
            (1e15, "1000000000000000"), (1e300, "1000000000000000"), (-1e300, "-1000000000000000"), (.infinity, "0"),
            (.nan, "0"),
        ] as [(Double, String)])
    func number(value: Double, expected: String) {
        #expect(JSONWriter.number(value) == expected)
    }

    @Test(
        "have a fault at an unpaired surrogate",
        arguments: [#""\udc00""#, #""\udc00\udc00""#, #""\ud800""#, #""\ud800\u0041""#, #""\ud800\ud800""#])
    func surrogates(text: String) {
        let problem = Array(text.utf8).withUnsafeBytes { JSONScan.firstProblem(in: $0) }
        #expect(problem?.message == "half of a surrogate pair")
    }

    @Test("are as deep as they may be, and no deeper, also with comments", arguments: [false, true])
    func depth(isLenient: Bool) {
        func isTooDeep(_ text: String) -> Bool {
            Array(text.utf8).withUnsafeBytes { JSONScan.isTooDeep($0, isLenient: isLenient) }
        }
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(!isTooDeep(nested(64)))
        #expect(isTooDeep(nested(65)))
    }

    @Test("are not looked at behind their end")
    func behindEnd() {
        let text = Array(("[] " + String(repeating: "[", count: 100)).utf8)
        #expect(!text.withUnsafeBytes { JSONScan.isTooDeep($0) })
    }
}
