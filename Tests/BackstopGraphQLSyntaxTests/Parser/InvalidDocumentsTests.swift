import BackstopGraphQLSyntax
import BackstopTestSupport
import Testing

/// A text that is no document, the place where that shows, and what is said about it.
private let documents: [(text: String, place: String, message: String)] = [
    // Definitions
    ("", "1:1", "expected an operation or a fragment, found the end of the document"),
    (" # nothing\n", "2:1", "expected an operation or a fragment, found the end of the document"),
    ("hero { a }", "1:1", "expected an operation or a fragment, found \"hero\""),
    ("{ a } }", "1:7", "expected an operation or a fragment, found \"}\""),
    (
        "type Hero { a: Int }", "1:1",
        "expected an operation or a fragment, found \"type\": type definitions belong in a schema, not among operations"
    ),
    ("\"for people\" { a }", "1:14", "expected a definition after its description, found \"{\""),
    ("query", "1:6", "expected a name or \"{\" after \"query\", found the end of the document"),
    ("mutation $a", "1:10", "expected a name or \"{\" after \"mutation\", found \"$\""),
    ("query A B { a }", "1:9", "expected \"{\" for the selection set, found \"B\""),
    ("fragment {", "1:10", "expected a name after \"fragment\", found \"{\""),
    ("fragment on on A { a }", "1:10", "a fragment cannot have the name \"on\""),
    ("fragment A { a }", "1:12", "expected \"on\" after the name of the fragment, found \"{\""),
    ("fragment A on { a }", "1:15", "expected the name of a type after \"on\", found \"{\""),
    ("fragment A on B", "1:16", "expected \"{\" for the selection set, found the end of the document"),
    // Variables
    ("query ($a: Int { a }", "1:16", "expected a variable such as \"$id\", found \"{\""),
    ("query A() { a }", "1:9", "expected a variable such as \"$id\", found \")\""),
    ("query A(a: Int) { a }", "1:9", "expected a variable such as \"$id\", found \"a\""),
    ("query A($: Int) { a }", "1:10", "expected a name after \"$\", found \":\""),
    ("query A($a Int) { a }", "1:12", "expected \":\" after the name of the variable, found \"Int\""),
    ("query A($a: [Int) { a }", "1:17", "expected \"]\" after the type of the list's elements, found \")\""),
    ("query A($a: Int!!) { a }", "1:17", "expected a variable such as \"$id\", found \"!\""),
    ("query A($a: 1) { a }", "1:13", "expected a type, found the number 1"),
    (
        "query A($a: Int = $b) { a }", "1:19",
        "a declaration of variables cannot use the value of another variable"
    ),
    (
        "query A($a: Int @b(c: [{d: $e}])) { a }", "1:28",
        "a declaration of variables cannot use the value of another variable"
    ),
    // Selections
    ("{", "1:2", "expected a field, \"...\" or \"}\", found the end of the document"),
    ("query A {\n  a {\n  }\n}", "3:3", "a selection set needs at least one field"),
    ("{ a\n  1 }", "2:3", "expected a field, \"...\" or \"}\", found the number 1"),
    ("{ a: }", "1:6", "expected the name of a field after its alias, found \"}\""),
    ("{ a: b: c }", "1:7", "expected a field, \"...\" or \"}\", found \":\""),
    ("{ a() }", "1:5", "parentheses need at least one argument"),
    ("{ a(b) }", "1:6", "expected \":\" after the name \"b\", found \")\""),
    ("{ a(1: 2) }", "1:5", "expected an argument or \")\", found the number 1"),
    ("{ a(b: 1 }", "1:10", "expected an argument or \")\", found \"}\""),
    ("{ a @ }", "1:7", "expected a name after \"@\", found \"}\""),
    ("{ ... }", "1:7", "expected the name of a fragment, \"on\" or \"{\" after \"...\", found \"}\""),
    ("{ ... on { a } }", "1:10", "expected the name of a type after \"on\", found \"{\""),
    ("{ ... on A }", "1:12", "expected \"{\" for the selection set, found \"}\""),
    // Values
    ("{ a(b: ) }", "1:8", "expected a value, found \")\""),
    ("{ a(b: [1", "1:10", "expected a value or \"]\", found the end of the document"),
    ("{ a(b: [1}) }", "1:10", "expected a value, found \"}\""),
    ("{ a(b: {c 1}) }", "1:11", "expected \":\" after the name \"c\", found the number 1"),
    ("{ a(b: {\"c\": 1}) }", "1:9", "expected the name of a field or \"}\", found a string"),
    ("{ a(b: $) }", "1:9", "expected a name after \"$\", found \")\""),
    // Characters
    ("{ a . }", "1:5", "expected \"...\", found a single \".\""),
    ("{ a .. b }", "1:5", "expected \"...\", found a single \".\""),
    ("{ a % }", "1:5", "\"%\" has no meaning here"),
    ("{ é }", "1:3", "\"é\" has no meaning here"),
    ("{ a\u{0} }", "1:4", "U+0000 has no meaning here"),
    ("{ a\u{A0}b }", "1:4", "U+00A0 has no meaning here"),
    ("{ a \u{1F600}", "1:5", "\"😀\" has no meaning here"),
    ("{ a \u{202E} }", "1:5", "U+202E has no meaning here"),
    // What was found is shortened.
    (
        String(repeating: "x", count: 100), "1:1",
        "expected an operation or a fragment, found \"\(String(repeating: "x", count: 40))...\""
    ),
]

@Suite("Invalid documents", .limited)
struct InvalidDocumentsTests {
    @Test("are refused at their place with what was expected and found", arguments: documents)
    func refused(_ text: String, _ place: String, _ message: String) {
        let error = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: text) }
        #expect(error?.description == "\(place): \(message)")
    }

    @Test(
        "that are not UTF-8 are refused at the first wrong byte",
        arguments: [
            ([0xFF], "1:1"),
            (Array("{ a }\n#".utf8) + [0x80], "2:2"),
            (Array("{ a #é".utf8) + [0xE2, 0x82], "1:7"),
            (Array("# \u{FFFD} ".utf8) + [0xEF, 0xBF], "1:5"),
            (Array("# ".utf8) + [0xED, 0xA0, 0x80], "1:3"),
        ] as [([UInt8], String)])
    func notUTF8(_ bytes: [UInt8], _ place: String) {
        let error = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsingUTF8: bytes) }
        #expect(error?.description == "\(place): the text is not UTF-8")
    }
}
