import BackstopTestSupport
import Testing

@Suite("What the guides say of the package", .limited)
struct PackageTablesTests {
    private let manifest: String

    init() throws {
        manifest = try Guide("Package.swift").text
    }

    /// The names that the manifest gives to things of a kind.
    private func names(_ kind: String) -> Set<String> {
        let found = manifest.matches(of: /\n {4,8}\.(\w+)\(\s*name: "([\w-]+)"/)
        return Set(found.filter { $0.output.1 == kind }.map { String($0.output.2) })
    }

    /// The names in code in the first column.
    private func column(_ path: String, _ columns: [String], under heading: String) throws -> Set<String> {
        Set(try Guide(path).table(columns, under: heading).map { $0[0].filter { $0 != "`" } })
    }

    @Test("Docs/GettingStarted.md has each trait, and nothing else")
    func traits() throws {
        let traits = names("trait")
        #expect(traits.count > 2)
        #expect(try column("Docs/GettingStarted.md", ["Trait", "Brings", "For"], under: "") == traits)
    }

    @Test("Docs/GettingStarted.md has each library, and nothing else")
    func products() throws {
        let libraries = names("library")
        #expect(libraries.count > 3)
        #expect(try column("Docs/GettingStarted.md", ["product", "for"], under: "") == libraries)
    }

    @Test("Docs/Testing.md has each kind of stub, and nothing else")
    func stubs() throws {
        let declared = try ["Stub.swift", "Stub+HTTP.swift"].flatMap { file in
            try Guide(source: file).text.matches(of: /\n {4}public (?:static )?(?:func|var) (\w+)/)
                .map { String($0.output.1) }
        }
        let named = try Guide("Docs/Testing.md").table(["stub", "answers"], under: "").flatMap { row in
            row[0].matches(of: /(?:`|`try |\))\.(\w+)/).map { String($0.output.1) }
        }
        #expect(Set(named) == Set(declared).subtracting(["description"]))
    }

    @Test("Docs/Architecture.md has each module, and nothing else")
    func modules() throws {
        let ofTests: Set = ["BackstopTestSupport", "BackstopLibraryStandIns"]
        let modules = names("target").union(names("executableTarget")).subtracting(ofTests)
        #expect(modules.count > 8)
        let named = try column("Docs/Architecture.md", ["Module", "Knows", "Depends on"], under: "Modules")
        // The benchmarks are named by their folder, and in the manifest by the command.
        #expect(Set(named.map { $0 == "BackstopBenchmarks" ? "backstop-benchmarks" : $0 }) == modules)
    }
}
