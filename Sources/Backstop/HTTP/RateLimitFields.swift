internal import BackstopCore

/// Reads from a response how long a rate limit is used up.
///
/// | fields | where | reset |
/// |---|---|---|
/// | `RateLimit: "default";r=0;t=30` | draft-ietf-httpapi-ratelimit-headers, from 08 | seconds |
/// | `RateLimit: limit=100, remaining=0, reset=30` | the same, 07 | seconds |
/// | `RateLimit-Remaining: 0`, `RateLimit-Reset: 30` | the same, up to 06 | seconds |
/// | `X-RateLimit-Remaining: 0`, `X-RateLimit-Reset-After: 29.5` | Discord | seconds |
/// | `X-RateLimit-Remaining: 0`, `X-RateLimit-Reset: 1372700873` | GitHub and many others | seconds since 1970, or a wait |
/// | `X-Rate-Limit-Remaining: 0`, `X-Rate-Limit-Reset: 1372700873` | X | seconds since 1970 |
///
/// Only an exhausted limit says anything about the next attempt. Whatever is malformed is no hint.
enum RateLimitFields {
    /// How many bytes of a field are read; a server may send any number.
    static let limit = 1000

    /// How long until the limit is renewed, from zero to `RetryAfter.maximum`; nil when requests are left, or the
    /// response does not say.
    ///
    /// - Parameter now: The time since 1970-01-01 00:00:00 UTC, against which a moment is measured.
    static func reset(in headers: HTTP.Headers, now: Duration) -> Duration? {
        let lists = headers[values: "RateLimit"].prefix(16).flatMap { FieldText.parts(of: bounded($0), at: ",") }
        if let reset = policies(lists) ?? dictionary(lists) {
            return duration(reset)
        }
        for (remaining, reset, isMoment) in pairs {
            if let value = self.reset(headers[reset].map(bounded), when: headers[remaining].map(bounded)) {
                return isMoment ? wait(until: value, now: now) : duration(value)
            }
        }
        return nil
    }

    /// Fields whose zero says that another one counts: how long to wait, or perhaps the moment until which.
    private static let pairs: [(remaining: HTTP.Headers.Name, reset: HTTP.Headers.Name, isMoment: Bool)] = [
        ("RateLimit-Remaining", "RateLimit-Reset", false),
        ("X-RateLimit-Remaining", "X-RateLimit-Reset-After", false),
        ("X-RateLimit-Remaining", "X-RateLimit-Reset", true),
        ("X-Rate-Limit-Remaining", "X-Rate-Limit-Reset", true),
    ]

    /// The longest reset of the policies that are exhausted: all of them have to allow a request.
    private static func policies(_ items: [String]) -> Double? {
        items.compactMap { item in
            let parameters = FieldText.parts(of: item, at: ";")
            return reset(value(of: "t", in: parameters, from: 1), when: value(of: "r", in: parameters, from: 1))
        }.max()
    }

    private static func dictionary(_ items: [String]) -> Double? {
        reset(value(of: "reset", in: items), when: value(of: "remaining", in: items))
    }

    /// The number of one text, when that of another is zero.
    private static func reset(_ reset: String?, when remaining: String?) -> Double? {
        remaining.flatMap(number) == 0 ? reset.flatMap(number) : nil
    }

    /// A number that is a wait, or a moment when it would be a wait of more than thirty years; in milliseconds when it
    /// would be one of more than thirty thousand years.
    private static func wait(until value: Double, now: Duration) -> Duration {
        guard value >= 1e9 else {
            return duration(value)
        }
        return duration((value >= 1e12 ? value / 1000 : value) - now.seconds)
    }

    private static func duration(_ seconds: Double) -> Duration {
        seconds < RetryAfter.maximum.seconds ? .seconds(max(0, seconds)) : RetryAfter.maximum
    }

    /// Decimal digits with an optional fraction, as many as there are, like those of `Retry-After`; nil for anything
    /// else, such as a sign or an exponent.
    private static func number(_ text: String) -> Double? {
        let isNumber = FieldText.parts(of: text, at: ".").allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        return isNumber ? Double(text) : nil
    }

    /// The value of a `key=value` member, without parameters; of two with one key, the last counts (RFC 9651, 4.2.2).
    private static func value(of key: String, in members: [String], from start: Int = 0) -> String? {
        for member in members.dropFirst(start).reversed() {
            let parts = FieldText.parts(of: FieldText.parts(of: member, at: ";")[0], at: "=")
            if parts.count == 2, parts[0].lowercased() == key {
                return parts[1]
            }
        }
        return nil
    }

    private static func bounded(_ text: String) -> String {
        String(decoding: text.utf8.prefix(limit), as: UTF8.self)
    }
}
