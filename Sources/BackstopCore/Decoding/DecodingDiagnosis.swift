/// Compares a decoder's error with the body.
struct DecodingDiagnosis {
    var kind: DecodingFailure.Kind
    /// The line of the stream, from 1; nil for a whole body.
    var line: Int?
    var path = "$"
    let expected: String
    var found: String
    var excerpt: String?
    var byteOffset: Int?
    let detail: String
}

extension DecodingDiagnosis {
    init(_ report: DecoderReport, _ type: Any.Type, _ bytes: UnsafeRawBufferPointer, _ contentType: String?) {
        let redaction = Redaction.current
        let body = BodyExcerpt(bytes: bytes, contentType: contentType, redaction: redaction)
        let whole = ExpectedType.json(type)
        // Redacted before it is cut, so that no secret is cut first.
        let line = Excerpt.printable(Excerpt.cut(report.words, to: 2000))
        let words =
            redaction.hidesBodies ? Redaction.placeholder : Excerpt.cut(redaction.body(line, contentType: nil), to: 500)
        if JSONBytes.start(of: bytes) == bytes.count {
            let found = bytes.isEmpty ? "nothing: the body is empty" : "nothing: the body is only white space"
            self.init(kind: .empty, expected: whole, found: found, detail: words)
        } else if let page = HTMLPage(bytes, contentType: contentType, redaction: redaction) {
            self.init(
                kind: .html, expected: whole, found: page.description, excerpt: body.text(around: 0), detail: words)
        } else if let problem = report.problem(in: bytes) {
            self.init(problem, expected: whole, in: body, detail: words)
        } else if report.isTooDeep {
            // JSON5, or another encoding, in which the place was not searched for.
            let excerpt = body.text(around: 0)
            self.init(
                kind: .tooDeep, expected: whole, found: "JSON \(JSONScan.tooDeep)", excerpt: excerpt, detail: words)
        } else {
            self.init(report, type, in: body, detail: words)
        }
    }

    /// An error of the app's own decoding: its words, and nothing to compare them with.
    init(ofApp report: DecoderReport, _ redaction: Redaction = .current) {
        let words = redaction.body(Excerpt.printable(Excerpt.cut(report.words, to: 2000)), contentType: nil)
        self.init(
            kind: report.kind, path: Self.text(of: report.path, redaction), expected: report.expected, found: "",
            detail: Self.isSensitive(report.path, redaction) ? Redaction.placeholder : Excerpt.cut(words, to: 500))
    }

    /// The body is not JSON.
    private init(_ problem: JSONScan.Problem, expected: String, in body: BodyExcerpt, detail: String) {
        let place = "line \(problem.line), column \(problem.column)"
        let kind: DecodingFailure.Kind
        let found: String
        if problem.isTooDeep {
            kind = .tooDeep
            found = "JSON \(problem.message), at \(place)"
        } else if problem.isTruncated {
            kind = .truncated
            found = "JSON that ends in the middle of a value, after \(ByteCount.text(body.bytes.count))"
        } else {
            kind = .notJSON
            found = body.nature(faultAt: problem.offset) ?? "JSON with a syntax error at \(place): \(problem.message)"
        }
        self.init(
            kind: kind, expected: expected, found: found, excerpt: body.text(around: problem.offset),
            byteOffset: problem.offset, detail: detail)
    }

    /// The body is JSON, or another format that the decoder reads; a value in it is not as expected.
    private init(_ report: DecoderReport, _ type: Any.Type, in body: BodyExcerpt, detail: String) {
        let (bytes, redaction) = (body.bytes, body.redaction)
        let located = JSONScan.firstProblem(in: bytes) == nil ? JSONScan.locate(report.path, in: bytes) : nil
        let isWholePath = located?.depth == report.path.count
        let isSensitive = Self.isSensitive(report.path, redaction)
        var found =
            located.map { Self.described($0, isWholePath: isWholePath, isSensitive, redaction) }
            ?? "content that is not JSON in UTF-8"
        var expected = report.expected
        switch report.kind {
        case .missingKey:
            if isWholePath, !redaction.hidesBodies, let near = SimilarKey.find(report.key, among: located?.keys ?? []) {
                found += " (similar: \"\(redaction.text(near))\")"
            }
        // A decoder that is told nothing about dates reads them as `Double`, and says only that.
        case .typeMismatch where report.isDouble && isWholePath:
            if let located, Self.isDate(bytes[located.range]) { expected = DecodingFailure.dateAsNumber }
        case .corrupted where report.isUnfitNumber:
            let isFound = isWholePath && located?.kind == "number"
            expected = isFound ? "a number that fits its type" : "JSON whose numbers fit their types"
        // Foundation gives the path of the object or array around the date.
        case .corrupted
        where report.isOfDecoder && isWholePath && report.words == "Expected date string to be ISO8601-formatted.":
            let container = located.flatMap { ["object": "an object", "array": "an array"][$0.kind] }
            expected = container.map { "\($0) whose dates are in ISO 8601" } ?? "a date in ISO 8601"
        case .typeMismatch, .missingValue: break
        default:
            if report.path.isEmpty { expected = ExpectedType.json(type) }
        }
        self.init(
            kind: report.kind, path: DecodingDiagnosis.text(of: report.path, redaction), expected: expected,
            found: found,
            excerpt: body.text(around: located?.range.lowerBound ?? 0),
            byteOffset: isWholePath ? located?.range.lowerBound : nil,
            // A decoder may repeat the value that it could not read.
            detail: report.isUnfitNumber ? "" : isSensitive ? Redaction.placeholder : detail + report.note)
    }

    private static func described(
        _ located: JSONScan.Located, isWholePath: Bool, _ isSensitive: Bool, _ redaction: Redaction
    ) -> String {
        var hidden = [
            "string": "string \(Redaction.placeholder)", "number": "number \(Redaction.placeholder)",
            "boolean": "a boolean",
        ]
        // Their keys are content as well.
        if redaction.hidesBodies { hidden["object"] = "an object" }
        let description = redaction.text((isSensitive ? hidden[located.kind] : nil) ?? located.description)
        return isWholePath ? description : "nothing: the nearest place that exists is \(description)"
    }

    /// Whether a value is a string that begins as a date, `"2026-01-31`.
    private static func isDate(_ value: Slice<UnsafeRawBufferPointer>) -> Bool {
        let shape = Array("\"0000-00-00".utf8)
        return value.count > shape.count
            && zip(value, shape).allSatisfy { $1 == 0x30 ? (0x30...0x39).contains($0) : $0 == $1 }
    }

    private static func isSensitive(_ path: [JSONPathElement], _ redaction: Redaction) -> Bool {
        redaction.hidesBodies
            || path.contains { element in
                guard case .key(let key) = element else { return false }
                return redaction.isSensitive(key)
            }
    }

    /// A path as text; a very long one keeps its end, which says more.
    private static func text(of path: [JSONPathElement], _ redaction: Redaction) -> String {
        var result = "$"
        // The keys of a dictionary are content.
        guard !redaction.hidesBodies else { return result }
        let shown = path.suffix(32)
        if shown.count < path.count { result += "…" }
        for element in shown {
            switch element {
            case .index(let index): result += "[\(index)]"
            case .key(let key):
                let text = redaction.text(Excerpt.cut(Excerpt.printable(key), to: 64))
                let isPlain = text.unicodeScalars.allSatisfy {
                    $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
                }
                result += isPlain && !text.isEmpty ? ".\(text)" : "[\"\(text)\"]"
            }
        }
        return result
    }
}

extension DecoderReport {
    /// The first syntax error; nil for one that the decoder accepts, as one that reports a missing key does any.
    fileprivate func problem(in bytes: UnsafeRawBufferPointer) -> JSONScan.Problem? {
        guard kind == .corrupted else { return nil }
        return JSONScan.firstProblem(in: bytes).flatMap { isTooDeep && !$0.isTooDeep ? nil : $0 }
    }

    /// Whether a number does not fit its type, in the words of ``JSONBody`` or of Foundation where it says that.
    fileprivate var isUnfitNumber: Bool {
        guard kind == .corrupted, isOfDecoder else { return false }
        return words == DecodingFailure.unfitNumber
            || words.hasPrefix("Parsed JSON number <") && words.contains("> does not fit in ")
            || words.hasPrefix("Number ") && words.hasSuffix(" is not representable in Swift.")
    }

    /// What the decoder's words mean about a body that is JSON.
    fileprivate var note: String {
        words == DecodingFailure.invalidJSON
            ? " (Foundation says so of a number that does not fit its type as well.)" : ""
    }
}
