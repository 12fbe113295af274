public import BackstopCore

/// A table of who handles what: every kind of failure, shown to a handler chain.
///
/// The handlers are asked by the same `FailureHandling.perform` that real calls use, so the table says what really
/// happens: who decides, which handler stands in the shadow of another, and what nobody takes care of.
///
/// ```swift
/// let matrix = await FailureMatrix.run {
///     On(.offline) { _ in }
///     On(.transient) { _ in .retry(after: .seconds(1)) }
///     On(.any) { _ in }
/// }
/// print(matrix)
/// // code                      verdict          by
/// // request.invalidURL        handled          On(any)
/// // transport.offline         handled          On(offline)
/// // transport.dns             retry after 1 s  On(transient)
/// // ...
/// let name = matrix["transport.offline"]?.handledBy  // "On(offline)"
/// try matrix.requireAllHandled()
/// ```
/// Handlers run for real, once for each sample: give them what tests give them.
public struct FailureMatrix: Sendable {
    /// What became of a sample.
    public enum Verdict: Sendable, Hashable, CustomStringConvertible {
        /// A handler dealt with it.
        case handled
        /// The call's own handler gave a value instead.
        case value
        /// A handler asks for the call anew, after a pause.
        case retry(after: Duration)
        /// Nobody dealt with it.
        case unhandled
        /// The call was cancelled, so nobody was asked.
        case cancelled

        /// One word, and the pause where there is one.
        public var description: String {
            switch self {
            case .handled: "handled"
            case .value: "value"
            case .retry(let pause): pause > .zero ? "retry after \(pause.text)" : "retry"
            case .unhandled: "unhandled"
            case .cancelled: "cancelled"
            }
        }
    }

    /// One line of the table.
    public struct Row: Sendable {
        /// The sample's name.
        public let name: String
        /// The failure that was shown.
        public let failure: Failure
        /// What became of it.
        public let verdict: Verdict
        /// Who decided, as `Outcome` names it; nil when nobody did, or when the call's own handler gave a value.
        public let handledBy: String?

        /// The failure's code.
        public var code: String {
            failure.code
        }
    }

    /// The lines in the order of the samples.
    public let rows: [Row]
    /// The handlers that decided nothing: they are for other failures, or stand in the shadow of another.
    public let idleHandlers: [String]

    /// The line with a sample's name, else the first one with this code; nil when there is none.
    public subscript(name: String) -> Row? {
        rows.first { $0.name == name } ?? rows.first { $0.code == name }
    }

    /// The lines of samples that nobody dealt with.
    public var unhandled: [Row] {
        rows.filter { $0.verdict == .unhandled }
    }

    /// Throws when nobody deals with a kind of failure. Cancelled calls need nobody.
    ///
    /// ```swift
    /// let matrix = await FailureMatrix.run { On(.transport) { _ in } }
    /// try matrix.requireAllHandled(
    ///     except: "request.*", "timeout.*", "status.*", "service.*", "decoding", "rejected.*", "other")
    /// ```
    /// - Parameter codes: Codes that may stay unhandled, such as `status.404`; one that ends in `.*` stands for all
    ///   below it.
    /// - Throws: ``FailureMatrixError``, which lists the others with the whole table.
    public func requireAllHandled(except codes: String...) throws(FailureMatrixError) {
        try requireAllHandled(except: codes)
    }

    /// Throws when nobody deals with a kind of failure, with the codes in an array.
    ///
    /// - Throws: ``FailureMatrixError``, which lists the others with the whole table.
    public func requireAllHandled(except codes: [String]) throws(FailureMatrixError) {
        let patterns = codes.map(FailurePattern.code)
        let left = unhandled.filter { row in !patterns.contains { $0.matches(row.failure) } }
        guard left.isEmpty else {
            throw FailureMatrixError(unhandled: left.map(\.name), table: description)
        }
    }
}

extension FailureMatrix: CustomStringConvertible {
    /// The table as text with aligned columns, the sum, and the handlers that decided nothing.
    public var description: String {
        let lines = [["code", "verdict", "by"]] + rows.map { [$0.name, "\($0.verdict)", $0.handledBy ?? "-"] }
        let widths = (0..<2).map { column in lines.map { $0[column].count }.max() ?? 0 }
        let table = lines.map { line in
            zip(line, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count + 2) }
                .joined() + line[2]
        }
        let handled = rows.count - unhandled.count
        var text = table.joined(separator: "\n")
        text += "\n\(rows.count) failures: \(handled) dealt with, \(unhandled.count) unhandled."
        if !idleHandlers.isEmpty {
            text += "\nDecided nothing: \(idleHandlers.joined(separator: ", "))."
        }
        return text
    }
}
