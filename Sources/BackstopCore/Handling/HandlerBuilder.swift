/// Builds a list of handlers; `if` and `for` work.
@resultBuilder
public enum HandlerBuilder {
    /// A list of handlers.
    public typealias Handlers = [any FailureHandler]

    /// One handler.
    public static func buildExpression(_ handler: any FailureHandler) -> Handlers {
        [handler]
    }

    /// Several handlers at once.
    public static func buildExpression(_ handlers: Handlers) -> Handlers {
        handlers
    }

    /// The handlers in the order written.
    public static func buildBlock(_ parts: Handlers...) -> Handlers {
        parts.flatMap { $0 }
    }

    /// `if` without `else`.
    public static func buildOptional(_ part: Handlers?) -> Handlers {
        part ?? []
    }

    /// The first branch of `if` or `switch`.
    public static func buildEither(first part: Handlers) -> Handlers {
        part
    }

    /// The other branch of `if` or `switch`.
    public static func buildEither(second part: Handlers) -> Handlers {
        part
    }

    /// A `for` loop.
    public static func buildArray(_ parts: [Handlers]) -> Handlers {
        parts.flatMap { $0 }
    }
}
