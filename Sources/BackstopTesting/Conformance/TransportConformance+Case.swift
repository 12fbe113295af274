public import Backstop
internal import BackstopCore

extension TransportConformance {
    /// One thing that a transport must do, and where that is written.
    ///
    /// As the arguments of a parameterized test:
    ///
    /// ```swift
    /// import Testing
    ///
    /// @Test("the transport", arguments: TransportConformance.cases)
    /// func conforms(to rule: TransportConformance.Case) async throws {
    ///     try await rule.run { URLSessionTransport() }
    /// }
    /// ```
    public struct Case: Sendable, Identifiable, CustomStringConvertible {
        /// The name, group first: `lengths.different`.
        public let name: String
        /// Where the rule is written: `RFC 9112, 6.3`; "Backstop" and a type's name for what Backstop promises.
        public let rule: String
        /// What the transport must do, as the end of a sentence that begins with its name.
        public let title: String
        /// Whether the case needs a transport with its options, such as another response limit.
        public let needsOptions: Bool
        /// Whether it measures or loads the whole process: with `URLSession` on Linux, one flood stops all calls.
        let runsAlone: Bool
        private let body: @Sendable (Trial) async throws -> Void

        init(
            _ name: String, _ rule: String, _ title: String, needsOptions: Bool = false, runsAlone: Bool = false,
            _ body: @escaping @Sendable (Trial) async throws -> Void
        ) {
            self.name = name
            self.rule = rule
            self.title = title
            self.needsOptions = needsOptions
            self.runsAlone = runsAlone
            self.body = body
        }

        /// The name.
        public var id: String { name }

        /// Name, rule and title.
        public var description: String { "\(name) (\(rule)): \(title)" }

        /// Runs the case against a transport.
        ///
        /// - Parameters:
        ///   - timeLimit: How long it may take. Default: 60 s.
        ///   - makeTransport: Makes the transport, with the options that the case wants.
        /// - Throws: ``TransportConformanceError`` when the transport does something else.
        public func run(
            timeLimit: Duration = .seconds(60),
            _ makeTransport: @escaping @Sendable (Options) async throws -> any HTTP.Transport
        ) async throws(TransportConformanceError) {
            try await TransportConformance.check(cases: [self], timeLimit: timeLimit, makeTransport)
        }

        /// Runs the case against a transport whose options are its own. A case that needs options is not run.
        ///
        /// - Parameters: As with options.
        /// - Throws: ``TransportConformanceError`` when the transport does something else.
        public func run(
            timeLimit: Duration = .seconds(60),
            _ makeTransport: @escaping @Sendable () async throws -> any HTTP.Transport
        ) async throws(TransportConformanceError) {
            try await TransportConformance.check(cases: [self], timeLimit: timeLimit, makeTransport)
        }

        /// What is wrong; nil when the transport passes.
        func problem(timeLimit: Duration, _ makeTransport: @escaping Factory) async -> Problem? {
            let trial = Trial(makeTransport)
            defer { trial.end() }
            let late = TimeoutError(.deadline, after: timeLimit)
            do {
                // Not in a child task: a transport that ignores cancellation must not hold up the suite.
                try await withTimeLimit(min(timeLimit, .century), clock: SystemClock(), throwing: late) {
                    try await body(trial)
                }
                return nil
            } catch let error as Mismatch {
                return Problem(expected: error.expected, came: error.came)
            } catch let error as TimeoutError where error == late {
                return Problem(expected: title, came: "nothing: the case did not end within \(timeLimit.text)")
            } catch {
                let isOver = Task.isCancelled
                return Problem(expected: title, came: isOver ? "nothing: the suite was cancelled" : "\(error)")
            }
        }
    }

    /// What a transport did instead.
    public struct Problem: Sendable, Hashable {
        /// What the rule asks for.
        public let expected: String
        /// What came.
        public let came: String
    }
}
