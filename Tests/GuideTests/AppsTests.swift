import BackstopTestSupport
import Foundation
import Testing

@Suite("The text of Docs/Apps.md")
struct AppsTests {
    @Test("each file of the app is a block, word for word, and is built in both language modes")
    func blocksAreFiles() throws {
        let folders = try ["Tests/AppTests/Shop", "Tests/AppSwift5Tests/Shop"].map { path in
            let folder = Guide.package.appendingPathComponent(path).resolvingSymlinksInPath()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            return try names.map { name in
                (name, try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
            }
        }
        let blocks = try Guide("Docs/Apps.md").blocks.compactMap { block in
            block.comment.map { (String($0.split(separator: " ").last ?? ""), block.text) }
        }.sorted { $0.0 < $1.0 }

        for files in folders {
            #expect(files.map(\.0) == blocks.map(\.0))
            #expect(files.map(\.1) == blocks.map(\.1))
        }
    }
}
