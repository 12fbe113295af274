import BackstopCore
import Foundation
import Testing

@Suite("The tables of texts in Docs/Failures.md")
struct MessageTableTests {
    private static let text: String = {
        // Tests/BackstopCoreTests/Failure/MessageTableTests.swift, four steps down from the package.
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return (try? String(contentsOf: root.appendingPathComponent("Docs/Failures.md"), encoding: .utf8)) ?? ""
    }()

    /// All rows that begin with a name in code.
    private static let rows = rows(of: text)

    private static func rows(of text: String) -> [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The rows of a section with so many columns.
    private static func section(_ title: String, columns: Int) -> [[String]] {
        let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix(title) } ?? ""
        return rows(of: section).filter { $0.count == columns }
    }

    @Test("have each title and text, and nothing else")
    func titles() {
        let documented = Self.section("Texts for people", columns: 3).filter { !$0[0].hasPrefix("`wait.") }
        #expect(documented == MessageTemplate.all.map { ["`\($0.key)`", $0.title, $0.text] })
        #expect(documented.count > 20)
    }

    @Test("have each suggestion, and nothing else")
    func suggestions() {
        let documented = Self.section("Texts for people", columns: 2)
        #expect(documented == MessageTemplate.all.map { ["`\($0.key)`", $0.suggestion ?? "(none)"] })
    }

    @Test("have the words for each wait, and nothing else")
    func waits() {
        let documented = Self.section("Texts for people", columns: 3).filter { $0[0].hasPrefix("`wait.") }
        #expect(documented.map { [$0[0], $0[2]] } == WaitPhrase.all.map { ["`wait.\($0.key)`", $0.english] })
        #expect(
            documented.map { $0[1] } == WaitPhrase.all.map { $0.upTo.map { "up to \($0.text)" } ?? "longer" })
    }

    @Test("name for each code the texts that it has")
    func codes() {
        for sample in FailureSample.all {
            // A status that is in no row of its own is in one of the last two.
            guard let row = Self.rows.first(where: { $0.count == 4 && $0[0].contains("`\(sample.code)`") }) else {
                continue
            }
            var keys: [String] = []
            _ = Failure(sample.error).message { key, english in
                keys.append(key)
                return english
            }
            #expect(row[3] == "`\(keys[0].dropLast(".title".count))`", "\(sample.code)")
            #expect(row[2] == (sample.isTransient ? "yes" : "no"), "\(sample.code)")
        }
        let transports = TransportError.Code.allCases.filter { code in
            Self.rows.contains { $0.count == 4 && $0[0] == "`transport.\(code.rawValue)`" }
        }
        #expect(transports == TransportError.Code.allCases)
    }

    @Test("have no key twice")
    func keys() {
        #expect(Set(MessageTemplate.all.map(\.key)).count == MessageTemplate.all.count)
        #expect(Set(WaitPhrase.all.map(\.key)).count == WaitPhrase.all.count)
    }
}
