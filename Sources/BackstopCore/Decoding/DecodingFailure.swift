/// Says why content could not be read: where, what was expected, and what stands there instead.
///
/// The words name the cause, not the layer. A sign-in page that a proxy sent is called that, and not "invalid JSON"; an
/// empty body is empty, a cut one is cut, and a misspelt key is shown next to the one that was asked for.
///
/// ```swift
/// func explain(_ error: any Error, body: [UInt8]) -> String {
///     DecodingFailure(error, decoding: [String: Int].self, from: body, contentType: "application/json").explanation
///     // The content could not be read: $.price should be a whole number (Int), but is the string "9,50".
/// }
/// ```
///
/// All texts are bounded, whatever the size of the body, and have passed the redaction of the call in which they were
/// made (`CallOptions.redaction`), or else ``Redaction/standard``.
public struct DecodingFailure: Error, Sendable {
    /// How deep objects and arrays of a body may nest: 64 levels; the outermost is the first.
    ///
    /// A server chooses the depth, and decoders recurse: `JSONDecoder` accepts 512 levels, and 250 of them end a
    /// process on a thread with a stack of 512 KiB, which is what worker threads have on Apple's systems. 64 levels are
    /// several times what services send. A deeper body is refused with ``Kind/tooDeep`` before anything is decoded.
    public static let depthLimit = JSONScan.depthLimit

    /// What was wrong.
    public let kind: Kind
    /// The place as a JSON path: `$.data.items[3].price`; `$` for the whole body.
    public let path: String
    /// What should have stood there: `a number (Double)`, `the key "title"`, `JSON (Book)`.
    public let expected: String
    /// What stood there: `string "9,50"`, `object with keys id, titel: there is "titel"`, `nothing: the body is empty`.
    /// Values of sensitive keys are not shown.
    public let found: String
    /// The text around the place, about 160 characters on one line. Nil when the body is empty or is not text.
    public let excerpt: String?
    /// Where the value, or the error of syntax, begins in the body, counted from 0. Nil when the body is empty or a web
    /// page, and when the place could not be found.
    public let byteOffset: Int?
    /// The decoder's own words, or those of another error that was thrown. Empty when it had none.
    public let detail: String
    /// What was thrown: a `DecodingError`, or an error of the app's own; nil for a web page or another content type,
    /// and for a body that no decoder was given. Its texts may hold secrets; ``Failure/error(as:)`` finds it.
    public let underlying: (any Error)?

    /// Looks into a body to find out why it could not be decoded.
    ///
    /// It costs time linear in the body, so make it when decoding has failed, and only then.
    ///
    /// - Parameters:
    ///   - error: What was thrown, mostly a `DecodingError`. Any other error is kept in words, in ``detail``, and
    ///     whole in ``underlying``.
    ///   - type: The type that was asked for.
    ///   - body: The body, whole or cut.
    ///   - contentType: The value of `Content-Type`; nil when there was none.
    public init(
        _ error: any Error, decoding type: Any.Type, from body: some Collection<UInt8> & Sendable, contentType: String?
    ) {
        let report = DecoderReport(error)
        // Collections without contiguous bytes are copied once.
        let diagnosis =
            body.withContiguousStorageIfAvailable {
                DecodingDiagnosis(report, type, UnsafeRawBufferPointer($0), contentType)
            }
            ?? Array(body).withUnsafeBytes { DecodingDiagnosis(report, type, $0, contentType) }
        kind = diagnosis.kind
        path = diagnosis.path
        expected = diagnosis.expected
        found = diagnosis.found
        excerpt = diagnosis.excerpt
        byteOffset = diagnosis.byteOffset
        detail = diagnosis.detail
        underlying = error is JSONScan.TooDeep ? nil : error
    }

    /// Says that a body is of another content type than those accepted; a web page is still called that.
    ///
    /// - Parameters:
    ///   - found: The media type of the body; nil when there was none.
    ///   - accepted: The media types that would have been right.
    ///   - body: The body, whole or cut.
    package init(contentType found: String?, accepted: [String], body: some Collection<UInt8> & Sendable) {
        let error = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))
        let seen = DecodingFailure(error, decoding: Any.self, from: body, contentType: found)
        let isPage = seen.kind == .html
        kind = isPage ? .html : .typeMismatch
        path = "$"
        expected = "content of type \(accepted.joined(separator: " or "))"
        let type = found.map {
            "content of type \(Redaction.current.text(Excerpt.cut(Excerpt.printable($0), to: 100)))"
        }
        self.found = isPage ? seen.found : type ?? "content without a type"
        excerpt = seen.excerpt
        byteOffset = nil
        detail = ""
        underlying = nil
    }

    /// One or two sentences for a developer.
    ///
    /// ```swift
    /// func log(_ failure: DecodingFailure) { print(failure.explanation) }
    /// // The content could not be read: $.items[3].price should be a number (Double), but is the string "9,50".
    /// ```
    public var explanation: String {
        kind.sentence(self)
    }

    /// What stood there, as it fits into a sentence: `the string "9,50"`, `an array of 3`, `null`.
    var foundWithArticle: String {
        if found.hasPrefix("string ") || found.hasPrefix("number ") { return "the " + found }
        let isContainer = ["object ", "array ", "empty array"].contains { found.hasPrefix($0) }
        return isContainer ? "an " + found : found
    }
}
