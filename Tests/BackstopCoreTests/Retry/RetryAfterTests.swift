import BackstopTestSupport
import Foundation
import Testing

@testable import BackstopCore

@Suite("Retry-After and HTTP dates", .limited)
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110, 5.6.7.
    static let example: Int64 = 784_111_777
    /// Tue, 14 Nov 2023 22:13:20 GMT.
    static let now = Duration.seconds(1_700_000_000)

    /// The seconds since 1970 of a date.
    private static func seconds(_ text: String, now: Duration = now) -> Int64? {
        HTTPDate(Array(text.utf8), now: now)?.secondsSince1970
    }

    @Test(
        "delay-seconds are read as they stand, and clamped where nobody can count them",
        arguments: [
            ("0", Duration.zero),
            ("1", .seconds(1)),
            ("  120\t", .seconds(120)),
            ("007", .seconds(7)),
            ("2147483647", .seconds(2_147_483_647 as Int64)),
            ("2147483648", RetryAfter.maximum),
            ("99999999999", RetryAfter.maximum),
            (String(repeating: "9", count: 30), RetryAfter.maximum),
            (String(repeating: "0", count: 30) + "5", .seconds(5)),
        ])
    func seconds(value: String, wait: Duration) {
        #expect(RetryAfter.wait(from: value, now: Self.now) == wait)
    }

    @Test(
        "a malformed value is no hint",
        arguments: [
            "", " ", "-1", "+1", "1.5", "1,5", "1 2", "0x10", "1e3", "١٢", "soon", "120s", "NaN", "\n5",
            "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 GMT+1",
            "sun, 06 nov 1994 08:49:37 gmt", "Sun, 6 Nov 1994 08:49:37 GMT", "Foo, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
            "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
            // Impossible dates and times.
            "Fri, 31 Feb 2025 00:00:00 GMT", "Sat, 29 Feb 2025 00:00:00 GMT", "Thu, 29 Feb 1900 00:00:00 GMT",
            "Mon, 00 Jan 2024 00:00:00 GMT", "Mon, 32 Jan 2024 00:00:00 GMT", "Wed, 31 Apr 2024 00:00:00 GMT",
            "Mon, 01 Jan 2024 24:00:00 GMT", "Mon, 01 Jan 2024 00:60:00 GMT", "Mon, 01 Jan 2024 12:00:60 GMT",
            "Mon, 01 Jan 2024 23:59:61 GMT", "Mon, 01 Foo 2024 00:00:00 GMT", "Sunday, 31-Feb-94 08:49:37 GMT",
            "Sun Feb 31 08:49:37 1994",
        ])
    func malformed(value: String) {
        #expect(RetryAfter.wait(from: value, now: Self.now) == nil)
    }

    @Test(
        "all three forms of a date are read",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", example),
            ("Sunday, 06-Nov-94 08:49:37 GMT", example),
            ("Sun Nov  6 08:49:37 1994", example),
            ("Sun Nov 06 08:49:37 1994", example),
            ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ])
    func forms(text: String, seconds: Int64) {
        #expect(Self.seconds(text) == seconds)
    }

    @Test("a wrong weekday does not make a date unreadable, since the date says it all")
    func weekday() {
        #expect(Self.seconds("Mon, 06 Nov 1994 08:49:37 GMT") == Self.example)
    }

    @Test(
        "a two-digit year more than 50 years ahead is in the past",
        arguments: [
            // Now is 2023-11-14 22:13:20.
            ("Tuesday, 14-Nov-73 22:13:20 GMT", "Tue, 14 Nov 2073 22:13:20 GMT"),
            ("Wednesday, 14-Nov-73 22:13:21 GMT", "Wed, 14 Nov 1973 22:13:21 GMT"),
            ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ("Wednesday, 01-Jan-25 00:00:00 GMT", "Wed, 01 Jan 2025 00:00:00 GMT"),
            ("Saturday, 01-Jan-00 00:00:00 GMT", "Sat, 01 Jan 2000 00:00:00 GMT"),
        ])
    func century(text: String, full: String) {
        #expect(Self.seconds(text) == Self.seconds(full))
    }

    @Test("close to the end of a century, a two-digit year can belong to the next")
    func nextCentury() throws {
        let now = try #require(Self.seconds("Tue, 01 Jan 2097 00:00:00 GMT"))
        let date = Self.seconds("Tuesday, 01-Jan-05 00:00:00 GMT", now: .seconds(now))
        #expect(date == Self.seconds("Thu, 01 Jan 2105 00:00:00 GMT"))
    }

    @Test("a date is measured from now, one in the past is now, and one too far away is the maximum")
    func dates() {
        let early = Duration.seconds(Self.example - 30) + .milliseconds(500)
        let text = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(RetryAfter.wait(from: text, now: early) == .milliseconds(29_500))
        #expect(RetryAfter.wait(from: "\t \(text) ", now: early) == .milliseconds(29_500))
        #expect(RetryAfter.wait(from: text, now: Self.now) == .zero)
        #expect(RetryAfter.wait(from: "Fri, 31 Dec 9999 23:59:59 GMT", now: Self.now) == RetryAfter.maximum)
    }

    @Test("a clock that is far off does no harm", arguments: [Int64.min, Int64.max])
    func oddClock(seconds: Int64) {
        let wait = RetryAfter.wait(from: "Sunday, 06-Nov-94 08:49:37 GMT", now: .seconds(seconds))
        #expect(wait == (seconds < 0 ? RetryAfter.maximum : .zero))
    }

    @Test("every date is read as Foundation writes it", arguments: Seed.ofRun)
    func roundTrip(seed: Seed) {
        var random = seed.numbers
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        for _ in 0..<1000 {
            // From 1600, when the Gregorian calendar was in use, to 9999.
            let seconds = Int64.random(in: -11_676_096_000...253_402_300_799, using: &random)
            let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
            #expect(Self.seconds(text) == seconds, "\(text)")
        }
    }

    @Test("no text whatever stops the program", arguments: Seed.ofRun)
    func noise(seed: Seed) {
        var random = seed.numbers
        let forms = [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "120",
        ]
        for round in 0..<4000 {
            var bytes = Array(forms[round % forms.count].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                bytes[position] = .random(in: 0...255, using: &random)
            }
            let text = String(decoding: bytes.prefix(.random(in: 0...bytes.count, using: &random)), as: UTF8.self)
            if let wait = RetryAfter.wait(from: text, now: Self.now) {
                #expect(wait >= .zero && wait <= RetryAfter.maximum)
            }
        }
    }
}
