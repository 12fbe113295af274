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
                // What this proxy says, the service cannot.
                case "backstop-injected": return nil
                case "location": return (field.name.text, location(field.value, of: url, host: host))
                case "set-cookie": return (field.name.text, cookie(field.value))
                default: return (field.name.text, field.value)
                }
            }
        }

        /// The names that stay on a connection, with those that it lists itself.
        private static func dropped(_ connection: [String]) -> Set<String> {
            let listed = connection.flatMap { $0.split(separator: ",") }
            return ofConnection.union(listed.map { $0.trimmingCharacters(in: .whitespaces).lowercased() })
        }

        /// What stands for the base URL at the beginning of a path, without a slash at its end.
        private var folder: String {
            URLComponents(url: base, resolvingAgainstBaseURL: false)?.percentEncodedPath ?? ""
        }

        /// A path of the service as one of this proxy; nil for one that is not below the base URL.
        private func below(_ path: some StringProtocol) -> String? {
            let folder = folder
            let rest = path.dropFirst(folder.count)
            let segments = rest.prefix { $0 != "?" && $0 != "#" }.lowercased().replacing("%2e", with: ".")
            guard path.hasPrefix(folder), [nil, "/", "?", "#"].contains(rest.first), !segments.contains("/..") else {
                return nil
            }
            return (rest.first == "/" ? "" : "/") + rest
        }

        /// A location below the base URL, as one of this proxy, its rest as it came; any other stays, for the app to go
        /// there without it.
        private func location(_ location: String, of url: URL, host: String) -> String {
            var text = location.hasPrefix("//") ? "\(base.scheme ?? "http"):\(location)" : location
            // What climbs out of the base URL and back again would end elsewhere here.
            let path = text.prefix { $0 != "?" && $0 != "#" }.lowercased().replacing("%2e", with: ".")
            if path.split(separator: "/").contains("..") {
                text = URL(string: text, relativeTo: url)?.absoluteURL.standardized.absoluteString ?? text
            }
            let start = text.prefixMatch(of: #/[A-Za-z][A-Za-z0-9+.\-]*:(//[^/?#]*)?/#)?.output.0 ?? ""
            let rest = text.dropFirst(start.count)
            switch start {
            case "" where rest.hasPrefix("/") && !folder.isEmpty:
                let service = base.absoluteString.dropLast(folder.count)
                return below(rest).map { "http://\(host)\($0)" } ?? "\(service)\(rest)"
            case "":
                let target = URL(string: text, relativeTo: url)?.absoluteURL
                let path = target.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false)?.percentEncodedPath }
                return path.flatMap { below($0) } == nil ? target?.absoluteString ?? text : text
            default:
                guard let origin = URL(string: String(start)), origin.user == nil,
                    RequestURL.origin(of: origin) == RequestURL.origin(of: base), let below = below(rest)
                else {
                    return text
                }
                return "http://\(host)\(below)"
            }
        }

        /// A cookie as the app keeps it for this proxy, which has another name, other paths and speaks no TLS: without
        /// `Domain`, `Secure` and the base URL's path.
        private func cookie(_ cookie: String) -> String {
            let parts = cookie.split(separator: ";", omittingEmptySubsequences: false)
            return parts.enumerated().compactMap { index, part in
                let name = part.prefix { $0 != "=" }
                let value = part.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
                switch (index, name.trimmingCharacters(in: .whitespaces).lowercased()) {
                case (1..., "domain"), (1..., "secure"): return nil
                case (1..., "path"):
                    // One above the base URL's covers all of this proxy.
                    let path = value.hasSuffix("/") ? value : "\(value)/"
                    let isAbove = value.hasPrefix("/") && "\(folder)/".hasPrefix(path)
                    return isAbove ? "\(name)=/" : below(value).map { "\(name)=\($0)" } ?? String(part)
                default: return String(part)
                }
            }.joined(separator: ";")
        }
    }
#endif
