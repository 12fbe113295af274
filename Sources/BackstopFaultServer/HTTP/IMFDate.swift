#if Demo
    import Foundation

    /// Writes dates as `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110, 5.6.7), without the cost of a formatter.
    enum IMFDate {
        private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        private static let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]

        /// - Parameter seconds: since 1970, from the year 1970 on; earlier ones are taken as 1970.
        static func text(secondsSince1970 seconds: Int) -> String {
            let seconds = max(0, seconds)
            let day = seconds / 86_400
            let time = seconds % 86_400
            let (year, month, dayOfMonth) = civil(day)
            let clock = [time / 3600, time / 60 % 60, time % 60].map(twoDigits).joined(separator: ":")
            return "\(weekdays[day % 7]), \(twoDigits(dayOfMonth)) \(months[month - 1]) \(year) \(clock) GMT"
        }

        /// The date so many seconds from now.
        static func text(secondsFromNow seconds: Int = 0) -> String {
            text(secondsSince1970: Int(Date().timeIntervalSince1970) + seconds)
        }

        private static func twoDigits(_ number: Int) -> String {
            number < 10 ? "0\(number)" : "\(number)"
        }

        /// Days since 1970 as a date, in years that begin in March, so that the leap day comes last.
        private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
            let shifted = day + 719_468
            let era = shifted / 146_097
            let dayOfEra = shifted % 146_097
            let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let shiftedMonth = (5 * dayOfYear + 2) / 153
            let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
            let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
            return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
        }
    }
#endif
