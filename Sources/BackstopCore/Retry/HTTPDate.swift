/// A point in time as written in HTTP header fields: whole seconds, always UTC.
///
/// Use it to read `Date`, `Retry-After`, `Expires` or `Last-Modified`, and to write them. It reads the three formats
/// that a recipient must accept, and writes the one that a sender must use.
///
/// ```
/// let now = Duration.seconds(1_700_000_000)
/// let date = HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", now: now)
/// date?.secondsSince1970  // 784111777
/// date?.text  // "Sun, 06 Nov 1994 08:49:37 GMT"
/// ```
///
/// Source: RFC 9110, 5.6.7.
package struct HTTPDate: Sendable, Hashable {
    /// The seconds since 1970-01-01 00:00:00 UTC, without leap seconds, within the years 0000 to 9999.
    package let secondsSince1970: Int64

    /// Reads a date in one of the three formats: IMF-fixdate, RFC 850 or asctime.
    ///
    /// Nil when the text has none of these formats, or the date does not exist: 31 February, 24 o'clock, minute 60.
    ///
    /// * Names and `GMT` are case-sensitive, as the RFC says.
    /// * The weekday must be a valid name, in the format's own length. If it does not match the date, the date counts:
    ///   RFC 9110, 5.6.7 encourages recipients to be robust.
    /// * Second 60 is accepted only at 23:59, where leap seconds occur, and means the second after 23:59:59.
    /// * Two digits of a year mean the latest such year that is not more than 50 years ahead of `now`.
    ///
    /// - Parameters:
    ///   - text: The field value. Spaces and tabs around it do not matter.
    ///   - now: The time since 1970-01-01 00:00:00 UTC. Only two-digit years need it.
    package init?(_ text: some StringProtocol, now: Duration) {
        self.init(bytes: HTTPDate.trimmed(text), now: now)
    }

    /// Makes a date from seconds, for instance to write a header field.
    ///
    /// ```
    /// HTTPDate(secondsSince1970: 0).text  // "Thu, 01 Jan 1970 00:00:00 GMT"
    /// ```
    ///
    /// - Parameter secondsSince1970: The seconds since 1970-01-01 00:00:00 UTC. Outside the years 0000 to 9999, which
    ///   the text cannot show, the nearest second inside counts.
    package init(secondsSince1970: Int64) {
        self.secondsSince1970 = min(max(secondsSince1970, HTTPDate.first), HTTPDate.last)
    }

    /// The date as a sender must write it: an IMF-fixdate such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var text: String {
        let civil = Civil(secondsSince1970: secondsSince1970)
        let clock = [civil.second / 3600, civil.second / 60 % 60, civil.second % 60]
            .map { HTTPDate.padded($0, 2) }.joined(separator: ":")
        let weekday = HTTPDate.weekdays[civil.weekday].prefix(3)
        let month = HTTPDate.months[civil.month - 1]
        return "\(weekday), \(HTTPDate.padded(civil.day, 2)) \(month) \(HTTPDate.padded(civil.year, 4)) \(clock) GMT"
    }

    /// The first second of the year 0000.
    private static let first: Int64 = -62_167_219_200
    /// The last second of the year 9999.
    private static let last: Int64 = 253_402_300_799
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension HTTPDate {
    /// The UTF-8 of a field value without the spaces and tabs around it.
    static func trimmed(_ text: some StringProtocol) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard let start = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }),
            let end = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0x09 })
        else { return [] }
        return Array(bytes[start...end])
    }

    init?(bytes: [UInt8], now: Duration) {
        // The longest form, with "Wednesday", has 33 characters.
        guard bytes.count <= 40 else { return nil }
        var reader = Reader(bytes: bytes)
        guard let fields = reader.imfFixdate() ?? reader.rfc850() ?? reader.asctime() else { return nil }
        let year: Int
        if fields.hasTwoDigitYear {
            year = HTTPDate.fullYear(fields, now: now)
        } else {
            year = fields.year
        }
        guard fields.day >= 1, fields.day <= Civil.days(inMonth: fields.month, of: year) else { return nil }
        let days = Civil.days(year: year, month: fields.month, day: fields.day)
        self.init(secondsSince1970: Int64(days) * 86_400 + Int64(fields.second))
    }

    /// Chooses the century of a two-digit year: the latest one that is not more than 50 years ahead.
    private static func fullYear(_ fields: Fields, now: Duration) -> Int {
        let bounded = min(max(now, .seconds(first)), .seconds(last))
        let today = Civil(secondsSince1970: bounded.components.seconds)
        var year = today.year - today.year % 100 + 100 + fields.year
        let limit = (today.year + 50, today.month, today.day, today.second)
        while year >= 100, (year, fields.month, fields.day, fields.second) > limit { year -= 100 }
        return year
    }

    /// The parts of a date's text, before it is known whether the date exists.
    private struct Fields {
        var year: Int
        var hasTwoDigitYear = false
        /// From 1 to 12.
        var month: Int
        var day: Int
        /// The second of the day, from 0 to 86 400 (a leap second).
        var second: Int
    }

    /// Reads the three formats; each starts from the beginning.
    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// `Sun, 06 Nov 1994 08:49:37 GMT`.
        mutating func imfFixdate() -> Fields? {
            position = 0
            guard weekday(short: true), literal(", "), let day = digits(2), literal(" "), let month = month(),
                literal(" "), let year = digits(4), literal(" "), let second = time(), literal(" GMT"), isAtEnd
            else { return nil }
            return Fields(year: year, month: month, day: day, second: second)
        }

        /// `Sunday, 06-Nov-94 08:49:37 GMT`.
        mutating func rfc850() -> Fields? {
            position = 0
            guard weekday(short: false), literal(", "), let day = digits(2), literal("-"), let month = month(),
                literal("-"), let year = digits(2), literal(" "), let second = time(), literal(" GMT"), isAtEnd
            else { return nil }
            return Fields(year: year, hasTwoDigitYear: true, month: month, day: day, second: second)
        }

        /// `Sun Nov  6 08:49:37 1994`.
        mutating func asctime() -> Fields? {
            position = 0
            guard weekday(short: true), literal(" "), let month = month(), literal(" ") else { return nil }
            let day = literal(" ") ? digits(1) : digits(2)
            guard let day, literal(" "), let second = time(), literal(" "), let year = digits(4), isAtEnd else {
                return nil
            }
            return Fields(year: year, month: month, day: day, second: second)
        }

        private var isAtEnd: Bool { position == bytes.count }

        private mutating func literal(_ text: String) -> Bool {
            guard bytes[position...].starts(with: text.utf8) else { return false }
            position += text.utf8.count
            return true
        }

        private mutating func digits(_ count: Int) -> Int? {
            guard bytes.count - position >= count else { return nil }
            var number = 0
            for byte in bytes[position..<(position + count)] {
                guard byte >= 0x30, byte <= 0x39 else { return nil }
                number = number * 10 + Int(byte - 0x30)
            }
            position += count
            return number
        }

        private mutating func weekday(short: Bool) -> Bool {
            HTTPDate.weekdays.contains { literal(short ? String($0.prefix(3)) : $0) }
        }

        private mutating func month() -> Int? {
            HTTPDate.months.firstIndex { literal($0) }.map { $0 + 1 }
        }

        private mutating func time() -> Int? {
            guard let hour = digits(2), literal(":"), let minute = digits(2), literal(":"), let second = digits(2),
                hour <= 23, minute <= 59, second <= 59 || (second == 60 && hour == 23 && minute == 59)
            else { return nil }
            return hour * 3600 + minute * 60 + second
        }
    }

    /// A day and a second of the proleptic Gregorian calendar.
    private struct Civil {
        let year: Int
        let month: Int
        let day: Int
        /// The second of the day.
        let second: Int
        /// From 0, Sunday, to 6.
        let weekday: Int

        /// - Parameter secondsSince1970: Within the years 0000 to 9999.
        init(secondsSince1970: Int64) {
            let second = (secondsSince1970 % 86_400 + 86_400) % 86_400
            let days = Int((secondsSince1970 - second) / 86_400)
            self.second = Int(second)
            weekday = ((days + 4) % 7 + 7) % 7
            // Counted from 1 March of a year divisible by 400, the leap day is the last day of the period.
            let shifted = days + 719_468
            let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
            let dayOfEra = shifted - era * 146_097
            let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let shiftedMonth = (5 * dayOfYear + 2) / 153
            day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
            month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
            year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        }

        /// The days from 1970-01-01 to a date.
        static func days(year: Int, month: Int, day: Int) -> Int {
            let shifted = month <= 2 ? year - 1 : year
            let era = (shifted >= 0 ? shifted : shifted - 399) / 400
            let yearOfEra = shifted - era * 400
            let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
            return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        }

        static func days(inMonth month: Int, of year: Int) -> Int {
            switch month {
            case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        }
    }
}
