#if Demo
    internal import Foundation

    /// A target of this server, and of no other.
    struct PlaygroundTarget {
        /// Path and query, in ASCII.
        let text: String

        var path: Substring {
            text.prefix { $0 != "?" }
        }

        /// - Throws: What is not a path of this server's faults: another host, a way up, a page of the server itself, in
        ///   any encoding.
        init(_ text: String) throws(WebRefusal) {
            guard text.hasPrefix("/"), text.utf8.count <= WebQuery.valueLimit else {
                throw Self.refusal("begins with / and has at most \(WebQuery.valueLimit) bytes")
            }
            guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\\#\"<>^`{|}".utf8.contains($0) }) else {
                throw Self.refusal("is percent-encoded")
            }
            self.text = text
            guard Self.isFault(String(path)) else {
                throw Self.refusal("is a path of this server's faults, without //, . and ..")
            }
        }

        /// The same with an identifier of its own where the server counts calls, so that each run begins anew.
        var fresh: String {
            let counts =
                path.hasPrefix("/flaky/") || path.hasPrefix("/stream/") && text.contains("times=")
                || path == "/graphql" && text.contains("flaky=")
                || ["/graphql/live", "/graphql/stream"].contains(path) && text.contains("times=")
            guard counts, text.firstRange(of: #/[?&]id=/#) == nil else {
                return text
            }
            return text + (text.contains("?") ? "&" : "?") + "id=\(UUID().uuidString.prefix(8))"
        }

        /// Whether a redirect may lead to a URL: to one of the origins, and to a fault.
        static func allows(_ url: URL, of origins: [URL]) -> Bool {
            let isHere = origins.contains { $0.scheme == url.scheme && $0.host == url.host && $0.port == url.port }
            return isHere && url.user == nil && isFault(url.path(percentEncoded: true))
        }

        /// Whether a path leads nowhere else, however often it is decoded on the way.
        private static func isFault(_ path: String) -> Bool {
            var path = path
            for _ in 0..<8 {
                let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
                let isClean =
                    path.hasPrefix("/") && !path.contains(#"\"#) && !path.utf8.contains { $0 < 0x20 || $0 == 0x7F }
                    && !segments.dropLast().contains("") && !segments.contains(".") && !segments.contains("..")
                guard isClean, let first = segments.first, !pages.contains(first.lowercased()) else {
                    return false
                }
                guard let decoded = path.removingPercentEncoding else {
                    return false
                }
                guard decoded != path else {
                    return true
                }
                path = decoded
            }
            return false
        }

        /// The first segments of what is no fault: the pages.
        private static let pages: Set<String> = ["", "playground", "signup"]

        private static func refusal(_ rule: String) -> WebRefusal {
            .badRequest("The target \(rule), such as /flaky/503?times=2")
        }
    }
#endif
