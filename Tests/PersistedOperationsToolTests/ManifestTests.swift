import BackstopHash
import BackstopTestSupport
import Foundation
import Testing

@testable import PersistedOperationsWriter

@Suite("The manifest", .limited)
struct ManifestTests {
    private struct Content: Decodable {
        struct Operation: Decodable {
            let id: String
            let body: String
            let name: String
            let type: String
        }
        let format: String
        let version: Int
        let operations: [Operation]
    }

    private func operations(_ text: String, file: String = "A.graphql") -> [PersistedOperation] {
        OperationFiles(sources: [(file, Array(text.utf8))]).operations
    }

    @Test("is written in one way")
    func text() throws {
        #expect(
            try Manifest(operations: operations("query TestQuery { test }")).text == """
                {
                  "format": "apollo-persisted-query-manifest",
                  "version": 1,
                  "operations": [
                    {
                      "id": "8ed9fcbb8ef3c853ad0ecdc920eb8216608bd7c3b32258744e9289ec0372eb30",
                      "body": "query TestQuery { test }",
                      "name": "TestQuery",
                      "type": "query"
                    }
                  ]
                }

                """)
    }

    @Test("is sorted by name, and each id is the hash of the body that JSON gives back")
    func content() throws {
        let text =
            "subscription C { c } mutation B { b(x: \"\\t\u{7F}\u{1}é😀\", y: \"\"\"\n \"\\\"\"\" \"\"\") } query A { ...F }"
        let written = try Manifest(operations: operations(text + " fragment F on G { f # \t\n }").reversed()).text
        let content = try JSONDecoder().decode(Content.self, from: Data(written.utf8))
        #expect(content.format == "apollo-persisted-query-manifest")
        #expect(content.version == 1)
        #expect(content.operations.map(\.name) == ["A", "B", "C"])
        #expect(content.operations.map(\.type) == ["query", "mutation", "subscription"])
        #expect(content.operations.first?.body == "query A { ...F }\nfragment F on G { f # \t\n }")
        for operation in content.operations {
            #expect(operation.id == SHA256.hexDigest(of: operation.body))
        }
    }

    @Test("has subscriptions and operations with deferred parts as they are written, with fragments that are deferred")
    func live() throws {
        let deferred = "query B { b { ...F @defer(label: \"f\") } c @stream(initialCount: 1) { d } }"
        let written = try Manifest(
            operations: operations("subscription A { a } \(deferred) fragment F on G { ... @defer { h } }")
        ).text
        let content = try JSONDecoder().decode(Content.self, from: Data(written.utf8))
        #expect(
            content.operations.map(\.body) == [
                "subscription A { a }", deferred + "\nfragment F on G { ... @defer { h } }",
            ])
        #expect(content.operations.map(\.type) == ["subscription", "query"])
    }

    @Test("may be empty")
    func empty() throws {
        #expect(try Manifest(operations: []).text.contains("\"operations\": []\n"))
    }

    @Test("has an operation of two targets once, and is an error where they differ")
    func merged() {
        let first = operations("query A { a } query B { b }")
        let same = operations("query B { b } query C { c }", file: "B.graphql")
        let other = operations("\nquery A { b }", file: "C.graphql")
        #expect(Manifest.merged([first, same]).operations.map(\.name) == ["A", "B", "C"])
        #expect(Manifest.merged([first, same]).errors == [])
        #expect(
            Manifest.merged([first, same, other]).errors == [
                "C.graphql:2:7: error: another operation \"A\" already exists, at A.graphql:1:7"
            ])
    }
}
