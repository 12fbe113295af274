/// Content that was decoded inside the chain.
///
/// A separate type for each content, so that missing content is not mistaken for an optional that is nil; a class, to
/// which a cast looks nothing up.
protocol ContentBox: AnyObject, Sendable {
    /// The content, whatever its type.
    var content: any Sendable { get }
}

final class DecodedContent<Content: Sendable>: ContentBox {
    let value: Content

    init(_ value: Content) {
        self.value = value
    }

    var content: any Sendable {
        value
    }
}
