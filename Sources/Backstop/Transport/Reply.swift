internal import BackstopCore
package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// A response as delivered by the session.
package struct Reply: Sendable {
    let head: HTTPURLResponse
    let content: Data
    /// Whether the content is all there is; otherwise it follows.
    var isWhole = true

    package init(head: HTTPURLResponse, content: Data, isWhole: Bool = true) {
        (self.head, self.content, self.isWhole) = (head, content, isWhole)
    }

    /// The same as an HTTP response of Backstop.
    package var response: HTTP.Response {
        HTTP.Response(
            status: head.statusCode, headers: Self.headers(head.allHeaderFields), body: content, url: head.url)
    }

    /// The fields sorted by name: the session delivers a dictionary, whose order varies between runs.
    static func headers(_ fields: [AnyHashable: Any]) -> HTTP.Headers {
        let pairs = fields.compactMap { name, value -> (String, String)? in
            guard let name = name.base as? String, let value = value as? String else {
                return nil
            }
            #if canImport(FoundationNetworking)
                return (name, withoutCR(value))
            #else
                return (name, withoutCR(repaired(value)))
            #endif
        }
        var headers = HTTP.Headers()
        for (name, value) in pairs.ordered(by: { $0.0 < $1.0 }) {
            guard HTTP.Headers.Name(name) == .setCookie else {
                headers.addReceived(value, for: name)
                continue
            }
            for cookie in cookies(value) {
                headers.addReceived(cookie, for: name)
            }
        }
        return headers
    }

    /// The value as UTF-8 where its bytes are that and were read as ISO 8859-1, as CFNetwork does; otherwise unchanged.
    static func repaired(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 >= 0x80 }), value.unicodeScalars.allSatisfy({ $0.value < 0x100 }) else {
            return value
        }
        let bytes = value.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        return String(bytes: bytes, encoding: .utf8) ?? value
    }

    /// The value with a space for each bare CR, which would corrupt whatever it is written to (RFC 9112, 2.2).
    private static func withoutCR(_ value: String) -> String {
        guard value.utf8.contains(0x0D) else {
            return value
        }
        return String(decoding: value.utf8.map { $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self)
    }

    /// Splits several `Set-Cookie` fields that were joined with commas.
    ///
    /// Cookies may contain commas, at least in `Expires`; a comma starts a new cookie only if a space, a token and an
    /// equals sign follow (RFC 6265, 4.1.1).
    static func cookies(_ joined: String) -> [String] {
        guard joined.utf8.contains(UInt8(ascii: ",")) else {
            return [joined]
        }
        var cookies: [String] = []
        for part in joined.split(separator: ",", omittingEmptySubsequences: false) {
            if let last = cookies.indices.last, !beginsCookie(part) {
                cookies[last] += "," + part
            } else {
                cookies.append(String(cookies.isEmpty ? part : part.drop { $0 == " " }))
            }
        }
        return cookies
    }

    private static func beginsCookie(_ part: Substring) -> Bool {
        let name = part.drop { $0 == " " }.prefix { $0 != "=" && $0 != ";" }
        return part.first == " " && name.endIndex < part.endIndex && part[name.endIndex] == "="
            && FieldText.isToken(String(name))
    }
}
