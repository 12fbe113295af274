import BackstopTestSupport
import Foundation
import Testing

@Suite("The text of the Cookbook")
struct CookbookTests {
    /// The names of the recipes' files.
    private static let files = try? FileManager.default
        .contentsOfDirectory(atPath: Guide.package.appendingPathComponent("Tests/GuideTests/Recipes").path).sorted()

    @Test("each Swift block is a file whose behaviour is tested, word for word")
    func blocksAreFiles() throws {
        let files = try #require(Self.files)
        let blocks = try Guide("Docs/Cookbook.md").blocks.filter { $0.language == "swift" }
        let named = blocks.map { String($0.comment?.split(separator: " ").last ?? "a block without a file") }
        try #require(files.count > 10)
        #expect(named.sorted() == files)
        for (name, block) in zip(named, blocks) where files.contains(name) {
            let file = Guide.package.appendingPathComponent("Tests/GuideTests/Recipes/\(name)")
            #expect(block.text == (try String(contentsOf: file, encoding: .utf8)), "\(name)")
        }
    }

    @Test("each file of a recipe has tests") func filesHaveTests() throws {
        let tests = try FileManager.default
            .contentsOfDirectory(atPath: Guide.package.appendingPathComponent("Tests/GuideTests").path)
        // A view is for people to look at.
        for file in try #require(Self.files) where file != "BooksView.swift" {
            #expect(tests.contains(file.replacingOccurrences(of: ".swift", with: "Tests.swift")))
        }
    }
}
