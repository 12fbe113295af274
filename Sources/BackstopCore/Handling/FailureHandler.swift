/// Handles failures, or leaves them to the next handler.
///
/// ``On`` and ``Otherwise`` are ready-made; conform a type of your own for a handler with state. A handler cannot
/// throw. It may be an actor or a main-actor class, whose ``name`` must be `nonisolated` unless it is a `let`:
///
/// ```swift
/// @MainActor
/// final class Banner: FailureHandler {
///     var text = ""
///     nonisolated var name: String { "banner" }
///
///     func handle(_ failure: Failure) async -> Verdict {
///         text = failure.message.text
///         return .handled
///     }
/// }
/// ```
public protocol FailureHandler: Sendable {
    /// The name in ``Outcome/handled(_:by:)``. Default: the type's name.
    var name: String { get }

    /// Handles a failure, or leaves it to the next handler.
    func handle(_ failure: Failure) async -> Verdict
}

extension FailureHandler {
    /// The name of the type, without module and generic arguments.
    public var name: String {
        TypeName.short(Self.self)
    }
}

/// Handles failures that match a pattern.
///
/// If the closure returns nothing, the failure counts as handled; it can also return a ``Verdict``, or whether it
/// handled the failure. If the compiler cannot tell, as for a closure that is a single `switch`, say so: `On(.offline,
/// returning: Verdict.self) { ... }`.
///
/// ```swift
/// let handlers: [any FailureHandler] = [
///     On(.offline) { _ in print("You are offline.") },
///     On(status: 401) { _ in .unhandled },
///     On(404) { failure in failure.name == "Cover" },
/// ]
/// ```
public struct On: FailureHandler {
    // A closure of one expression, such as a function call, must not lose its verdict by matching the overload that
    // returns nothing; a closure of several statements, whose type the compiler does not infer, must match that
    // overload unless it returns a verdict. The parameter `returning`, usually omitted, makes an initializer the second
    // choice only if both fit equally well; `@_disfavoredOverload` would lose the verdict.

    /// The handler's name. Default: its pattern, as `On(status.401)`.
    public let name: String
    /// The failures that it handles.
    public let pattern: FailurePattern
    private let perform: @Sendable (Failure) async -> Verdict

    /// Makes a handler for one or more patterns whose closure returns its decision: `On(404, 410, .offline)`.
    public init(
        _ pattern: FailurePattern, _ others: FailurePattern..., name: String? = nil,
        returning _: Verdict.Type = Verdict.self, perform: @escaping @Sendable (Failure) async -> Verdict
    ) {
        let pattern = pattern.or(others)
        self.pattern = pattern
        self.name = name ?? "On(\(pattern))"
        self.perform = perform
    }

    /// Makes a handler whose closure returns whether it handled the failure.
    public init(
        _ pattern: FailurePattern, _ others: FailurePattern..., name: String? = nil,
        returning _: Bool.Type = Bool.self, perform: @escaping @Sendable (Failure) async -> Bool
    ) {
        self.init(pattern.or(others), name: name) { failure -> Verdict in
            await perform(failure) ? .handled : .unhandled
        }
    }

    /// Makes a handler that handles every failure it gets.
    public init(
        _ pattern: FailurePattern, _ others: FailurePattern..., name: String? = nil,
        perform: @escaping @Sendable (Failure) async -> Void
    ) {
        self.init(pattern.or(others), name: name) { failure -> Verdict in
            await perform(failure)
            return .handled
        }
    }

    /// A handler for one or more statuses that returns its decision: `On(status: 404, 409)`.
    public init(
        status: Int, _ others: Int..., name: String? = nil, returning _: Verdict.Type = Verdict.self,
        perform: @escaping @Sendable (Failure) async -> Verdict
    ) {
        self.init(.statuses(status, others), name: name, perform: perform)
    }

    /// A handler for one or more statuses that returns whether it handled the failure.
    public init(
        status: Int, _ others: Int..., name: String? = nil, returning _: Bool.Type = Bool.self,
        perform: @escaping @Sendable (Failure) async -> Bool
    ) {
        self.init(.statuses(status, others), name: name, perform: perform)
    }

    /// A handler for one or more statuses, after which the failure counts as handled.
    public init(
        status: Int, _ others: Int..., name: String? = nil, perform: @escaping @Sendable (Failure) async -> Void
    ) {
        self.init(.statuses(status, others), name: name, perform: perform)
    }

    /// A handler for a range of statuses that returns its decision: `On(status: 500...599)`.
    public init(
        status: some RangeExpression<Int> & Sendable, name: String? = nil, returning _: Verdict.Type = Verdict.self,
        perform: @escaping @Sendable (Failure) async -> Verdict
    ) {
        self.init(.status(status), name: name, perform: perform)
    }

    /// A handler for a range of statuses that returns whether it handled the failure.
    public init(
        status: some RangeExpression<Int> & Sendable, name: String? = nil, returning _: Bool.Type = Bool.self,
        perform: @escaping @Sendable (Failure) async -> Bool
    ) {
        self.init(.status(status), name: name, perform: perform)
    }

    /// A handler for a range of statuses, after which the failure counts as handled.
    public init(
        status: some RangeExpression<Int> & Sendable, name: String? = nil,
        perform: @escaping @Sendable (Failure) async -> Void
    ) {
        self.init(.status(status), name: name, perform: perform)
    }

    /// A range has a label, since the others are patterns.
    @available(*, unavailable, renamed: "init(status:name:perform:)")
    public init<Decision>(
        _ status: some RangeExpression<Int>, name: String? = nil,
        perform: @escaping @Sendable (Failure) async -> Decision
    ) {
        self.init(.any, perform: { _ -> Verdict in .unhandled })
    }

    /// A handler for an error of the app that returns its decision.
    ///
    /// ```swift
    /// struct ShopError: Error { var soldOut: Bool }
    /// let handler = On(error: ShopError.self) { error, failure in error.soldOut ? .handled : .unhandled }
    /// ```
    public init<E: Error>(
        error type: E.Type, name: String? = nil, returning _: Verdict.Type = Verdict.self,
        perform: @escaping @Sendable (E, Failure) async -> Verdict
    ) {
        self.init(.error(type), name: name) { failure -> Verdict in
            guard let error = failure.error(as: type) else {
                return .unhandled
            }
            return await perform(error, failure)
        }
    }

    /// A handler for an error of the app that returns whether it handled it.
    public init<E: Error>(
        error type: E.Type, name: String? = nil, returning _: Bool.Type = Bool.self,
        perform: @escaping @Sendable (E, Failure) async -> Bool
    ) {
        self.init(error: type, name: name) { error, failure -> Verdict in
            await perform(error, failure) ? .handled : .unhandled
        }
    }

    /// A handler for an error of the app, after which the failure counts as handled.
    public init<E: Error>(
        error type: E.Type, name: String? = nil, perform: @escaping @Sendable (E, Failure) async -> Void
    ) {
        self.init(error: type, name: name) { error, failure -> Verdict in
            await perform(error, failure)
            return .handled
        }
    }

    /// Handles a matching failure; leaves any other.
    public func handle(_ failure: Failure) async -> Verdict {
        pattern.matches(failure) ? await perform(failure) : .unhandled
    }
}

/// Handles everything that the handlers before it did not.
///
/// ```swift
/// let last = Otherwise { failure in print(failure.message.title) }
/// ```
public struct Otherwise: FailureHandler {
    /// The handler's name. Default: `Otherwise`.
    public let name: String
    private let perform: @Sendable (Failure) async -> Verdict

    /// Makes a handler whose closure returns its decision.
    public init(
        name: String = "Otherwise", returning _: Verdict.Type = Verdict.self,
        perform: @escaping @Sendable (Failure) async -> Verdict
    ) {
        self.name = name
        self.perform = perform
    }

    /// Makes a handler whose closure returns whether it handled the failure.
    public init(
        name: String = "Otherwise", returning _: Bool.Type = Bool.self,
        perform: @escaping @Sendable (Failure) async -> Bool
    ) {
        self.init(name: name, perform: { failure -> Verdict in await perform(failure) ? .handled : .unhandled })
    }

    /// Makes a handler that handles every failure it gets.
    public init(name: String = "Otherwise", perform: @escaping @Sendable (Failure) async -> Void) {
        self.init(name: name) { failure -> Verdict in
            await perform(failure)
            return .handled
        }
    }

    /// Handles any failure.
    public func handle(_ failure: Failure) async -> Verdict {
        await perform(failure)
    }
}
