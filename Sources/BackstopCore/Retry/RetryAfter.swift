/// Reads the value of a `Retry-After` header field.
///
/// Use it wherever a server may say when to come back: with 503, 429 and redirects. The field is either a number of
/// seconds or an HTTP date. Treat the result as a lower bound, never as an obligation to wait: a server may send any
/// number.
///
/// ```
/// let now = Duration.seconds(784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT
/// RetryAfter.wait(from: "120", now: now)  // 120 seconds
/// RetryAfter.wait(from: "Sun, 06 Nov 1994 08:50:07 GMT", now: now)  // 30 seconds
/// RetryAfter.wait(from: "soon", now: now)  // nil: no hint
/// ```
///
/// Source: RFC 9110, 10.2.3.
package enum RetryAfter {
    /// The longest wait ever returned: 2^31 seconds, about 68 years.
    ///
    /// A larger number, with any number of digits, and a later date give this one. RFC 9111, 1.2.2 names it as the
    /// substitute for values that overflow.
    package static let maximum = Duration.seconds(2_147_483_648 as Int64)

    /// Returns the wait that a `Retry-After` value asks for.
    ///
    /// - Parameters:
    ///   - value: The field value. Spaces and tabs around it do not matter.
    ///   - now: The time since 1970-01-01 00:00:00 UTC, against which a date is measured.
    /// - Returns: The wait, from zero to ``maximum``; a date in the past is zero. Nil when the value is malformed (a
    ///   sign, a decimal point, an impossible date, anything else): then there is no hint, and the client decides by
    ///   itself.
    package static func wait(from value: some StringProtocol, now: Duration) -> Duration? {
        let bytes = trimmed(value)
        if let seconds = delaySeconds(bytes) { return seconds }
        guard let date = HTTPDate(bytes, now: now) else { return nil }
        // Bounded on both sides, so that no clock value, however wrong, overflows the subtraction.
        let limit = Duration.seconds(1_000_000_000_000 as Int64)
        let wait = Duration.seconds(date.secondsSince1970) - min(max(now, .zero - limit), limit)
        return min(max(wait, .zero), maximum)
    }

    /// The time since 1970-01-01 00:00:00 UTC by the clock of a server, as its response says; `now` if it does not.
    ///
    /// The response may have been on its way for a while: a wait until a date is longer by that time.
    ///
    /// Source: RFC 9110, 6.6.1 and RFC 9111, 5.1.
    ///
    /// - Parameters:
    ///   - date: The value of `Date`.
    ///   - age: The value of `Age`, of a response that was kept on its way.
    package static func serverTime(date: String?, age: String?, now: Duration) -> Duration {
        guard let date = date.flatMap({ HTTPDate(trimmed($0), now: now) }) else { return now }
        return Duration.seconds(date.secondsSince1970) + (age.flatMap { delaySeconds(trimmed($0)) } ?? .zero)
    }

    private static func trimmed(_ value: some StringProtocol) -> [UInt8] {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        return Array(Array(value.utf8.drop(while: isSpace).reversed()).drop(while: isSpace).reversed())
    }

    /// Reads `delay-seconds`, which is digits and nothing else; nil when it is not that.
    private static func delaySeconds(_ bytes: [UInt8]) -> Duration? {
        guard !bytes.isEmpty, bytes.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        // What has no room in 64 bits is longer than any wait, too.
        return Int64(String(decoding: bytes, as: UTF8.self)).map { min(.seconds($0), maximum) } ?? maximum
    }
}
