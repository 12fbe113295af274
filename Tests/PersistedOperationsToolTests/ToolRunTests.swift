import BackstopTestSupport
import Foundation
import Testing

@testable import PersistedOperationsWriter

@Suite("The tool", .limited)
struct ToolRunTests {
    /// Runs something in a directory of its own, which is removed afterwards.
    private func inDirectory(_ files: [String: String], _ body: (URL) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in files {
            try Data(text.utf8).write(to: directory.appendingPathComponent(name))
        }
        try body(directory)
    }

    @Test("writes Swift, public when the option or the configuration says so")
    func generate() throws {
        let files = ["A.graphql": "query A { a }", "c.json": "{\"moduleAccess\": \"public\"}"]
        try inDirectory(files) { directory in
            let (input, output) = (directory.path + "/A.graphql", directory.path + "/A.swift")
            let options = [[], ["--module-access", "public"], ["--config", directory.path + "/c.json"]]
            let both = ["--config", directory.path + "/c.json", "--module-access", "internal"]
            let written = try (options + [both]).map { options in
                let run = ToolRun(["generate", "--output", output] + options + [input])
                #expect(run.status == 0)
                #expect(run.messages == [])
                return try String(contentsOfFile: output, encoding: .utf8)
            }
            #expect(written.map { $0.contains("public nonisolated static let a = ") } == [false, true, true, false])
        }
    }

    @Test("writes a manifest of several targets, each with fragments of its own")
    func manifest() throws {
        let first = "query A { ...F } fragment F on T { a }"
        let second = "query B { ...F } fragment F on T { b }"
        try inDirectory(["A.graphql": first, "B.graphql": second]) { directory in
            let inputs = [
                "--target", "A", directory.path + "/A.graphql", "--target", "B", directory.path + "/B.graphql",
            ]
            let output = directory.path + "/m.json"
            #expect(ToolRun(["manifest", "--output", output] + inputs).status == 0)
            let text = try String(contentsOfFile: output, encoding: .utf8)
            #expect(text.contains("query A { ...F }\\nfragment F on T { a }"))
            #expect(text.contains("query B { ...F }\\nfragment F on T { b }"))
        }
    }

    @Test("writes nothing and ends with 1 when a document is broken")
    func broken() throws {
        try inDirectory(["A.graphql": "query A {"]) { directory in
            let output = directory.path + "/A.swift"
            let run = ToolRun(["generate", "--output", output, directory.path + "/A.graphql"])
            #expect(run.status == 1)
            #expect(
                run.messages.map { $0.replacingOccurrences(of: directory.path, with: "") } == [
                    "/A.graphql:1:10: error: expected a field, \"...\" or \"}\", found the end of the document"
                ])
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    @Test("ends with 1 when the output cannot be written")
    func output() throws {
        try inDirectory(["A.graphql": "query A { a }"]) { directory in
            let run = ToolRun(["manifest", "--output", directory.path + "/no/m.json", directory.path + "/A.graphql"])
            #expect(run.status == 1)
            #expect(run.messages.first?.hasPrefix("error: the output cannot be written") == true)
        }
    }

    @Test(
        "explains arguments that make no sense, with its usage",
        arguments: [
            ([], "expected \"generate\" or \"manifest\" first"),
            (["print"], "expected \"generate\" or \"manifest\" first"),
            (["generate", "A.graphql"], "--output FILE is missing"),
            (["generate", "--output"], "--output needs a value"),
            (["manifest", "--output", "m.json"], "no document was given"),
            (["manifest", "--output", "m.json", "--target", "A"], "no document was given"),
            (["generate", "--target", "A"], "unknown option \"--target\""),
            (
                ["generate", "--module-access", "open"],
                "the module access is \"internal\" or \"public\", not \"open\""
            ),
        ] as [([String], String)])
    func arguments(_ words: [String], _ message: String) {
        let run = ToolRun(words)
        #expect(run.status == 2)
        #expect(run.messages == ["error: \(message)", Arguments.usage])
    }

    @Test(
        "explains a configuration that makes no sense",
        arguments: [
            ("", "expected a JSON object such as {\"moduleAccess\": \"public\"}"),
            ("[]", "expected a JSON object such as {\"moduleAccess\": \"public\"}"),
            ("{\"access\": \"public\"}", "unknown setting \"access\"; there is \"moduleAccess\""),
            ("{\"moduleAccess\": \"open\"}", "the module access is \"internal\" or \"public\", not \"open\""),
        ])
    func configuration(_ json: String, _ message: String) throws {
        let error = Configuration.Mistake(message: "c.json:1:1: error: \(message)")
        #expect(throws: error) { try Configuration(json: Data(json.utf8), path: "c.json") }
        #expect(try Configuration(json: Data("{}".utf8), path: "c.json").access == nil)
    }
}
