public import BackstopCore

/// A table of which handler handles which failure.
///
/// It uses the same `FailureHandling.perform` as real calls, so the table shows what really happens: which handler
/// decides, which is shadowed by another, and what remains unhandled.
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
/// Handlers really run, once for each sample, so use test doubles for their dependencies. With a client, the table also
/// says what its chain does before a handler is asked; see ``run(client:own:scopes:samples:defaults:)``.
public struct FailureMatrix: Sendable {
    /// The outcome of a sample.
    public enum Verdict: Sendable, Hashable, CustomStringConvertible {
        /// Handled.
        case handled
        /// The call's own handler returned a value.
        case value
        /// A handler repeats the call, after a pause.
        case retry(after: Duration)
        /// The handler waits for somebody, as a presenter does that offers "Try Again" to a person.
        case waits
        /// Not handled.
        case unhandled
        /// The call was cancelled, so no handler was asked.
        case cancelled
        /// An interceptor gave a value in the place of the failure, as a fallback does, so no handler was asked.
        case recovered

        /// One word, and the pause, if any.
        public var description: String {
            switch self {
            case .handled: "handled"
            case .value: "value"
            case .retry(let pause): pause > .zero ? "retry after \(pause.text)" : "retry"
            case .waits: "waits"
            case .unhandled: "unhandled"
            case .cancelled: "cancelled"
            case .recovered: "recovered"
            }
        }
    }

    /// A row of the table.
    public struct Row: Sendable {
        /// The sample's name.
        public let name: String
        /// The failure that the handlers were asked about: the sample, or what a chain made of it.
        public let failure: Failure
        /// The outcome.
        public let verdict: Verdict
        /// The name of the handler that decided, as in `Outcome`; nil when none did.
        public let handledBy: String?
        /// How many attempts reached the transport of a chain, before the first handler was asked, copies of `Hedging`
        /// included; nil without a chain.
        public let attempts: Int?
        /// How long they took in a chain, with the longest waits between them; nil without a chain.
        public let elapsed: Duration?

        /// The failure's code.
        public var code: String {
            failure.code
        }

        /// The sample's name, and what a chain made of it, where that has another code.
        var title: String {
            name == code || name.hasPrefix("\(code) (") ? name : "\(name) -> \(code)"
        }
    }

    /// A handler that decided nothing.
    public struct IdleHandler: Sendable, Hashable, CustomStringConvertible {
        /// Its name, as in `Outcome`.
        public let name: String
        /// Its number among handlers of the same name, from 1.
        public let occurrence: Int
        /// The names of the handlers that decided its failures before it. Empty when it matches no sample, and for a
        /// handler other than `On`, whose failures are unknown.
        public let shadowedBy: [String]

        /// The name, its number if there are several, and the handlers that shadow it: `On(status.401) (number 2 of
        /// this name; behind On(status.401))`.
        public var description: String {
            var remarks = occurrence > 1 ? ["number \(occurrence) of this name"] : []
            if !shadowedBy.isEmpty {
                remarks.append("behind \(shadowedBy.joined(separator: ", "))")
            }
            return remarks.isEmpty ? name : "\(name) (\(remarks.joined(separator: "; ")))"
        }
    }

    /// The rows, in the order of the samples.
    public let rows: [Row]
    /// The handlers that decided nothing, in the order they are asked: they match other failures, or are shadowed by
    /// another.
    public let idleHandlers: [IdleHandler]

    /// The row with a sample's name, else the first one with this code; nil when there is none.
    public subscript(name: String) -> Row? {
        rows.first { $0.name == name } ?? rows.first { $0.code == name }
    }

    /// The rows that no handler handled.
    public var unhandled: [Row] {
        rows.filter { $0.verdict == .unhandled }
    }

    /// Throws when a failure is not handled. Cancelled calls need no handler.
    ///
    /// ```swift
    /// let matrix = await FailureMatrix.run { On(.transport) { _ in } }
    /// try matrix.requireAllHandled(
    ///     except: "request.*", "timeout.*", "status.*", "service.*", "decoding", "rejected.*", "storage.*", "other")
    /// ```
    /// - Parameter codes: Codes that may stay unhandled, such as `status.404`; one that ends in `.*` covers all with
    ///   that prefix, one without a dot its kind. The name of a sample, such as `decoding (html)`, covers only that one.
    ///   Codes of services and rejections (`service.soldOut`, `rejected.quota`) may be the app's own; any other must
    ///   exist.
    /// - Throws: ``FailureMatrixError`` with the unhandled failures, the whole table, and codes that do not exist; also
    ///   where there are no failures, or the task that made the table was cancelled.
    public func requireAllHandled(except codes: String...) throws(FailureMatrixError) {
        try requireAllHandled(except: codes)
    }

    /// Throws when a failure is not handled, with the exceptions as an array.
    ///
    /// - Throws: ``FailureMatrixError`` with the unhandled failures, the whole table, and codes that do not exist.
    public func requireAllHandled(except codes: [String]) throws(FailureMatrixError) {
        let known = KnownCodes(rows)
        let unknown = codes.filter { !known.contains($0) }.map {
            FailureMatrixError.UnknownCode(code: $0, similar: known.similar(to: $0))
        }
        let patterns = codes.map(FailurePattern.code)
        let names = Set(codes)
        let left = unhandled.filter { row in
            !names.contains(row.name) && !patterns.contains { $0.matches(row.failure) }
        }
        guard unknown.isEmpty, left.isEmpty, !rows.isEmpty else {
            throw FailureMatrixError(unhandled: left.map(\.name), unknownCodes: unknown, table: description)
        }
    }
}

extension FailureMatrix: CustomStringConvertible {
    /// The table as text with aligned columns, the total, and the handlers that decided nothing.
    public var description: String {
        let isOfChain = rows.contains { $0.attempts != nil }
        let head = ["code"] + (isOfChain ? ["attempts", "time"] : []) + ["verdict", "by"]
        let lines =
            [head]
            + rows.map { row in
                let chain = isOfChain ? [row.attempts.map(String.init) ?? "-", row.elapsed?.text ?? "-"] : []
                return [row.title] + chain + ["\(row.verdict)", row.handledBy ?? "-"]
            }
        let widths = (0..<head.count - 1).map { column in lines.map { $0[column].count }.max() ?? 0 }
        let table = lines.map { line in
            zip(line, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count + 2) }
                .joined() + line[head.count - 1]
        }
        let others = [Verdict.cancelled, .recovered].map { verdict in
            (verdict, rows.count { $0.verdict == verdict })
        }.filter { $0.1 > 0 }
        let handled = rows.count - unhandled.count - others.reduce(0) { $0 + $1.1 }
        var text = table.joined(separator: "\n")
        text += "\n\(rows.count) failures: \(handled) handled, \(unhandled.count) unhandled"
        text += others.map { ", \($0.1) \($0.0)" }.joined() + "."
        if !idleHandlers.isEmpty {
            text += "\nDecided nothing: \(idleHandlers.map(\.description).joined(separator: ", "))."
        }
        return text
    }
}
