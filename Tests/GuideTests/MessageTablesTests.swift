import BackstopCore
import BackstopTestSupport
import Testing

@Suite("The tables of texts in Docs/Failures.md", .limited)
struct MessageTablesTests {
    private let guide: Guide

    init() throws {
        guide = try Guide("Docs/Failures.md")
    }

    @Test("have each title, text and suggestion, and nothing else")
    func texts() throws {
        try guide.expect(
            ["key", "`.title`", "`.text`", "`.suggestion`"], under: "Texts for people",
            toBe: MessageTemplate.all.map { ["`\($0.key)`", $0.title, $0.text, $0.suggestion ?? "(none)"] })
    }

    @Test("have the words for each wait, and nothing else")
    func waits() throws {
        try guide.expect(
            ["key", "up to", "Please try again"], under: "Texts for people",
            toBe: WaitPhrase.all.map { phrase in
                let words = phrase.english.replacing("Please try again ", with: "").dropLast()
                return ["`wait.\(phrase.key)`", phrase.upTo.map(\.text) ?? "longer", String(words)]
            })
        #expect(WaitPhrase.all.allSatisfy { $0.english.hasPrefix("Please try again ") && $0.english.hasSuffix(".") })
    }

    @Test("have no key twice")
    func keys() {
        #expect(Set(MessageTemplate.all.map(\.key)).count == MessageTemplate.all.count)
        #expect(Set(WaitPhrase.all.map(\.key)).count == WaitPhrase.all.count)
    }
}
