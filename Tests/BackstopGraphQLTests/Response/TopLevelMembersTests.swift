import BackstopTestSupport
import Testing

@testable import BackstopCore
@testable import BackstopGraphQL

@Suite("The members of a response", .limited)
struct TopLevelMembersTests {
    @Test(
        "are found at the top level, the first of each key, and also where the text is cut",
        arguments: [
            (#"{"a":1,"b":2,"a":3}"#, ["a": 5..<6]),
            (#" {"b":{"a":1}, "\u0061" : [1, 2] }"#, ["a": 26..<32]),
            (#"{"a":{"b":"#, ["a": 5..<10]),
            (#"{"a":"#, ["a": 5..<5]),
            (#"{"b":1}"#, [:]),
            (#"["a"]"#, nil),
            ("", nil),
        ] as [(String, [String: Range<Int>]?)])
    func found(text: String, members: [String: Range<Int>]?) {
        #expect(Array(text.utf8).withUnsafeBytes { JSONScan.topLevelMembers(["a"], in: $0) } == members)
    }
}
