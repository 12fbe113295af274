/// A decoder's error, independent of its cases.
struct DecoderReport {
    /// What is wrong; for an error that is not of a decoder too.
    private(set) var kind = DecodingFailure.Kind.corrupted
    /// What the decoder expected, by its own words.
    private(set) var expected = "a value that can be read"
    /// The key that is missing; empty for none.
    private(set) var key = ""
    /// Whether a `Double` was expected.
    private(set) var isDouble = false
    /// Whether the error is of a decoder.
    let isOfDecoder: Bool
    /// Whether the body was not passed to the decoder.
    let isTooDeep: Bool
    let path: [JSONPathElement]
    /// The decoder's text, not yet redacted or bounded.
    let words: String

    init(_ error: any Error) {
        var context: DecodingError.Context?
        switch error as? DecodingError {
        case .keyNotFound(let missing, let found)?:
            (kind, key, context) = (.missingKey, missing.stringValue, found)
            expected = "the key \"\(Excerpt.cut(Excerpt.printable(key), to: 64))\""
        case .typeMismatch(let type, let found)?:
            (kind, expected, context) = (.typeMismatch, ExpectedType.described(type), found)
            isDouble = type == Double.self
        case .valueNotFound(let type, let found)?:
            (kind, expected, context) = (.missingValue, ExpectedType.described(type), found)
        case .dataCorrupted(let found)?: context = found
        default: break
        }
        isOfDecoder = context != nil
        isTooDeep = error is JSONScan.TooDeep
        path = context?.codingPath.map { key in key.intValue.map { .index($0) } ?? .key(key.stringValue) } ?? []
        words = context?.debugDescription ?? (isTooDeep ? "" : Redaction.current.description(of: error))
    }
}
