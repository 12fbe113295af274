/// Which form of a text a language uses for a number, after the rules of Unicode's CLDR for whole numbers.
///
/// ```swift
/// let polish = PluralRule(language: "pl")
/// let forms = [1, 2, 5].map { polish.category(of: $0) }  // one, few, many
/// ```
public struct PluralRule: Sendable {
    /// The form: the end of a text's key, as in `occurrences.other`.
    public enum Category: String, Sendable, Hashable, CaseIterable {
        /// As in Arabic for 0.
        case zero
        /// As in English for 1.
        case one
        /// As in Arabic for 2.
        case two
        /// As in Polish for 2, 3 and 4.
        case few
        /// As in Polish for 5 and more.
        case many
        /// Whatever else; the only form that every language has.
        case other
    }

    private let choose: @Sendable (Int) -> Category

    /// Makes a rule for a language that none of the others is for.
    public init(_ choose: @escaping @Sendable (Int) -> Category) {
        self.choose = choose
    }

    /// The rule of a language; that of English for a language that is not known.
    ///
    /// - Parameter language: Its code, with a region or without: `pl`, `pt-BR`.
    public init(language: String) {
        let code = language.lowercased().prefix { $0.isLetter }
        self = Self.byLanguage.first { $0.codes.contains(String(code)) }?.rule ?? .one
    }

    /// The form for a number.
    public func category(of count: Int) -> Category {
        choose(count)
    }

    /// One form for 1, another for the rest: English, German, Swedish and most others.
    public static let one = PluralRule { $0 == 1 ? .one : .other }
    /// One form for all numbers: Chinese, Japanese, Korean.
    public static let none = PluralRule { _ in .other }

    private static let zeroOrOne = PluralRule { $0 == 0 || $0 == 1 ? .one : .other }
    private static let czech = PluralRule { $0 == 1 ? .one : (2...4).contains($0) ? .few : .other }
    private static let polish = PluralRule { count in
        count == 1 ? .one : isFew(count) ? .few : .many
    }
    private static let eastSlavic = PluralRule { count in
        count % 10 == 1 && count % 100 != 11 ? .one : isFew(count) ? .few : .many
    }
    private static let arabic = PluralRule { count in
        switch (count, count % 100) {
        case (0, _): .zero
        case (1, _): .one
        case (2, _): .two
        case (_, 3...10): .few
        case (_, 11...99): .many
        default: .other
        }
    }

    private static let byLanguage: [(codes: Set<String>, rule: PluralRule)] = [
        (["zh", "ja", "ko", "vi", "th", "id", "ms", "lo", "my", "km"], none),
        (["fr", "pt", "hi", "bn", "fa", "am", "hy"], zeroOrOne),
        (["cs", "sk"], czech),
        (["pl"], polish),
        (["ru", "uk", "be"], eastSlavic),
        (["ar"], arabic),
    ]

    /// 2, 3 and 4, 22, 23 and 24, but not 12, 13 and 14.
    private static func isFew(_ count: Int) -> Bool {
        (2...4).contains(count % 10) && !(12...14).contains(count % 100)
    }
}
