internal import BackstopCore

extension PresentationTexts {
    /// The English texts.
    public static let english = PresentationTexts(
        plural: .one,
        own: Dictionary(englishTable + presenterTable.map { ($0.key, $0.english) }, uniquingKeysWith: { $1 }))

    /// The keys of all texts.
    public static let keys: [String] = englishTable.map(\.0) + presenterTable.map(\.key)

    /// The texts of failures, which stand with what is known of them.
    private static let englishTable: [(String, String)] =
        MessageTemplate.all.flatMap { template in
            [
                ("\(template.key).title", template.title), ("\(template.key).text", template.text),
                ("\(template.key).suggestion", template.suggestion),
            ].compactMap { key, text in text.map { (key, $0) } }
        }
        + WaitPhrase.all.map { ("wait.\($0.key).suggestion", $0.english) }
        + [("mayHaveWorked.suggestion", MessageTemplate.mayHaveWorked)]

    /// A text that a presenter needs besides.
    package struct PresenterText: Sendable {
        /// The key.
        package let key: String
        /// The English text.
        package let english: String
        /// The German text.
        package let german: String
    }

    /// What stands on buttons, and the texts with numbers.
    package static let presenterTable: [PresenterText] = [
        PresenterText(key: "action.retry", english: "Try Again", german: "Erneut versuchen"),
        PresenterText(key: "action.ok", english: "OK", german: "OK"),
        PresenterText(key: "action.cancel", english: "Cancel", german: "Abbrechen"),
        PresenterText(key: "action.close", english: "Close", german: "Schließen"),
        PresenterText(key: "label.problem", english: "Problem", german: "Problem"),
        PresenterText(key: "occurrences.one", english: "{count} time", german: "{count}-mal"),
        PresenterText(key: "occurrences.other", english: "{count} times", german: "{count}-mal"),
        PresenterText(
            key: "countdown.seconds.one", english: "Trying again in {count} second",
            german: "Neuer Versuch in {count} Sekunde"),
        PresenterText(
            key: "countdown.seconds.other", english: "Trying again in {count} seconds",
            german: "Neuer Versuch in {count} Sekunden"),
        PresenterText(
            key: "countdown.minutes.one", english: "Trying again in {count} minute",
            german: "Neuer Versuch in {count} Minute"),
        PresenterText(
            key: "countdown.minutes.other", english: "Trying again in {count} minutes",
            german: "Neuer Versuch in {count} Minuten"),
        PresenterText(
            key: "countdown.hours.one", english: "Trying again in {count} hour",
            german: "Neuer Versuch in {count} Stunde"),
        PresenterText(
            key: "countdown.hours.other", english: "Trying again in {count} hours",
            german: "Neuer Versuch in {count} Stunden"),
    ]

    /// Whether a key is one of the texts that a presenter needs.
    static func isOfPackage(_ key: String) -> Bool {
        presenterTable.contains { $0.key == key }
    }
}
