public import BackstopCore
public import Foundation

/// The words that people read: of failures, of buttons, of counts and countdowns.
///
/// English and German come with the package. An app replaces single texts, adds a language, or takes all words from
/// elsewhere; `Docs/Backstop.xcstrings` has all keys.
///
/// ```swift
/// let ours = PresentationTexts.english.replacing(["offline.title": "No connection to the shop"])
/// let swedish = PresentationTexts(
///     language: "sv",
///     ["offline.title": "Du är offline", "occurrences.one": "{count} gång", "occurrences.other": "{count} gånger"])
/// ```
public struct PresentationTexts: Sendable {
    /// Some texts, and the plurals of their language.
    private struct Table: Sendable {
        let plural: PluralRule
        let find: @Sendable (String) -> String?
    }

    /// The first that has a text counts.
    private let tables: [Table]

    private init(tables: [Table]) {
        self.tables = tables
    }

    init(plural: PluralRule, own texts: [String: String]) {
        tables = [Table(plural: plural) { texts[$0] }]
    }

    /// Makes the texts of a language from a table.
    ///
    /// - Parameters:
    ///   - language: Its code: `sv`, `pt-BR`. It says which form of a text is for which number: see ``PluralRule``.
    ///   - texts: The texts by their keys. A text with a number has a key for each form, `countdown.seconds.one`, and
    ///     `{count}` where the number stands.
    ///   - fallback: What is used for keys that the table has not.
    public init(language: String, _ texts: [String: String], fallback: PresentationTexts = .english) {
        self.init(language: language, fallback: fallback) { texts[$0] }
    }

    /// Makes the texts of a language from a function, such as the lookup in a catalog of the app.
    ///
    /// - Parameters:
    ///   - language: Its code: `sv`, `pt-BR`. It says which form of a text is for which number.
    ///   - fallback: What is used for keys that the function gives nil for.
    ///   - find: Gives the text of a key.
    public init(
        language: String, fallback: PresentationTexts = .english, find: @escaping @Sendable (_ key: String) -> String?
    ) {
        let table = Table(plural: PluralRule(language: language), find: find)
        tables = [table] + fallback.tables
    }

    /// Makes the texts of a language whose plurals the package does not know.
    ///
    /// - Parameters:
    ///   - plural: Which form of a text is for which number.
    ///   - texts: The texts by their keys.
    ///   - fallback: What is used for keys that the table has not.
    public init(plural: PluralRule, _ texts: [String: String], fallback: PresentationTexts = .english) {
        tables = [Table(plural: plural) { texts[$0] }] + fallback.tables
    }

    /// The same with some texts replaced.
    public func replacing(_ texts: [String: String]) -> PresentationTexts {
        let plural = tables.first?.plural ?? .one
        return PresentationTexts(tables: [Table(plural: plural) { texts[$0] }] + tables)
    }

    /// The words of the app's strings table `Backstop`, where it has them; else those that come with the package in the
    /// app's language, or in English.
    public static let automatic = PresentationTexts(bundle: .main)

    /// The same for another bundle.
    ///
    /// - Parameters:
    ///   - bundle: The bundle with the strings table, whose preferred localization is the language.
    ///   - table: The name of the strings table.
    public init(bundle: Bundle, table: String = "Backstop") {
        let language = bundle.preferredLocalizations.first ?? "en"
        let missing = "\u{0}"
        let location = bundle.bundleURL
        self.init(language: language, fallback: language.hasPrefix("de") ? .german : .english) { key in
            // Of a bundle, whose type is not Sendable everywhere, only the place is kept: making it again gives the
            // same object.
            let bundle = location == Bundle.main.bundleURL ? Bundle.main : Bundle(url: location)
            let text = bundle?.localizedString(forKey: key, value: missing, table: table)
            return text == missing ? nil : text
        }
    }
}

extension PresentationTexts {
    /// The text of a key; nil when there is none. An empty text counts as none, but for suggestions, which can be left out.
    public subscript(key: String) -> String? {
        for table in tables {
            // An empty text is none; a suggestion may be left out so.
            if let text = table.find(key), !text.isEmpty || key.hasSuffix(".suggestion") {
                return text
            }
        }
        return nil
    }

    /// The text of one of the package's keys.
    func text(_ key: String) -> String {
        self[key] ?? key
    }

    /// The text of a key in the form for a number, which takes the place of `{count}`.
    ///
    /// - Returns: The key itself when there is no text.
    public func text(_ key: String, count: Int) -> String {
        for table in tables {
            let form = table.plural.category(of: count).rawValue
            let found = [form, "other"].lazy.compactMap { table.find("\(key).\($0)") }
            if let text = found.first(where: { !$0.isEmpty }) {
                return text.replacingOccurrences(of: "{count}", with: "\(count)")
            }
        }
        return key
    }

    /// What a person is told of a failure.
    public func message(of failure: Failure) -> FailureMessage {
        message(of: failure, isAboutInput: false)
    }

    /// The same.
    ///
    /// - Parameter isAboutInput: Whether the failure is about what was entered; what helps is then to check that.
    func message(of failure: Failure, isAboutInput: Bool) -> FailureMessage {
        func translate(_ key: String, _ english: String) -> String {
            self[key] ?? english
        }
        let message =
            isAboutInput ? failure.inputMessage(localizedBy: translate) : failure.message(localizedBy: translate)
        return FailureMessage(
            title: message.title, text: message.text,
            suggestion: message.suggestion.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// How often something happened: "3 times"; nil for once.
    public func occurrences(_ count: Int) -> String? {
        count > 1 ? text("occurrences", count: count) : nil
    }

    /// How long it is until the call is sent again: "Trying again in 12 seconds", from 90 s on in minutes, from 90 min on
    /// in hours.
    public func countdown(_ remaining: Duration) -> String {
        // More than any clock shows; so each number fits.
        let seconds = Int(min(max(0, remaining.seconds.rounded(.up)), 1e12))
        func rounded(by unit: Int) -> Int {
            (seconds + unit - 1) / unit
        }
        switch seconds {
        case ..<90: return text("countdown.seconds", count: seconds)
        case ..<5400: return text("countdown.minutes", count: rounded(by: 60))
        default: return text("countdown.hours", count: rounded(by: 3600))
        }
    }
}
