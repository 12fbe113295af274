import BackstopTestSupport
import Testing

@testable import BackstopCore

@Suite("A long log entry", .limited)
struct LogPartsTests {
    @Test(
        "that fits is one part, as it is", arguments: ["", "one line", String(repeating: "x", count: 1000), "a\nb\n"])
    func fits(text: String) {
        #expect(LogParts.split(text) == [text])
    }

    @Test("is cut at line ends, and its parts are numbered")
    func lines() {
        // given
        let lines = (1...4).map { "\($0) " + String(repeating: "y", count: 300) }
        // when
        let parts = LogParts.split(lines.joined(separator: "\n"))
        // then
        #expect(parts == ["(1/2) " + lines[0...2].joined(separator: "\n"), "(2/2) " + lines[3]])
    }

    @Test("is cut at the line end behind a full part, and has no empty part")
    func fullLine() {
        let line = String(repeating: "y", count: LogParts.limit - 24)
        #expect(LogParts.split(line + "\n" + line) == ["(1/2) " + line, "(2/2) " + line])
        let rest = String(repeating: "y", count: 100)
        #expect(LogParts.split("\n" + line + rest) == ["(1/2) \n" + line.dropLast(), "(2/2) y" + rest])
    }

    @Test("is cut between characters where a line is too long", arguments: ["é", "漢", "😀", "a\u{301}"])
    func characters(character: String) {
        // given
        let text = String(repeating: character, count: 1500)
        // when
        let parts = LogParts.split(text)
        // then
        #expect(parts.allSatisfy { !$0.unicodeScalars.contains("\u{FFFD}") })
        let kept = parts.flatMap { $0.unicodeScalars.drop { $0 != " " }.dropFirst() }
        #expect(kept == Array(text.unicodeScalars))
    }

    @Test(
        "has no part above the limit, and loses nothing but line ends",
        arguments: [64, 100, 1000], ["a\n", "\n", "long ", "é\n\n", "x\r\n"])
    func bounded(limit: Int, piece: String) {
        // given
        let text = String(repeating: piece, count: 10_000)
        // when
        let parts = LogParts.split(text, limit: limit)
        // then
        #expect(parts.allSatisfy { $0.utf8.count <= limit })
        let kept = parts.map { $0[($0.firstIndex(of: " ") ?? $0.startIndex)...].dropFirst() }.joined()
        #expect(kept.unicodeScalars.filter { $0 != "\n" }.elementsEqual(text.unicodeScalars.filter { $0 != "\n" }))
    }
}
