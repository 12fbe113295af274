internal import BackstopCore
package import Foundation

/// Parses targets and base URLs, percent-encodes invalid characters, and resolves targets against base URLs.
///
/// It parses the UTF-8 bytes itself, because systems differ: before iOS 17 `URL(string:)` accepts nothing that needs
/// encoding, and since then it re-encodes the whole string if one character needs it.
package struct RequestURL {
    /// The scheme as written; nil for a path relative to a base.
    private(set) var scheme: String?
    /// User info, host and port; nil for a path relative to a base.
    private(set) var authority: String?
    /// The path without dot segments, percent-encoded.
    private(set) var path = ""
    /// The query, percent-encoded; nil when there is none.
    private(set) var query: String?

    /// Parses a target or a base URL; a fragment is dropped, because it is never sent (RFC 9110, 7.1).
    ///
    /// - Throws: `RequestError` with `.invalidURL` for an unusable string.
    package init(_ text: String) throws(RequestError) {
        try Self.checkLength(text)
        if let control = text.utf8.first(where: { $0 < 0x20 || $0 == 0x7F }) {
            let hex = String(control, radix: 16, uppercase: true)
            throw Self.unusable(text, "has the control character 0x\(hex): remove it")
        }
        let parts = URLParts(text)
        scheme = parts.scheme
        query = parts.query.map { URLText.query.encoded($0) }
        if let part = parts.authority {
            guard scheme != nil else {
                throw Self.unusable(
                    text,
                    "begins with //, which would name another host: write a path with one slash, or the whole URL")
            }
            guard let authority = URLText.authority(part) else {
                let advice =
                    if part.contains(where: { $0 >= 0x80 }) {
                        "write a host with other letters in its ASCII form, such as xn--bcher-kva.example"
                    } else if part.contains(UInt8(ascii: "\\")) {
                        "write a slash where it has a backslash"
                    } else {
                        "write a path below the base URL, or a whole http or https URL"
                    }
                throw Self.unusable(text, "cannot be read as a URL: \(advice)")
            }
            self.authority = authority
        }
        guard let resolved = Self.withoutDots(URLText.path.encoded(parts.path), isWhole: scheme != nil) else {
            throw Self.unusable(text, "leads above the base URL: write a path below it, or the whole URL")
        }
        guard scheme != nil || !resolved.hasPrefix("//") else {
            throw Self.unusable(
                text,
                "begins with // when its dot segments are resolved, which would name another host: remove them")
        }
        path = resolved
    }

    private init(path: String) {
        self.path = path
    }

    /// The error for a target that cannot be sent.
    private static func unusable(_ text: String, _ problem: String) -> RequestError {
        RequestError(.invalidURL, "The target \"\(shown(text))\" \(problem)")
    }

    /// A path without `.` and `..`, including encoded ones (RFC 3986, 5.2.4); nil when it leads above its beginning. An
    /// absolute URL has nothing above its root, so such segments vanish there.
    private static func withoutDots(_ path: String, isWhole: Bool) -> String? {
        // Looked for in the bytes: a search by Foundation costs more than the rest of the call.
        guard path.utf8.contains(UInt8(ascii: ".")) || path.utf8.contains(UInt8(ascii: "%")) else {
            return isWhole || path.hasPrefix("/") ? path : escapingColon(path)
        }
        guard path != "." else {
            return ""
        }
        var segments = path.split(separator: "/", omittingEmptySubsequences: false)
        let isAbsolute = path.hasPrefix("/")
        if isAbsolute {
            segments.removeFirst()
        }
        var kept: [Substring] = []
        var endsAtFolder = false
        for segment in segments {
            endsAtFolder = false
            switch segment.utf8.count > 6 ? "" : segment.lowercased().replacingOccurrences(of: "%2e", with: ".") {
            case ".":
                endsAtFolder = true
            case "..":
                endsAtFolder = true
                if kept.popLast() == nil, !isWhole {
                    return nil
                }
            default:
                kept.append(segment)
            }
        }
        if endsAtFolder {
            kept.append("")
        }
        let joined = kept.joined(separator: "/")
        guard isAbsolute else {
            // What remains of a path that leads back to its beginning is the folder; an empty first segment is not one.
            return kept == [""] ? "/" : kept.first == "" ? "//" : escapingColon(joined)
        }
        return "/" + joined
    }

    /// Whether a path leads above its beginning if a server decodes slashes, treats a backslash as one, or drops the
    /// part after a semicolon before it looks for dot segments, as nginx, IIS and Tomcat do.
    var leadsAboveOnceDecoded: Bool {
        guard scheme == nil, path.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ";") }) else {
            return false
        }
        var decoded = path.lowercased()
        for (encoded, character) in [("%2f", "/"), ("%5c", "/"), ("%2e", ".")] {
            decoded = decoded.replacingOccurrences(of: encoded, with: character)
        }
        let names = decoded.split(separator: "/").map { $0.prefix { $0 != ";" } }.filter { !$0.isEmpty }
        return Self.withoutDots(names.joined(separator: "/"), isWhole: false) == nil
    }

    /// A relative path whose first segment cannot be mistaken for a scheme (RFC 3986, 4.2).
    private static func escapingColon(_ path: String) -> String {
        guard path.utf8.prefix(while: { $0 != UInt8(ascii: "/") }).contains(UInt8(ascii: ":")) else {
            return path
        }
        let first = path.prefix { $0 != "/" }
        return first.replacingOccurrences(of: ":", with: "%3A") + path.dropFirst(first.count)
    }

    /// Adds items to the query.
    mutating func add(_ items: [(name: String, value: String?)]) {
        guard !items.isEmpty else {
            return
        }
        let encoded = items.map { item in
            let name = URLText.unreserved.encoded(item.name)
            return item.value.map { "\(name)=\(URLText.unreserved.encoded($0))" } ?? name
        }
        let present = query.map { $0.isEmpty ? [] : [$0] } ?? []
        query = (present + encoded).joined(separator: "&")
    }

    /// Resolves a path against a base.
    fileprivate func below(_ base: RequestURL) -> RequestURL {
        var whole = base
        if !path.isEmpty {
            let folder = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
            whole.path = folder + (path.hasPrefix("/") ? "" : "/") + path
        }
        switch (base.query, query) {
        case (let base?, let own?) where !base.isEmpty: whole.query = "\(base)&\(own)"
        case (_, let own?): whole.query = own
        default: break
        }
        return whole
    }

    /// The string, all in ASCII.
    fileprivate var text: String {
        var text = scheme ?? ""
        if scheme != nil {
            text += "://"
            text += authority ?? ""
        }
        text += path
        if let query {
            text += "?"
            text += query
        }
        // `URL` does not accept an empty string.
        return text.isEmpty ? "." : text
    }

    /// The same as a URL.
    package func url() throws(RequestError) -> URL {
        try Self.url(text)
    }

    private static func url(_ text: String) throws(RequestError) -> URL {
        try checkLength(text)
        guard let url = URL(string: text) else {
            throw unusable(
                text, "cannot be read as a URL: write a path below the base URL, or a whole http or https URL")
        }
        return url
    }

    private static func checkLength(_ text: String) throws(RequestError) {
        guard text.utf8.count <= 65_536 else {
            throw RequestError(.invalidURL, "The target is \(text.utf8.count) bytes long; at most 65,536 are sent")
        }
    }

    /// Checks scheme and host of an absolute URL that requests are sent to.
    ///
    /// - Throws: `RequestError` with `.invalidURL` for another scheme than http and https, and where there is no host.
    static func check(
        scheme: String?, host: String?, of what: String, _ text: @autoclosure () -> String, or advice: String = ""
    ) throws(RequestError) {
        guard let scheme = scheme?.lowercased(), scheme == "http" || scheme == "https", host?.isEmpty == false else {
            throw RequestError(
                .invalidURL,
                "The \(what) \"\(shown(text()))\" needs the scheme http or https and a host, such as "
                    + "https://api.example.com/v1\(advice)")
        }
    }

    /// An absolute URL that requests can be sent to, or relative to.
    private func checked(_ what: String, _ text: String, or advice: String = "") throws(RequestError) -> RequestURL {
        try Self.check(scheme: scheme, host: authority, of: what, text, or: advice)
        return self
    }

    /// Parses the target of a request: a path, or an absolute URL.
    static func target(_ text: String) throws(RequestError) -> RequestURL {
        // Most targets are plain paths, in which nothing is to be found, encoded or resolved.
        guard !URLText.isPlainPath(text) else {
            return RequestURL(path: text)
        }
        let parts = try RequestURL(text)
        return parts.scheme == nil
            ? parts : try parts.checked("target", text, or: "; a path with a colon begins with a slash: /messages:send")
    }

    /// Parses the target of a new request: a path that leads above the base URL only on some servers is refused, unless
    /// it was passed as segments, each of which is one name, whatever it contains.
    static func place(_ target: some HTTP.Target, _ query: HTTP.Query) throws(RequestError) -> RequestPlace {
        let text = try target.targetText()
        let isPlain = !text.isEmpty && URLText.isPlainPath(text)
        guard !isPlain || !query.items.isEmpty else {
            try checkLength(text)
            return .path(text)
        }
        var parts = try Self.target(text)
        guard !parts.leadsAboveOnceDecoded || target is [String] else {
            throw unusable(
                text,
                "leads above the base URL on some servers: write a path below it, the whole URL, or the segments of "
                    + "a path")
        }
        parts.add(query.items.map { ($0.name, $0.value) })
        guard isPlain else {
            return .url(try parts.url(), origin: nil)
        }
        let path = parts.text
        try checkLength(path)
        return .path(path)
    }

    /// Parses a base URL.
    package static func base(_ text: String) throws(RequestError) -> RequestURL {
        try RequestURL(text).checked("base URL", text)
    }

    /// Resolves a target against the base; an absolute URL keeps its own host.
    static func resolve(_ place: RequestPlace, base: BaseURL?) throws(RequestError) -> RequestPlace {
        let text: String
        switch place {
        case .path(let path):
            if let base, let folder = base.folder {
                let rest = path.utf8.first == UInt8(ascii: "/") ? String(path.dropFirst()) : path
                return .url(try url(folder + rest), origin: base.origin)
            }
            text = path
        case .url(let url, _):
            text = url.scheme == nil ? url.relativeString : url.absoluteString
        }
        let parts = try Self.target(text)
        guard parts.scheme == nil else {
            return .url(try parts.url(), origin: nil)
        }
        guard let base else {
            throw unusable(text, "is a path, and the client has no base URL")
        }
        return .url(try parts.below(base.parts).url(), origin: base.origin)
    }

    /// A target as shown in errors, which anyone may print.
    package static func shown(_ target: String) -> String {
        Redaction.standard.url(target).debugText
    }

    /// Scheme, host and port, as redirects compare them (RFC 6454).
    package static func origin(of url: URL) -> String {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(url.host?.lowercased() ?? ""):\(port)"
    }

    /// Whether a host is the device itself, for which no network is needed.
    package static func isLocal(_ host: String?) -> Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host?.lowercased())
    }
}

/// The base URL of a client, with what each request needs of it; one reference, because each call takes it.
final class BaseURL: Sendable {
    fileprivate let parts: RequestURL
    /// What plain paths are put below, with a slash at its end; nil when there is a query, which that of a path joins.
    fileprivate let folder: String?
    let url: URL
    let origin: String

    init(_ text: String) throws(RequestError) {
        parts = try RequestURL.base(text)
        url = try parts.url()
        origin = RequestURL.origin(of: url)
        let text = parts.text
        folder = parts.query != nil ? nil : text.hasSuffix("/") ? text : text + "/"
    }
}

/// What a request is sent to.
enum RequestPlace: Sendable {
    /// A URL, with its origin where that is known.
    case url(URL, origin: String?)
    /// A path of names with its query, below the client's base URL: it is no URL until somebody asks for it, because
    /// that costs more than all else in a request.
    case path(String)

    var url: URL {
        switch self {
        case .url(let url, _): url
        // A path of names is always one.
        case .path(let path): URL(string: path) ?? URL(fileURLWithPath: path)
        }
    }

    /// Scheme, host and port.
    var origin: String {
        if case .url(_, let origin?) = self { origin } else { RequestURL.origin(of: url) }
    }
}
