/// The piece of text that a part of a document was read from.
package struct GraphQLRange: Sendable, Hashable {
    /// Where the piece begins.
    package let start: GraphQLLocation

    /// Where the piece ends: the place behind its last character.
    package let end: GraphQLLocation

    /// The bytes of the piece within the UTF-8 text of the document.
    package var bytes: Range<Int> {
        start.offset..<max(start.offset, end.offset)
    }
}
