import BackstopTestSupport
import Testing

@testable import BackstopTesting

@Suite("A path pattern", .limited)
struct PathPatternTests {
    @Test(
        "takes one segment for * and any number for **",
        arguments: [
            ("/a/*/c", "/a/b/c", true), ("/a/*", "/a", false), ("/**", "/", true), ("/a/**", "/a", true),
            ("/**/b", "/a/b/c/b", true), ("/**/b/**/c", "/a/c/b/b/c", true), ("/**/b/**/c", "/a/c/b", false),
            ("/a/**/*/d", "/a/d", false), ("/a/**/*/d", "/a/b/c/d", true), ("/**/**", "/a", true), ("/", "/a", false),
            ("/a%2Fb", "/a%2fb", true), ("/a%2Fb", "/a/b", false),
        ])
    func matches(pattern: String, path: String, expected: Bool) {
        #expect(PathPattern(pattern).matches(path: path) == expected)
    }

    @Test("tells of a long path in one pass for each segment, and not once for each way to share it out")
    func longPath() {
        let pattern = PathPattern(String(repeating: "/**/a", count: 50) + "/b")
        #expect(!pattern.matches(path: String(repeating: "/a", count: 20_000)))
    }
}
