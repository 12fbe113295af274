import BackstopTestSupport
import Foundation
import Testing

@Suite("The files of the Cookbook", .limited)
struct CookbookTests {
    private static let guide = "Docs/Cookbook.md"

    private static func files(_ folder: String) throws -> [String] {
        try FileManager.default
            .contentsOfDirectory(atPath: Guide.package.appendingPathComponent("Tests/GuideTests/\(folder)").path)
            .sorted()
    }

    /// A file as a guide shows it: without the condition around it, whose code is indented.
    private static func shown(_ file: String) -> String {
        guard file.hasPrefix("#if "), file.hasSuffix("\n#endif\n") else {
            return file
        }
        return file.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast(2)
            .map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }.joined(separator: "\n") + "\n"
    }

    @Test("are printed word for word, or linked", arguments: [("Recipes", 10), ("Patterns", 4)])
    func filesAreShown(folder: String, minimum: Int) throws {
        let guide = try Guide(Self.guide)
        let files = try Self.files(folder)
        try #require(files.count > minimum)
        for name in files {
            let path = "Tests/GuideTests/\(folder)/\(name)"
            let blocks = guide.blocks.filter { $0.comment == "file: \(name)" }
            if blocks.isEmpty {
                #expect(guide.text.contains("](../\(path))"), "\(name)")
            } else {
                let file = try Guide.source(path)
                #expect(blocks.map(\.text) == [Self.shown(file)], "\(name)")
            }
        }
    }

    @Test("are there for each block that names one")
    func blocksHaveFiles() throws {
        let files = try Self.files("Recipes") + Self.files("Patterns")
        for comment in try Guide(Self.guide).blocks.compactMap(\.comment) where comment.hasPrefix("file: ") {
            #expect(files.contains { comment == "file: \($0)" }, "\(comment)")
        }
    }

    @Test("each file of a recipe has tests") func filesHaveTests() throws {
        let tests = try FileManager.default
            .contentsOfDirectory(atPath: Guide.package.appendingPathComponent("Tests/GuideTests").path)
        // A view is for people to look at.
        for file in try Self.files("Recipes") where file != "BooksView.swift" {
            #expect(tests.contains(file.replacingOccurrences(of: ".swift", with: "Tests.swift")))
        }
    }
}
