internal import BackstopCore
public import Foundation

/// A transport does not do what the rules ask for, or the table of its known limits is wrong.
public struct TransportConformanceError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// A case that failed, and is not a known limit.
    public struct Failed: Sendable {
        /// The case.
        public let `case`: TransportConformance.Case
        /// What the rule asks for, and what came.
        public let problem: TransportConformance.Problem
    }

    /// The cases that failed.
    public let failed: [Failed]
    /// The names in the table of known limits whose cases all passed.
    public let passedLimits: [String]
    /// The names in the table of known limits that no case has.
    public let unknownNames: [String]
    /// What came of each case.
    public let report: TransportConformance.Report

    init(report: TransportConformance.Report, knownLimits: TransportConformance.KnownLimits) {
        self.report = report
        failed = report.rows.compactMap { row in
            guard case .failed(let problem) = row.result else {
                return nil
            }
            return Failed(case: row.case, problem: problem)
        }
        passedLimits = knownLimits.entries.filter { !$0.limit.isIntermittent }.map(\.name).filter { name in
            let rows = report.rows.filter { TransportConformance.KnownLimits.covers(name, $0.case.name) }
            return !rows.isEmpty && rows.allSatisfy { $0.result == .passed }
        }
        unknownNames = knownLimits.entries.map(\.name).filter { name in
            !TransportConformance.cases.contains { TransportConformance.KnownLimits.covers(name, $0.name) }
        }
    }

    /// Each failed case with its rule, what was expected and what came; then the faults of the table.
    public var description: String {
        var lines: [String] = report.rows.isEmpty ? ["There is no case: what picked those to run has found none."] : []
        if !failed.isEmpty {
            let word = failed.count == 1 ? "case" : "cases"
            lines.append("The transport fails \(failed.count) \(word) of \(report.rows.count).")
        }
        for failure in failed {
            lines += [
                "\(failure.case.name): \(failure.case.title) (\(failure.case.rule))",
                "  expected: \(failure.problem.expected)",
                "  came:     \(failure.problem.came)",
            ]
        }
        for name in passedLimits {
            lines.append("\(name) is a known limit, but passes: remove it from the table.")
        }
        for name in unknownNames {
            let similar = SimilarKey.find(name, among: TransportConformance.cases.map(\.name))
            lines.append("No case is called \(name)" + (similar.map { "; \($0)?" } ?? "."))
        }
        return lines.joined(separator: "\n")
    }

    /// The description, for XCTest.
    public var errorDescription: String? {
        description
    }
}
