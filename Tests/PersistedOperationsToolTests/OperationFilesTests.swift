import BackstopTestSupport
import Testing

@testable import PersistedOperationsWriter

@Suite("The files of a target", .limited)
struct OperationFilesTests {
    private func files(_ texts: String...) -> OperationFiles {
        OperationFiles(sources: texts.enumerated().map { ("\($0.offset + 1).graphql", Array($0.element.utf8)) })
    }

    @Test("share their fragments, and give operations sorted by name")
    func fragments() {
        let files = files("query B { ...F }", "fragment F on T { f } query A { a }")
        #expect(files.errors == [])
        #expect(files.warnings == [])
        #expect(files.operations.map(\.name) == ["A", "B"])
        #expect(files.operations.last?.text == "query B { ...F }\nfragment F on T { f }")
        #expect(files.operations.last?.file == "1.graphql")
    }

    @Test("all tell their errors at once, as compilers write them")
    func errors() {
        let files = files("query A {\n  a(", "{ a }", "query A { ok }", "mutation A { again ...F }")
        #expect(
            files.errors == [
                "1.graphql:2:5: error: expected an argument or \")\", found the end of the document",
                "2.graphql:1:1: error: an operation of a file needs a name",
                "4.graphql:1:10: error: an operation named \"A\" already exists, at 3.graphql:1:7",
            ])
        #expect(files.operations == [])
    }

    @Test("do not miss fragments that are in a file with an error")
    func missing() {
        #expect(files("query A { ...F }", "fragment F on T {").errors.count == 1)
        #expect(files("query A { ...F }").errors == ["1.graphql:1:11: error: no fragment is named \"F\""])
    }

    @Test("are refused for what a server would refuse without looking at its schema")
    func unused() {
        let files = files("query A($a: Int) { a(b: $c, b: 1) }", "fragment F on T { f }")
        #expect(
            files.errors == [
                "1.graphql:1:9: error: the operation \"A\" does not use its variable \"$a\"",
                "1.graphql:1:25: error: the operation \"A\" does not declare the variable \"$c\"",
                "1.graphql:1:29: error: the argument \"b\" is given twice",
                "2.graphql:1:10: error: no operation uses the fragment \"F\"",
            ])
        #expect(files.operations == [])
    }

    @Test("give a warning where they are empty or have comments only", arguments: ["", "\u{FEFF}\n, # query A { a }"])
    func blank(text: String) {
        let files = files("query A { a }", text)
        #expect(files.errors == [])
        #expect(files.warnings == ["2.graphql:1:1: warning: the file has no operation and no fragment"])
        #expect(files.operations.count == 1)
    }

    @Test("do not blame a variable that a file with an error may use")
    func variables() {
        #expect(files("query A($a: Int) { ...F }", "fragment F on T {").errors.count == 1)
    }

    @Test("that cannot be read or are not UTF-8 are errors at their beginning")
    func unreadable() {
        let missing = OperationFiles(paths: ["/nowhere/A.graphql"]).errors
        #expect(missing.count == 1)
        #expect(missing.first?.hasPrefix("/nowhere/A.graphql:1:1: error: the file cannot be read") == true)
        let bytes = OperationFiles(sources: [("A.graphql", [0xFF, 0xFE])]).errors
        #expect(bytes == ["A.graphql:1:1: error: the text is not UTF-8"])
    }
}
