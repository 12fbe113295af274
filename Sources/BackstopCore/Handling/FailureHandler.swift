/// Handles failures, or leaves them to the next handler.
///
/// ``On`` and ``Otherwise`` are ready-made; conform a type of your own where a handler has state. A handler cannot
/// throw. It may be an actor, or a class of the main actor, where a ``name`` that is not a `let` is `nonisolated`:
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
/// A closure that returns nothing has handled the failure; one that returns a ``Verdict`` decides. Where the compiler
/// cannot tell, as in a closure that is a single `switch` of function calls, say it: `On(.offline, returning:
/// Verdict.self) { ... }`.
///
/// ```swift
/// let handlers: [any FailureHandler] = [
///     On(.offline) { _ in print("You are offline.") },
///     On(status: 401) { _ in .unhandled },
/// ]
/// ```
public struct On: FailureHandler {
    // A closure of one expression, such as the call of a function, must not lose its verdict by being taken for one that
    // returns nothing; a closure of several statements, in which the compiler looks for no type, must be taken for one
    // that returns nothing unless it returns a verdict. The parameter `returning`, which is mostly left out, makes an
    // initializer the second choice only where both fit equally well; `@_disfavoredOverload` would lose the verdict.

    /// The handler's name. Default: its pattern, as `On(status.401)`.
    public let name: String
    /// The failures that it handles.
    public let pattern: FailurePattern
    private let perform: @Sendable (Failure) async -> Verdict

    /// Makes a handler whose closure returns its decision.
    public init(
        _ pattern: FailurePattern, name: String? = nil, returning _: Verdict.Type = Verdict.self,
        perform: @escaping @Sendable (Failure) async -> Verdict
    ) {
        self.pattern = pattern
        self.name = name ?? "On(\(pattern))"
        self.perform = perform
    }

    /// Makes a handler that handles every failure it gets.
    public init(
        _ pattern: FailurePattern, name: String? = nil, perform: @escaping @Sendable (Failure) async -> Void
    ) {
        self.init(
            pattern, name: name,
            perform: { failure -> Verdict in
                await perform(failure)
                return .handled
            })
    }

    /// A handler for one status, or for several, that decides by what it returns: `On(status: 404, 409)`.
    public init(
        status: Int, _ others: Int..., name: String? = nil, returning _: Verdict.Type = Verdict.self,
        perform: @escaping @Sendable (Failure) async -> Verdict
    ) {
        self.init(.statuses(status, others), name: name, perform: perform)
    }

    /// A handler for one status, or for several, after which the failure counts as handled.
    public init(
        status: Int, _ others: Int..., name: String? = nil, perform: @escaping @Sendable (Failure) async -> Void
    ) {
        self.init(.statuses(status, others), name: name, perform: perform)
    }

    /// A handler for a range of statuses that decides by what it returns: `On(status: 500...599)`.
    public init(
        status: some RangeExpression<Int> & Sendable, name: String? = nil, returning _: Verdict.Type = Verdict.self,
        perform: @escaping @Sendable (Failure) async -> Verdict
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

    /// A handler for an error of the app's own that decides by what it returns.
    ///
    /// ```swift
    /// struct ShopError: Error { var soldOut: Bool }
    /// let handler = On(ShopError.self) { error, failure in error.soldOut ? .handled : .unhandled }
    /// ```
    public init<E: Error>(
        _ type: E.Type, name: String? = nil, returning _: Verdict.Type = Verdict.self,
        perform: @escaping @Sendable (E, Failure) async -> Verdict
    ) {
        self.init(
            .error(type), name: name,
            perform: { failure -> Verdict in
                guard let error = failure.error(as: type) else {
                    return .unhandled
                }
                return await perform(error, failure)
            })
    }

    /// A handler for an error of the app's own, after which the failure counts as handled.
    public init<E: Error>(
        _ type: E.Type, name: String? = nil, perform: @escaping @Sendable (E, Failure) async -> Void
    ) {
        self.init(
            type, name: name,
            perform: { error, failure -> Verdict in
                await perform(error, failure)
                return .handled
            })
    }

    /// Handles a matching failure; leaves any other.
    public func handle(_ failure: Failure) async -> Verdict {
        pattern.matches(failure) ? await perform(failure) : .unhandled
    }
}

/// Handles whatever the handlers before it left.
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

    /// Makes a handler that handles every failure it gets.
    public init(name: String = "Otherwise", perform: @escaping @Sendable (Failure) async -> Void) {
        self.init(
            name: name,
            perform: { failure -> Verdict in
                await perform(failure)
                return .handled
            })
    }

    /// Handles any failure.
    public func handle(_ failure: Failure) async -> Verdict {
        await perform(failure)
    }
}
