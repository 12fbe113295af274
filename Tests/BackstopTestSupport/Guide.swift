public import Foundation
public import Testing

/// A guide, whose tables and printed texts are held against the code.
public struct Guide: Sendable {
    /// The path below the package: `Docs/Failures.md`.
    public let path: String
    /// The whole text.
    public let text: String
    /// The fenced blocks, in order.
    public let blocks: [Block]

    /// A fenced block.
    public struct Block: Sendable {
        /// What follows the opening fence: `swift`, `sh`, or nothing.
        public let language: String
        /// The text of the comment on the line before it; nil when there is none.
        public let comment: String?
        /// The lines between the fences, each with its line end.
        public let text: String
    }

    /// The folder of the package, two above that of this file.
    public static let package = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// Reads a file of the package.
    public init(_ path: String) throws {
        self.path = path
        text = try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
        blocks = Self.blocks(of: text)
    }

    /// Reads a file of the sources, wherever its folder is.
    public init(source name: String) throws {
        guard let path = Self.sources.first(where: { $0.hasSuffix("/\(name)") }) else {
            throw Missing(description: "Sources has no file \(name)")
        }
        try self.init(path)
    }

    /// A file of the package as a guide shows it: without what only older systems need to be told.
    public static func source(_ path: String) throws -> String {
        try Guide(path).text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.drop { $0 == " " }.hasPrefix("@available(") }
            .joined(separator: "\n")
    }

    /// All Swift files of the sources, by their paths below the package.
    public static let sources: [String] = {
        let folder = package.appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".swift") }.map { "Sources/\($0)" }.sorted()
    }()

    private static func blocks(of text: String) -> [Block] {
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
        return blocks
    }

    /// Whether the guide shows a text as printed: a whole block, or whole lines of one.
    public func shows(_ printed: String) -> Bool {
        blocks.contains { block in
            block.language != "swift" && ("\n" + block.text).contains("\n" + printed + "\n")
        }
    }

    /// What a guide lacks that a test looks for.
    public struct Missing: Error, CustomStringConvertible {
        /// What is missing, and where.
        public let description: String
    }

    /// The lines of a section, from its heading to the next one of any depth; of the whole text for an empty heading.
    public func section(_ heading: String) throws -> [String] {
        guard !heading.isEmpty else {
            return text.components(separatedBy: "\n")
        }
        var inCode = false
        var found: [String]?
        for line in text.components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                inCode.toggle()
            }
            if !inCode, line.hasPrefix("#") {
                if found != nil {
                    break
                }
                if line.drop(while: { $0 == "#" }).dropFirst().hasPrefix(heading) {
                    found = []
                }
            }
            found?.append(line)
        }
        guard let found else {
            throw Missing(description: "\(path) has no section \"\(heading)\"")
        }
        return found
    }

    /// The rows of a table, each with its cells as they are written; the heading of the table is not among them.
    public func table(_ columns: [String], under heading: String) throws -> [[String]] {
        var rows: [[String]] = []
        var isInside = false
        for line in try section(heading) {
            let cells = Self.cells(of: line)
            if isInside, let cells {
                rows.append(cells)
            } else if isInside {
                break
            } else {
                isInside = cells == columns
            }
        }
        guard isInside else {
            throw Missing(description: "\(path) has no table \(columns) under \"\(heading)\"")
        }
        return Array(rows.dropFirst())
    }

    private static func cells(of line: String) -> [String]? {
        guard line.hasPrefix("|"), line.hasSuffix("|") else {
            return nil
        }
        return line.dropFirst().dropLast().components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Fails where a table says something else than the code: a row missing, a row too many, another order, another word.
    public func expect(
        _ columns: [String], under heading: String, toBe rows: [[String]],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try table(columns, under: heading)
        guard found != rows else {
            return
        }
        let missing = rows.filter { !found.contains($0) }.map { "  missing: \($0)" }
        let extra = found.filter { !rows.contains($0) }.map { "  too many: \($0)" }
        let differences = (missing + extra).isEmpty ? ["  the rows stand in another order"] : missing + extra
        Issue.record(
            """
            \(path), under "\(heading)", differs from the code:
            \(differences.joined(separator: "\n"))
            It should be:
            \(Self.markdown([columns] + rows))
            """, sourceLocation: sourceLocation)
    }

    /// The table as it can be pasted into the guide.
    private static func markdown(_ lines: [[String]]) -> String {
        let widths = (lines.first ?? []).indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        var text = lines.map { line in
            "| "
                + zip(line, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
                .joined(separator: " | ") + " |"
        }
        text.insert("|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|", at: 1)
        return text.joined(separator: "\n")
    }
}
