/// Builds a chain's list of interceptors, outermost first; `if`, `for`, arrays and `try` work.
@resultBuilder
public enum ChainBuilder<Request: Sendable, Response: Sendable> {
    /// A list of interceptors, outermost first.
    public typealias Interceptors = [any Interceptor<Request, Response>]

    /// One interceptor; generic arguments, as those of ``Retry``, are inferred.
    public static func buildExpression<One: Interceptor>(_ interceptor: One) -> Interceptors
    where One.Request == Request, One.Response == Response {
        [interceptor]
    }

    /// One interceptor of any type.
    public static func buildExpression(_ interceptor: any Interceptor<Request, Response>) -> Interceptors {
        [interceptor]
    }

    /// Several interceptors at once.
    public static func buildExpression(_ interceptors: Interceptors) -> Interceptors {
        interceptors
    }

    /// The interceptors in the order written.
    public static func buildBlock(_ parts: Interceptors...) -> Interceptors {
        parts.flatMap { $0 }
    }

    /// `if` without `else`.
    public static func buildOptional(_ part: Interceptors?) -> Interceptors {
        part ?? []
    }

    /// The first branch of `if` or `switch`.
    public static func buildEither(first part: Interceptors) -> Interceptors {
        part
    }

    /// The other branch of `if` or `switch`.
    public static func buildEither(second part: Interceptors) -> Interceptors {
        part
    }

    /// A `for` loop.
    public static func buildArray(_ parts: [Interceptors]) -> Interceptors {
        parts.flatMap { $0 }
    }

    /// `if #available`.
    public static func buildLimitedAvailability(_ part: Interceptors) -> Interceptors {
        part
    }
}
