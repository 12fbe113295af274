import BackstopTestSupport
import Foundation
import Testing

@Suite("The blocks of a guide that are files")
struct CookbookTests {
    /// Guides whose Swift blocks are files, and the folders of these.
    private static let guides = [("Docs/Cookbook.md", "Recipes", 10), ("Docs/Patterns.md", "Patterns", 4)]

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

    @Test("are those files, word for word, whose behaviour is tested", arguments: guides)
    func blocksAreFiles(guide: String, folder: String, minimum: Int) throws {
        let files = try Self.files(folder)
        let blocks = try Guide(guide).blocks
            .filter { $0.language == "swift" && $0.comment?.hasPrefix("not compiled: ") != true }
        let named = blocks.map { String($0.comment?.split(separator: " ").last ?? "a block without a file") }
        try #require(files.count > minimum)
        #expect(named.sorted() == files)
        for (name, block) in zip(named, blocks) where files.contains(name) {
            let file = Guide.package.appendingPathComponent("Tests/GuideTests/\(folder)/\(name)")
            #expect(block.text == Self.shown(try String(contentsOf: file, encoding: .utf8)), "\(name)")
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
