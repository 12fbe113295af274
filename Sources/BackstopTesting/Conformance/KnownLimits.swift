extension TransportConformance {
    /// The cases that a transport is known to fail, each with the reason.
    ///
    /// ```swift
    /// let limits: TransportConformance.KnownLimits = [
    ///     "redirects.*": "it leaves redirects to the caller",
    ///     "trailers.afterChunks": .endsProcess("the parser crashes"),
    /// ]
    /// ```
    /// A name that ends in `.*` covers all cases with that prefix.
    public struct KnownLimits: Sendable, ExpressibleByDictionaryLiteral {
        /// Why a case fails, and what happens to the process.
        public struct Limit: Sendable, Hashable, ExpressibleByStringInterpolation {
            /// The reason, in words.
            public let reason: String
            /// Whether the case ends the process, or stops all its calls, so that it is not run.
            public let endsProcess: Bool
            /// Whether the case passes at times, as it depends on what is first; it is then not reported when it does.
            public let isIntermittent: Bool

            /// The case fails with an error.
            public init(stringLiteral reason: String) {
                self.init(reason)
            }

            private init(_ reason: String, endsProcess: Bool = false, isIntermittent: Bool = false) {
                self.reason = reason
                self.endsProcess = endsProcess
                self.isIntermittent = isIntermittent
            }

            /// The case ends the process, or stops all its calls.
            public static func endsProcess(_ reason: String) -> Limit {
                Limit(reason, endsProcess: true)
            }

            /// The case fails at times, and passes at others.
            public static func intermittent(_ reason: String) -> Limit {
                Limit(reason, isIntermittent: true)
            }
        }

        /// The limits by name, in their order.
        public private(set) var entries: [(name: String, limit: Limit)]

        /// Makes a table of limits.
        public init(dictionaryLiteral elements: (String, Limit)...) {
            entries = elements.map { (name: $0.0, limit: $0.1) }
        }

        /// The limits of both.
        public static func + (left: KnownLimits, right: KnownLimits) -> KnownLimits {
            var sum = left
            sum.entries += right.entries
            return sum
        }

        /// The limit that covers a case: one that ends the process before others, and its own name before a prefix; nil
        /// when it must pass.
        public subscript(case: Case) -> Limit? {
            let found = entries.filter { Self.covers($0.name, `case`.name) }
            return (found.first(where: \.limit.endsProcess) ?? found.first { $0.name == `case`.name } ?? found.first)?
                .limit
        }

        static func covers(_ pattern: String, _ name: String) -> Bool {
            pattern == name || pattern.hasSuffix(".*") && name.hasPrefix(pattern.dropLast())
        }
    }
}
