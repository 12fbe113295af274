/// Content that was decoded inside the chain.
///
/// A separate type for each content, so that missing content is not mistaken for an optional that is nil.
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
