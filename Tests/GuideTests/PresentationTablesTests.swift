import BackstopPresentation
import BackstopTestSupport
import Foundation
import Testing

@Suite("The tables of Docs/Presentation.md")
struct PresentationTablesTests {
    private let guide: Guide

    init() throws {
        guide = try Guide("Docs/Presentation.md")
    }

    @Test("have each default rule, in its place, and nothing else")
    func defaults() throws {
        try guide.expect(
            ["failures", "presented as", "because"], under: "How failures are presented",
            toBe: PresentationPolicy.defaults.map { [$0.failures, $0.words, $0.reason] })
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

    @Test("and the strings table beside it has each text, in English and German, and nothing else")
    func texts() throws {
        let catalog = try JSONDecoder().decode(Catalog.self, from: Data(Guide("Docs/Backstop.xcstrings").text.utf8))
        #expect(catalog.sourceLanguage == "en")
        #expect(catalog.strings.keys.sorted() == PresentationTexts.keys.sorted())
        for key in PresentationTexts.keys {
            let values = catalog.strings[key]?.localizations.mapValues(\.stringUnit.value)
            #expect(values?["en"] == PresentationTexts.english[key], "\(key)")
            #expect(values?["de"] == PresentationTexts.german[key], "\(key)")
        }
    }

    /// A new kind has no name here, and so does not compile.
    @Test("have each kind of presentation")
    func styles() throws {
        let all = Presentation.Kind.allCases.map { kind in
            switch kind {
            case .ignore: "`.ignore`"
            case .inline: "`.inline`"
            case .banner: "`.banner`"
            case .alert: "`.alert`"
            case .fullScreen: "`.fullScreen`"
            }
        }
        let rows = try guide.table(["style", "what it is", "more"], under: "How failures are presented")
        #expect(rows.map { $0[0] } == all)
    }

    @Test("say the times that the code has")
    func times() {
        #expect(PresentationStyle.bannerTime == .seconds(10))
        #expect(PresentationPolicy().longestCountdown == .seconds(300))
    }
}
