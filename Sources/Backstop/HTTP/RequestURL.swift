internal import BackstopCore
internal import Foundation

/// Reads targets and puts base URLs before them.
enum RequestURL {
    static func parse(_ target: String, queryItems: [URLQueryItem]) throws(RequestError) -> URL {
        guard target.utf8.count <= 65_536 else {
            throw RequestError(.invalidURL, "The target is \(target.utf8.count) bytes long; at most 65,536 are sent")
        }
        guard !target.hasPrefix("//") else {
            throw RequestError(
                .invalidURL,
                "The target \"\(shown(target))\" begins with //, which would name another host: "
                    + "write a path with one slash, or the whole URL")
        }
        if let control = target.unicodeScalars.first(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw RequestError(
                .invalidURL,
                "The target \"\(shown(target))\" has the control character 0x"
                    + "\(String(control.value, radix: 16, uppercase: true)): remove it")
        }
        guard let url = URL(string: target.isEmpty ? "." : target) else {
            throw RequestError(
                .invalidURL,
                "The target \"\(shown(target))\" cannot be read as a URL: "
                    + "write a path below the base URL, or a whole http or https URL")
        }
        guard !queryItems.isEmpty else {
            return url
        }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            throw RequestError(.invalidURL, "The target \"\(shown(target))\" cannot be given a query")
        }
        // Plus signs are percent-encoded as well: many servers read them as spaces.
        let allowed = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        let encoded = queryItems.map { item in
            let name = item.name.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
            guard let value = item.value else {
                return name
            }
            return "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
        }
        let present = parts.percentEncodedQuery.map { $0.isEmpty ? [] : [$0] } ?? []
        parts.percentEncodedQuery = (present + encoded).joined(separator: "&")
        guard let full = parts.url else {
            throw RequestError(.invalidURL, "The target \"\(shown(target))\" cannot be given this query")
        }
        return full
    }

    /// A target as errors show it: the error may be printed by whoever made the request.
    private static func shown(_ target: String) -> String {
        Redaction.standard.url(target).debugText
    }

    /// A URL that requests can be sent to, or below.
    static func checked(_ url: URL, _ what: String) throws(RequestError) -> URL {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host, !host.isEmpty
        else {
            throw RequestError(
                .invalidURL,
                "The \(what) \"\(shown(url.absoluteString))\" needs the scheme "
                    + "http or https and a host, such as https://api.example.com/v1")
        }
        return url
    }

    /// Puts the base before a target; a target that is a whole URL stays as it is.
    static func resolve(_ target: URL, base: URL?) throws(RequestError) -> URL {
        if target.scheme != nil {
            return try checked(target, "target")
        }
        guard let base else {
            throw RequestError(
                .invalidURL, "The target \"\(shown(target.relativeString))\" is a path, and the client has no base URL")
        }
        guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true),
            let relative = URLComponents(url: target, resolvingAgainstBaseURL: false)
        else {
            throw RequestError(.invalidURL, "The target \"\(shown(target.relativeString))\" cannot be read")
        }
        // A path is always below the base, whether it begins with a slash or not.
        var path = relative.percentEncodedPath
        if path == "." {
            path = ""
        }
        guard staysBelow(path) else {
            throw RequestError(
                .invalidURL,
                "The target \"\(shown(target.relativeString))\" leads above the base URL: "
                    + "write a path below it, or the whole URL")
        }
        if !path.isEmpty {
            let left =
                parts.percentEncodedPath.hasSuffix("/")
                ? String(parts.percentEncodedPath.dropLast()) : parts.percentEncodedPath
            parts.percentEncodedPath = left + (path.hasPrefix("/") ? path : "/" + path)
        }
        switch (parts.percentEncodedQuery, relative.percentEncodedQuery) {
        case (let base?, let own?) where !base.isEmpty: parts.percentEncodedQuery = "\(base)&\(own)"
        case (_, let own?): parts.percentEncodedQuery = own
        default: break
        }
        parts.percentEncodedFragment = nil
        guard let url = parts.url else {
            throw RequestError(.invalidURL, "The target \"\(shown(target.relativeString))\" cannot be read")
        }
        return url
    }

    /// Whether a path stays below where it begins, when dot segments are resolved (RFC 3986, 5.2.4).
    private static func staysBelow(_ path: String) -> Bool {
        var depth = 0
        for segment in path.split(separator: "/") {
            switch segment.lowercased().replacingOccurrences(of: "%2e", with: ".") {
            case ".": break
            case "..": depth -= 1
            default: depth += 1
            }
            guard depth >= 0 else {
                return false
            }
        }
        return true
    }

    /// Scheme, host and port, as redirects compare them (RFC 6454).
    static func origin(of url: URL) -> String {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(url.host?.lowercased() ?? ""):\(port)"
    }
}
