import BackstopGraphQLSyntax
import BackstopTestSupport
import Testing

@Suite("What is wrong with a document as a whole", .limited)
struct IssuesTests {
    @Test(
        "is told with its place",
        arguments: [
            ("query A { ...F } fragment F on G { h }", []),
            ("{ a }", []),
            (
                "query A($slow: Boolean!, $n: Int) { b { ...F @defer(if: $slow, label: \"l\") ... @defer { c } }"
                    + " d @stream(initialCount: $n) { e } } fragment F on G { h }", []
            ),
            ("{ a } query B { b }", ["1:1: error: an operation next to others needs a name"]),
            ("query A { a }\nmutation A { a }", ["2:10: error: an operation named \"A\" already exists, at 1:7"]),
            (
                "{ ...F } fragment F on G { h }\nfragment F on I { j }",
                ["2:10: error: a fragment named \"F\" already exists, at 1:19"]
            ),
            ("{ a { ... on B { ...F } } }", ["1:18: error: no fragment is named \"F\""]),
            (
                "{ ...F ...G } fragment F on H { ...I ...J }",
                [
                    "1:8: error: no fragment is named \"G\"", "1:33: error: no fragment is named \"I\"",
                    "1:38: error: no fragment is named \"J\"",
                ]
            ),
            ("{ a } fragment F on G { h }", ["1:16: error: no operation uses the fragment \"F\""]),
            (
                "{ a } fragment F on G { ...H } fragment H on G { h }",
                [
                    "1:16: error: no operation uses the fragment \"F\"",
                    "1:41: error: no operation uses the fragment \"H\"",
                ]
            ),
            (
                "query A($a: Int, $a: Int, $b: B = {x: 1, x: 2}) { a(c: [{d: $b}, $c]) @skip(if: $c) ...F }"
                    + " fragment F on G { g(h: $d) @x(y: $a, y: 1) }",
                [
                    "1:18: error: the operation \"A\" declares the variable \"$a\" twice",
                    "1:42: error: the field \"x\" is given twice",
                    "1:66: error: the operation \"A\" does not declare the variable \"$c\"",
                    "1:115: error: the operation \"A\" does not declare the variable \"$d\"",
                    "1:129: error: the argument \"y\" is given twice",
                ]
            ),
            (
                "query A($a: Int) { a } query B($a: Int) { ...F } fragment F on G { g(h: $a) }",
                ["1:9: error: the operation \"A\" does not use its variable \"$a\""]
            ),
            ("query ($a: Int) { ...F }", ["1:19: error: no fragment is named \"F\""]),
            ("{ ...F } fragment F on G { a ...F }", ["1:30: error: the fragment \"F\" uses itself"]),
            (
                "{ ...F } fragment F on A { ...G } fragment G on A { ...H } fragment H on A { x { ...F } }",
                ["1:82: error: the fragment \"F\" uses itself: F > G > H > F"]
            ),
        ] as [(String, [String])])
    func issues(_ text: String, _ expected: [String]) throws {
        #expect(try GraphQLDocument(parsing: text).issues().map(\.description) == expected)
    }

    @Test("includes an operation without a name where names are needed")
    func nameless() throws {
        let issues = try GraphQLDocument(parsing: "\n { a }", file: "A.graphql").issues(requiringNames: true)
        #expect(issues.map(\.description) == ["A.graphql:2:2: error: an operation of a file needs a name"])
    }

    @Test("names the file of each place when several files are joined, and finds fragments in all")
    func files() throws {
        let document = GraphQLDocument(joining: [
            try GraphQLDocument(parsing: "query A { ...F ...X }", file: "2.graphql"),
            try GraphQLDocument(parsing: "\nfragment F on G { h } query A { b }", file: "1.graphql"),
        ])
        #expect(
            document.issues().map(\.description) == [
                "1.graphql:2:29: error: an operation named \"A\" already exists, at 2.graphql:1:7",
                "2.graphql:1:16: error: no fragment is named \"X\"",
            ])
    }

    @Test("shortens long cycles, and does not recurse along them")
    func longCycle() throws {
        let fragments = (0..<5000).map { "fragment F\($0) on A { ...F\(($0 + 1) % 5000) }" }
        let document = try GraphQLDocument(parsing: "query A { ...F0 } " + fragments.joined(separator: " "))
        let issues = document.issues()
        #expect(
            issues.map(\.message) == [
                "the fragment \"F0\" uses itself: F0 > F1 > F2 > F3 > ... > F4997 > F4998 > F4999 > F0"
            ])
        #expect(throws: try #require(issues.first)) { try document.source(of: try #require(document.operations.first)) }
    }
}

@Suite("The text of an operation", .limited)
struct SourceTests {
    @Test("is its own, and those of the fragments that it uses, directly or not, sorted by name")
    func fragments() throws {
        let text = """
            # comments between definitions are left out
            fragment B on T { b }
            query Q { ...C # this one stays
              ...B }
            fragment Unused on T { u }
            fragment C on T { ...A ...B }
            fragment A on T { a }
            """
        let document = try GraphQLDocument(parsing: text)
        let operation = try #require(document.operation(named: "Q"))
        #expect(try document.fragments(usedBy: operation).map(\.name) == ["A", "B", "C"])
        #expect(
            try document.source(of: operation) == """
                query Q { ...C # this one stays
                  ...B }
                fragment A on T { a }
                fragment B on T { b }
                fragment C on T { ...A ...B }
                """)
    }

    @Test("is the document itself for an operation alone")
    func alone() throws {
        let document = try GraphQLDocument(parsing: "query TestQuery { test }")
        let operation = try #require(document.operations.first)
        #expect(try document.source(of: operation) == "query TestQuery { test }")
    }

    @Test("does not exist when a fragment is missing or uses itself, even through others")
    func impossible() throws {
        let text = "query A { ...F } query B { ...H } query C { ok } fragment F on T { ...G } fragment H on T { ...H }"
        let document = try GraphQLDocument(parsing: text)
        let messages = document.operations.map { operation in
            do throws(GraphQLIssue) { return try document.source(of: operation) } catch { return error.message }
        }
        #expect(messages == ["no fragment is named \"G\"", "the fragment \"H\" uses itself", "query C { ok }"])
    }
}
