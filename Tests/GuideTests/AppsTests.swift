import BackstopTestSupport
import Foundation
import Testing

@Suite("The app of Docs/GettingStarted.md", .limited)
struct AppsTests {
    @Test("each block is a file of the app, word for word, and is built in both language modes")
    func blocksAreFiles() throws {
        let guide = try Guide("Docs/GettingStarted.md")
        let blocks = guide.blocks.filter { $0.comment?.hasPrefix("file: ") == true }
        #expect(blocks.count == 3)
        for path in ["Tests/AppTests/Shop", "Tests/AppSwift5Tests/Shop"] {
            for block in blocks {
                let name = try #require(block.comment?.dropFirst("file: ".count))
                #expect(try Guide.source("\(path)/\(name)") == block.text, "\(path)/\(name)")
            }
        }
        #expect(guide.text.contains("](../Tests/AppTests/Shop)"))
    }
}
