/// Content that was decoded inside the chain, for one call.
///
/// A separate type for each content, so that missing content is not mistaken for an optional that is nil; a class, to
/// which a cast looks nothing up.
class ContentBox: @unchecked Sendable {
    // Unchecked only because it has subclasses; all of it is immutable.

    /// The number of the call that it was decoded for.
    final let call: UInt64

    init(of call: UInt64) {
        self.call = call
    }

    /// The content, whatever its type; nil only here, where there is none.
    var content: (any Sendable)? {
        nil
    }
}

final class DecodedContent<Content: Sendable>: ContentBox, @unchecked Sendable {
    let value: Content

    init(_ value: Content, of call: UInt64) {
        self.value = value
        super.init(of: call)
    }

    override var content: (any Sendable)? {
        value
    }
}
