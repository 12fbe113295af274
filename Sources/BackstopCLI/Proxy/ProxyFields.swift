#if Demo
    internal import Backstop
    internal import Foundation

    /// The header fields that are passed on, and those that belong to one connection.
    struct ProxyFields: Sendable {
        /// The base URL of the service, without a slash at its end.
        let base: URL
        /// What this process calls itself, so that it knows its own calls.
        ///
        /// Why not in `Via`: nginx compresses nothing that was asked for with it, so the app would get other answers.
        private let name = "\(UUID().uuidString.prefix(8))"
        private static let mark = "Backstop-Proxy"

        /// RFC 9110, 7.6.1 and 11.7: they are between two neighbours. The length is framing, which each connection has of
        /// its own, and an alternative service would lead the app past the proxy.
        private static let ofConnection: Set<String> = [
            "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization",
            "proxy-authentication-info", "te", "trailer", "transfer-encoding", "upgrade", "content-length", "alt-svc",
        ]

        /// The fields of a request for the service.
        func request(_ fields: [String: [String]]) throws(RequestError) -> HTTP.Headers {
            // `Host` becomes the service's; the server here has already said that the body may come.
            let dropped = Self.dropped(fields["connection"] ?? []).union(["host", "expect"])
            var headers = HTTP.Headers()
            for (name, values) in fields.sorted(by: { $0.key < $1.key }) where !dropped.contains(name) {
                for value in values {
                    try headers.add(value, for: HTTP.Headers.Name(name))
                }
            }
            try headers.add(name, for: HTTP.Headers.Name(Self.mark))
            return headers
        }

        /// Whether a request has come through this proxy before.
        func isOwn(_ fields: [String: [String]]) -> Bool {
            fields[Self.mark.lowercased()]?.contains(name) == true
        }

        /// The fields of an answer for the app.
        ///
        /// - Parameters:
        ///   - url: What was asked for.
        ///   - host: What the app calls this proxy.
        func answer(
            _ headers: HTTP.Headers, to url: URL, host: String
        ) -> [(name: String, value: String)] {
            let dropped = Self.dropped(headers[values: "Connection"])
            return headers.compactMap { field in
                let name = field.name.text.lowercased()
                switch name {
                case _ where dropped.contains(name): return nil
                case "location": return (field.name.text, location(field.value, of: url, host: host))
                case "set-cookie": return (field.name.text, Self.cookie(field.value))
                default: return (field.name.text, field.value)
                }
            }
        }

        /// The names that stay on a connection, with those that it lists itself.
        private static func dropped(_ connection: [String]) -> Set<String> {
            let listed = connection.flatMap { $0.split(separator: ",") }
            return ofConnection.union(listed.map { $0.trimmingCharacters(in: .whitespaces).lowercased() })
        }

        /// A location below the base URL, as one of this proxy; any other stays, for the app to go there without it.
        private func location(_ location: String, of url: URL, host: String) -> String {
            guard let target = URL(string: location, relativeTo: url)?.absoluteURL, target.user == nil,
                var parts = URLComponents(url: target, resolvingAgainstBaseURL: false)
            else {
                return location
            }
            let folder = URLComponents(url: base, resolvingAgainstBaseURL: false)?.percentEncodedPath ?? ""
            let path = parts.percentEncodedPath
            guard RequestURL.origin(of: target) == RequestURL.origin(of: base),
                path == folder || path.hasPrefix(folder + "/")
            else {
                return target.absoluteString
            }
            (parts.scheme, parts.host, parts.port) = (nil, nil, nil)
            parts.percentEncodedPath = String(path.dropFirst(folder.count))
            let rest = parts.string ?? ""
            return "http://\(host)" + (rest.hasPrefix("/") ? rest : "/" + rest)
        }

        /// A cookie as the app keeps it for this proxy, which has another name and speaks no TLS: without `Domain` and
        /// `Secure`.
        private static func cookie(_ cookie: String) -> String {
            let parts = cookie.split(separator: ";", omittingEmptySubsequences: false)
            return parts.enumerated().filter { index, part in
                let name = part.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces).lowercased()
                return index == 0 || !["domain", "secure"].contains(name)
            }.map(\.element).joined(separator: ";")
        }
    }
#endif
