/// Builds the list of links of a chain, outermost first; `if`, `for`, arrays and `try` work inside it.
@resultBuilder
public enum ChainBuilder<Request: Sendable, Response: Sendable> {
    /// A list of links, outermost first.
    public typealias Links = [any Interceptor<Request, Response>]

    /// One link; the generic arguments of protocol-independent links such as ``Retry`` are inferred here.
    public static func buildExpression<Link: Interceptor>(_ link: Link) -> Links
    where Link.Request == Request, Link.Response == Response {
        [link]
    }

    /// One link whose type is not known.
    public static func buildExpression(_ link: any Interceptor<Request, Response>) -> Links {
        [link]
    }

    /// Several links at once.
    public static func buildExpression(_ links: Links) -> Links {
        links
    }

    /// The links in the order written.
    public static func buildBlock(_ parts: Links...) -> Links {
        parts.flatMap { $0 }
    }

    /// `if` without `else`.
    public static func buildOptional(_ part: Links?) -> Links {
        part ?? []
    }

    /// The first branch of `if` or `switch`.
    public static func buildEither(first part: Links) -> Links {
        part
    }

    /// The other branch of `if` or `switch`.
    public static func buildEither(second part: Links) -> Links {
        part
    }

    /// A `for` loop.
    public static func buildArray(_ parts: [Links]) -> Links {
        parts.flatMap { $0 }
    }

    /// `if #available`.
    public static func buildLimitedAvailability(_ part: Links) -> Links {
        part
    }
}
