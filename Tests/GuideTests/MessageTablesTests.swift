import BackstopCore
import BackstopTestSupport
import BackstopTransfers
import Testing

@Suite("The table of waits in Docs/Failures.md, and the keys of texts", .limited)
struct MessageTablesTests {
    private let guide: Guide

    init() throws {
        guide = try Guide("Docs/Failures.md")
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

    @Test(
        "are the ones of each file that was not saved, so that they can be translated",
        arguments: StorageError.Code.builtIn)
    func storage(code: StorageError.Code) {
        let message = Failure(StorageError(code, path: "/tmp/map")).message
        #expect(MessageTemplate.all.contains { $0.title == message.title && $0.text == message.text })
        #expect(message.title == "Not saved")
    }
}
