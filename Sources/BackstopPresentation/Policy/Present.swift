public import BackstopCore

/// A rule of a ``PresentationPolicy``: how failures of a pattern are presented.
///
/// It is written as handlers are, with the same patterns. A closure that gives nil leaves the failure to the next rule.
///
/// ```swift
/// struct ShopError: APIError {
///     static let identifyingKeys = ["error", "reason"]
///     let reason: String
///     let field: String?
/// }
/// let rules = [
///     Present(.offline, as: .fullScreen),
///     Present(status: 409, 410, as: .alert),
///     Present(ShopError.self) { error, _ in error.field.map { .inline(field: $0) } },
/// ]
/// ```
public struct Present: Sendable {
    /// The failures that it presents.
    public let pattern: FailurePattern
    private let choose: @Sendable (Failure) -> PresentationStyle?

    /// Presents failures of a pattern in what the closure chooses.
    public init(_ pattern: FailurePattern, choose: @escaping @Sendable (Failure) -> PresentationStyle?) {
        self.pattern = pattern
        self.choose = choose
    }

    /// Presents all failures of a pattern alike.
    public init(_ pattern: FailurePattern, as style: PresentationStyle) {
        self.init(pattern) { _ in style }
    }

    /// Presents a status, or several, in what the closure chooses.
    public init(status: Int, _ others: Int..., choose: @escaping @Sendable (Failure) -> PresentationStyle?) {
        self.init(.statuses(status, others), choose: choose)
    }

    /// Presents a status, or several, alike: `Present(status: 409, 410, as: .alert)`.
    public init(status: Int, _ others: Int..., as style: PresentationStyle) {
        self.init(.statuses(status, others), as: style)
    }

    /// Presents a range of statuses in what the closure chooses.
    public init(
        status: some RangeExpression<Int> & Sendable, choose: @escaping @Sendable (Failure) -> PresentationStyle?
    ) {
        self.init(.status(status), choose: choose)
    }

    /// Presents a range of statuses alike: `Present(status: 500...599, as: .banner)`.
    public init(status: some RangeExpression<Int> & Sendable, as style: PresentationStyle) {
        self.init(.status(status), as: style)
    }

    /// Presents an error of the app's own in what the closure chooses.
    public init<E: Error>(_ type: E.Type, choose: @escaping @Sendable (E, Failure) -> PresentationStyle?) {
        self.init(.error(type)) { failure in
            failure.error(as: type).flatMap { choose($0, failure) }
        }
    }

    /// Presents an error of the app's own: `Present(ShopError.self, as: .inline)`.
    public init<E: Error>(_ type: E.Type, as style: PresentationStyle) {
        self.init(.error(type), as: style)
    }

    /// The style for a failure; nil when the rule is not about it, or leaves it to the next.
    func style(for failure: Failure) -> PresentationStyle? {
        pattern.matches(failure) ? choose(failure) : nil
    }
}

/// Builds the rules of a ``PresentationPolicy``; `if` and `for` work.
@resultBuilder
public enum PresentationBuilder {
    /// One rule.
    public static func buildExpression(_ rule: Present) -> [Present] {
        [rule]
    }

    /// Several rules at once.
    public static func buildExpression(_ rules: [Present]) -> [Present] {
        rules
    }

    /// The rules in the order written.
    public static func buildBlock(_ parts: [Present]...) -> [Present] {
        parts.flatMap { $0 }
    }

    /// `if` without `else`.
    public static func buildOptional(_ part: [Present]?) -> [Present] {
        part ?? []
    }

    /// The first branch of `if` or `switch`.
    public static func buildEither(first part: [Present]) -> [Present] {
        part
    }

    /// The other branch of `if` or `switch`.
    public static func buildEither(second part: [Present]) -> [Present] {
        part
    }

    /// A `for` loop.
    public static func buildArray(_ parts: [[Present]]) -> [Present] {
        parts.flatMap { $0 }
    }
}
