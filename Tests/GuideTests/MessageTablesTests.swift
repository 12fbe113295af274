import BackstopCore
import BackstopTestSupport
import Testing

@Suite("The tables of texts in Docs/Failures.md")
struct MessageTablesTests {
    private let guide: Guide

    init() throws {
        guide = try Guide("Docs/Failures.md")
    }

    @Test("have each title and text, and nothing else")
    func titles() throws {
        try guide.expect(
            ["key", "`.title`", "`.text`"], under: "Texts for people",
            toBe: MessageTemplate.all.map { ["`\($0.key)`", $0.title, $0.text] })
    }

    @Test("have each suggestion, and nothing else")
    func suggestions() throws {
        try guide.expect(
            ["key", "`.suggestion`"], under: "Texts for people",
            toBe: MessageTemplate.all.map { ["`\($0.key)`", $0.suggestion ?? "(none)"] })
    }

    @Test("have the words for each wait, and nothing else")
    func waits() throws {
        try guide.expect(
            ["key", "when the server asks for a wait of", "text"], under: "Texts for people",
            toBe: WaitPhrase.all.map { phrase in
                ["`wait.\(phrase.key)`", phrase.upTo.map { "up to \($0.text)" } ?? "longer", phrase.english]
            })
    }

    @Test("have no key twice")
    func keys() {
        #expect(Set(MessageTemplate.all.map(\.key)).count == MessageTemplate.all.count)
        #expect(Set(WaitPhrase.all.map(\.key)).count == WaitPhrase.all.count)
    }
}
