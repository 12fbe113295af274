import BackstopGraphQLSyntax
import BackstopTestSupport
import Foundation
import Testing

@Suite("Limits", .limited)
struct LimitsTests {
    /// Each kind of nesting, as deep as wanted.
    private static let nestings: [@Sendable (Int) -> String] = [
        { String(repeating: "{a", count: $0) + String(repeating: "}", count: $0) },
        { String(repeating: "{...on A", count: $0 - 1) + "{a" + String(repeating: "}", count: $0) },
        { "{a(b:" + String(repeating: "[", count: $0 - 1) + String(repeating: "]", count: $0 - 1) + ")}" },
        { "{a(b:" + String(repeating: "{c:", count: $0 - 2) + "{}" + String(repeating: "}", count: $0 - 2) + ")}" },
        {
            "query($a:" + String(repeating: "[", count: $0 - 1) + "A" + String(repeating: "]", count: $0 - 1)
                + "){a(b:$a)}"
        },
    ]

    @Test("a document may nest as deep as allowed and no deeper", arguments: nestings.indices, [10, 200])
    func depth(_ nesting: Int, _ depth: Int) throws {
        let limits = GraphQLLimits(depth: depth)
        _ = try GraphQLDocument(parsing: Self.nestings[nesting](depth), limits: limits)
        let error = #expect(throws: GraphQLSyntaxError.self) {
            try GraphQLDocument(parsing: Self.nestings[nesting](depth + 1), limits: limits)
        }
        #expect(error?.message == "the document nests deeper than the \(depth) levels allowed")
    }

    @Test("a document as deep as allowed fits the stack of a thread of 512 KiB", arguments: nestings.indices)
    func stack(_ nesting: Int) async {
        let text = Self.nestings[nesting](200)
        let isRead = await withCheckedContinuation { continuation in
            let thread = Thread {
                continuation.resume(returning: (try? GraphQLDocument(parsing: text))?.issues().isEmpty == true)
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(isRead)
    }

    @Test("a hundred thousand open brackets are refused", arguments: ["{a", "[", "{a(b:[", "query($a:["])
    func hostile(_ piece: String) {
        let text = "{a(b:" + String(repeating: piece, count: 100_000)
        #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: text) }
        #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: String(text.dropFirst(5))) }
    }

    @Test("a document may be as long as allowed and no longer")
    func size() throws {
        _ = try GraphQLDocument(parsing: "{a }", limits: GraphQLLimits(bytes: 4))
        let error = GraphQLSyntaxError(
            line: 1, column: 1, message: "the document has 5 bytes, more than the 4 allowed")
        #expect(throws: error) { try GraphQLDocument(parsing: "{ é}", limits: GraphQLLimits(bytes: 4)) }
        #expect(throws: error) {
            try GraphQLDocument(parsingUTF8: [0xFF, 0, 0, 0, 0], limits: GraphQLLimits(bytes: 4))
        }
    }

    @Test("a document may have as many tokens as allowed and no more")
    func tokens() throws {
        let limits = GraphQLLimits(tokens: 4)
        _ = try GraphQLDocument(parsing: "{a b} # many more words", limits: limits)
        let error = GraphQLSyntaxError(
            line: 1, column: 7, message: "the document has more than the 4 tokens allowed")
        #expect(throws: error) { try GraphQLDocument(parsing: "{a b c}", limits: limits) }
    }

    @Test("a long line costs no more than many short ones")
    func longLine() throws {
        let text = "{" + String(repeating: "a ", count: 90_000) + "}"
        let document = try GraphQLDocument(parsing: text)
        #expect(document.operations.first?.range.end.column == 180_003)
    }

    @Test("limits below 1 refuse every document")
    func none() {
        for limits in [GraphQLLimits(bytes: 0), GraphQLLimits(depth: -1), GraphQLLimits(tokens: -1)] {
            #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: "{a}", limits: limits) }
        }
    }
}
