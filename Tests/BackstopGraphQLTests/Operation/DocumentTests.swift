import Backstop
import BackstopCore
import BackstopGraphQL
import BackstopTestSupport
import BackstopTesting
import Testing

@Suite("A document says by its text", .limited)
struct DocumentTests {
    @Test(
        "what it does, and its name",
        arguments: [
            ("{ hero }", .query, ""), ("query { hero }", .query, ""), ("query Hero { hero }", .query, "Hero"),
            ("mutation Pay($a: Int = 1, $b: [In!]! = [{x: 1}]) @live(if: true) { pay }", .mutation, "Pay"),
            ("subscription S{a}", .subscription, "S"), ("\u{FEFF}# query A { a }\r mutation\n,,B{b}", .mutation, "B"),
            ("\"A query { \" mutation M { m }", .mutation, "M"),
            (
                "\"\"\" \\\"\"\" query Q { q } \"\"\" mutation M { m(a: \"\"\"}\"\"\", b: \"\\\"}\", c: \"\") }",
                .mutation, "M"
            ),
            ("fragment F on T @d { query } mutation M { ...F }", .mutation, "M"),
            ("mutation M { ...F } fragment F on T { mutation query }", .mutation, "M"),
            ("query query { mutation }", .query, "query"),
            ("query Q { a(b: {}, c: []) { d # é }\n } }", .query, "Q"),
        ] as [(String, GraphQL.Kind, String)])
    func reads(text: String, kind: GraphQL.Kind, name: String) {
        let document = GraphQL.Document(text: text, hash: "h")
        #expect(document.kind == kind)
        #expect(document.name == name)
        #expect(document.text == text)
        #expect(document.hash == "h")
    }

    @Test("which of several operations is meant, by its name")
    func several() {
        let text = "query A { a } fragment F on T { f } mutation B { ...F }"
        #expect(GraphQL.Document(text: text, name: "A").kind == .query)
        #expect(GraphQL.Document(text: text, name: "B").kind == .mutation)
        #expect(GraphQL.Document(text: "mutation B { b }", name: "B").kind == .mutation)
    }

    @Test(
        "why it cannot be sent, and nothing is",
        arguments: [
            ("", nil, "it has no operation"), (" \n# { a }", nil, "it has no operation"),
            ("fragment F on T { f }", nil, "it has no operation"),
            ("query A { a", nil, "line 1: what is opened here is never closed"),
            ("query A {\n a(b: [1 }", nil, "line 2: \"}\" is out of place"),
            ("query A { a } }", nil, "\"}\" is out of place"),
            ("query A { a(b: \"c) }", nil, "a string does not end"),
            ("{ a(b: \"\"\"c\") }", nil, "a string does not end"),
            ("{ a(b: \"c\n\") }", nil, "a string does not end"),
            ("query A", nil, "a selection set in braces was expected"),
            ("query A mutation B { b }", nil, "a selection set in braces was expected"),
            ("query A { }", nil, "a selection set needs at least one field"),
            ("type A { a: Int }", nil, "an operation or a fragment was expected, not \"type\""),
            ("qüery A { a }", nil, "not \"q\""), ("{ ü }", nil, "has no meaning"),
            ("query A { a } query B { b }", nil, "it has several operations, so name the one to run: A, B"),
            ("query A { a } query A { b }", "A", "it has no single operation named \"A\""),
            ("{ a } query B { b }", "B", "an operation without a name must be the only one"),
            ("query A { a }", "Pay", "it has no single operation named \"Pay\", but A"),
        ] as [(String, String?, String)])
    func refused(text: String, name: String?, words: String) async throws {
        // given
        var operation = HeroName()
        operation.document = GraphQL.Document(text: text, name: name)
        let transport = ScriptedTransport()
        let client = try makeClient(transport)
        // when
        let failure = await failure { [operation] () async throws(Failure) in
            try await client.fetch(
                operation, options: client.graphQLOptions.changing { $0.usesGETForQueries = true })
        }
        // then
        #expect(failure?.code == "request.invalid")
        #expect(failure?.explanation.contains(words) == true, "\(failure?.explanation ?? "")")
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "in linear time, whatever it is made of",
        arguments: ["{", "(", "\"", "#", "\\", "\u{FEFF}", "query A {a}", "@d"])
    func linear(piece: String) {
        let text = "query Q { a(b: " + String(repeating: piece, count: 200_000)
        #expect(cpuTime { _ = GraphQL.Document(text: text) } < .seconds(5))
    }
}
