internal import Backstop
internal import BackstopCore
internal import Foundation

/// Where a socket connects to (RFC 6455, 3).
struct SocketURL: Sendable {
    let url: URL
    let isSecure: Bool
    /// The host as a name or an address, without brackets.
    let host: String
    let port: Int
    /// Path and query.
    let target: String

    /// Reads a URL with the scheme `ws` or `wss`.
    init(_ text: String) throws(ConfigurationError) {
        func problem(_ problem: String) -> ConfigurationError {
            ConfigurationError(
                setting: "GraphQL.Socket.url", problem: "\"\(RequestURL.shown(text))\" \(problem)",
                fix: "Write it as wss://api.example.com/graphql")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let parts = URLComponents(string: text),
            let url = parts.url
        else {
            throw problem("cannot be read as a URL")
        }
        guard let scheme = parts.scheme?.lowercased(), scheme == "ws" || scheme == "wss" else {
            throw problem("needs the scheme wss or ws")
        }
        guard let host = parts.percentEncodedHost, !host.isEmpty else {
            throw problem("has no host")
        }
        guard parts.user == nil, parts.password == nil else {
            throw problem("has a user or a password, which would not be sent: send credentials in a header")
        }
        guard parts.percentEncodedFragment == nil else {
            throw problem("has a fragment, which the URL of a WebSocket must not have (RFC 6455, 3)")
        }
        guard parts.port.map({ (1...65_535).contains($0) }) ?? true else {
            throw problem("has a port that does not exist")
        }
        self.url = url
        isSecure = scheme == "wss"
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? (isSecure ? 443 : 80)
        let path = parts.percentEncodedPath
        target = (path.isEmpty ? "/" : path) + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    }

    /// The value of the field `Host`.
    var authority: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? host : "\(host):\(port)"
    }

    /// Whether a request goes to the same place, over HTTP: the same scheme but for its name, host and port.
    func isSameOrigin(as other: URL) -> Bool {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.scheme = isSecure ? "https" : "http"
        return parts?.url.map { RequestURL.origin(of: $0) == RequestURL.origin(of: other) } ?? false
    }
}
