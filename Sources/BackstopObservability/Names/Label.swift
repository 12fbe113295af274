#if Observability
    internal import Backstop
    internal import BackstopCore
    internal import Foundation

    /// Values of labels and attributes.
    enum Label {
        /// What stands for a value that is not in a fixed list, or beyond a limit.
        static let other = "_OTHER"

        private static let methods: Set<String> = [
            "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY",
        ]

        /// The method, or `_OTHER` for one that the conventions do not list.
        static func method(_ method: HTTP.Method) -> String {
            methods.contains(method.name) ? method.name : other
        }

        /// The first word of a call's name, or `_OTHER` for one without.
        static func callName(_ name: String, _ redaction: Redaction) -> String {
            let kind = redaction.kind(ofCall: name)
            return kind.isEmpty ? other : kind
        }

        /// The code of an attempt's result; empty when it did not fail.
        static func code(_ result: Attempt.Result) -> String {
            guard case .failed(let code) = result else {
                return ""
            }
            return code
        }
    }

    extension URL {
        /// The port, or that of the scheme.
        var effectivePort: Int {
            port ?? (scheme?.lowercased() == "https" ? 443 : 80)
        }
    }
#endif
