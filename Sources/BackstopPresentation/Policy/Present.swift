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
///     Present(error: ShopError.self) { error, _ in error.field.map { .inline(field: $0) } },
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

    /// Presents an error of the app's own, where the failure also matches a pattern, in what the closure chooses.
    public init<E: Error>(
        error type: E.Type, and pattern: FailurePattern = .any,
        choose: @escaping @Sendable (E, Failure) -> PresentationStyle?
    ) {
        self.init(.error(type).and(pattern)) { failure in
            failure.error(as: type).flatMap { choose($0, failure) }
        }
    }

    /// Presents an error of the app's own, where the failure also matches a pattern: `Present(error: ShopError.self, and:
    /// 422, as: .inline)`.
    public init<E: Error>(error type: E.Type, and pattern: FailurePattern = .any, as style: PresentationStyle) {
        self.init(.error(type).and(pattern), as: style)
    }

    /// The style for a failure; nil when the rule is not about it, or leaves it to the next.
    func style(for failure: Failure) -> PresentationStyle? {
        pattern.matches(failure) ? choose(failure) : nil
    }
}

/// Builds the rules of a ``PresentationPolicy``.
public typealias PresentationBuilder = ListBuilder<Present>
