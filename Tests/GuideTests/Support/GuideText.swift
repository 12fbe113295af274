import Foundation
import Testing

/// A guide of the package, as its readers see it.
struct GuideText {
    /// The folder of the package.
    static let package = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    /// A fenced block.
    struct Block: Sendable {
        /// What stands after the opening fence: `swift`, `sh`, or nothing.
        let language: String
        /// The text of the comment on the line before it; nil when there is none.
        let comment: String?
        let text: String
    }

    let text: String
    let blocks: [Block]

    /// - Parameter path: The path in the package: `README.md`, `Docs/Cookbook.md`.
    init(_ path: String) throws {
        text = try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
        var blocks: [Block] = []
        var comment: String?
        var open: (language: String, lines: [Substring])?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let block = open {
                if line == "```" {
                    let text = block.lines.map { $0 + "\n" }.joined()
                    blocks.append(Block(language: block.language, comment: comment, text: text))
                    (open, comment) = (nil, nil)
                } else {
                    open?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                open = (String(line.dropFirst(3)), [])
            } else {
                comment =
                    line.hasPrefix("<!-- ") && line.hasSuffix(" -->") ? String(line.dropFirst(5).dropLast(4)) : nil
            }
        }
        self.blocks = blocks
    }

    /// Whether a guide shows a text as printed: a whole block of it, or whole lines of a block.
    func shows(_ printed: String) -> Bool {
        blocks.contains { block in
            block.language != "swift" && ("\n" + block.text).contains("\n" + printed + "\n")
        }
    }
}
