/// A point in time as written in HTTP header fields: whole seconds, always UTC.
///
/// It reads the three formats that a recipient must accept.
///
/// ```
/// let now = Duration.seconds(1_700_000_000)
/// let date = HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", now: now)
/// date?.secondsSince1970  // 784111777
/// ```
///
/// Source: RFC 9110, 5.6.7.
package struct HTTPDate: Equatable {
    /// The seconds since 1970-01-01 00:00:00 UTC, without leap seconds, within the years 0000 to 9999.
    package let secondsSince1970: Int64

    /// IMF-fixdate, RFC 850 and the two of asctime: `W` and `w` are the name of a weekday and its first letters, `m` is
    /// that of a month, other small letters are digits.
    private static let formats = [
        "w, dd m yyyy hh:ii:ss GMT", "W, dd-m-yy hh:ii:ss GMT", "w m dd hh:ii:ss yyyy", "w m  d hh:ii:ss yyyy",
    ]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads a date. Nil when the text has none of the formats, or the date does not exist: 31 February, 24 o'clock.
    ///
    /// * Names and `GMT` are case-sensitive, as the RFC says.
    /// * The weekday must be a valid name, in the format's own length. If it does not match the date, the date counts:
    ///   RFC 9110, 5.6.7 encourages recipients to be robust.
    /// * Second 60 is accepted only at 23:59, where leap seconds occur, and means the second after 23:59:59.
    /// * Two digits of a year mean the latest such year that is not more than 50 years ahead of `now`.
    ///
    /// - Parameters:
    ///   - bytes: The field value, without white space around it.
    ///   - now: The time since 1970-01-01 00:00:00 UTC. Only two-digit years need it.
    package init?(_ bytes: [UInt8], now: Duration) {
        let read = HTTPDate.formats.lazy.compactMap { HTTPDate.parts(of: bytes, in: $0) }.first
        guard let parts = read else { return nil }
        func part(_ letter: Unicode.Scalar) -> Int { parts[Int(letter.value)] }
        let (month, day, digits) = (part("m"), part("d"), part("y"))
        let (hour, minute, second) = (part("h"), part("i"), part("s"))
        guard hour <= 23, minute <= 59, second <= 59 || (second == 60 && hour == 23 && minute == 59)
        else { return nil }
        func seconds(in year: Int) -> Int64 {
            Int64(HTTPDate.days(year, month, day)) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        }
        var year = digits
        if part("W") > 0 {
            let end = Duration.seconds(253_402_300_799 as Int64)
            let now = min(max(now, .zero - end), end).components.seconds
            year = stride(from: 9900 + digits, to: digits, by: -100).first { seconds(in: $0 - 50) <= now } ?? digits
        }
        guard (1...(HTTPDate.days(year, month + 1, 1) - HTTPDate.days(year, month, 1))).contains(day) else {
            return nil
        }
        secondsSince1970 = seconds(in: year)
    }

    /// The numbers in a text, by the codes of a format's letters; nil when it has another format.
    private static func parts(of bytes: [UInt8], in format: String) -> [Int]? {
        var parts = Array(repeating: 0, count: 128)
        var place = 0
        for sign in format.utf8 {
            guard place < bytes.count else { return nil }
            switch Unicode.Scalar(sign) {
            case "w", "W", "m":
                let names = sign == 0x6D ? months : weekdays
                // Only the long name of a weekday has more letters than three.
                let found = names.firstIndex { name in
                    let name = sign == 0x77 ? name.utf8.prefix(3) : name.utf8[...]
                    return bytes[place...].prefix(name.count).elementsEqual(name)
                }
                guard let found else { return nil }
                parts[Int(sign)] = found + 1
                place += sign == 0x57 ? names[found].utf8.count : 3
            case "d", "y", "h", "i", "s":
                guard (0x30...0x39).contains(bytes[place]) else { return nil }
                parts[Int(sign)] = parts[Int(sign)] * 10 + Int(bytes[place] - 0x30)
                place += 1
            default:
                guard bytes[place] == sign else { return nil }
                place += 1
            }
        }
        return place == bytes.count ? parts : nil
    }

    /// The days from 1970-01-01 to a date of the proleptic Gregorian calendar; month 13 is the next January.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Counted from 1 March of a year divisible by 400, the leap day is the last day of the period.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
