/// Which form of a text a language uses for a number.
///
/// For these languages it follows the rules of Unicode's CLDR for whole numbers: am, ar, as, be, bn, bs, ca, cs, cy, da, de,
/// el, en, es, et, eu, fa, fi, fil, fr, ga, gd, gl, gu, he, hi, hr, hu, hy, id, is, it, ja, ka, kk, km, kn, ko, ky, lo, lt,
/// lv, mk, ml, mr, ms, mt, my, nb, ne, nl, nn, no, pa, pl, pt (and pt-PT), ro, ru, si, sk, sl, sq, sr, sv, sw, ta, te, th,
/// tr, uk, ur, uz, vi, zh, zu. For another, give ``init(_:)`` its rule.
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

    /// The rule of a language; that of English for a language that is not in the list above.
    ///
    /// - Parameter language: Its code, with a region or without: `pl`, `pt-PT`.
    public init(language: String) {
        let parts = language.lowercased().split { !$0.isLetter }
        let code = String(parts.first ?? "")
        let isEuropean = code == "pt" && parts.dropFirst().contains("pt")
        self = isEuropean ? .oneOrMillions : Self.byLanguage.first { $0.codes.contains(code) }?.rule ?? .one
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
    /// 1, and for whole millions another: "un million de secondes".
    private static let oneOrMillions = PluralRule { $0 == 1 ? .one : isMillions($0) ? .many : .other }
    private static let slovenian = PluralRule { count in
        switch count % 100 {
        case 1: .one
        case 2: .two
        case 3, 4: .few
        default: .other
        }
    }
    private static let irish = PluralRule { count in
        switch count {
        case 1: .one
        case 2: .two
        case 3...6: .few
        case 7...10: .many
        default: .other
        }
    }
    private static let scottish = PluralRule { count in
        switch count {
        case 1, 11: .one
        case 2, 12: .two
        case 3...10, 13...19: .few
        default: .other
        }
    }
    private static let welsh = PluralRule { count in
        switch count {
        case 0: .zero
        case 1: .one
        case 2: .two
        case 3: .few
        case 6: .many
        default: .other
        }
    }
    private static let maltese = PluralRule { count in
        switch (count, count % 100) {
        case (1, _): .one
        case (2, _): .two
        case (0, _), (_, 3...10): .few
        case (_, 11...19): .many
        default: .other
        }
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

    /// The languages whose rule is not that of English; of an older and a newer code, both.
    private static let byLanguage: [(codes: Set<String>, rule: PluralRule)] = [
        (["zh", "ja", "ko", "vi", "th", "id", "in", "ms", "lo", "my", "km", "yue"], none),
        (["hi", "bn", "fa", "am", "hy", "as", "gu", "kn", "pa", "si", "zu"], zeroOrOne),
        (["fr", "pt"], PluralRule { $0 == 0 || $0 == 1 ? .one : isMillions($0) ? .many : .other }),
        (["es", "it", "ca"], oneOrMillions),
        (["cs", "sk"], PluralRule { $0 == 1 ? .one : (2...4).contains($0) ? .few : .other }),
        (["pl"], PluralRule { $0 == 1 ? .one : isFew($0) ? .few : .many }),
        (["ru", "uk", "be"], PluralRule { isOne($0) ? .one : isFew($0) ? .few : .many }),
        (["sr", "hr", "bs", "sh"], PluralRule { isOne($0) ? .one : isFew($0) ? .few : .other }),
        (["sl"], slovenian),
        (["lt"], PluralRule { isOne($0) ? .one : $0 % 10 > 1 && !isTeen($0) ? .few : .other }),
        (["lv"], PluralRule { $0 % 10 == 0 || isTeen($0) ? .zero : isOne($0) ? .one : .other }),
        (["ro", "mo"], PluralRule { $0 == 1 ? .one : $0 == 0 || (1...19).contains($0 % 100) ? .few : .other }),
        (["is", "mk"], PluralRule { isOne($0) ? .one : .other }),
        (["he", "iw"], PluralRule { $0 == 1 ? .one : $0 == 2 ? .two : .other }),
        (["ga"], irish),
        (["gd"], scottish),
        (["cy"], welsh),
        (["mt"], maltese),
        (["fil", "tl"], PluralRule { (1...3).contains($0) || ![4, 6, 9].contains($0 % 10) ? .one : .other }),
        (["ar"], arabic),
    ]

    /// 1, 21 and 31, but not 11.
    private static func isOne(_ count: Int) -> Bool {
        count % 10 == 1 && count % 100 != 11
    }

    /// 2, 3 and 4, 22, 23 and 24, but not 12, 13 and 14.
    private static func isFew(_ count: Int) -> Bool {
        (2...4).contains(count % 10) && !(12...14).contains(count % 100)
    }

    /// 11 to 19, 111 to 119.
    private static func isTeen(_ count: Int) -> Bool {
        (11...19).contains(count % 100)
    }

    private static func isMillions(_ count: Int) -> Bool {
        count != 0 && count % 1_000_000 == 0
    }
}
