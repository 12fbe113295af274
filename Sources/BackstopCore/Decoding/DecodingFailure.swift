/// Why content could not be decoded: where, what was expected, and what was found.
///
/// The texts name the cause, not the layer. A proxy's sign-in page is called that, not "invalid JSON"; a truncated body
/// is called truncated, and a misspelled key is shown next to the expected one.
///
/// ```swift
/// func explain(_ error: any Error, body: [UInt8]) -> String {
///     DecodingFailure(error, decoding: [String: Int].self, from: body, contentType: "application/json").explanation
///     // The content could not be read: $.price should be a whole number (Int), but is the string "9,50".
/// }
/// ```
///
/// All texts are bounded, whatever the size of the body, and redacted by the call's redaction
/// (`CallOptions.redaction`), or else by ``Redaction/standard``.
public struct DecodingFailure: Error, Sendable {
    /// How deep objects and arrays of a body may be nested: 64 levels, counting the outermost.
    ///
    /// A server chooses the depth, and decoders recurse: `JSONDecoder` accepts 512 levels, but 250 of them crash a
    /// thread with a stack of 512 KiB, as worker threads have on Apple platforms. 64 levels are several times what
    /// services send. A deeper body is refused with ``Kind/tooDeep`` before anything is decoded.
    public static let depthLimit = JSONScan.depthLimit

    /// What was wrong.
    public var kind: Kind { shared.value.diagnosis.kind }
    /// The place as a JSON path: `$.data.items[3].price`; `$` for the whole body.
    public var path: String { shared.value.diagnosis.path }
    /// What was expected there: `a number (Double)`, `the key "title"`, `JSON (Book)`.
    public var expected: String { shared.value.diagnosis.expected }
    /// What was found there: `string "9,50"`, `object with keys id, titel (similar: "titel")`, `nothing: the body is
    /// empty`. Values of sensitive keys are not shown. Empty for an error of the app's own
    /// decoding, such as in an interceptor.
    public var found: String { shared.value.diagnosis.found }
    /// The text around the place, about 160 characters on one line. Nil when the body is empty or not text.
    public var excerpt: String? { shared.value.diagnosis.excerpt }
    /// The position of the value, or of the syntax error, in the body, from 0. Nil when the body is empty or a web
    /// page, or when the position is unknown.
    public var byteOffset: Int? { shared.value.diagnosis.byteOffset }
    /// The text of the decoder's error, or of another error that was thrown. Empty when it had none.
    public var detail: String { shared.value.diagnosis.detail }
    /// The error thrown: a `DecodingError`, or one of the app; nil for a web page or a wrong content type, and for a
    /// body that was not passed to a decoder. Its texts may contain secrets; ``Failure/error(as:)`` finds it.
    public var underlying: (any Error)? { shared.value.underlying }

    /// Everything behind one reference, because a failure that may contain it is copied in many places.
    private let shared: Shared<(diagnosis: DecodingDiagnosis, underlying: (any Error)?)>

    /// Examines a body to find out why it could not be decoded.
    ///
    /// This takes time linear in the body, so do it only after decoding has failed.
    ///
    /// - Parameters:
    ///   - error: The error thrown, usually a `DecodingError`. The text of any other error is in ``detail``, the error
    ///     itself in ``underlying``.
    ///   - type: The expected type.
    ///   - body: The body, whole or truncated.
    ///   - contentType: The value of `Content-Type`; nil when there was none.
    public init(
        _ error: any Error, decoding type: Any.Type, from body: some Collection<UInt8> & Sendable, contentType: String?
    ) {
        let report = DecoderReport(error)
        // Collections without contiguous storage are copied once.
        let diagnosis =
            body.withContiguousStorageIfAvailable {
                DecodingDiagnosis(report, type, UnsafeRawBufferPointer($0), contentType)
            }
            ?? Array(body).withUnsafeBytes { DecodingDiagnosis(report, type, $0, contentType) }
        self.init(diagnosis, error is JSONScan.TooDeep ? nil : error)
    }

    /// Describes an error of the app's own decoding.
    init(ofApp error: DecodingError) {
        self.init(DecodingDiagnosis(ofApp: DecoderReport(error)), error)
    }

    /// The same of a line of a stream: it is whole, whatever it lacks.
    ///
    /// - Parameter number: The number of the line, from 1.
    package func ofLine(_ number: Int) -> DecodingFailure {
        var diagnosis = shared.value.diagnosis
        diagnosis.line = number
        if diagnosis.kind == .truncated {
            diagnosis.kind = .notJSON
        }
        diagnosis.found = diagnosis.found.replacing("at line 1, column ", with: "at column ")
        return DecodingFailure(diagnosis, underlying)
    }

    /// The line of the stream, from 1; nil for a whole body.
    var line: Int? { shared.value.diagnosis.line }

    private init(_ diagnosis: DecodingDiagnosis, _ underlying: (any Error)?) {
        shared = Shared((diagnosis, underlying))
    }

    /// The words of an error about a number whose place was found.
    package static let unfitNumber = "A number does not fit its type."

    /// Foundation's words about a body that is not JSON, and about JSON with a number that does not fit its type.
    package static let invalidJSON = "The given data was not valid JSON."

    /// What is expected of a `Date` by a decoder that was not told how dates are written.
    static let dateAsNumber = "a date (Date) as a number, or a number (Double)"

    /// Whether the app's own decoding threw the error: nobody knows here what it was decoding.
    package var isOfApp: Bool { found.isEmpty }

    /// Describes a body whose content type is not accepted; a web page is still called that.
    ///
    /// - Parameters:
    ///   - found: The media type of the body; nil when there was none.
    ///   - accepted: The accepted media types.
    ///   - body: The body, whole or truncated.
    package init(contentType found: String?, accepted: [String], body: some Collection<UInt8> & Sendable) {
        let error = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))
        let seen = DecodingFailure(error, decoding: Any.self, from: body, contentType: found)
        let isPage = seen.kind == .html
        let type = found.map {
            "content of type \(Redaction.current.text(Excerpt.cut(Excerpt.printable($0), to: 100)))"
        }
        let diagnosis = DecodingDiagnosis(
            kind: isPage ? .html : .typeMismatch, expected: "content of type \(accepted.joined(separator: " or "))",
            found: isPage ? seen.found : type ?? "content without a type", excerpt: seen.excerpt, detail: "")
        self.init(diagnosis, nil)
    }

    /// One or two sentences for a developer.
    ///
    /// ```swift
    /// func log(_ failure: DecodingFailure) { print(failure.explanation) }
    /// // The content could not be read: $.items[3].price should be a number (Double), but is the string "9,50".
    /// ```
    public var explanation: String {
        guard isOfApp else { return sentence }
        let words = detail.isEmpty ? "" : " The decoder says: \(detail)"
        return
            "The app's own decoding failed: \(path) should \(verb) "
            + "\(expected).\(words)"
    }

    /// What was found there, as part of a sentence: `the string "9,50"`, `an array of 3`, `null`.
    var foundWithArticle: String {
        if found.hasPrefix("string ") || found.hasPrefix("number ") { return "the " + found }
        let isContainer = ["object ", "array ", "empty array"].contains { found.hasPrefix($0) }
        return isContainer ? "an " + found : found
    }
}
