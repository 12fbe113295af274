public import Backstop

/// Checks that a transport handles what servers really send: malformed heads, cut and endless responses, redirects,
/// resets, silence, and much else.
///
/// Run it against a transport of your own, in any test library:
///
/// ```swift
/// func checkTransport() async throws {
///     try await TransportConformance.check { URLSessionTransport() }
/// }
/// ```
/// It throws one error that lists each failed case with its name, its rule, and what was expected and what came. The
/// servers are its own, on 127.0.0.1 and ::1: it needs no network, no trait and no package.
///
/// With the options passed on, the cases about the response limit run as well:
///
/// ```swift
/// func checkLimits() async throws {
///     let report = try await TransportConformance.check { options in
///         try URLSessionTransport(responseLimit: options.responseLimit)
///     }
///     print(report)  // a line for each case
/// }
/// ```
/// ``cases`` has the single cases, for parameterized tests.
public enum TransportConformance {
    /// What a case wants of the transport that it checks.
    public struct Options: Sendable, Hashable {
        /// The largest response body to accept, in decoded bytes. Default: 64 MiB.
        public var responseLimit = 64 << 20
    }

    typealias Factory = @Sendable (Options) async throws -> any HTTP.Transport

    /// All cases, group by group.
    public static let cases: [Case] = [
        Case.heads, Case.statuses, Case.fields, Case.lengths, Case.chunks, Case.interim, Case.cuts, Case.silence,
        Case.resets, Case.codings, Case.limits, Case.redirects, Case.redirectTargets, Case.requests, Case.connections,
        Case.cancellation, Case.streams, Case.memory,
    ].flatMap { $0 }

    /// Checks a transport that takes the options of each case.
    ///
    /// - Parameters:
    ///   - knownLimits: The cases that are known to fail. One that passes is reported as well, so that the table stays
    ///     true. Default: none.
    ///   - cases: The cases to run. Default: all.
    ///   - atOnce: How many of them run at the same time, 1 or more. Default: 8.
    ///   - timeLimit: How long one case may take. Default: 60 s; a case takes less than a second on most machines.
    ///   - makeTransport: Makes the transport for a case, or returns the same one each time.
    /// - Returns: What came of each case.
    /// - Throws: ``TransportConformanceError`` when a case fails that is not a known limit, when a known limit passes,
    ///   when a name of `knownLimits` is not that of a case, or when there is no case.
    @discardableResult
    public static func check(
        knownLimits: KnownLimits = [:], cases: [Case] = cases, atOnce: Int = 8, timeLimit: Duration = .seconds(60),
        _ makeTransport: @escaping @Sendable (Options) async throws -> any HTTP.Transport
    ) async throws(TransportConformanceError) -> Report {
        try await check(
            knownLimits, cases, atOnce: atOnce, timeLimit: timeLimit, leavingOut: { _ in false }, makeTransport)
    }

    /// Checks a transport whose options are its own; the cases about the response limit do not run.
    ///
    /// - Parameters: As with options.
    /// - Returns: What came of each case.
    /// - Throws: As with options.
    @discardableResult
    public static func check(
        knownLimits: KnownLimits = [:], cases: [Case] = cases, atOnce: Int = 8, timeLimit: Duration = .seconds(60),
        _ makeTransport: @escaping @Sendable () async throws -> any HTTP.Transport
    ) async throws(TransportConformanceError) -> Report {
        try await check(
            knownLimits, cases, atOnce: atOnce, timeLimit: timeLimit, leavingOut: \.needsOptions
        ) { _ in try await makeTransport() }
    }

    private static func check(
        _ knownLimits: KnownLimits, _ cases: [Case], atOnce: Int, timeLimit: Duration,
        leavingOut isLeftOut: (Case) -> Bool, _ makeTransport: @escaping Factory
    ) async throws(TransportConformanceError) -> Report {
        let left = cases.filter { isLeftOut($0) || knownLimits[$0]?.endsProcess == true }
        let running = cases.filter { item in !left.contains { $0.name == item.name } }
        var problems: [String: Problem?] = [:]
        // Those that measure the process, or load it, run alone.
        for (group, width) in [(running.filter { !$0.runsAlone }, max(1, atOnce)), (running.filter(\.runsAlone), 1)] {
            let found = await group.mapped(atOnce: width) { await $0.problem(timeLimit: timeLimit, makeTransport) }
            for (item, problem) in zip(group, found) {
                problems[item.name] = .some(problem)
            }
        }
        let rows = cases.map { item in
            Report.Row(
                item, problem: problems[item.name] ?? nil, limit: knownLimits[item],
                isRun: problems[item.name] != nil)
        }
        let report = Report(rows: rows)
        let error = TransportConformanceError(report: report, knownLimits: knownLimits)
        guard !cases.isEmpty, error.failed.isEmpty, error.passedLimits.isEmpty, error.unknownNames.isEmpty else {
            throw error
        }
        return report
    }
}
