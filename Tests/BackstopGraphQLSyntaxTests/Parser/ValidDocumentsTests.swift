import BackstopGraphQLSyntax
import BackstopTestSupport
import Testing

/// A document and what it says.
private let documents: [(text: String, meaning: String)] = [
    // Operations (2.3)
    ("{ a }", "query{a}"),
    ("query { a }", "query{a}"),
    ("query Hero { a }", "query Hero{a}"),
    ("mutation M @live { a } subscription S { b }", "mutation M@live{a} subscription S{b}"),
    ("query query { query mutation fragment on true }", "query query{query mutation fragment on true}"),
    ("\u{FEFF}{ a }", "query{a}"),
    ("# first\n{ a # } \r b }", "query{a b}"),
    ("{,,a,,,b,}", "query{a b}"),
    ("{a\u{FEFF}b}", "query{a b}"),
    ("\"What it is for\" query A { a } \"\"\"B\"\"\" fragment B on C { b }", "query A{a} fragment B on C{b}"),
    // Fields, aliases, arguments (2.5 to 2.7)
    ("{ a { b { c } } }", "query{a{b{c}}}"),
    ("{ small: picture(size: 64) { url } }", "query{small:picture(size:64){url}}"),
    ("{ a(on: 1, true: 2 null: 3) }", "query{a(on:1,true:2,null:3)}"),
    ("{a(b:$c)@d(e:$f)@g}", "query{a(b:$c)@d(e:$f)@g}"),
    // Fragments (2.8)
    ("{ ...A ...on B { b } ... { c } ... @d { e } ...F @g }", "query{...A ...on B{b} ...{c} ...@d{e} ...F@g}"),
    ("{ ... on on { a } }", "query{...on on{a}}"),
    ("fragment A on B @c(d: 1) { e }", "fragment A on B@c(d:1){e}"),
    ("fragment fragment on fragment { fragment }", "fragment fragment on fragment{fragment}"),
    // Values (2.9)
    (
        "{ a(b: -1, c: 1.5e3, d: true, e: null, f: JEDI, g: \"x\", h: $y) }",
        "query{a(b:-1,c:1.5e3,d:true,e:null,f:JEDI,g:\"x\",h:$y)}"
    ),
    (
        "{ a(b: [], c: [1 2, [3]], d: {}, e: {f: {g: $h}, i: [{}]}) }",
        "query{a(b:[],c:[1,2,[3]],d:{},e:{f:{g:$h},i:[{}]})}"
    ),
    ("{ a(b: 123456789012345678901234567890) }", "query{a(b:123456789012345678901234567890)}"),
    // Variables and types (2.10, 2.11)
    ("query ($a: Int) { a }", "query($a:Int){a}"),
    (
        "query Q($a: [[Int!]]! = [[1]], $b: B = {c: \"d\"} @e(f: 1) \"for people\" $g: G!) { a }",
        "query Q($a:[[Int!]]!=[[1]],$b:B={c:\"d\"}@e(f:1),$g:G!){a}"
    ),
]

@Suite("Valid documents", .limited)
struct ValidDocumentsTests {
    @Test("are read as what they say", arguments: documents)
    func meaning(_ text: String, _ meaning: String) throws {
        #expect(compact(try GraphQLDocument(parsing: text)) == meaning)
    }

    @Test("say the same when they are written with nothing that could be left out", arguments: documents)
    func compacted(_ text: String, _ meaning: String) throws {
        #expect(compact(try GraphQLDocument(parsing: meaning)) == meaning)
    }

    @Test("keep the descriptions of operations, fragments and variables")
    func descriptions() throws {
        let text = "\"o\" query A(\"v\" $b: C $d: E) { a } \"f\" fragment F on G { h }"
        let document = try GraphQLDocument(parsing: text)
        let operation = try #require(document.operation(named: "A"))
        #expect(operation.description == "o")
        #expect(operation.variables.map(\.description) == ["v", nil])
        #expect(document.fragment(named: "F")?.description == "f")
        #expect(operation.text == "query A(\"v\" $b: C $d: E) { a }")
    }

    @Test("know the key under which a field is answered")
    func responseKey() throws {
        let document = try GraphQLDocument(parsing: "{ a: b c }")
        let keys = document.operations.first?.selections.map { selection in
            if case .field(let field) = selection { field.responseKey } else { "" }
        }
        #expect(keys == ["a", "c"])
    }
}

@Suite("Places", .limited)
struct PlaceTests {
    @Test("have lines that end in three ways, columns in characters and offsets in bytes")
    func places() throws {
        let text = "{\r\n  a # é\r  é: b"
        let document = try GraphQLDocument(parsing: "# é\r\n\n{ a\r  b(c: \"é😀\") d }", file: "A.graphql")
        let operation = try #require(document.operations.first)
        #expect(operation.file == "A.graphql")
        #expect(operation.range.start.description == "3:1")
        #expect(operation.range.bytes == 7..<31)
        let places = operation.selections.map { selection in
            if case .field(let field) = selection { "\(field.range.start)-\(field.range.end)" } else { "" }
        }
        #expect(places == ["3:3-3:4", "4:3-4:13", "4:14-4:15"])
        #expect(throws: GraphQLSyntaxError(line: 3, column: 3, message: "\"é\" has no meaning here")) {
            try GraphQLDocument(parsing: text)
        }
    }

    @Test("are those of the name for an operation with one, and of its beginning for one without")
    func names() throws {
        let document = try GraphQLDocument(parsing: "query\n  A { a }\nquery { b }\nfragment\nF on G { h }")
        let places = document.operations.map(\.nameRange.start.description)
        #expect(places + document.fragments.map(\.nameRange.start.description) == ["2:3", "3:1", "5:1"])
    }

    @Test("give the text of each definition, without what is around it and with one kind of line ends")
    func texts() throws {
        let text =
            "# before\r\nquery A {\r\n  a # in\r  b\n}\r\n# between\n"
            + "\"for people\" fragment F on G { h } # after"
        let document = try GraphQLDocument(parsing: text)
        #expect(document.operations.map(\.text) == ["query A {\n  a # in\n  b\n}"])
        #expect(document.fragments.map(\.text) == ["fragment F on G { h }"])
    }
}
