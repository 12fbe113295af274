import BackstopTestSupport
import Testing

@testable import BackstopGraphQLSyntax

/// The tokens of a text, without its end.
private func tokens(_ text: String) throws(GraphQLSyntaxError) -> [Token] {
    var lexer = Lexer(Array(text.utf8))
    var tokens: [Token] = []
    while true {
        let token = try lexer.next()
        if token.kind == .end { return tokens }
        tokens.append(token)
    }
}

@Suite("The lexer", .limited)
struct LexerTests {
    @Test("tells names, numbers, strings and punctuators apart")
    func kinds() throws {
        let found = try tokens("a_1 _ 0 -12 1.5 \"x\" \"\"\"y\"\"\" ...{}()[]!$&:=@|")
        #expect(found.prefix(7).map(\.kind) == [.name, .name, .int, .int, .float, .string, .string])
        #expect(found.dropFirst(7).map(\.text).joined() == "...{}()[]!$&:=@|")
        #expect(found.dropFirst(7).allSatisfy { $0.kind == .punctuator })
        #expect(found.count == 21)
    }

    @Test("stays at the end")
    func end() throws {
        var lexer = Lexer([])
        for _ in 1...3 { #expect(try lexer.next().kind == .end) }
    }

    @Test(
        "reads numbers as they are written",
        arguments: ["0", "-0", "7", "-120", "0.5", "1e5", "1E+5", "-1.25e-10", "0e0", "99999999999999999999999"])
    func numbers(_ text: String) throws {
        let token = try #require(try tokens(text).first)
        #expect(token.text == text)
        #expect(token.kind == (text.contains { ".eE".contains($0) } ? .float : .int))
    }

    @Test(
        "refuses what only begins like a number",
        arguments: [
            ("-", "1:2", "expected a digit after \"-\", found the end of the document"),
            ("-a", "1:2", "expected a digit after \"-\", found \"a\""),
            ("01", "1:2", "a number cannot continue after a leading 0"),
            ("-00", "1:3", "a number cannot continue after a leading 0"),
            ("1.", "1:3", "expected a digit after the decimal point, found the end of the document"),
            ("1.e5", "1:3", "expected a digit after the decimal point, found \"e\""),
            ("1e", "1:3", "expected a digit after the exponent's mark, found the end of the document"),
            ("1e+ ", "1:4", "expected a digit after the exponent's mark, found a space"),
            ("1.5.2", "1:4", "a number cannot be followed by \".\""),
            ("1...", "1:3", "expected a digit after the decimal point, found \".\""),
            ("0xFF", "1:2", "a number cannot be followed by \"x\""),
            ("1_000", "1:2", "a number cannot be followed by \"_\""),
        ])
    func wrongNumbers(_ text: String, _ place: String, _ message: String) {
        let error = #expect(throws: GraphQLSyntaxError.self) { try tokens(text) }
        #expect(error?.description == "\(place): \(message)")
    }

    @Test(
        "resolves the escapes of strings",
        arguments: [
            (#""""#, ""),
            (#""a # b""#, "a # b"),
            (#""\" \\ \/ \b \f \n \r \t""#, "\" \\ / \u{8} \u{C} \n \r \t"),
            (#""\u00e9\u00E9""#, "éé"),
            (#""\ud83d\ude00""#, "😀"),
            (#""\u{1F600}\u{0}\u{0000000041}""#, "😀\0A"),
            ("\"\u{7F}\u{1}\t😀\"", "\u{7F}\u{1}\t😀"),
        ])
    func strings(_ text: String, _ contents: String) throws {
        #expect(try tokens(text).map(\.text) == [contents])
    }

    @Test(
        "refuses strings that do not end, and escapes that mean nothing",
        arguments: [
            (#""abc"#, "1:1", "the string that starts here does not end on its line"),
            ("\"a\nb\"", "1:1", "the string that starts here does not end on its line"),
            ("\"a\rb\"", "1:1", "the string that starts here does not end on its line"),
            (#""a\"#, "1:3", "no escape begins with a backslash and the end of the document"),
            (#""\x41""#, "1:2", "no escape begins with a backslash and \"x\""),
            (#"  "a\u00g0""#, "1:5", "expected four hexadecimal digits after \"\\u\", found \"g\""),
            (#""\u{}""#, "1:2", "expected hexadecimal digits and \"}\" after \"\\u{\", found \"}\""),
            (#""\u{41""#, "1:2", "expected hexadecimal digits and \"}\" after \"\\u{\", found a quotation mark"),
            (#""\u{110000}""#, "1:2", "no character has this number"),
            (#""\u{FFFFFFFFFFFFFFFFFFFF}""#, "1:2", "no character has this number"),
            (#""\ud83d""#, "1:2", "unpaired surrogate"),
            (#""\ud83d\u0041""#, "1:2", "unpaired surrogate"),
            (#""\ude00\ud83d""#, "1:2", "unpaired surrogate"),
            (#""\u{d83d}\u{de00}""#, "1:2", "unpaired surrogate"),
            ("\"\"\"a\n\"\"", "1:1", "the block string that starts here does not end"),
            (#""""a\""""#, "1:1", "the block string that starts here does not end"),
        ])
    func wrongStrings(_ text: String, _ place: String, _ message: String) {
        let error = #expect(throws: GraphQLSyntaxError.self) { try tokens(text) }
        #expect(error?.description == "\(place): \(message)")
    }

    // Specification, 2.9.4: BlockStringValue.
    @Test(
        "takes the common indentation and blank ends from block strings",
        arguments: [
            ("", ""),
            ("a", "a"),
            ("  a  ", "  a  "),
            ("\n    Hello,\n      World!\n\n    Yours,\n      GraphQL.\n  ", "Hello,\n  World!\n\nYours,\n  GraphQL."),
            ("  first\n    second\n   third", "  first\n second\nthird"),
            ("\n\t\ta\n\t b", "a\nb"),
            ("\n  a\n \n\n  b\n", "a\n\n\nb"),
            ("\n  a\r\n    b\r  c", "a\n  b\nc"),
            (" \n\t\n ", ""),
            ("a\\n\\u0041 \\ \"\" \"b", "a\\n\\u0041 \\ \"\" \"b"),
            ("a \\\"\"\" b", "a \"\"\" b"),
        ])
    func blockStrings(_ contents: String, _ value: String) throws {
        #expect(try tokens("\"\"\"\(contents)\"\"\"").map(\.text) == [value])
    }
}
