extension TransportConformance {
    /// What came of each case.
    public struct Report: Sendable, CustomStringConvertible {
        /// What came of one case.
        public enum Result: Sendable, Hashable {
            /// The transport does what the rule asks for.
            case passed
            /// It does something else.
            case failed(Problem)
            /// It does something else, as is known.
            case limited(reason: String)
            /// The case was not run, because of this.
            case notRun(reason: String)
        }

        /// A line of the report.
        public struct Row: Sendable {
            /// The case.
            public let `case`: Case
            /// What came of it.
            public let result: Result
            /// The known limit that covers it; nil for none.
            public let limit: KnownLimits.Limit?

            init(_ item: Case, problem: Problem?, limit: KnownLimits.Limit?, isRun: Bool) {
                self.case = item
                self.limit = limit
                result =
                    if !isRun {
                        .notRun(reason: limit?.reason ?? "the transport is made without the options of the case")
                    } else if let problem {
                        limit.map { .limited(reason: $0.reason) } ?? .failed(problem)
                    } else {
                        .passed
                    }
            }
        }

        /// The rows, in the order of the cases.
        public let rows: [Row]

        /// How many cases have passed.
        public var passed: Int {
            rows.count { $0.result == .passed }
        }

        /// A line for each case, and the total.
        public var description: String {
            let lines = rows.map { row in
                switch row.result {
                case .passed: "passed   \(row.case.name)"
                case .failed: "FAILED   \(row.case.name)"
                case .limited(let reason): "limited  \(row.case.name): \(reason)"
                case .notRun(let reason): "not run  \(row.case.name): \(reason)"
                }
            }
            return (lines + ["\(rows.count) cases, \(passed) passed."]).joined(separator: "\n")
        }
    }
}
