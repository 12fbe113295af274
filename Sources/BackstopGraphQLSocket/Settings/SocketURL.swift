internal import Backstop
internal import BackstopCore
internal import Foundation

/// Where a socket connects to: the URL of a WebSocket (RFC 6455, 3), or of HTTP.
struct SocketURL: Sendable {
    let url: URL
    let isSecure: Bool
    /// The host as a name or an address, without brackets.
    let host: String
    let port: Int
    /// Path and query.
    let target: String

    /// The schemes of one kind of socket.
    struct Schemes: Sendable {
        let plain: String
        let secure: String
        let example: String

        static let webSocket = Schemes(plain: "ws", secure: "wss", example: "wss://api.example.com/graphql")
        static let http = Schemes(
            plain: "http", secure: "https", example: "https://api.example.com/graphql/stream")
    }

    /// Reads a URL with one of the schemes.
    init(_ text: String, _ schemes: Schemes = .webSocket) throws(ConfigurationError) {
        func problem(_ problem: String) -> ConfigurationError {
            ConfigurationError(
                setting: "GraphQL.Socket.url", problem: "\"\(RequestURL.shown(text))\" \(problem)",
                fix: "Write it as \(schemes.example)")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let parts = URLComponents(string: text),
            let url = parts.url
        else {
            throw problem("cannot be read as a URL")
        }
        guard let scheme = parts.scheme?.lowercased(), [schemes.plain, schemes.secure].contains(scheme) else {
            throw problem("needs the scheme \(schemes.secure) or \(schemes.plain)")
        }
        guard let host = parts.percentEncodedHost, !host.isEmpty else {
            throw problem("has no host")
        }
        guard parts.user == nil, parts.password == nil else {
            throw problem("has a user or a password, which would not be sent: send credentials in a header")
        }
        guard parts.percentEncodedFragment == nil else {
            throw problem("has a fragment, which the URL of a socket must not have")
        }
        guard parts.port.map({ (1...65_535).contains($0) }) ?? true else {
            throw problem("has a port that does not exist")
        }
        self.url = url
        isSecure = scheme == schemes.secure
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
