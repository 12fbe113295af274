/// A decoder's error, independent of the decoder.
struct DecoderReport {
    /// The kinds of `DecodingError`; `other` for any other error.
    enum Complaint {
        case missingKey(String)
        case typeMismatch(Any.Type)
        case missingValue(Any.Type)
        case corrupted
        /// The body was not passed to the decoder.
        case tooDeep
        case other
    }

    let complaint: Complaint
    let path: [JSONPathElement]
    /// The decoder's text, not yet redacted or bounded.
    let words: String
}

extension DecoderReport {
    init(_ error: any Error) {
        switch error as? DecodingError {
        case .keyNotFound(let key, let context)?: self.init(.missingKey(key.stringValue), context)
        case .typeMismatch(let type, let context)?: self.init(.typeMismatch(type), context)
        case .valueNotFound(let type, let context)?: self.init(.missingValue(type), context)
        case .dataCorrupted(let context)?: self.init(.corrupted, context)
        case nil where error is JSONScan.TooDeep: self.init(complaint: .tooDeep, path: [], words: "")
        default:
            self.init(complaint: .other, path: [], words: Redaction.current.description(of: error))
        }
    }

    private init(_ complaint: Complaint, _ context: DecodingError.Context) {
        let path: [JSONPathElement] = context.codingPath.map { key in
            key.intValue.map { .index($0) } ?? .key(key.stringValue)
        }
        self.init(complaint: complaint, path: path, words: context.debugDescription)
    }
}
