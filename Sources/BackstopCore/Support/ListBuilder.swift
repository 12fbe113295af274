/// Builds a list, such as a chain's interceptors, outermost first, or handlers in the order they are asked; `if`, `for`,
/// arrays and `try` work.
@resultBuilder
public enum ListBuilder<Element> {
    /// One element.
    public static func buildExpression(_ element: Element) -> [Element] {
        [element]
    }

    /// Several elements at once.
    public static func buildExpression(_ elements: [Element]) -> [Element] {
        elements
    }

    /// The elements in the order written.
    public static func buildBlock(_ parts: [Element]...) -> [Element] {
        parts.flatMap { $0 }
    }

    /// `if` without `else`.
    public static func buildOptional(_ part: [Element]?) -> [Element] {
        part ?? []
    }

    /// The first branch of `if` or `switch`.
    public static func buildEither(first part: [Element]) -> [Element] {
        part
    }

    /// The other branch of `if` or `switch`.
    public static func buildEither(second part: [Element]) -> [Element] {
        part
    }

    /// A `for` loop.
    public static func buildArray(_ parts: [[Element]]) -> [Element] {
        parts.flatMap { $0 }
    }
}
