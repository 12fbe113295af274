#if Demo
    internal import Foundation

    /// The parameters of a request, as forms write them, where a plus sign is a space.
    struct WebQuery {
        private let values: [String: [String]]

        /// How many parameters a request may have.
        static let countLimit = 40
        /// How many bytes the value of a parameter may have.
        static let valueLimit = 2048

        /// - Parameters:
        ///   - target: The request target.
        ///   - names: The parameters that there are; a misspelt one must not pass for the default.
        ///   - repeatable: Those that may come several times.
        init(_ target: String, names: Set<String>, repeatable: Set<String> = []) throws(WebRefusal) {
            let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let pairs = parts.count > 1 ? parts[1].split(separator: "&") : []
            guard pairs.count <= Self.countLimit else {
                throw .badRequest("There are more than \(Self.countLimit) parameters")
            }
            var values: [String: [String]] = [:]
            for pair in pairs {
                let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = try Self.decoded(halves[0])
                guard names.contains(name) else {
                    throw .badRequest(
                        "There is no parameter \(name.prefix(40)); there are: \(names.sorted().joined(separator: ", "))"
                    )
                }
                let value = halves.count > 1 ? try Self.decoded(halves[1]) : ""
                guard value.utf8.count <= Self.valueLimit else {
                    throw .badRequest("\(name) is longer than \(Self.valueLimit) bytes")
                }
                values[name, default: []].append(value)
                guard values[name]?.count == 1 || repeatable.contains(name) else {
                    throw .badRequest("\(name) comes more than once")
                }
            }
            self.values = values
        }

        func text(_ name: String) -> String? {
            values[name]?.first
        }

        func texts(_ name: String) -> [String] {
            values[name] ?? []
        }

        /// One of some words; the first of them where there is no such parameter.
        func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, of _: Word.Type) throws(WebRefusal)
            -> Word?
        {
            try value(name, is: "one of: \(Word.allCases.map(\.rawValue).joined(separator: ", "))") { text in
                Word(rawValue: text)
            }
        }

        func flag(_ name: String) throws(WebRefusal) -> Bool {
            try value(name, is: "0 or 1") { ["0": false, "1": true][$0] } ?? false
        }

        func integer(_ name: String, in range: ClosedRange<Int>) throws(WebRefusal) -> Int? {
            try value(name, is: "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
                Int(text).flatMap { range.contains($0) ? $0 : nil }
            }
        }

        func seconds(_ name: String, in range: ClosedRange<Double>) throws(WebRefusal) -> Duration? {
            try value(name, is: "seconds, from \(range.lowerBound) to \(range.upperBound)") { text in
                Double(text).flatMap { range.contains($0) ? .seconds($0) : nil }
            }
        }

        private func value<Value>(
            _ name: String, is rule: @autoclosure () -> String, _ read: (String) -> Value?
        ) throws(WebRefusal) -> Value? {
            guard let text = text(name) else {
                return nil
            }
            guard let value = read(text) else {
                throw .badRequest("\(name) is \(rule())")
            }
            return value
        }

        private static func decoded(_ text: Substring) throws(WebRefusal) -> String {
            guard let decoded = text.replacing("+", with: "%20").removingPercentEncoding else {
                throw .badRequest("The query is not percent-encoded UTF-8")
            }
            return decoded
        }
    }
#endif
