import BackstopPresentation
import BackstopTesting
import Foundation
import Testing

@Suite("The texts of presentations")
struct PresentationTextsTests {
    @Test("each language that comes with the package has each key, and no other words than its own")
    func complete() {
        let own = PresentationTexts.german
        // What is the same word in both languages.
        let shared: Set<String> = ["action.ok", "label.problem"]
        for key in PresentationTexts.keys {
            let german = own[key]
            #expect(german?.isEmpty == false, "\(key)")
            #expect(shared.contains(key) || german != PresentationTexts.english[key], "\(key)")
        }
        #expect(Set(PresentationTexts.keys).count == PresentationTexts.keys.count)
    }

    @Test("the English ones of failures are those of failure.message")
    func english() {
        for failure in FailureSamples.all.map(\.failure) {
            #expect(PresentationTexts.english.message(of: failure) == failure.message)
        }
    }

    @Test("a failure speaks German")
    func german() {
        let texts = PresentationPolicy(texts: .german).presentation(of: Failure(TransportError(.refused)))
        #expect(texts.message.title == "Verbindung fehlgeschlagen")
        #expect(texts.message.text == "Der Dienst ist nicht erreichbar.")
        #expect(texts.message.suggestion == "Bitte die Verbindung prüfen und erneut versuchen.")
        #expect(texts.actions.map(\.title) == ["Erneut versuchen", "Abbrechen"])
    }

    @Test(
        "counts have the form for their number",
        arguments: [
            (1, "Trying again in 1 second", "Neuer Versuch in 1 Sekunde"),
            (2, "Trying again in 2 seconds", "Neuer Versuch in 2 Sekunden"),
            (0, "Trying again in 0 seconds", "Neuer Versuch in 0 Sekunden"),
            (89, "Trying again in 89 seconds", "Neuer Versuch in 89 Sekunden"),
            (90, "Trying again in 2 minutes", "Neuer Versuch in 2 Minuten"),
            (181, "Trying again in 4 minutes", "Neuer Versuch in 4 Minuten"),
        ])
    func countdown(seconds: Int, english: String, german: String) {
        #expect(PresentationTexts.english.countdown(.seconds(seconds)) == english)
        #expect(PresentationTexts.german.countdown(.seconds(seconds)) == german)
    }

    @Test("what is left of a second counts as a whole one, and nothing less than none")
    func rounding() {
        #expect(PresentationTexts.english.countdown(.milliseconds(1001)) == "Trying again in 2 seconds")
        #expect(PresentationTexts.english.countdown(.seconds(-5)) == "Trying again in 0 seconds")
    }

    @Test("how often is said from twice on")
    func occurrences() {
        #expect(PresentationTexts.english.occurrences(1) == nil)
        #expect(PresentationTexts.english.occurrences(10) == "10 times")
        #expect(PresentationTexts.german.occurrences(10) == "10-mal")
    }

    @Test("an app replaces single texts")
    func replacing() {
        let texts = PresentationTexts.german.replacing(["offline.title": "Kein Netz"])
        let message = texts.message(of: Failure(TransportError(.offline)))
        #expect(message.title == "Kein Netz")
        #expect(message.text == "Es besteht keine Verbindung zum Internet.")
    }

    @Test("an app adds a language, with its plurals; what it has not is English, with English plurals")
    func added() {
        let polish = PresentationTexts(
            language: "pl",
            [
                "occurrences.one": "{count} raz", "occurrences.few": "{count} razy",
                "occurrences.many": "{count} razy!",
                "occurrences.other": "{count} razu",
            ])
        #expect(
            [1, 2, 5, 12, 22].map { polish.text("occurrences", count: $0) }
                == ["1 raz", "2 razy", "5 razy!", "12 razy!", "22 razy"])
        #expect(polish.text("countdown.seconds", count: 1) == "Trying again in 1 second")
        let simple = PresentationTexts(language: "pl", ["occurrences.other": "x{count}"])
        #expect(simple.text("occurrences", count: 2) == "x2")
        #expect(polish["offline.title"] == "You are offline")
        #expect(polish["nothing"] == nil && polish.text("nothing", count: 2) == "nothing")
    }

    @Test("an app's strings table goes before the texts of the package")
    func bundle() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("texts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let resources = folder.appendingPathComponent("en.lproj")
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        try Data(#""offline.title" = "No shop today";"#.utf8)
            .write(to: resources.appendingPathComponent("Backstop.strings"))
        let texts = PresentationTexts(bundle: try #require(Bundle(url: folder)))

        #expect(texts["offline.title"] == "No shop today")
        #expect(texts["offline.text"] == "There is no connection to the internet.")
        #expect(texts["nothing"] == nil)
    }

    @Test(
        "the rules of plurals are those of their languages",
        arguments: [
            ("en", [0: "other", 1: "one", 2: "other"]),
            ("sv-SE", [0: "other", 1: "one", 2: "other"]),
            ("xx", [1: "one", 2: "other"]),
            ("ja", [1: "other", 2: "other"]),
            ("fr_CA", [0: "one", 1: "one", 2: "other"]),
            ("cs", [1: "one", 3: "few", 5: "other"]),
            ("ru", [1: "one", 11: "many", 21: "one", 22: "few", 12: "many", 25: "many"]),
            ("pl", [1: "one", 21: "many", 22: "few"]),
            ("ar", [0: "zero", 1: "one", 2: "two", 3: "few", 11: "many", 100: "other"]),
        ])
    func plurals(language: String, forms: [Int: String]) {
        let rule = PluralRule(language: language)
        for (count, form) in forms {
            #expect(rule.category(of: count).rawValue == form, "\(language) \(count)")
        }
    }
}
