/// Content that was decoded inside the chain.
///
/// A type of its own for each content: what is not there must not pass for an optional content that is nil.
protocol ContentBox: Sendable {
    /// The content, whatever its type.
    var content: any Sendable { get }
}

struct DecodedContent<Content: Sendable>: ContentBox {
    let value: Content

    var content: any Sendable {
        value
    }
}
