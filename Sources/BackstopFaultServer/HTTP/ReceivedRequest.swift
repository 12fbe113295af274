#if Demo
    import Foundation

    /// A request that has been read to its end.
    struct ReceivedRequest: Sendable {
        var method: String
        var target: String
        var path: String
        /// As sent, still percent-encoded; nil when the target has no `?`.
        var query: String?
        /// Names in lower case, values in the order in which they came.
        var headers: [String: [String]]
        var body: Data
        /// Whether the connection may be used again after the answer.
        var keepsAlive: Bool
        /// Whether the client knows no chunks.
        var isHTTP10 = false
        /// The body, if it is read while it is used; nil when it is there.
        var coming: RequestBody?

        /// The decoded value of the first query parameter with this name; nil when it is absent, empty without a value.
        func parameter(_ name: String) -> String? {
            parameter(name, in: query)
        }

        /// The same as in forms, where a plus sign is a space (`application/x-www-form-urlencoded`).
        func formParameter(_ name: String) -> String? {
            parameter(name, in: query?.replacing("+", with: "%20"))
        }

        private func parameter(_ name: String, in query: String?) -> String? {
            guard let query else { return nil }
            for pair in query.split(separator: "&") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard Self.decode(parts[0]) == name else { continue }
                return parts.count > 1 ? Self.decode(parts[1]) : ""
            }
            return nil
        }

        /// The value of a query parameter as a whole number, moved into the range; the default when absent or no
        /// number.
        func integer(_ name: String, default fallback: Int, in range: ClosedRange<Int>) -> Int {
            guard let number = parameter(name).flatMap({ Int($0) }) else { return fallback }
            return min(max(number, range.lowerBound), range.upperBound)
        }

        /// Whether a query parameter is `1` or `true`.
        func flag(_ name: String) -> Bool {
            ["1", "true"].contains(parameter(name))
        }

        /// The word that a query parameter is; nil when absent or none of these words.
        func word<Word: RawRepresentable<String>>(_ name: String) -> Word? {
            parameter(name).flatMap(Word.init)
        }

        private static func decode(_ text: Substring) -> String {
            guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
            return text.removingPercentEncoding ?? String(text)
        }
    }
#endif
