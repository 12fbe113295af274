import BackstopPresentation
import BackstopTestSupport
import BackstopTesting
import Foundation
import Testing

@Suite("The texts of presentations", .limited)
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

    private struct Catalog: Decodable {
        struct Entry: Decodable {
            struct Localization: Decodable {
                struct Unit: Decodable { let value: String }
                let stringUnit: Unit
            }
            let localizations: [String: Localization]
        }
        let sourceLanguage: String
        let strings: [String: Entry]
    }

    @Test("the strings table for apps has each of them, in English and German, and nothing else")
    func catalog() throws {
        let catalog = try JSONDecoder().decode(Catalog.self, from: Data(Guide("Docs/Backstop.xcstrings").text.utf8))
        #expect(catalog.sourceLanguage == "en")
        #expect(catalog.strings.keys.sorted() == PresentationTexts.keys.sorted())
        for key in PresentationTexts.keys {
            let values = catalog.strings[key]?.localizations.mapValues(\.stringUnit.value)
            #expect(values?["en"] == PresentationTexts.english[key], "\(key)")
            #expect(values?["de"] == PresentationTexts.german[key], "\(key)")
        }
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
            (5399, "Trying again in 90 minutes", "Neuer Versuch in 90 Minuten"),
            (5400, "Trying again in 2 hours", "Neuer Versuch in 2 Stunden"),
            (86_400, "Trying again in 24 hours", "Neuer Versuch in 24 Stunden"),
        ])
    func countdown(seconds: Int, english: String, german: String) {
        #expect(PresentationTexts.english.countdown(.seconds(seconds)) == english)
        #expect(PresentationTexts.german.countdown(.seconds(seconds)) == german)
    }

    @Test("what is left of a second counts as a whole one, and nothing less than none")
    func rounding() {
        #expect(PresentationTexts.english.countdown(.milliseconds(1001)) == "Trying again in 2 seconds")
        #expect(PresentationTexts.english.countdown(.seconds(-5)) == "Trying again in 0 seconds")
        #expect(PresentationTexts.english.countdown(.seconds(Int64.max)) == "Trying again in 277777778 hours")
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

    @Test("the plurals of a language stay when an app replaces texts, also those of numbers")
    func replacedPlurals() {
        let polish = PresentationTexts(
            plural: PluralRule(language: "pl"),
            ["occurrences.few": "{count} razy (few)", "occurrences.many": "{count} razy", "occurrences.other": "?"])
        let ours = polish.replacing(["occurrences.few": "{count} x (few)"]).replacing(["offline.title": "Brak sieci"])
        #expect(ours.occurrences(3) == "3 x (few)")
        #expect(ours.occurrences(5) == "5 razy")
    }

    @Test("an empty text counts as none, but for a suggestion, which is left out")
    func empty() {
        let texts = PresentationTexts.english.replacing([
            "offline.title": "", "offline.suggestion": "", "action.ok": "", "occurrences.other": "",
        ])
        let presentation = PresentationPolicy(texts: texts).presentation(of: Failure(TransportError(.offline)))
        #expect(presentation.message.title == "You are offline" && presentation.message.suggestion == nil)
        #expect(texts["action.ok"] == "OK" && texts.occurrences(3) == "3 times")
    }

    @Test("an app gives the plurals of a language that is not known")
    func ownPlural() {
        let texts = PresentationTexts(
            plural: PluralRule { $0 == 2 ? .two : .other },
            ["occurrences.two": "twice", "occurrences.other": "{count} times or so"])
        #expect([2, 3].map { texts.text("occurrences", count: $0) } == ["twice", "3 times or so"])
        #expect(texts["offline.title"] == "You are offline")
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
            ("he", [0: "other", 1: "one", 2: "two", 3: "other", 10: "other", 20: "other"]),
            (
                "lt",
                [0: "other", 1: "one", 2: "few", 9: "few", 10: "other", 11: "other", 12: "other", 21: "one", 22: "few"]
            ),
            ("lv", [0: "zero", 1: "one", 2: "other", 10: "zero", 11: "zero", 19: "zero", 21: "one", 22: "other"]),
            ("ro", [0: "few", 1: "one", 2: "few", 19: "few", 20: "other", 101: "few", 120: "other"]),
            ("sl", [0: "other", 1: "one", 2: "two", 3: "few", 4: "few", 5: "other", 101: "one", 102: "two"]),
            ("sr", [0: "other", 1: "one", 2: "few", 5: "other", 11: "other", 12: "other", 21: "one", 22: "few"]),
            ("hr", [1: "one", 22: "few", 25: "other", 112: "other"]),
            ("ga", [0: "other", 1: "one", 2: "two", 3: "few", 6: "few", 7: "many", 10: "many", 11: "other"]),
            ("gd", [1: "one", 11: "one", 2: "two", 12: "two", 3: "few", 13: "few", 19: "few", 20: "other"]),
            ("cy", [0: "zero", 1: "one", 2: "two", 3: "few", 4: "other", 6: "many", 7: "other"]),
            (
                "mt",
                [0: "few", 1: "one", 2: "two", 3: "few", 10: "few", 11: "many", 19: "many", 20: "other", 103: "few"]
            ),
            ("is", [1: "one", 2: "other", 11: "other", 21: "one"]),
            ("mk", [1: "one", 2: "other", 11: "other", 21: "one"]),
            ("fil", [1: "one", 3: "one", 4: "other", 5: "one", 6: "other", 9: "other", 10: "one"]),
            ("pt", [0: "one", 1: "one", 2: "other", 1_000_000: "many"]),
            ("pt-PT", [0: "other", 1: "one", 2: "other", 1_000_000: "many"]),
            ("fr", [0: "one", 1: "one", 2: "other", 2_000_000: "many"]),
            ("es-MX", [0: "other", 1: "one", 2: "other", 1_000_000: "many"]),
            ("it", [1: "one", 1_000_000: "many"]), ("hi", [0: "one", 1: "one", 2: "other", 1_000_000: "other"]),
            ("uk", [1: "one", 3: "few", 5: "many", 111: "many"]),
        ])
    func plurals(language: String, forms: [Int: String]) {
        let rule = PluralRule(language: language)
        for (count, form) in forms {
            #expect(rule.category(of: count).rawValue == form, "\(language) \(count)")
        }
    }
}
